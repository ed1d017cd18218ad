-- Warp-level divergence of CTAs, in cycles of the timed replay (below: CTAs whose warps all take equally long)
-- After XI, Fig. 29. Needs the view of sweeps/rtru_cycles.json.
SELECT 'ratio of temporal resource underutilization (%)' AS panel,
       iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS series,
       100.0 * rtru_mean AS mean, 100.0 * rtru_geomean AS geomean, 100.0 * rtru_max AS most,
       100.0 * ctas_even / ctas AS even
FROM warp_lifetimes_by_kernel
WINDOW same_name AS (PARTITION BY kernel)
ORDER BY trace, kernel;
