-- Requests that remain after a coalescing window, by its scope and kind (GTO scheduling)
-- After WarpPool, Fig. 5. Needs the view of sweeps/window_reduction.json.
SELECT iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS panel,
       CASE window_scope WHEN 'sm' THEN 'per SM, ' WHEN 'cta' THEN 'per CTA, ' ELSE 'per ' || window_scope || ', ' END ||
       window_kind AS series,
       window_size,
       100.0 * remaining AS remaining_percent
FROM window_reduction_by_kernel
WHERE sm_scheduler = 'gto'
WINDOW same_name AS (PARTITION BY kernel)
ORDER BY trace, kernel, window_scope = 'warp', window_scope = 'cta', window_scope, window_kind, window_size;
