-- Performance by the time that a line takes in the network, with L2 ports of a quarter to twice the width, relative to the 3 cycles of ICC's GPU
-- After ICC, Fig. 2. Needs the view of sweeps/icc_bandwidth.json.
WITH width(flit_B, bar) AS (VALUES (12, 1), (24, 2), (64, 3), (96, 4), (136, 5)),
ratios AS (
    SELECT iif(min(p.trace) OVER same_name = max(p.trace) OVER same_name, p.kernel, p.trace || ': ' || p.kernel) AS kernel,
           bar, 1.0 * b.cycles / p.cycles AS speedup
    FROM icc_bandwidth_by_kernel p JOIN width ON flit_B = p.noc_flit_B
    JOIN icc_bandwidth_by_kernel b ON (b.trace, b.kernel, b.launch_set) = (p.trace, p.kernel, p.launch_set)
                                   AND b.noc_flit_B = 64
    WINDOW same_name AS (PARTITION BY p.kernel)),
whole AS ( -- means are over what has all bars
    SELECT kernel FROM ratios GROUP BY kernel
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM ratios))
SELECT 'network (cycles)' AS panel, kernel AS series, bar, speedup
FROM (SELECT * FROM ratios
      UNION ALL SELECT 'geometric mean', bar, geomean(speedup) FROM ratios JOIN whole USING (kernel) GROUP BY bar)
ORDER BY kernel = 'geometric mean', kernel, bar;
