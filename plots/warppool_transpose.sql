-- Transposing a matrix: execution time relative to the naive kernel without WarpPool
-- After WarpPool, Fig. 14. Needs the view of sweeps/warppool.json.
SELECT '' AS panel, p.kernel AS series, iif(p.mechanism_front = 'none', 1, 2) AS bar, 1.0 * p.cycles / b.cycles AS value
FROM warppool_by_kernel p
JOIN warppool_by_kernel b ON b.kernel = 'transpose_naive' AND b.mechanism_front = 'none' AND b.core_coalescers * b.l1_banks = 1
WHERE p.kernel LIKE 'transpose%' AND p.mechanism_front <> 'mrpb' AND p.core_coalescers * p.l1_banks = 1
ORDER BY p.kernel, bar;
