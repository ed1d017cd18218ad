-- Requests that remain after an SM's coalescing window, by warp scheduler and kind of window
-- After WarpPool, Fig. 5. Needs the view of sweeps/window_reduction.json.
SELECT iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS panel,
       upper(sm_scheduler) || ', ' || window_kind AS series,
       window_size,
       100.0 * remaining AS remaining_percent
FROM window_reduction_by_kernel
WHERE window_scope = 'sm'
WINDOW same_name AS (PARTITION BY kernel)
ORDER BY trace, kernel, sm_scheduler, window_kind, window_size;
