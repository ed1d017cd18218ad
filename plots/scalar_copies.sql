-- Copy instructions in front of divergent writes to uniform registers
-- After XI, Fig. 7. Needs the view of sweeps/scalar.json.
WITH counters AS (
    SELECT trace, kernel, scalar_copy, sum(copies) AS copies FROM scalar_scalar_counters
    WHERE core_simd_width = 8 AND scalar_design = 'token' AND scalar_convert AND scalar_irb_entries = 8 AND NOT scalar_checks
    GROUP BY 1, 2, 3),
points AS (
    SELECT *, max(launches) OVER (PARTITION BY trace, kernel) AS all_launches FROM scalar_by_kernel
    WHERE mechanism_core = 'scalar' AND core_simd_width = 8 AND scalar_design = 'token' AND scalar_convert
      AND scalar_irb_entries = 8 AND NOT scalar_checks)
SELECT '' AS panel,
       iif(min(p.trace) OVER same_name = max(p.trace) OVER same_name, p.kernel, p.trace || ': ' || p.kernel) AS series,
       iif(p.scalar_copy = 'source', 1, 2) AS bar, 100.0 * c.copies / p.warp_instructions AS value
FROM points p JOIN counters c ON (c.trace, c.kernel, c.scalar_copy) = (p.trace, p.kernel, p.scalar_copy)
WHERE p.launches = p.all_launches
WINDOW same_name AS (PARTITION BY p.kernel)
ORDER BY series, bar;
