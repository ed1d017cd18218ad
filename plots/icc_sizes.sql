-- Intra-cluster coalescing: L1 misses kept out of the network, by sizes of merge table and coalesced cache
-- After ICC 6.2 and 6.4. Needs the view of sweeps/icc_sizes.json.
WITH sizes(lines, bar) AS (VALUES (0, 1), (8, 2), (24, 3), (96, 4)),
counters AS (
    SELECT trace, launch, icc_merge_entries AS entries, bar, reads, merged, cached
    FROM icc_sizes_icc_counters JOIN sizes ON lines = icc_cache_lines
    WHERE icc_merge_entries > 0),
whole AS ( -- sums are over the launches that have all bars
    SELECT trace, launch FROM counters GROUP BY trace, launch
    HAVING count(DISTINCT entries || ' ' || bar) = (SELECT count(DISTINCT entries || ' ' || bar) FROM counters)),
sums AS (
    SELECT entries, bar, 100.0 * sum(merged) / sum(reads) AS merged, 100.0 * sum(cached) / sum(reads) AS cached
    FROM counters JOIN whole USING (trace, launch) GROUP BY entries, bar)
SELECT panel, entries || ' entries' AS series, bar, value
FROM (SELECT 1 AS nth, 'merged' AS panel, entries, bar, merged AS value FROM sums
      UNION ALL SELECT 2, 'merged or cached', entries, bar, merged + cached FROM sums)
ORDER BY nth, entries, bar;
