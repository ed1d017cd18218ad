-- Requests per warp instruction through the index, without and with the irregular accesses reorder unit
-- After IRU, Fig. 14. Needs the view of sweeps/iru.json.
WITH kernel_name(kernel, panel, place) AS (
    VALUES ('bfs_contract', 'BFS: bfs_contract', 1), ('sssp_compaction', 'SSSP: sssp_compaction', 2),
           ('pr_contract', 'PageRank: pr_contract', 3)),
graph(name, number) AS (VALUES ('kron', 1), ('collab', 2), ('delaunay', 3), ('road', 4)),
points AS (SELECT *, launches = max(launches) OVER (PARTITION BY trace, kernel) AS whole FROM reorder_unit_by_kernel),
measured AS (
    SELECT panel, place, name, number, max(divergence_before) AS without,
           max(divergence_after) FILTER (WHERE iru_filter = 'none') AS reordered,
           max(divergence_after) FILTER (WHERE iru_filter = 'auto' AND filter <> 'none') AS filtered
    FROM points JOIN kernel_name USING (kernel) JOIN graph ON trace LIKE '%-' || name
    WHERE iru_hash_sets = 1024 AND iru_timeout = 256 AND iru_partitions = 4 AND whole
    GROUP BY panel, name)
SELECT panel, name AS series, without, reordered, filtered
FROM measured
ORDER BY place, number;
