-- Memory-side mechanisms side by side, relative to none of them
-- After WarpPool, Figs. 11 and 13, and ICC, Figs. 10 and 13. Needs the view of sweeps/memory-mechanisms.json.
WITH class(kernel_class, class) AS (
    VALUES ('divergent', 1), ('cache-limited', 2), ('bandwidth-limited', 3), ('not memory-limited', 4)),
forms(bar, front, fetch, cluster, scheduler, bank_by) AS (
    VALUES (1, 'mrpb', 'none', 'none', 'gto', 'sector'), (2, 'warppool', 'none', 'none', 'gto', 'sector'),
           (3, 'none', 'coarse', 'none', 'gto', 'sector'), (4, 'none', 'none', 'icc', 'gto', 'sector'),
           (5, 'none', 'none', 'none', 'swl', 'sector'), (6, 'none', 'none', 'none', 'gto', 'set')),
ratios AS (
    SELECT class, kernel_class,
           iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS kernel,
           bar, speedup, mpki_ratio, l1_throughput_ratio, noc_requests_ratio
    FROM forms
    JOIN memory_mechanisms_speedup ON (mechanism_front, mechanism_fetch, mechanism_cluster, sm_scheduler, l1_bank_by) =
                                      (front, fetch, cluster, scheduler, bank_by)
    JOIN class USING (kernel_class)
    WINDOW same_name AS (PARTITION BY kernel)),
whole AS ( -- means are over what has all bars
    SELECT kernel FROM ratios WHERE speedup NOT NULL GROUP BY kernel
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM ratios WHERE speedup NOT NULL)),
mean(name) AS (
    SELECT 'mean of ' || count(*) || ' of ' || (
               SELECT count(*) FROM (SELECT DISTINCT trace, kernel FROM memory_mechanisms_speedup))
    FROM whole),
groups AS (
    SELECT class AS place, kernel, bar, speedup, mpki_ratio, l1_throughput_ratio, noc_requests_ratio FROM ratios
    UNION ALL
    SELECT 4 + class, 'mean, ' || kernel_class, bar, geomean(speedup), geomean(mpki_ratio), geomean(l1_throughput_ratio),
           geomean(noc_requests_ratio)
    FROM ratios JOIN whole USING (kernel) GROUP BY class, bar
    UNION ALL
    SELECT 9, mean.name, bar, geomean(speedup), geomean(mpki_ratio), geomean(l1_throughput_ratio),
           geomean(noc_requests_ratio)
    FROM ratios JOIN whole USING (kernel) JOIN mean GROUP BY bar)
SELECT panel, kernel AS series, bar, value
FROM (SELECT 1 AS nth, 'IPC' AS panel, place, kernel, bar, speedup AS value FROM groups
      UNION ALL SELECT 2, 'L1 misses per instruction', place, kernel, bar, mpki_ratio FROM groups
      UNION ALL SELECT 3, 'L1 accesses per cycle', place, kernel, bar, l1_throughput_ratio FROM groups
      UNION ALL SELECT 4, 'network requests', place, kernel, bar, noc_requests_ratio FROM groups)
ORDER BY nth, place, kernel, bar;
