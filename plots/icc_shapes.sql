-- Intra-cluster coalescing with 60 SMs in fewer or more clusters: IPC relative to distributed dispatch without it
-- After ICC, Figs. 14 and 15. Needs the view of sweeps/icc_shapes.json.
WITH ratios AS (
    SELECT p.kernel, iif(p.icc_cache_lines = 0, 'ICC', 'ICC and coalesced cache') AS form,
           CASE p.gpu_clusters WHEN 6 THEN 1 WHEN 10 THEN 2 WHEN 12 THEN 3 ELSE 4 END AS bar,
           1.0 * b.cycles / p.cycles AS speedup
    FROM icc_shapes_by_kernel p
    JOIN icc_shapes_by_kernel b ON (b.gpu_clusters, b.trace, b.kernel, b.launches) =
                                   (p.gpu_clusters, p.trace, p.kernel, p.launches)
                                AND b.mechanism_cluster = 'none'
    WHERE p.mechanism_cluster = 'icc')
SELECT form AS panel, kernel AS series, bar, speedup
FROM (SELECT * FROM ratios
      UNION ALL SELECT 'geometric mean', form, bar, geomean(speedup) FROM ratios GROUP BY form, bar)
ORDER BY form, kernel = 'geometric mean', kernel, bar;
