-- Hit ratio of fully associative LRU caches, by capacity and by whose requests they serve
-- By exact stack distances. Needs the view of sweeps/stack_distance.json.
SELECT iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS panel,
       CASE stack_distance_level WHEN 'sm' THEN 'a cache per SM' WHEN 'cta' THEN 'per CTA' WHEN 'warp' THEN 'per warp'
                                 ELSE 'one for the kernel' END AS series,
       capacity_B / 1024.0 AS capacity_KB,
       100.0 * hit_ratio AS hit_percent,
       iif(hit_ratio NOT NULL, capacity_B / stack_distance_ways, NULL) AS block_B -- of what there is to draw
FROM lru_capacity_by_kernel
WINDOW same_name AS (PARTITION BY kernel)
ORDER BY trace, kernel, stack_distance_level = 'kernel', stack_distance_level = 'warp', stack_distance_level = 'cta',
         stack_distance_ways;
