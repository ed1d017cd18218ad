-- Energy with uniform vector instructions as scalar ones (joules of sweeps/energy/gtx285.json)
-- After XI, Figs. 9 and 10. Needs the view of sweeps/scalar.json.
WITH ratios AS (
    SELECT scalar_design AS design,
           iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS kernel,
           iif(scalar_convert, iif(scalar_irb_entries, 3, 1), 2) AS bar,
           energy_ratio AS energy
    FROM scalar_energy
    WHERE mechanism_core = 'scalar' AND scalar_copy = 'source' AND NOT scalar_checks AND core_simd_width = 8
    WINDOW same_name AS (PARTITION BY kernel)),
whole AS ( -- means are over what has all bars of its panel
    SELECT design, kernel FROM ratios r WHERE energy NOT NULL GROUP BY design, kernel
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM ratios WHERE design = r.design AND energy NOT NULL))
SELECT iif(design = 'token', 'token design', 'scalar register file') AS panel, kernel AS series, bar, energy
FROM (SELECT * FROM ratios
      UNION ALL SELECT design, 'geometric mean', bar, geomean(energy)
          FROM ratios JOIN whole USING (design, kernel) GROUP BY 1, 3)
ORDER BY design = 'srf', kernel = 'geometric mean', kernel, bar;
