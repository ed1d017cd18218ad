-- What the CTAs of an SM are given, and what is never allocated, on a GTX 480 (beside each kernel its CTAs per SM)
-- After XI, Fig. 20. Needs the view of sweeps/spatial.json.
WITH bars AS (
    SELECT iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel)
               || ' (' || ctas_per_sm || ')' AS name, *
    FROM occupancy_by_kernel
    WHERE sm_registers = 32768
    WINDOW same_name AS (PARTITION BY kernel)
)
SELECT panel, series AS bar, percent, ctas, limits
FROM (
    SELECT 1 AS resource, trace, 'registers (32,768)' AS panel, name AS series,
           100.0 * registers_allocated / registers_available AS percent, ctas_per_sm AS ctas,
           limited_by LIKE '%registers%' AS limits
    FROM bars
    UNION ALL
    SELECT 2, trace, 'threads (1,536)', name, 100.0 * threads_allocated / threads_available, ctas_per_sm,
           limited_by LIKE '%threads%'
    FROM bars
    UNION ALL
    SELECT 3, trace, 'shared memory (48 KB)', name, 100.0 * shared_allocated / shared_available, ctas_per_sm,
           limited_by LIKE '%shared%'
    FROM bars
)
ORDER BY resource, trace, series;
