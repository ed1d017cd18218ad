-- The irregular accesses reorder unit: energy relative to the GPU without it
-- After IRU, Fig. 16. Needs the view of sweeps/reorder.json.
WITH algorithm(kernel, name, place) AS (
    VALUES ('bfs_contract', 'BFS', 1), ('sssp_compaction', 'SSSP', 2), ('pr_contract', 'PageRank', 3)),
graph(name, number) AS (VALUES ('kron', 1), ('collab', 2), ('delaunay', 3), ('road', 4)),
point AS (
    SELECT trace, kernel, mechanism_partition AS unit, launch_set, energy_J, static_J, dynamic_J
    FROM reorder_energy WHERE reorder_filter = 'auto'),
program AS (SELECT trace, unit, sum(launch_set) AS launch_set, sum(energy_J) AS energy_J FROM point GROUP BY trace, unit),
pair AS (
    SELECT place, a.name AS algorithm, number, g.name AS graph,
           iif(wp.launch_set = op.launch_set, wp.energy_J / op.energy_J, NULL) AS program,
           w.energy_J / o.energy_J AS energy, w.dynamic_J / o.dynamic_J AS dynamic, w.static_J / o.static_J AS static
    FROM algorithm a
    JOIN point o ON o.kernel = a.kernel AND o.unit = 'none'
    JOIN point w ON (w.trace, w.kernel, w.launch_set) = (o.trace, o.kernel, o.launch_set) AND w.unit = 'reorder'
    JOIN program op ON op.trace = o.trace AND op.unit = 'none'
    JOIN program wp ON wp.trace = o.trace AND wp.unit = 'reorder'
    JOIN graph g ON o.trace LIKE '%-' || g.name),
bars AS (
    SELECT 1 AS nth, 'energy' AS panel, place, algorithm, number, graph, 1 AS bar, energy AS value FROM pair
    UNION ALL
    SELECT 1, 'energy', place, algorithm, number, graph, 2, program FROM pair
    UNION ALL
    SELECT 2, 'the reordered kernel by kind', place, algorithm, number, graph, 1, dynamic FROM pair
    UNION ALL
    SELECT 2, 'the reordered kernel by kind', place, algorithm, number, graph, 2, static FROM pair),
whole AS ( -- means are over what has all bars of its panel, above 0
    SELECT nth, place, number FROM bars r WHERE value > 0 GROUP BY nth, place, number
    HAVING count(*) = (SELECT count(DISTINCT bar) FROM bars WHERE (nth, place) = (r.nth, r.place) AND value > 0))
SELECT panel, series, bar, value
FROM (SELECT nth, panel, place, number, algorithm || ' ' || graph AS series, bar, value FROM bars
      UNION ALL SELECT nth, panel, place, 5, algorithm || ' mean', bar, geomean(value)
          FROM bars JOIN whole USING (nth, place, number) GROUP BY nth, place, bar)
ORDER BY nth, place, number, bar;
