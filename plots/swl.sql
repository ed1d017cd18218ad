-- Static wavefront limiting at its best limit, and the prioritization buffer, over LRR and GTO: IPC relative to LRR alone
-- After MRPB, Fig. 16. Needs the view of sweeps/swl.json.
WITH base AS (SELECT kernel, cycles FROM swl_by_kernel
              WHERE core_swl_base = 'lrr' AND core_swl_warps = 48 AND mechanism_front = 'none'),
forms AS (
    SELECT core_swl_base AS scheduler, kernel, 1 AS bar, min(cycles) AS cycles FROM swl_by_kernel
    WHERE mechanism_front = 'none' AND core_swl_warps = 48 GROUP BY 1, 2
    UNION ALL
    SELECT core_swl_base, kernel, 2, min(cycles) FROM swl_by_kernel WHERE mechanism_front = 'none' GROUP BY 1, 2
    UNION ALL
    SELECT core_swl_base, kernel, 3, min(cycles) FROM swl_by_kernel
    WHERE mechanism_front = 'mrpb' AND core_swl_warps = 48 GROUP BY 1, 2
    UNION ALL
    SELECT core_swl_base, kernel, 4, min(cycles) FROM swl_by_kernel WHERE mechanism_front = 'mrpb' GROUP BY 1, 2),
ratios AS (SELECT scheduler, kernel, bar, 1.0 * b.cycles / f.cycles AS speedup FROM forms f JOIN base b USING (kernel))
SELECT upper(scheduler) AS panel, kernel AS series, bar, speedup
FROM (SELECT * FROM ratios
      UNION ALL SELECT scheduler, 'geometric mean', bar, geomean(speedup) FROM ratios GROUP BY scheduler, bar)
ORDER BY scheduler DESC, kernel = 'geometric mean', kernel, bar;
