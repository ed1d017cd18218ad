-- Energy with uniform vector instructions as scalar ones (registers after XI tab. 2, all else assumed)
-- After XI, Figs. 9 and 10. Needs the view of sweeps/scalar.json.
WITH ratios AS (
    SELECT p.scalar_design AS design, p.kernel, iif(p.scalar_convert, iif(p.scalar_irb_entries, 3, 1), 2) AS bar,
           p.energy_J / b.energy_J AS energy
    FROM scalar_energy p
    JOIN scalar_energy b ON (b.core_simd_width, b.trace, b.kernel) = (p.core_simd_width, p.trace, p.kernel)
                         AND b.mechanism_core = 'none'
    WHERE p.mechanism_core = 'scalar' AND p.scalar_copy = 'source' AND p.core_simd_width = 8)
SELECT iif(design = 'token', 'token design', 'scalar register file') AS panel, kernel AS series, bar, energy
FROM (SELECT * FROM ratios UNION ALL SELECT design, 'geometric mean', bar, geomean(energy) FROM ratios GROUP BY 1, 3)
ORDER BY design = 'srf', kernel = 'geometric mean', kernel, bar;
