-- Memory instructions that wait in an SM, arithmetic, and where the L1 takes nothing, in up to 100 periods from the first with a warp
-- After WP, Fig. 4. Needs the view of sweeps/timeline.json; a longer timeline.period shows more of a long kernel.
WITH periods AS (
    SELECT *, max(cycles) OVER of_launch AS period_cycles,
           ifnull(min(iif(warp_cycles > 0, cycle - cycles, NULL)) OVER of_launch, 0) AS first_cycle
    FROM over_time_timeline_period
    WINDOW of_launch AS (PARTITION BY trace, launch)
)
SELECT printf('%s%s, launch %d', iif(instr(kernel, trace) = 1, '', trace || ': '), kernel, launch) AS panel,
       'period' AS series, cycle - cycles AS begin, cycle, memory_waiting_per_sm, l1_stalled,
       1.0 * arithmetic_instructions / sm_cycles AS arithmetic_per_sm
FROM periods
WHERE cycle - cycles >= first_cycle AND cycle <= first_cycle + 100 * period_cycles
ORDER BY trace, launch, cycle;
