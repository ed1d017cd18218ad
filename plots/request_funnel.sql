-- Request funnel: what each stage leaves of the lane accesses, with an L1 of 64 sets
-- After WP, Fig. 2 (32 KB: 4 ways of 128 B). Needs the view of sweeps/funnel.json.
SELECT iif(funnel_ops = 'all', 'all global and local accesses', 'loads') AS panel,
       iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS bar,
       100 * share_requests AS requests_percent, 100 * share_past_l1 AS past_l1_percent,
       100 * share_past_l2 AS past_l2_percent, 100 * share_at_dram AS at_dram_percent,
       iif(count(share_at_dram) OVER () > 0, 4, 2) AS stages_known
FROM request_funnel_by_kernel
WHERE funnel_sets = 64
WINDOW same_name AS (PARTITION BY kernel)
ORDER BY funnel_ops, trace, kernel;
