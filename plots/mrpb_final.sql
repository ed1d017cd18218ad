-- Memory request prioritization buffer: IPC relative to no buffer
-- After MRPB, Figs. 14 and 16. Needs the view of sweeps/mrpb.json.
WITH ratios AS (
    SELECT p.gpu, p.sm_scheduler, p.kernel,
           CASE WHEN p.mrpb_signature = 'none' THEN 1 WHEN p.mrpb_bypass = 'none' THEN 2 ELSE 3 END AS bar,
           1.0 * b.cycles / p.cycles AS speedup
    FROM mrpb_by_kernel p
    JOIN mrpb_by_kernel b ON (b.gpu, b.sm_scheduler, b.trace, b.kernel) = (p.gpu, p.sm_scheduler, p.trace, p.kernel)
                          AND b.mechanism_front = 'none'
    WHERE p.mechanism_front = 'mrpb')
SELECT gpu || ', ' || upper(sm_scheduler) AS panel, kernel AS series, bar, speedup
FROM (SELECT * FROM ratios
      UNION ALL SELECT gpu, sm_scheduler, 'geometric mean', bar, geomean(speedup) FROM ratios GROUP BY 1, 2, 4)
ORDER BY gpu, sm_scheduler DESC, kernel = 'geometric mean', kernel, bar;
