-- Transposing a matrix: execution time relative to the kernel that reads columns without WarpPool
-- After WarpPool, Fig. 14. Needs the view of sweeps/warppool_transpose.json.
SELECT '' AS panel, p.kernel AS series, iif(p.mechanism_front = 'none', 1, 2) AS bar, 1.0 * p.cycles / b.cycles AS value
FROM warppool_transpose_by_kernel p
JOIN warppool_transpose_by_kernel b ON (b.kernel, b.mechanism_front, b.launches) = ('transpose_columns', 'none', p.launches)
ORDER BY p.kernel, bar;
