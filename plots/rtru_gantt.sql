-- How long the warps of a CTA execute, a kernel's most divergent one or that of rtru.cta; it holds their resources until the last one ends; for kernels with an RTRU above 0
-- After XI, Figs. 21, 26 and 28. Needs the views of sweeps/rtru.json; its rtru.cta chooses another CTA.
WITH time_of_warp AS (
    SELECT trace, kernel, launch, cta, warp, start_time, end_time,
           max(end_time - start_time) OVER the_cta AS longest,
           1 - avg(end_time - start_time) OVER the_cta / max(end_time - start_time) OVER the_cta AS rtru
    FROM warp_divergence_rtru_warp
    WHERE rtru_bin = 500
    WINDOW the_cta AS (PARTITION BY trace, kernel, launch)
), ranked AS (
    SELECT *, dense_rank() OVER (PARTITION BY trace, kernel ORDER BY rtru DESC, launch) AS place FROM time_of_warp
)
SELECT iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS panel,
       'warp' AS series, warp, start_time, end_time, longest, launch, cta, rtru
FROM ranked
WHERE place = 1 AND longest > 0 AND (trace, kernel) IN (SELECT trace, kernel FROM warp_divergence WHERE rtru_max > 0)
WINDOW same_name AS (PARTITION BY kernel)
ORDER BY rtru DESC, trace, kernel, warp;
