-- What full associativity, and 1024 times the capacity beside it, would gain: IPC relative to the L1 itself
-- After MRPB, Fig. 5. Needs the view of sweeps/mrpb_what_ifs.json.
WITH forms(gpu, bar, ways, size_B) AS (
    VALUES ('c2050-16k', 0, 4, 16384), ('c2050-16k', 1, 128, 16384), ('c2050-16k', 2, 1024, 16777216),
           ('c2050-48k', 0, 6, 49152), ('c2050-48k', 1, 384, 49152), ('c2050-48k', 2, 1024, 50331648)),
points AS (
    SELECT p.trace, p.kernel, p.launch_set, f.gpu, f.bar, p.cycles
    FROM forms f JOIN mrpb_what_ifs_by_kernel p ON (p.gpu, p.l1_ways, p.l1_size_B) = (f.gpu, f.ways, f.size_B)),
ratios AS (
    SELECT p.gpu, iif(min(p.trace) OVER same_name = max(p.trace) OVER same_name, p.kernel, p.trace || ': ' || p.kernel) AS kernel,
           p.bar, 1.0 * b.cycles / p.cycles AS speedup
    FROM points p
    JOIN points b ON (b.trace, b.kernel, b.launch_set, b.gpu, b.bar) = (p.trace, p.kernel, p.launch_set, p.gpu, 0)
    WHERE p.bar > 0
    WINDOW same_name AS (PARTITION BY p.kernel)),
whole AS ( -- means are over what has all bars of its panel
    SELECT gpu, kernel FROM ratios r GROUP BY gpu, kernel
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM ratios WHERE gpu = r.gpu))
SELECT gpu AS panel, kernel AS series, bar, speedup
FROM (SELECT * FROM ratios
      UNION ALL SELECT gpu, 'geometric mean', bar, geomean(speedup)
          FROM ratios JOIN whole USING (gpu, kernel) GROUP BY gpu, bar)
ORDER BY gpu, kernel = 'geometric mean', kernel, bar;
