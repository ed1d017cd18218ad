-- Memory instructions that wait in an SM, arithmetic, and where the L1 takes nothing, in the first 100 periods
-- After WP, Fig. 4. Needs the view of sweeps/timeline.json; a longer timeline.period shows more of a long kernel.
WITH periods AS (SELECT *, max(cycles) OVER (PARTITION BY trace, launch) AS period_cycles FROM over_time_timeline_period)
SELECT printf('%s%s, launch %d', iif(instr(kernel, trace) = 1, '', trace || ': '), kernel, launch) AS panel,
       'period' AS series, cycle - cycles AS begin, cycle, memory_waiting_per_sm, l1_stalled,
       1.0 * arithmetic_instructions / sm_cycles AS arithmetic_per_sm
FROM periods
WHERE cycle <= 100 * period_cycles
ORDER BY trace, launch, cycle;
