-- What full associativity, and 1024 times the capacity beside it, would leave of an L1's misses: kernels with 50 MPKI or more
-- After MRPB, Fig. 5, in misses. Needs the view of sweeps/contention.json. MPKI: the greater one of both L1s.
WITH l1 AS (
    SELECT iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS name, *
    FROM l1_contention_by_kernel
    WHERE contention_replacement = 'lru'
    WINDOW same_name AS (PARTITION BY kernel))
SELECT (size_B / 1024) || ' KB, ' || contention_ways || '-way, LRU = 100 %' AS panel, name AS bar,
       100.0 * misses_fully_associative / nullif(misses, 0) AS fully_percent,
       100.0 * misses_larger / nullif(misses, 0) AS larger_percent
FROM l1
WHERE name IN (SELECT name FROM l1 WHERE mpki >= 50)
ORDER BY size_B, name;
