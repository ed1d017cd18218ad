-- How long the warps of a kernel's most divergent CTA execute; the CTA holds their resources until the last one ends; for kernels with an RTRU above 0
-- After XI, Figs. 21, 26 and 28. Needs the view of sweeps/rtru.json; its rtru.cta chooses another CTA.
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
SELECT printf('%s%s, launch %d, CTA %d: RTRU %.1f %%', iif(instr(kernel, trace) = 1, '', trace || ': '), kernel, launch, cta,
              100 * rtru) AS panel,
       'warp' AS series, warp, start_time, end_time, longest
FROM ranked
WHERE place = 1 AND rtru > 0
ORDER BY rtru DESC, trace, kernel, warp;
