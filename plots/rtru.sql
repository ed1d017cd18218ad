-- Warp-level divergence of CTAs, in warp instructions (below: CTAs whose warps all execute equally many)
-- After XI, Fig. 29. Needs the view of sweeps/rtru.json.
SELECT 'ratio of temporal resource underutilization (%)' AS panel,
       iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS bar,
       100.0 * rtru_mean AS mean, 100.0 * rtru_geomean AS geomean, 100.0 * rtru_max AS most,
       100.0 * ctas_even / ctas AS even
FROM warp_divergence_by_kernel
WHERE rtru_bin = 500
WINDOW same_name AS (PARTITION BY kernel)
ORDER BY trace, kernel;
