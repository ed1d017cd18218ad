-- Intra-cluster coalescing and distributed_block dispatch, with 60 SMs in fewer or more clusters: IPC relative to distributed dispatch without it
-- After ICC, Figs. 14 and 15. Needs the view of sweeps/icc_shapes.json.
WITH shapes(clusters, bar) AS (VALUES (6, 1), (10, 2), (12, 3), (15, 4)),
ratios AS (
    SELECT iif(min(p.trace) OVER same_name = max(p.trace) OVER same_name, p.kernel, p.trace || ': ' || p.kernel) AS kernel,
           iif(p.icc_cache_lines = 0, 'ICC', 'ICC and coalesced cache') AS form, bar, 1.0 * b.cycles / p.cycles AS speedup
    FROM icc_shapes_by_kernel p
    JOIN shapes ON p.gpu_clusters = clusters
    JOIN icc_shapes_by_kernel b ON (b.gpu_clusters, b.trace, b.kernel, b.launch_set) =
                                   (p.gpu_clusters, p.trace, p.kernel, p.launch_set)
                                AND b.mechanism_cluster = 'none'
    WHERE p.mechanism_cluster = 'icc'
    WINDOW same_name AS (PARTITION BY p.kernel)),
whole AS ( -- means are over what has all bars of its panel
    SELECT form, kernel FROM ratios r GROUP BY form, kernel
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM ratios WHERE form = r.form))
SELECT form AS panel, kernel AS series, bar, speedup
FROM (SELECT * FROM ratios
      UNION ALL SELECT 'geometric mean', form, bar, geomean(speedup)
          FROM ratios JOIN whole USING (form, kernel) GROUP BY form, bar)
ORDER BY form, kernel = 'geometric mean', kernel, bar;
