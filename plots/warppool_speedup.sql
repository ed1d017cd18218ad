-- WarpPool and the prioritization buffer, loads merged and L1 misses (launches cut at 60,000 warp instructions)
-- After WarpPool, Figs. 11, 12 and 13. Needs the view of sweeps/warppool.json.
WITH pairs AS (
    SELECT p.kernel, iif(p.mechanism_front = 'mrpb', 1, 2) AS bar, 1.0 * b.cycles / p.cycles AS speedup,
           1.0 * (p.l1_misses + p.l1_sector_misses) / nullif(b.l1_misses + b.l1_sector_misses, 0) AS misses
    FROM warppool_by_kernel p
    JOIN warppool_by_kernel b ON (b.trace, b.kernel) = (p.trace, p.kernel) AND b.mechanism_front = 'none'
    WHERE p.mechanism_front <> 'none'),
merging AS (
    SELECT kernel, 2 AS bar, 1.0 * sum(requests) / nullif(sum(accesses), 0) AS merging
    FROM warppool_warppool_counters GROUP BY trace, kernel)
SELECT max(panel) OVER (PARTITION BY nth) AS panel, kernel AS series, bar, value
FROM (SELECT 1 AS nth, 'IPC relative to none' AS panel, kernel, bar, speedup AS value FROM pairs
      UNION ALL SELECT 1, '', 'geometric mean', bar, geomean(speedup) FROM pairs GROUP BY bar
      UNION ALL SELECT 2, 'loads per L1 request', kernel, bar, merging FROM merging
      UNION ALL SELECT 2, '', 'geometric mean', bar, geomean(merging) FROM merging
      UNION ALL SELECT 3, 'L1 misses relative to none', kernel, bar, misses FROM pairs
      UNION ALL SELECT 3, '', 'geometric mean', bar, geomean(misses) FROM pairs GROUP BY bar)
ORDER BY nth, kernel = 'geometric mean', kernel, bar;
