-- What does each memory-side mechanism gain, and cost? (the view of sweeps/memory-mechanisms.json; higher is better but
-- for l1_misses and noc; cost_bits: of the whole GPU)
WITH pairs AS (
    SELECT p.kernel, p.mechanism_front AS front, p.mechanism_cluster AS cluster,
           1.0 * b.cycles / p.cycles AS speedup,
           1.0 * (p.l1_misses + p.l1_sector_misses) / nullif(b.l1_misses + b.l1_sector_misses, 0) AS l1_misses,
           1.0 * p.l1_accesses / p.cycles / nullif(1.0 * b.l1_accesses / b.cycles, 0) AS l1_throughput,
           1.0 * p.noc_packets_to_memory / nullif(b.noc_packets_to_memory, 0) AS noc
    FROM memory_mechanisms_by_kernel p
    JOIN memory_mechanisms_by_kernel b ON (b.trace, b.kernel) = (p.trace, p.kernel)
    WHERE b.mechanism_front = 'none' AND b.mechanism_cluster = 'none'
      AND (p.mechanism_front, p.mechanism_cluster) <> ('none', 'none')),
costs AS (
    SELECT mechanism_front AS front, mechanism_cluster AS cluster,
           sum(cost_bits * iif(per = 'SM', 15, 5)) AS cost_bits
    FROM (SELECT DISTINCT mechanism_front, mechanism_cluster, mechanism, structure, per, cost_bits
          FROM memory_mechanisms_mechanism_cost)
    GROUP BY 1, 2)
SELECT kernel, front, cluster, speedup, l1_misses, l1_throughput, noc, cost_bits
FROM (SELECT * FROM pairs
      UNION ALL
      SELECT 'geometric mean', front, cluster, geomean(speedup), geomean(l1_misses), geomean(l1_throughput), geomean(noc)
      FROM pairs GROUP BY front, cluster)
JOIN costs USING (front, cluster)
ORDER BY kernel = 'geometric mean', kernel, front, cluster;
