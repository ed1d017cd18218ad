-- Performance by bandwidth of network and L2, relative to that of ICC's GPU
-- After ICC, Fig. 2. Needs the view of sweeps/icc_bandwidth.json.
WITH ratios AS (
    SELECT p.kernel, log2(p.noc_flit_B) - 3 AS bar, 1.0 * b.cycles / p.cycles AS speedup
    FROM icc_bandwidth_by_kernel p
    JOIN icc_bandwidth_by_kernel b ON (b.trace, b.kernel) = (p.trace, p.kernel) AND b.noc_flit_B = 64)
SELECT 'network and L2' AS panel, kernel AS series, bar, speedup
FROM (SELECT * FROM ratios UNION ALL SELECT 'geometric mean', bar, geomean(speedup) FROM ratios GROUP BY bar)
ORDER BY kernel = 'geometric mean', kernel, bar;
