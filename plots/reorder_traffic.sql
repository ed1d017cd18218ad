-- The irregular accesses reorder unit cycle by cycle: accesses, network traffic and execution time relative to those without it
-- After IRU, Figs. 12, 13, 16. Needs the view of sweeps/reorder.json.
WITH algorithm(kernel, name, place) AS (
    VALUES ('bfs_contract', 'BFS', 1), ('sssp_compaction', 'SSSP', 2), ('pr_contract', 'PageRank', 3)),
graph(name, number) AS (VALUES ('kron', 1), ('collab', 2), ('delaunay', 3), ('road', 4)),
point AS (
    SELECT trace, kernel, mechanism_partition AS unit, launch_set, cycles, l1_accesses, l2_accesses,
           noc_bytes_to_memory + noc_bytes_to_sm AS noc_B
    FROM reorder_by_kernel WHERE reorder_filter = 'auto'),
program AS (SELECT trace, unit, sum(launch_set) AS launch_set, sum(cycles) AS cycles FROM point GROUP BY trace, unit),
pair AS (
    SELECT place, a.name AS algorithm, number, g.name AS graph, 1.0 * w.l1_accesses / nullif(o.l1_accesses, 0) AS l1,
           1.0 * w.l2_accesses / o.l2_accesses AS l2, 1.0 * w.noc_B / o.noc_B AS noc,
           1.0 * w.cycles / o.cycles AS time,
           iif(wp.launch_set = op.launch_set, 1.0 * wp.cycles / op.cycles, NULL) AS program
    FROM algorithm a
    JOIN point o ON o.kernel = a.kernel AND o.unit = 'none'
    JOIN point w ON (w.trace, w.kernel, w.launch_set) = (o.trace, o.kernel, o.launch_set) AND w.unit = 'reorder'
    JOIN program op ON op.trace = o.trace AND op.unit = 'none'
    JOIN program wp ON wp.trace = o.trace AND wp.unit = 'reorder'
    JOIN graph g ON o.trace LIKE '%-' || g.name),
bars AS (
    SELECT 1 AS nth, 'traffic of the reordered kernel' AS panel, place, algorithm, number, graph, 1 AS bar, l1 AS value
    FROM pair
    UNION ALL
    SELECT 1, 'traffic of the reordered kernel', place, algorithm, number, graph, 2, l2 FROM pair
    UNION ALL
    SELECT 1, 'traffic of the reordered kernel', place, algorithm, number, graph, 3, noc FROM pair
    UNION ALL
    SELECT 2, 'execution time', place, algorithm, number, graph, 1, time FROM pair
    UNION ALL
    SELECT 2, 'execution time', place, algorithm, number, graph, 2, program FROM pair),
whole AS ( -- means are over what has all bars of its panel, above 0
    SELECT nth, place, number FROM bars r WHERE value > 0 GROUP BY nth, place, number
    HAVING count(*) = (SELECT count(DISTINCT bar) FROM bars WHERE (nth, place) = (r.nth, r.place) AND value > 0))
SELECT panel, series, bar, value
FROM (SELECT nth, panel, place, number, algorithm || ' ' || graph AS series, bar, value FROM bars
      UNION ALL SELECT nth, panel, place, 5, algorithm || ' mean', bar, geomean(value)
          FROM bars JOIN whole USING (nth, place, number) GROUP BY nth, place, bar)
ORDER BY nth, place, number, bar;
