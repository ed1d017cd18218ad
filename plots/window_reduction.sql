-- Requests remaining after a coalescing window, by scope and kind of the window
-- After WarpPool, Fig. 5. Needs the view of sweeps/window_reduction.json; scheduling is gto, change it here for lrr.
SELECT kernel AS panel,
       CASE window_scope WHEN 'warp' THEN 'one warp' WHEN 'cta' THEN 'one CTA' ELSE 'whole SM' END
           || ', ' || window_kind AS series,
       window_size,
       100.0 * remaining AS remaining_percent
FROM window_reduction_by_kernel
WHERE sm_scheduler = 'gto'
ORDER BY kernel, window_scope = 'sm', window_scope = 'cta', window_kind, window_size;
