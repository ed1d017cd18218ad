-- CTA dispatch: IPC relative to two-level round robin
-- After ICC, Fig. 7. Needs the view of sweeps/icc.json.
-- icc_cache_lines: has one value where mechanism_cluster is none
WITH forms(bar, dispatch) AS (
    VALUES (1, 'global_rr'), (2, 'greedy'), (3, 'distributed'), (4, 'distributed_block')),
ratios AS (
    SELECT iif(min(d.trace) OVER same_name = max(d.trace) OVER same_name, d.kernel, d.trace || ': ' || d.kernel) AS kernel,
           bar, 1.0 * b.cycles / d.cycles AS speedup
    FROM forms
    JOIN icc_by_kernel d ON d.gpu_dispatch = dispatch AND d.mechanism_cluster = 'none'
    JOIN icc_by_kernel b ON (b.trace, b.kernel, b.launch_set) = (d.trace, d.kernel, d.launch_set)
                         AND b.gpu_dispatch = 'two_level_rr' AND b.mechanism_cluster = 'none'
    WINDOW same_name AS (PARTITION BY d.kernel)),
whole AS ( -- means are over what has all bars
    SELECT kernel FROM ratios GROUP BY kernel
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM ratios))
SELECT 'IPC' AS panel, kernel AS series, bar, value
FROM (SELECT kernel, bar, speedup AS value, 0 AS last FROM ratios
      UNION ALL SELECT 'geometric mean', bar, geomean(speedup), 1 FROM ratios JOIN whole USING (kernel) GROUP BY bar)
ORDER BY last, kernel, bar;
