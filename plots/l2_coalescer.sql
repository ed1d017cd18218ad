-- A coalescer in front of the L2 slices (LRC), intra-cluster coalescing (ICC), and both: IPC and L2 accesses relative to neither
-- Our own. Needs the view of sweeps/l2_coalescer.json.
WITH points AS (
    SELECT *, (l2_lrc_entries > 0) + 2 * (mechanism_cluster = 'icc') AS bar FROM l2_coalescer_by_kernel),
ratios AS (
    SELECT b.kernel AS name, p.bar, 1.0 * b.cycles / p.cycles AS speedup, 1.0 * p.l2_accesses / nullif(b.l2_accesses, 0) AS accesses
    FROM points p
    JOIN points b ON (b.trace, b.kernel, b.launch_set, b.bar) = (p.trace, p.kernel, p.launch_set, 0)
    WHERE p.bar > 0),
bars AS (
    SELECT name, bar, speedup, accesses FROM ratios
    UNION ALL
    SELECT 'geometric mean', bar, geomean(speedup), geomean(accesses) FROM ratios GROUP BY bar)
SELECT panel, name AS series, bar, value
FROM (SELECT 'IPC' AS panel, 1 AS nth, name, bar, speedup AS value FROM bars
      UNION ALL SELECT 'L2 accesses', 2, name, bar, accesses FROM bars)
ORDER BY nth, name = 'geometric mean', name, bar;
