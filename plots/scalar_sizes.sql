-- Sizes of the scalar register file (beside 8 reuse entries) and of the reuse buffer (token design)
-- After XI, Figs. 11 and 12. Needs the view of sweeps/scalar_sizes.json.
WITH ratios AS (
    SELECT p.scalar_design AS design,
           iif(min(p.trace) OVER same_name = max(p.trace) OVER same_name, p.kernel, p.trace || ': ' || p.kernel) AS kernel,
           CASE p.scalar_design WHEN 'srf' THEN log2(p.scalar_srf_entries) - 3
                ELSE iif(p.scalar_irb_entries, log2(p.scalar_irb_entries) + 1, 1) END AS bar,
           1.0 * b.cycles / p.cycles AS speedup
    FROM scalar_sizes_by_kernel p
    JOIN scalar_sizes_by_kernel b ON (b.trace, b.kernel, b.launch_set) = (p.trace, p.kernel, p.launch_set)
                                  AND b.mechanism_core = 'none'
    WHERE p.mechanism_core = 'scalar'
    WINDOW same_name AS (PARTITION BY p.kernel)),
whole AS ( -- means are over what has all bars of its panel
    SELECT design, kernel FROM ratios r GROUP BY design, kernel
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM ratios WHERE design = r.design))
SELECT iif(design = 'srf', 'scalar register file', 'reuse buffer') AS panel,
       kernel AS series, bar, speedup
FROM (SELECT * FROM ratios
      UNION ALL SELECT design, 'geometric mean', bar, geomean(speedup)
          FROM ratios JOIN whole USING (design, kernel) GROUP BY 1, 3)
ORDER BY design = 'token', kernel = 'geometric mean', kernel, bar;
