-- Warps by the instructions that they execute, in bins (a, b]; kernels whose warps differ
-- After XI, Figs. 23 and 25. Needs the view of sweeps/rtru.json.
WITH spread AS (
    SELECT trace, kernel, count(DISTINCT more_than) AS bins, max(up_to) AS most
    FROM warp_divergence_rtru_histogram WHERE rtru_bin = 5 GROUP BY trace, kernel
)
SELECT iif(instr(kernel, trace) = 1, '', trace || ': ') || kernel || printf(' (bins of %d)', rtru_bin) AS panel,
       'warps' AS series, more_than AS a, up_to AS b,
       100.0 * sum(warps) / sum(sum(warps)) OVER (PARTITION BY trace, kernel) AS percent
FROM warp_divergence_rtru_histogram JOIN spread USING (trace, kernel)
WHERE bins > 1 AND rtru_bin = CASE WHEN most > 4000 THEN 500 WHEN most > 400 THEN 50 ELSE 5 END
GROUP BY trace, kernel, rtru_bin, more_than
ORDER BY trace, kernel, more_than;
