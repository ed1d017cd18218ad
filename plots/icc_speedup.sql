-- Intra-cluster coalescing (ICC) and its cache: IPC and network reads relative to distributed dispatch without them (block: distributed_block)
-- After ICC, Figs. 10 and 13. Needs the view of sweeps/icc.json.
WITH forms(bar, dispatch, cluster, lines) AS (
    VALUES (1, 'distributed_block', 'none', 24), (2, 'distributed', 'icc', 0), (3, 'distributed_block', 'icc', 0),
           (4, 'distributed', 'icc', 24), (5, 'distributed_block', 'icc', 24)),
ratios AS (
    SELECT iif(min(b.trace) OVER same_name = max(b.trace) OVER same_name, b.kernel, b.trace || ': ' || b.kernel) AS name,
           f.bar, 1.0 * b.cycles / r.cycles AS speedup, 1.0 * r.noc_reads / nullif(b.noc_reads, 0) AS reads
    FROM forms f
    JOIN icc_by_kernel r ON (r.gpu_dispatch, r.mechanism_cluster, r.icc_cache_lines) = (f.dispatch, f.cluster, f.lines)
    JOIN icc_by_kernel b ON (b.trace, b.kernel, b.launch_set) = (r.trace, r.kernel, r.launch_set)
                         AND b.gpu_dispatch = 'distributed' AND b.mechanism_cluster = 'none'
    WINDOW same_name AS (PARTITION BY b.kernel)),
bars AS (
    SELECT 1 AS nth, 'IPC' AS panel, name, bar, speedup AS value FROM ratios
    UNION ALL
    SELECT 2, 'network reads', name, bar, reads FROM ratios),
whole AS ( -- means are over what has all bars of its panel
    SELECT nth, name FROM bars r WHERE value NOT NULL GROUP BY nth, name
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM bars WHERE nth = r.nth AND value NOT NULL))
SELECT panel, name AS series, bar, value
FROM (SELECT * FROM bars
      UNION ALL SELECT nth, panel, 'geometric mean', bar, geomean(value)
          FROM bars JOIN whole USING (nth, name) GROUP BY 1, 2, 4)
ORDER BY nth, name = 'geometric mean', name, bar;
