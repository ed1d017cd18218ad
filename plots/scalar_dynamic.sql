-- What events take, and what is always drawn, with uniform vector instructions as scalar ones and reused
-- After XI, Fig. 8. Needs the view of sweeps/scalar.json.
WITH ratios AS (
    SELECT iif(min(p.trace) OVER same_name = max(p.trace) OVER same_name, p.kernel, p.trace || ': ' || p.kernel) AS kernel,
           iif(p.scalar_design = 'token', 1, 2) AS bar, p.dynamic_J / b.dynamic_J AS dynamic, p.static_J / b.static_J AS static
    FROM scalar_energy p
    JOIN scalar_energy b ON (b.core_simd_width, b.trace, b.kernel, b.launch_set) =
                            (p.core_simd_width, p.trace, p.kernel, p.launch_set)
                         AND b.mechanism_core = 'none'
    WHERE p.mechanism_core = 'scalar' AND p.scalar_copy = 'source' AND p.scalar_convert AND p.scalar_irb_entries = 8
      AND NOT p.scalar_checks AND p.core_simd_width = 8
    WINDOW same_name AS (PARTITION BY p.kernel)),
bars AS (SELECT 1 AS nth, 'dynamic energy' AS panel, kernel, bar, dynamic AS value FROM ratios
         UNION ALL SELECT 2, 'static energy', kernel, bar, static FROM ratios),
whole AS ( -- means are over what has all bars of its panel
    SELECT nth, kernel FROM bars r GROUP BY nth, kernel
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM bars WHERE nth = r.nth))
SELECT panel, kernel AS series, bar, value
FROM (SELECT * FROM bars
      UNION ALL SELECT nth, panel, 'geometric mean', bar, geomean(value)
          FROM bars JOIN whole USING (nth, kernel) GROUP BY nth, panel, bar)
ORDER BY nth, kernel = 'geometric mean', kernel, bar;
