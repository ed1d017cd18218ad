-- Lines that a memory instruction asks for, and memory instructions that wait
-- After WarpPool, Fig. 3. Needs the view of sweeps/warppool.json.
WITH lines AS ( -- of the launches that the sweep has; the table `kernel` may know others, and a trace that was made again
                -- under its name: one that no sweep has any more is left out, of two that sweeps have neither is known
    SELECT t.name AS trace, k.short_name AS kernel,
           iif(count(DISTINCT k.trace) = 1, 1.0 * sum(k.requests) / sum(k.memory_instructions), NULL) AS lines
    FROM kernel k JOIN trace t ON t.id = k.trace
    WHERE k.id IN (SELECT p.kernel FROM point p JOIN sweep_point o ON o.point = p.id)
      AND (t.name, k.launch) IN (SELECT trace, launch FROM warppool)
    GROUP BY t.name, k.short_name),
kernels AS (
    SELECT iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS kernel,
           lines, memory_waiting_per_sm, 100 * memory_waiting_share AS waiting_percent
    FROM warppool_by_kernel JOIN lines USING (trace, kernel)
    WHERE mechanism_front = 'none' AND core_coalescers * l1_banks = 1
    WINDOW same_name AS (PARTITION BY kernel))
SELECT max(panel) OVER (PARTITION BY nth) AS panel, kernel AS series, 1 AS bar, value
FROM (SELECT 1 AS nth, 'lines per memory instruction' AS panel, kernel, lines AS value FROM kernels
      UNION ALL SELECT 2, 'memory instructions waiting in an SM', kernel, memory_waiting_per_sm FROM kernels
      UNION ALL SELECT 3, 'time in which one waits (% of that with warps)', kernel, waiting_percent FROM kernels)
ORDER BY nth, kernel;
