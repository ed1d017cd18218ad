-- Static wavefront limiting at its best limit, WarpPool, and both: IPC relative to GTO alone
-- After WarpPool 4.1. Needs the view of sweeps/warppool_swl.json.
WITH all_points AS (
    SELECT trace, kernel, mechanism_front = 'warppool' AS pool, core_swl_warps AS warps, cycles, launches,
           max(launches) OVER (PARTITION BY trace, kernel) AS all_launches
    FROM warppool_swl_by_kernel),
points AS (SELECT * FROM all_points WHERE launches = all_launches),
forms AS (
    SELECT trace, kernel, 1 AS bar, min(cycles) AS cycles FROM points WHERE NOT pool GROUP BY trace, kernel
    UNION ALL
    SELECT trace, kernel, 2, cycles FROM points WHERE pool AND warps = 48
    UNION ALL
    SELECT trace, kernel, 3, min(cycles) FROM points WHERE pool GROUP BY trace, kernel),
ratios AS (
    SELECT iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS kernel,
           bar, 1.0 * b.cycles / f.cycles AS speedup
    FROM forms f JOIN points b USING (trace, kernel) WHERE NOT b.pool AND b.warps = 48
    WINDOW same_name AS (PARTITION BY kernel)),
whole AS ( -- means are over what has all bars
    SELECT kernel FROM ratios GROUP BY kernel
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM ratios))
SELECT '' AS panel, kernel AS series, bar, speedup
FROM (SELECT * FROM ratios
      UNION ALL SELECT 'geometric mean', bar, geomean(speedup) FROM ratios JOIN whole USING (kernel) GROUP BY bar)
ORDER BY kernel = 'geometric mean', kernel, bar;
