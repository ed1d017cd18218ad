-- How long the warps of a CTA execute, a kernel's most divergent one or that of rtru.cta, in cycles of a timed replay, and their misses in the L1; for kernels with an RTRU of 1 % or more
-- After XI, Figs. 21, 26, 27 and 28. Needs the views of sweeps/rtru_cycles.json; its rtru.cta chooses another CTA.
WITH time_of_warp AS (
    SELECT trace, kernel, launch, cta, warp, l1_mpki, start_time - min(start_time) OVER the_cta AS start_time,
           end_time - min(start_time) OVER the_cta AS end_time, max(end_time - start_time) OVER the_cta AS longest,
           1 - avg(end_time - start_time) OVER the_cta / max(end_time - start_time) OVER the_cta AS rtru
    FROM warp_lifetimes_rtru_warp
    WINDOW the_cta AS (PARTITION BY trace, kernel, launch)
), ranked AS (
    SELECT *, dense_rank() OVER (PARTITION BY trace, kernel ORDER BY rtru DESC, launch) AS place FROM time_of_warp
)
SELECT iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS panel,
       'warp' AS series, warp, start_time, end_time, longest, launch, cta, rtru, l1_mpki
FROM ranked
WHERE place = 1 AND longest > 0 AND (trace, kernel) IN (SELECT trace, kernel FROM warp_lifetimes WHERE rtru_max >= 0.01)
WINDOW same_name AS (PARTITION BY kernel)
ORDER BY rtru DESC, trace, kernel, warp;
