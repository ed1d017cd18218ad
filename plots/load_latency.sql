-- How long loads from global and local memory take
-- After WP, 2.1, in whose queues they wait. Needs the view of sweeps/hotspots.json.
WITH latency AS (
    SELECT trace, kernel, up_to, sum(loads) AS loads FROM warp_time_hotspots_latency GROUP BY trace, kernel, up_to),
ranked AS (
    SELECT trace, kernel, up_to,
           1.0 * sum(loads) OVER (PARTITION BY trace, kernel ORDER BY up_to) / sum(loads) OVER (PARTITION BY trace, kernel)
               AS share
    FROM latency)
SELECT 'latency' AS panel,
       iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS bar,
       min(up_to) FILTER (WHERE share >= 0.1) AS p10, min(up_to) FILTER (WHERE share >= 0.25) AS p25,
       min(up_to) FILTER (WHERE share >= 0.5) AS median, min(up_to) FILTER (WHERE share >= 0.75) AS p75,
       min(up_to) FILTER (WHERE share >= 0.9) AS p90, min(up_to) FILTER (WHERE share >= 0.99) AS p99
FROM ranked GROUP BY trace, kernel
WINDOW same_name AS (PARTITION BY kernel)
ORDER BY median, trace, kernel;
