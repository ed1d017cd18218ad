-- GPUs of like area, GPU-I (36 SMs with ILP) and GPU-H (18 with, 20 without): IPC relative to GPU-T (40 SMs)
-- After XI, Fig. 48 (launches cut at 30,000 warp instructions). Needs the view of sweeps/ilp_gpus.json.
WITH points AS (SELECT kernel, gpu_clusters AS sms, cycles FROM ilp_gpus_by_kernel),
bars(sms, bar) AS (VALUES (36, 1), (38, 2)),
ratios AS (
    SELECT p.kernel, w.bar, 1.0 * b.cycles / p.cycles AS speedup
    FROM points p JOIN bars w USING (sms) JOIN points b ON b.kernel = p.kernel AND b.sms = 40)
SELECT 'one kernel at a time' AS panel, kernel AS series, bar, speedup
FROM (SELECT * FROM ratios
      UNION ALL SELECT 'geometric mean', bar, geomean(speedup) FROM ratios GROUP BY bar)
ORDER BY kernel = 'geometric mean', kernel, bar;
