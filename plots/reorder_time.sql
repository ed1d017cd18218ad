-- Warps until their index load has its data, and behind that, without and with the reorder unit
-- After IRU, Fig. 3. Needs the view of sweeps/reorder_time.json. The index load is the one that asks no L1 with the unit.
WITH algorithm(kernel, name, place) AS (
    VALUES ('bfs_contract', 'BFS', 1), ('sssp_compaction', 'SSSP', 2), ('pr_contract', 'PageRank', 3)),
graph(name, number) AS (VALUES ('kron', 1), ('collab', 2), ('delaunay', 3), ('road', 4)),
index_load AS (
    SELECT trace, kernel, pc FROM reorder_time_hotspots_load WHERE mechanism_partition = 'reorder'
    GROUP BY trace, kernel, pc HAVING sum(l1_accesses) = 0),
warp AS (
    SELECT trace, kernel, mechanism_partition AS unit, 1.0 * sum(cycles_to_data) / sum(warps) AS to_data,
           1.0 * sum(warp_cycles) / sum(warps) AS life, count(DISTINCT launch) AS launches
    FROM reorder_time_hotspots_load JOIN index_load USING (trace, kernel, pc)
    GROUP BY trace, kernel, unit),
pair AS (
    SELECT a.place, a.name AS algorithm, g.number, g.name AS graph, iif(w.unit = 'none', 1, 2) AS bar,
           w.to_data / o.life AS to_data, (w.life - w.to_data) / o.life AS behind
    FROM algorithm a
    JOIN warp o ON o.kernel = a.kernel AND o.unit = 'none'
    JOIN warp w ON (w.trace, w.kernel, w.launches) = (o.trace, o.kernel, o.launches)
    JOIN graph g ON o.trace LIKE '%-' || g.name),
whole AS ( -- means are over what has both bars
    SELECT place, number FROM pair GROUP BY place, number HAVING count(*) = 2),
bars AS (
    SELECT place, number, algorithm || ' ' || graph AS series, bar, to_data, behind FROM pair
    UNION ALL
    SELECT place, 5, algorithm || ' mean', bar, avg(to_data), avg(behind)
    FROM pair JOIN whole USING (place, number) GROUP BY place, bar)
SELECT 'life of a warp' AS panel, series, bar, to_data, to_data + behind AS life
FROM bars ORDER BY place, number, bar;
