-- Programs with shared memory and without: performance without and with the prioritization buffer
-- After MRPB, Fig. 15. Needs the view of sweeps/mrpb_unshared.json.
WITH points AS (
    SELECT replace(trace, '_unshared', '') AS program, gpu,
           1 + (trace LIKE '%\_unshared' ESCAPE '\') + 2 * (mechanism_front = 'mrpb') AS bar, sum(cycles) AS cycles
    FROM mrpb_unshared_by_kernel a GROUP BY trace, gpu, mechanism_front
    HAVING sum(launches) = (SELECT max(launches) FROM (SELECT sum(launches) AS launches FROM mrpb_unshared_by_kernel b
                                                       WHERE b.trace = a.trace GROUP BY gpu, mechanism_front))),
ratios AS (
    SELECT p.program, p.gpu, p.bar, 1.0 * b.cycles / p.cycles AS performance
    FROM points p JOIN points b ON (b.program, b.gpu, b.bar) = (p.program, 'c2050-16k', 1)),
whole AS ( -- means are over what has all bars of its panel
    SELECT gpu, program FROM ratios r GROUP BY gpu, program
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM ratios WHERE gpu = r.gpu))
SELECT gpu AS panel, program AS series, bar, performance
FROM (SELECT * FROM ratios
      UNION ALL SELECT 'geometric mean', gpu, bar, geomean(performance)
          FROM ratios JOIN whole USING (gpu, program) GROUP BY gpu, bar)
ORDER BY gpu, program = 'geometric mean', program, bar;
