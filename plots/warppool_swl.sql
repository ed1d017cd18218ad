-- Static wavefront limiting at its best limit, WarpPool, and both: IPC relative to GTO alone
-- After WarpPool 4.1. Needs the view of sweeps/warppool_swl.json.
WITH forms AS (
    SELECT kernel, 1 AS bar, min(cycles) AS cycles FROM warppool_swl_by_kernel WHERE mechanism_front = 'none' GROUP BY kernel
    UNION ALL
    SELECT kernel, 2, cycles FROM warppool_swl_by_kernel WHERE mechanism_front = 'warppool' AND core_swl_warps = 48
    UNION ALL
    SELECT kernel, 3, min(cycles) FROM warppool_swl_by_kernel WHERE mechanism_front = 'warppool' GROUP BY kernel),
ratios AS (
    SELECT kernel, bar, 1.0 * b.cycles / f.cycles AS speedup
    FROM forms f JOIN warppool_swl_by_kernel b USING (kernel)
    WHERE b.mechanism_front = 'none' AND b.core_swl_warps = 48)
SELECT '' AS panel, kernel AS series, bar, speedup
FROM (SELECT * FROM ratios UNION ALL SELECT 'geometric mean', bar, geomean(speedup) FROM ratios GROUP BY bar)
ORDER BY kernel = 'geometric mean', kernel, bar;
