-- Static wavefront limiting at its best limit, and the prioritization buffer, over LRR and GTO: IPC relative to LRR alone (unshared: without shared memory)
-- After MRPB, Figs. 14 and 16. Needs the view of sweeps/swl.json.
WITH all_programs AS (
    SELECT gpu, core_swl_base AS scheduler, core_swl_warps AS warps, replace(trace, '_unshared', ', unshared') AS program,
           iif(trace IN ('atax', 'bicg', 'mvt', 'gesummv', 'syrk', 'syr2k', 'gemm', 'conv2d'), 'PolyBench', 'Rodinia') AS suite,
           2 * (mechanism_front = 'mrpb') AS buffer,
           sum(cycles) AS cycles, sum(launches) AS launches, max(sum(launches)) OVER (PARTITION BY trace) AS all_launches
    FROM swl_by_kernel WHERE mechanism_front IN ('none', 'mrpb') -- or others would add to the cycles of none
    GROUP BY gpu, scheduler, warps, trace, buffer),
programs AS (SELECT * FROM all_programs WHERE launches = all_launches),
forms AS (
    SELECT gpu, scheduler, suite, program, 1 + buffer AS bar, cycles FROM programs WHERE warps = 48
    UNION ALL
    SELECT gpu, scheduler, suite, program, 2 + buffer, min(cycles) FROM programs GROUP BY gpu, scheduler, program, buffer),
ratios AS (
    SELECT f.gpu, f.scheduler, f.suite, f.program, f.bar, 1.0 * b.cycles / f.cycles AS speedup
    FROM forms f JOIN forms b ON (b.gpu, b.scheduler, b.program, b.bar) = (f.gpu, 'lrr', f.program, 1)),
whole AS ( -- means are over what has all bars of its panel
    SELECT gpu, scheduler, program FROM ratios r GROUP BY gpu, scheduler, program
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM ratios WHERE (gpu, scheduler) = (r.gpu, r.scheduler)))
SELECT gpu || ', ' || upper(scheduler) AS panel, coalesce(program, suite || ' mean') AS series, bar, speedup
FROM (SELECT * FROM ratios
      UNION ALL SELECT gpu, scheduler, suite, NULL, bar, geomean(speedup)
          FROM ratios JOIN whole USING (gpu, scheduler, program) GROUP BY gpu, scheduler, suite, bar)
ORDER BY gpu, scheduler DESC, suite, program IS NULL, program, bar;
