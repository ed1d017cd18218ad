-- WarpMan: energy relative to CTA-level dispatch (register files after XI tab. 2, the rest assumed)
-- After XI, Fig. 34. Needs the view of sweeps/warpman.json.
WITH forms(bar, spatial, threshold) AS (VALUES (1, 'off', 0), (2, 'on', 0), (3, 'dueling', 0), (4, 'on', 36)),
ratios AS (
    SELECT e.kernel AS name, bar, e.energy_J / b.energy_J AS energy
    FROM forms
    JOIN warpman_energy e ON (e.mechanism_dispatch, e.warpman_spatial, e.warpman_threshold) =
                             ('warpman', spatial, threshold)
    JOIN warpman_energy b ON (b.trace, b.kernel, b.sm_scheduler) = (e.trace, e.kernel, e.sm_scheduler)
                          AND b.mechanism_dispatch = 'none'
    WHERE e.sm_scheduler = 'lrr')
SELECT 'round robin' AS panel, name AS series, bar, energy
FROM (SELECT * FROM ratios UNION ALL SELECT 'mean', bar, avg(energy) FROM ratios GROUP BY bar)
ORDER BY name = 'mean', name, bar;
