-- Hit ratio of fully associative LRU caches per SM, by the size of a block and the capacity: lane accesses
-- After XI, Figs. 54-56, with capacities (stack_distance_ways x the block) for windows. Needs the view of
-- sweeps/lru_blocks.json.
SELECT iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS panel,
       format('%d KB', capacity_B / 1024) AS series,
       stack_distance_neighbourhood_B AS "block (B)",
       100.0 * hit_ratio AS "hit ratio (%)"
FROM lru_blocks_by_kernel
WHERE capacity_B IN (1024, 4096, 16384, 65536)
WINDOW same_name AS (PARTITION BY kernel)
ORDER BY trace, kernel, capacity_B, stack_distance_neighbourhood_B;
