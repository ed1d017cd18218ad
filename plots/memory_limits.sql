-- What memory could give at most: IPC with 16 times the L1, with memory that answers at once, and with both
-- Our own. Needs the view of sweeps/memory_limits.json.
WITH ratios AS (
    SELECT iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS name,
           (l1_size_B > 32768) + 2 * core_perfect_memory AS bar, speedup
    FROM memory_limits_speedup
    WINDOW same_name AS (PARTITION BY kernel)),
whole AS ( -- the mean is over what has all bars
    SELECT name FROM ratios WHERE bar > 0 AND speedup NOT NULL GROUP BY name
    HAVING count(*) = (SELECT count(DISTINCT bar) FROM ratios WHERE bar > 0 AND speedup NOT NULL))
SELECT 'IPC' AS panel, name AS series, bar, speedup
FROM (SELECT * FROM ratios
      UNION ALL SELECT 'geometric mean', bar, geomean(speedup) FROM ratios JOIN whole USING (name) GROUP BY bar)
WHERE bar > 0
ORDER BY name = 'geometric mean', name, bar;
