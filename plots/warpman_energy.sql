-- WarpMan: energy relative to CTA-level dispatch (joules of sweeps/energy/xi.json)
-- After XI, Fig. 34. Needs the view of sweeps/warpman.json.
WITH forms(bar, spatial, threshold) AS (VALUES (1, 'off', 0), (2, 'on', 0), (3, 'dueling', 0), (4, 'on', 36)),
ratios AS (
    SELECT iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS name,
           bar, energy_ratio AS energy
    FROM forms
    JOIN warpman_energy ON (mechanism_dispatch, warpman_spatial, warpman_threshold) = ('warpman', spatial, threshold)
    WHERE sm_scheduler = 'lrr'
    WINDOW same_name AS (PARTITION BY kernel)),
whole AS ( -- means are over what has all bars
    SELECT name FROM ratios WHERE energy NOT NULL GROUP BY name
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM ratios WHERE energy NOT NULL))
SELECT 'round robin' AS panel, name AS series, bar, energy
FROM (SELECT * FROM ratios UNION ALL SELECT 'mean', bar, avg(energy) FROM ratios JOIN whole USING (name) GROUP BY bar)
ORDER BY name = 'mean', name, bar;
