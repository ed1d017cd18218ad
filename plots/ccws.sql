-- Cache-conscious wavefront scheduling and static limits over LRR and GTO: IPC relative to LRR alone
-- Beside MRPB, Fig. 16, and WP 4.1. Needs the view of sweeps/ccws.json.
WITH all_points AS (SELECT *, max(launches) OVER (PARTITION BY trace, kernel) AS all_launches FROM ccws_by_kernel),
points AS (SELECT * FROM all_points WHERE launches = all_launches),
base AS (SELECT trace, kernel, cycles FROM points
         WHERE core_swl_base = 'lrr' AND core_swl_warps = 48 AND mechanism_core = 'none'),
forms AS (
    SELECT core_swl_base AS scheduler, trace, kernel, 1 AS bar, cycles FROM points
    WHERE mechanism_core = 'none' AND core_swl_warps = 48
    UNION ALL
    SELECT core_swl_base, trace, kernel, 2, min(cycles) FROM points WHERE mechanism_core = 'none' GROUP BY 1, 2, 3
    UNION ALL
    SELECT core_swl_base, trace, kernel, 3 + (ccws_gain = 1) + 2 * (ccws_vta_sets > 2), cycles FROM points
    WHERE mechanism_core = 'ccws'),
ratios AS (
    SELECT scheduler, iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS kernel,
           bar, 1.0 * b.cycles / f.cycles AS speedup
    FROM forms f JOIN base b USING (trace, kernel)
    WINDOW same_name AS (PARTITION BY kernel)),
whole AS ( -- means are over what has all bars of its panel
    SELECT scheduler, kernel FROM ratios r GROUP BY scheduler, kernel
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM ratios WHERE scheduler = r.scheduler))
SELECT upper(scheduler) AS panel, kernel AS series, bar, speedup
FROM (SELECT * FROM ratios
      UNION ALL SELECT scheduler, 'geometric mean', bar, geomean(speedup)
          FROM ratios JOIN whole USING (scheduler, kernel) GROUP BY scheduler, bar)
ORDER BY scheduler DESC, kernel = 'geometric mean', kernel, bar;
