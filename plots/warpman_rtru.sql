-- What waiting for the last warp of a CTA takes (RTRU), the speedup that this bounds, and that of temporal allocation
-- After XI, Figs. 29 and 32. Needs the views of sweeps/warpman.json and sweeps/warpman_rtru.json.
-- warpman_threshold: has one value where warpman_spatial is off
WITH points AS (
    SELECT 1 AS nth, trace, kernel, iif(sm_scheduler = 'lrr', 1, 2) AS bar,
           iif(ctas_even = ctas, 0, 100 * rtru_geomean) AS value
    FROM warpman_rtru_by_kernel
    UNION ALL
    SELECT 2, trace, kernel, 1, 1 / (1 - rtru_weighted) FROM warpman_rtru_by_kernel WHERE sm_scheduler = 'lrr'
    UNION ALL
    SELECT 2, trace, kernel, 2, speedup FROM warpman_speedup
    WHERE sm_scheduler = 'lrr' AND mechanism_dispatch = 'warpman' AND warpman_spatial = 'off'),
bars AS (
    SELECT nth, iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS name,
           bar, value
    FROM points WINDOW same_name AS (PARTITION BY kernel)),
whole AS ( -- means are over what has all bars of its panel
    SELECT nth, name FROM bars r WHERE value NOT NULL GROUP BY nth, name
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM bars WHERE nth = r.nth AND value NOT NULL))
SELECT iif(nth = 1, 'RTRU, geomean of CTAs above 0 (%)', 'speedup under round robin') AS panel, name AS series, bar, value
FROM (SELECT * FROM bars
      UNION ALL SELECT 1, 'mean', bar, avg(value) FROM bars JOIN whole USING (nth, name) WHERE nth = 1 GROUP BY bar
      UNION ALL SELECT 2, 'mean', bar, geomean(value) FROM bars JOIN whole USING (nth, name) WHERE nth = 2 GROUP BY bar)
ORDER BY nth, name = 'mean', name, bar;
