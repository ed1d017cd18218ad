-- Requests per memory instruction of whole programs, without and with the irregular accesses reorder unit
-- After IRU, Fig. 14. Needs the views of sweeps/graph_mix.json and sweeps/iru_programs.json.
WITH algorithm(prefix, name, place) AS (VALUES ('bfs_push-', 'BFS', 1), ('sssp-', 'SSSP', 2), ('pagerank-', 'PageRank', 3)),
graph(name, number) AS (VALUES ('kron', 1), ('collab', 2), ('delaunay', 3), ('road', 4)),
instruction AS (
    SELECT trace, launch, kernel, pc, active_instructions AS instructions, requests
    FROM graph_mix_instruction_mix_pc WHERE class = 'mem'),
served AS ( -- accesses through the index, and the index load, which asks the unit and no L1
    SELECT trace, launch, pc, instructions_before, instructions_after, requests_before, requests_after
    FROM reorder_programs_iru_access
    UNION ALL
    SELECT trace, launch, pc, instructions, instructions, requests, 0
    FROM reorder_programs JOIN instruction USING (trace, launch) WHERE pc = index_pc),
replayed AS ( -- programs of which the unit has had all launches
    SELECT trace FROM (SELECT DISTINCT trace, launch FROM instruction) LEFT JOIN reorder_programs u USING (trace, launch)
    GROUP BY trace HAVING count(u.trace) = count(*)),
change AS (
    SELECT trace, kernel IN ('bfs_contract', 'sssp_compaction', 'pr_contract') AS published, instructions AS i_before,
           coalesce(requests_before, requests) AS r_before, coalesce(instructions_after, instructions) AS i_after,
           coalesce(requests_after, requests) AS r_after
    FROM instruction LEFT JOIN served USING (trace, launch, pc)),
bars AS (
    SELECT trace, 1 AS bar, 1.0 * sum(r_before) / sum(i_before) AS value FROM change GROUP BY trace
    UNION ALL
    SELECT trace, 2, 1.0 * sum(iif(published, r_after, r_before)) / sum(iif(published, i_after, i_before))
    FROM change JOIN replayed USING (trace) GROUP BY trace
    UNION ALL
    SELECT trace, 3, 1.0 * sum(r_after) / sum(i_after) FROM change JOIN replayed USING (trace) GROUP BY trace),
named AS (
    SELECT place, number, a.name AS algorithm, g.name AS graph, bar, value
    FROM bars JOIN algorithm a JOIN graph g ON trace = prefix || g.name),
whole AS ( -- means are over what has all bars
    SELECT place, number FROM named GROUP BY place, number
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM named))
SELECT 'whole programs' AS panel, series, bar, value
FROM (SELECT place, number, algorithm || ' ' || graph AS series, bar, value FROM named
      UNION ALL SELECT place, 5, algorithm || ' mean', bar, geomean(value)
          FROM named JOIN whole USING (place, number) GROUP BY place, bar
      UNION ALL SELECT 4, 1, 'mean of all', bar, geomean(value)
          FROM named JOIN whole USING (place, number) GROUP BY bar)
ORDER BY place, number, bar;
