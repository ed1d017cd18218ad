-- WarpPool, a banked L1, coalescers and the prioritization buffer
-- After WarpPool, Figs. 11, 12 and 13. Needs the view of sweeps/warppool.json.
WITH points AS (
    SELECT *, CASE WHEN mechanism_front = 'warppool' THEN 2 WHEN mechanism_front = 'mrpb' THEN 5
                   WHEN core_coalescers > 1 THEN 3 + (l1_banks > 1) ELSE l1_banks > 1 END AS bar
    FROM warppool_by_kernel),
pairs AS (
    SELECT p.trace, p.kernel, p.bar, 1.0 * b.cycles / p.cycles AS speedup, p.l1_accesses_per_cycle,
           1.0 * (p.l1_misses + p.l1_sector_misses) / nullif(b.l1_misses + b.l1_sector_misses, 0) AS misses
    FROM points p JOIN points b ON (b.trace, b.kernel, b.launch_set, b.bar) = (p.trace, p.kernel, p.launch_set, 0)
    WHERE p.bar > 0),
served AS (
    SELECT trace, kernel, 1.0 * sum(requests) / nullif(sum(accesses), 0) AS requests_per_access
    FROM warppool_warppool_counters GROUP BY trace, kernel),
throughput AS (
    SELECT trace, kernel, bar, requests_per_access AS value FROM pairs JOIN served USING (trace, kernel) WHERE bar = 2
    UNION ALL SELECT trace, kernel, bar, l1_accesses_per_cycle FROM pairs WHERE bar = 1),
measures AS (
    SELECT 1 AS nth, 'IPC relative to none' AS panel, trace, kernel, bar, speedup AS value FROM pairs
    UNION ALL
    SELECT 2, 'L1 throughput', trace, kernel, bar, value FROM throughput
    UNION ALL
    SELECT 3, 'misses relative to none', trace, kernel, bar, misses FROM pairs),
bars AS (
    SELECT nth, panel, iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS kernel,
           bar, value
    FROM measures WINDOW same_name AS (PARTITION BY kernel)),
whole AS ( -- means are over what has all bars of its panel
    SELECT nth, kernel FROM bars r WHERE value NOT NULL GROUP BY nth, kernel
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM bars WHERE nth = r.nth AND value NOT NULL))
SELECT panel, kernel AS series, bar, value
FROM (SELECT * FROM bars
      UNION ALL SELECT nth, panel, 'geometric mean', bar, geomean(value)
          FROM bars JOIN whole USING (nth, kernel) GROUP BY 1, 2, 4)
ORDER BY nth, kernel = 'geometric mean', kernel, bar;
