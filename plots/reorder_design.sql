-- The irregular accesses reorder unit: execution time and filtered elements by its sizes and timeout
-- After IRU 5 (the sizes) and 3.1 (the timeout, not published). Needs the views of sweeps/reorder_design.json.
WITH algorithm(kernel, name, place) AS (
    VALUES ('bfs_contract', 'BFS', 1), ('sssp_compaction', 'SSSP', 2), ('pr_contract', 'PageRank', 3)),
counted AS (
    SELECT trace, kernel, dram_channels, reorder_hash_sets, reorder_timeout, reorder_prefetches,
           1.0 * sum(filtered) / sum(elements) AS filtered
    FROM reorder_design_reorder_counters WHERE mechanism_partition = 'reorder' GROUP BY 1, 2, 3, 4, 5, 6),
pair AS (
    SELECT name, place, w.trace, w.dram_channels AS channels, w.reorder_hash_sets AS entries,
           w.reorder_timeout AS timeout, w.reorder_prefetches AS prefetches, 1.0 * w.cycles / o.cycles AS time, filtered
    FROM reorder_design_by_kernel w
    JOIN reorder_design_by_kernel o ON (o.trace, o.kernel, o.dram_channels, o.launch_set) =
                                       (w.trace, w.kernel, w.dram_channels, w.launch_set)
                                       AND o.mechanism_partition = 'none'
    JOIN counted c USING (trace, kernel, dram_channels, reorder_hash_sets, reorder_timeout, reorder_prefetches)
    JOIN algorithm USING (kernel)
    WHERE w.mechanism_partition = 'reorder'),
curves AS (
    SELECT 1 AS nth, 'prefetches per partition' AS panel, name, place, trace, prefetches AS x, time, filtered FROM pair
    WHERE (channels, entries, timeout) = (4, 1024, 256)
    UNION ALL
    SELECT 2, 'timeout (cycles)', name, place, trace, timeout, time, filtered FROM pair
    WHERE (channels, entries, prefetches) = (4, 1024, 8)
    UNION ALL
    SELECT 3, 'entries of the hash', name, place, trace, entries, time, filtered FROM pair
    WHERE (channels, timeout, prefetches) = (4, 256, 8)
    UNION ALL
    SELECT 4, 'partitions', name, place, trace, channels, time, filtered FROM pair
    WHERE (entries, timeout, prefetches) = (1024, 256, 8)),
whole AS ( -- means are over what has all points of its curve
    SELECT nth, name, trace FROM curves c GROUP BY nth, name, trace
    HAVING count(*) = (SELECT count(DISTINCT x) FROM curves WHERE (nth, name) = (c.nth, c.name)))
SELECT panel, name AS series, x, geomean(time) AS time, avg(filtered) AS filtered
FROM curves JOIN whole USING (nth, name, trace) GROUP BY nth, name, x ORDER BY nth, place, x;
