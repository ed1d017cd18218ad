-- What it costs to compute uniform instructions twice: overhead of redundancy checks in dynamic energy
-- After XI, Fig. 16. Needs the view of sweeps/scalar.json.
WITH overhead AS (
    SELECT iif(min(p.trace) OVER same_name = max(p.trace) OVER same_name, p.kernel, p.trace || ': ' || p.kernel) AS kernel,
           iif(p.scalar_design = 'token', 1, 2) AS bar, 100 * (p.dynamic_J / b.dynamic_J - 1) AS percent
    FROM scalar_energy p
    JOIN scalar_energy b USING (trace, kernel, launch_set, mechanism_core, core_simd_width, scalar_design, scalar_convert,
                                scalar_irb_entries, scalar_copy)
    WHERE mechanism_core = 'scalar' AND scalar_copy = 'source' AND scalar_convert AND scalar_irb_entries = 8
      AND core_simd_width = 8 AND p.scalar_checks AND NOT b.scalar_checks
    WINDOW same_name AS (PARTITION BY p.kernel)),
whole AS ( -- means are over what has all bars
    SELECT kernel FROM overhead GROUP BY kernel
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM overhead))
SELECT '' AS panel, kernel AS series, bar, percent
FROM (SELECT * FROM overhead
      UNION ALL SELECT 'mean', bar, avg(percent) FROM overhead JOIN whole USING (kernel) GROUP BY bar)
ORDER BY kernel = 'mean', kernel, bar;
