-- What the CTAs of an SM are given, and what is never allocated (beside each kernel its CTAs per SM)
-- After XI, Fig. 20. Needs the views of sweeps/spatial.json; of several GPUs, the first by name.
WITH sm AS (
    SELECT gpu, registers_available AS registers, threads_available AS threads, shared_available AS shared_B
    FROM occupancy
    ORDER BY gpu
    LIMIT 1
), bars AS (
    SELECT iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel)
               || ' (' || ctas_per_sm || ')' AS name, *
    FROM occupancy_by_kernel
    JOIN sm USING (gpu)
    WINDOW same_name AS (PARTITION BY kernel)
)
SELECT panel, series AS bar, percent, ctas, limits
FROM (
    SELECT 1 AS resource, trace, printf('%s: registers (%,d)', gpu, registers) AS panel, name AS series,
           100.0 * registers_allocated / registers_available AS percent, ctas_per_sm AS ctas,
           limited_by LIKE '%registers%' AS limits
    FROM bars
    UNION ALL
    SELECT 2, trace, printf('%s: threads (%,d)', gpu, threads), name, 100.0 * threads_allocated / threads_available,
           ctas_per_sm, limited_by LIKE '%threads%'
    FROM bars
    UNION ALL
    SELECT 3, trace, printf('%s: shared memory (%g KB)', gpu, shared_B / 1024.0), name,
           100.0 * shared_allocated / shared_available, ctas_per_sm, limited_by LIKE '%shared%'
    FROM bars
)
ORDER BY resource, trace, series;
