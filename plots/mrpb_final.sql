-- Memory request prioritization buffer: IPC relative to no buffer, and geometric means of both suites (unshared: without shared memory)
-- After MRPB, Figs. 14 and 16. Needs the view of sweeps/mrpb.json.
WITH programs AS (
    SELECT gpu, sm_scheduler, replace(trace, '_unshared', ', unshared') AS program,
           iif(trace IN ('atax', 'bicg', 'mvt', 'gesummv', 'syrk', 'syr2k', 'gemm', 'conv2d'), 'PolyBench', 'Rodinia') AS suite,
           CASE (mechanism_front, mrpb_signature, mrpb_bypass) WHEN ('mrpb', 'none', 'set_full') THEN 1
                WHEN ('mrpb', 'warp_id', 'none') THEN 2 WHEN ('mrpb', 'warp_id', 'set_full') THEN 3
                ELSE iif(mechanism_front = 'none', 0, NULL) END AS bar,
           sum(cycles) AS cycles, sum(launches) AS launches, max(sum(launches)) OVER (PARTITION BY trace) AS all_launches
    FROM mrpb_by_kernel WHERE bar NOT NULL -- or other forms would add to the cycles of these
    GROUP BY gpu, sm_scheduler, trace, bar),
ratios AS (
    SELECT p.gpu, p.sm_scheduler, p.suite, p.program, p.bar, 1.0 * b.cycles / p.cycles AS speedup
    FROM programs p
    JOIN programs b ON (b.gpu, b.sm_scheduler, b.program, b.bar) = (p.gpu, p.sm_scheduler, p.program, 0)
    WHERE p.bar > 0 AND p.launches = p.all_launches AND b.launches = b.all_launches),
whole AS ( -- means are over what has all bars of its panel
    SELECT gpu, sm_scheduler, program FROM ratios r GROUP BY gpu, sm_scheduler, program
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar)
        FROM ratios WHERE (gpu, sm_scheduler) = (r.gpu, r.sm_scheduler)))
SELECT gpu || ', ' || upper(sm_scheduler) AS panel, coalesce(program, suite || ' mean') AS series, bar, speedup
FROM (SELECT * FROM ratios
      UNION ALL SELECT gpu, sm_scheduler, suite, NULL, bar, geomean(speedup)
          FROM ratios JOIN whole USING (gpu, sm_scheduler, program) GROUP BY gpu, sm_scheduler, suite, bar)
ORDER BY gpu, sm_scheduler DESC, suite, program IS NULL, program, bar;
