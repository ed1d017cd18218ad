-- Energy by component, relative to distributed dispatch (joules of sweeps/energy/xi.json)
-- After ICC, Fig. 11. Needs the view of sweeps/icc.json.
WITH forms(bar, dispatch, cluster, lines) AS (
    VALUES (1, 'distributed', 'none', 24), (2, 'distributed_block', 'none', 24), (3, 'distributed_block', 'icc', 0),
           (4, 'distributed_block', 'icc', 24)),
shares AS (
    SELECT f.bar, iif(min(e.trace) OVER same_name = max(e.trace) OVER same_name, e.kernel, e.trace || ': ' || e.kernel) AS kernel,
           (e.energy_J - e.l1_J - e.noc_J - e.l2_J - e.dram_J) / b.energy_J AS cores,
           e.l1_J / b.energy_J AS l1, e.noc_J / b.energy_J AS noc, e.l2_J / b.energy_J AS l2, e.dram_J / b.energy_J AS dram,
           e.edp_Js / b.edp_Js AS edp
    FROM forms f
    JOIN icc_energy e ON (e.gpu_dispatch, e.mechanism_cluster, e.icc_cache_lines) = (f.dispatch, f.cluster, f.lines)
    JOIN icc_energy b ON (b.trace, b.kernel, b.launch_set) = (e.trace, e.kernel, e.launch_set)
                     AND (b.gpu_dispatch, b.mechanism_cluster) = ('distributed', 'none')
    WINDOW same_name AS (PARTITION BY e.kernel)),
whole AS ( -- means are over what has all bars
    SELECT kernel FROM shares GROUP BY kernel HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM shares)),
bars AS (
    SELECT bar, kernel, cores, l1, noc, l2, dram, edp, 0 AS last FROM shares
    UNION ALL
    SELECT bar, 'mean', avg(cores), avg(l1), avg(noc), avg(l2), avg(dram), avg(edp), 1
    FROM shares JOIN whole USING (kernel) GROUP BY bar)
-- Tops of the stacked parts, and the energy-delay product.
SELECT 'energy, and energy-delay product (diamonds)' AS panel, kernel AS series, bar, cores AS top1, cores + l1 AS top2,
       cores + l1 + noc AS top3, cores + l1 + noc + l2 AS top4, cores + l1 + noc + l2 + dram AS top5, edp
FROM bars ORDER BY last, kernel, bar;
