-- Uniform vector instructions as scalar ones: IPC relative to vector execution (an eighth of a GTX 285)
-- After XI, Figs. 5, 6 and 13. Needs the view of sweeps/scalar.json.
WITH ratios AS (
    SELECT p.core_simd_width AS width, p.gpu_clusters AS sms, p.scalar_design AS design,
           iif(min(p.trace) OVER same_name = max(p.trace) OVER same_name, p.kernel, p.trace || ': ' || p.kernel) AS kernel,
           iif(p.scalar_convert, iif(p.scalar_irb_entries, 3, 1), 2) AS bar, 1.0 * b.cycles / p.cycles AS speedup
    FROM scalar_by_kernel p
    JOIN scalar_by_kernel b ON (b.core_simd_width, b.trace, b.kernel, b.launch_set) =
                               (p.core_simd_width, p.trace, p.kernel, p.launch_set)
                            AND b.mechanism_core = 'none'
    WHERE p.mechanism_core = 'scalar' AND p.scalar_copy = 'source' AND NOT p.scalar_checks
      AND (p.scalar_design = 'token' OR p.core_simd_width = 8)
    WINDOW same_name AS (PARTITION BY p.kernel)),
whole AS ( -- means are over what has all bars of its panel
    SELECT width, sms, design, kernel FROM ratios r GROUP BY width, sms, design, kernel
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar)
        FROM ratios WHERE (width, sms, design) = (r.width, r.sms, r.design)))
SELECT iif(design = 'token', 'token design, ', 'scalar file, ') || sms || ' x ' || width || ' lanes' AS panel,
       kernel AS series, bar, speedup
FROM (SELECT * FROM ratios
      UNION ALL SELECT width, sms, design, 'geometric mean', bar, geomean(speedup)
          FROM ratios JOIN whole USING (width, sms, design, kernel) GROUP BY 1, 2, 3, 5)
ORDER BY width, design = 'srf', kernel = 'geometric mean', kernel, bar;
