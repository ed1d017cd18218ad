-- Does the warp scheduler matter? Geometric means over kernels of the share of requests that an SM's window leaves.
SELECT window_size,
       geomean(remaining) FILTER (WHERE sm_scheduler = 'lrr') AS lrr,
       geomean(remaining) FILTER (WHERE sm_scheduler = 'gto') AS gto
FROM window_reduction_by_kernel
WHERE window_kind = 'fifo' AND window_scope = 'sm'
GROUP BY window_size
ORDER BY window_size;
