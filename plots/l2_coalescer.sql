-- A coalescer in front of the L2 slices (LRC), intra-cluster coalescing (ICC), and both: IPC and L2 accesses relative to neither
-- Our own. Needs the view of sweeps/l2_coalescer.json.
WITH points AS (
    SELECT *, (l2_lrc_entries > 0) + 2 * (mechanism_cluster = 'icc') AS bar FROM l2_coalescer_by_kernel),
ratios AS (
    SELECT iif(min(b.trace) OVER same_name = max(b.trace) OVER same_name, b.kernel, b.trace || ': ' || b.kernel) AS name,
           p.bar, 1.0 * b.cycles / p.cycles AS speedup, 1.0 * p.l2_accesses / nullif(b.l2_accesses, 0) AS accesses
    FROM points p
    JOIN points b ON (b.trace, b.kernel, b.launch_set, b.bar) = (p.trace, p.kernel, p.launch_set, 0)
    WHERE p.bar > 0
    WINDOW same_name AS (PARTITION BY b.kernel)),
bars AS (
    SELECT 1 AS nth, 'IPC' AS panel, name, bar, speedup AS value FROM ratios
    UNION ALL
    SELECT 2, 'L2 accesses', name, bar, accesses FROM ratios),
whole AS ( -- means are over what has all bars of its panel
    SELECT nth, name FROM bars r WHERE value NOT NULL GROUP BY nth, name
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM bars WHERE nth = r.nth AND value NOT NULL))
SELECT panel, name AS series, bar, value
FROM (SELECT * FROM bars
      UNION ALL SELECT nth, panel, 'geometric mean', bar, geomean(value)
          FROM bars JOIN whole USING (nth, name) GROUP BY 1, 2, 4)
ORDER BY nth, name = 'geometric mean', name, bar;
