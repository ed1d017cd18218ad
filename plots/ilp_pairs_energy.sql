-- Two programs at the same time, one of few threads and one of many, each run once: energy relative to GPU-T
-- After XI, Figs. 51 and 53. Needs the view of sweeps/ilp_pairs_once.json.
WITH gpus(gpu, equal, bar) AS (
    VALUES ('xi-gpu-t', 0, 0), ('xi-gpu-i', 0, 1), ('xi-gpu-h', 0, 2),
           ('gtx280-ilp', 1, 0), ('xi-gpu-i30', 1, 1), ('xi-gpu-h30', 1, 2)),
points AS (SELECT trace, launch_set, energy_J, equal, bar FROM ilp_pairs_once_energy JOIN gpus USING (gpu)),
ratios AS (
    SELECT p.equal, p.trace, p.bar, p.energy_J / t.energy_J AS energy
    FROM points p JOIN points t ON (t.trace, t.equal, t.launch_set, t.bar) = (p.trace, p.equal, p.launch_set, 0)
    WHERE p.bar > 0),
whole AS ( -- means are over what has all bars of its panel
    SELECT equal, trace FROM ratios r GROUP BY equal, trace
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM ratios WHERE equal = r.equal))
SELECT iif(equal, '30 SMs; ILP: 8k registers', '36, 20 + 18 SMs against 40') AS panel, trace AS series, bar, energy
FROM (SELECT * FROM ratios
      UNION ALL SELECT equal, 'geometric mean', bar, geomean(energy)
          FROM ratios JOIN whole USING (equal, trace) GROUP BY equal, bar)
ORDER BY equal, trace = 'geometric mean', trace, bar;
