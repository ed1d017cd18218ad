-- Request funnel: what each stage leaves of the lane accesses, cycle by cycle
-- After WP, Fig. 2. Needs the view of sweeps/funnel_cycles.json. What the MSHRs merge does not get past the L1.
SELECT '' AS panel,
       iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS series,
       100 * share_requests AS requests_percent, 100 * share_past_mshr AS past_l1_percent,
       100 * share_past_l2 AS past_l2_percent, 100 * share_at_dram AS at_dram_percent, 4 AS stages_known
FROM funnel_in_cycles_by_kernel
WINDOW same_name AS (PARTITION BY kernel)
ORDER BY trace, kernel;
