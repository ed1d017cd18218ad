-- The prioritization buffer against L1s of 64 ways that hit in a cycle, and of 20 KB: relative IPC (unshared: without shared memory)
-- After MRPB, 5.8 and 6. Needs the view of sweeps/mrpb_l1.json.
WITH programs AS (
    SELECT replace(trace, '_unshared', ', unshared') AS program,
           iif(trace IN ('atax', 'bicg', 'mvt', 'gesummv', 'syrk', 'syr2k', 'gemm', 'conv2d'), 'PolyBench', 'Rodinia') AS suite,
           CASE (mechanism_front, l1_ways) WHEN ('none', 4) THEN 0 WHEN ('mrpb', 4) THEN 1 WHEN ('none', 64) THEN 2
                WHEN ('none', 5) THEN 3 END AS bar,
           sum(cycles) AS cycles, sum(launches) AS launches, max(sum(launches)) OVER (PARTITION BY trace) AS all_launches
    FROM mrpb_l1_by_kernel WHERE bar NOT NULL GROUP BY trace, bar), -- or other forms would add to the cycles of these
ratios AS (
    SELECT p.suite, p.program, p.bar, 1.0 * b.cycles / p.cycles AS speedup
    FROM programs p JOIN programs b ON (b.program, b.bar) = (p.program, 0)
    WHERE p.bar > 0 AND p.launches = p.all_launches AND b.launches = b.all_launches),
whole AS ( -- means are over what has all bars
    SELECT program FROM ratios GROUP BY program
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM ratios))
SELECT 'c2050-16k, LRR' AS panel, coalesce(program, suite || ' mean', 'mean of all') AS series, bar, speedup
FROM (SELECT * FROM ratios
      UNION ALL SELECT suite, NULL, bar, geomean(speedup) FROM ratios JOIN whole USING (program) GROUP BY suite, bar
      UNION ALL SELECT NULL, NULL, bar, geomean(speedup) FROM ratios JOIN whole USING (program) GROUP BY bar)
ORDER BY suite IS NULL, suite, program IS NULL, program, bar;
