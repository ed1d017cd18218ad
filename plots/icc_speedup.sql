-- Intra-cluster coalescing: IPC and network reads, relative to distributed dispatch (block: distributed_block) without it
-- After ICC, Figs. 10 and 13. Needs the view of sweeps/icc.json.
WITH forms(bar, dispatch, cluster, lines) AS (
    VALUES (1, 'distributed_block', 'none', 24), (2, 'distributed', 'icc', 0), (3, 'distributed_block', 'icc', 0),
           (4, 'distributed', 'icc', 24), (5, 'distributed_block', 'icc', 24)),
-- Writes are the same under all forms: what reached the network beside the reads of the unit.
reads AS (
    SELECT t.trace, t.kernel, t.gpu_dispatch, t.mechanism_cluster, t.icc_cache_lines, t.cycles,
           t.noc_packets_to_memory - w.writes AS reads
    FROM icc_by_kernel t
    JOIN (SELECT trace, kernel, gpu_dispatch, sum(noc_packets_to_memory) - sum(sent + direct) AS writes
          FROM icc JOIN icc_icc_counters USING (trace, kernel, launch, gpu_dispatch, mechanism_cluster, icc_cache_lines)
          WHERE mechanism_cluster = 'icc' AND icc_cache_lines = 24
          GROUP BY trace, kernel, gpu_dispatch) w USING (trace, kernel, gpu_dispatch)),
ratios AS (
    SELECT b.kernel AS name, f.bar, 1.0 * b.cycles / r.cycles AS speedup, 1.0 * r.reads / nullif(b.reads, 0) AS reads
    FROM forms f
    JOIN reads r ON (r.gpu_dispatch, r.mechanism_cluster, r.icc_cache_lines) = (f.dispatch, f.cluster, f.lines)
    JOIN reads b ON (b.trace, b.kernel) = (r.trace, r.kernel) AND b.gpu_dispatch = 'distributed'
                 AND b.mechanism_cluster = 'none'),
bars AS (
    SELECT name, bar, speedup, reads FROM ratios
    UNION ALL
    SELECT 'geometric mean', bar, geomean(speedup), geomean(reads) FROM ratios GROUP BY bar)
SELECT panel, name AS series, bar, value
FROM (SELECT 'IPC' AS panel, 1 AS nth, name, bar, speedup AS value FROM bars
      UNION ALL SELECT 'network reads', 2, name, bar, reads FROM bars)
ORDER BY nth, name = 'geometric mean', name, bar;
