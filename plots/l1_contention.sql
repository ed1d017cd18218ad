-- L1 contention in misses per thousand warp instructions, by type (as shares of a bar), and what associativity or capacity would leave
-- After MRPB, Figs. 4 and 5. Needs the view of sweeps/contention.json.
SELECT (size_B / 1024) || ' KB, ' || contention_ways || '-way, LRU' AS panel,
       iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS bar,
       mpki_intra_warp, mpki_cross_warp_intra_block, mpki_cross_warp_cross_block, mpki_no_eviction,
       mpki_fully_associative, mpki_larger
FROM l1_contention_by_kernel
WHERE contention_replacement = 'lru'
WINDOW same_name AS (PARTITION BY kernel)
ORDER BY size_B, trace, kernel;
