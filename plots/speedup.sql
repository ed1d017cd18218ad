-- Memory-side mechanisms side by side, relative to none of them (launches cut at 60,000 warp instructions)
-- After WarpPool, Figs. 11 and 13, and ICC, Figs. 10 and 13. Needs the view of sweeps/memory-mechanisms.json.
WITH class AS ( -- as WP 2.3 sorts kernels: by lines per load, and by what WarpPool finds to merge
    SELECT trace, kernel,
           CASE WHEN sum(requests) < 4 * sum(loads) THEN 3 WHEN sum(merged) >= 0.05 * sum(requests) THEN 1 ELSE 2 END AS class
    FROM memory_mechanisms_warppool_counters
    WHERE mechanism_front = 'warppool' AND mechanism_cluster = 'none'
    GROUP BY trace, kernel),
class_name(class, name) AS (VALUES (1, 'inter-warp'), (2, 'cache-limited'), (3, 'coalesced')),
forms(bar, front, cluster) AS (VALUES (1, 'mrpb', 'none'), (2, 'warppool', 'none'), (3, 'none', 'icc')),
pairs AS (
    SELECT class, p.kernel, bar, 1.0 * b.cycles / p.cycles AS speedup,
           1.0 * (p.l1_misses + p.l1_sector_misses) / nullif(b.l1_misses + b.l1_sector_misses, 0) AS misses,
           1.0 * p.noc_packets_to_memory / nullif(b.noc_packets_to_memory, 0) AS requests
    FROM forms f
    JOIN memory_mechanisms_by_kernel p ON (p.mechanism_front, p.mechanism_cluster) = (f.front, f.cluster)
    JOIN memory_mechanisms_by_kernel b ON (b.trace, b.kernel) = (p.trace, p.kernel) AND b.mechanism_front = 'none'
                                       AND b.mechanism_cluster = 'none'
    JOIN class c ON (c.trace, c.kernel) = (p.trace, p.kernel)),
groups AS (
    SELECT class AS place, kernel, bar, speedup, misses, requests FROM pairs
    UNION ALL
    SELECT 3 + class, 'mean, ' || name, bar, geomean(speedup), geomean(misses), geomean(requests)
    FROM pairs JOIN class_name USING (class) GROUP BY class, bar
    UNION ALL
    SELECT 7, 'mean of ' || count(*), bar, geomean(speedup), geomean(misses), geomean(requests)
    FROM pairs GROUP BY bar)
SELECT panel, kernel AS series, bar, value
FROM (SELECT 1 AS nth, 'IPC' AS panel, place, kernel, bar, speedup AS value FROM groups
      UNION ALL SELECT 2, 'L1 misses', place, kernel, bar, misses FROM groups
      UNION ALL SELECT 3, 'network requests', place, kernel, bar, requests FROM groups)
ORDER BY nth, place, kernel, bar;
