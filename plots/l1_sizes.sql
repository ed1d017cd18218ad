-- L1 miss rate by size of the L1, a line per kernel; first the kernels that a larger L1 helps most
-- Cycle by cycle, in groups of up to eight kernels. Needs the view of sweeps/l1_sizes.json.
WITH rates AS (
    SELECT iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS name,
           l1_size_B / 1024.0 AS size_KB, 100 * l1_miss_rate AS miss, 100 * (l1_miss_rate + l1_pending_rate) AS absent
    FROM l1_sizes_by_kernel
    WINDOW same_name AS (PARTITION BY kernel)
),
places AS (
    SELECT name, row_number() OVER (ORDER BY max(miss) - min(miss) DESC, name) - 1 AS place,
           count(*) OVER () AS kernels, (count(*) OVER () + 7) / 8 AS groups
    FROM rates
    GROUP BY name
)
SELECT place * groups / kernels AS panel, name AS series, size_KB, miss AS miss_percent, absent AS absent_percent
FROM rates JOIN places USING (name)
ORDER BY place, size_KB;
