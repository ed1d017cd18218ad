-- Intra-cluster coalescing: L1 misses kept out of the network, by sizes of merge table and coalesced cache
-- After ICC 6.2 and 6.4. Needs the view of sweeps/icc_sizes.json.
WITH sizes(lines, bar) AS (VALUES (0, 1), (8, 2), (24, 3), (96, 4)),
sums AS (
    SELECT icc_merge_entries AS entries, icc_cache_lines AS lines,
           100.0 * sum(merged) / sum(reads) AS merged, 100.0 * sum(cached) / sum(reads) AS cached
    FROM icc_sizes_icc_counters WHERE icc_merge_entries > 0
    GROUP BY entries, lines)
SELECT panel, entries || ' entries' AS series, bar, value
FROM (SELECT 1 AS nth, 'merged' AS panel, entries, lines, merged AS value FROM sums
      UNION ALL SELECT 2, 'merged or cached', entries, lines, merged + cached FROM sums)
JOIN sizes USING (lines)
ORDER BY nth, entries, bar;
