-- Which lanes read which words of a line: mapping patterns of load requests
-- After WP, Fig. 9. Needs the view of sweeps/mapping.json.
SELECT '' AS panel,
       iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS bar,
       100 * single_share AS single_percent, 100 * broadcast_share AS broadcast_percent,
       100 * consecutive_share AS consecutive_percent, 100 * range_share AS range_percent,
       100 * other_share AS other_percent
FROM mapping_patterns_by_kernel
WINDOW same_name AS (PARTITION BY kernel)
ORDER BY trace, kernel;
