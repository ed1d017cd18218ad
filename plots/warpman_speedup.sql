-- Warp-level resource management: IPC relative to CTA-level dispatch
-- After XI, Figs. 32, 33 and 35. Needs the view of sweeps/warpman.json.
WITH forms(bar, spatial, threshold) AS (VALUES (1, 'off', 0), (2, 'on', 0), (3, 'dueling', 0), (4, 'on', 36)),
ratios AS (
    SELECT iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS name,
           sm_scheduler AS scheduler, bar, speedup
    FROM warpman_speedup
    JOIN forms ON (warpman_spatial, warpman_threshold) = (spatial, threshold)
    WHERE mechanism_dispatch = 'warpman'
    WINDOW same_name AS (PARTITION BY kernel)),
whole AS ( -- means are over what has all bars of its panel
    SELECT scheduler, name FROM ratios r WHERE speedup NOT NULL GROUP BY scheduler, name
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM ratios
                                  WHERE scheduler = r.scheduler AND speedup NOT NULL)),
bars AS (
    SELECT name, scheduler, bar, speedup FROM ratios
    UNION ALL
    SELECT 'geometric mean', scheduler, bar, geomean(speedup)
        FROM ratios JOIN whole USING (scheduler, name) GROUP BY scheduler, bar)
SELECT CASE scheduler WHEN 'lrr' THEN 'round robin' WHEN 'two_level' THEN 'two-level scheduler' ELSE scheduler END AS panel,
       name AS series, bar, speedup
FROM bars
ORDER BY scheduler, name = 'geometric mean', name, bar;
