-- Which is the smallest window that saves a quarter of the requests, by its scope? (NULL: none up to 256)
SELECT trace, kernel,
       min(window_size) FILTER (WHERE window_scope = 'warp') AS per_warp,
       min(window_size) FILTER (WHERE window_scope = 'cta') AS per_cta,
       min(window_size) FILTER (WHERE window_scope = 'sm') AS per_sm
FROM window_reduction_by_kernel
WHERE remaining <= 0.75 AND window_kind = 'fifo' AND sm_scheduler = 'gto'
GROUP BY trace, kernel
ORDER BY trace, kernel;
