-- Two programs at the same time, one of few threads and one of many, each run once: energy relative to GPU-T
-- After XI, Figs. 51 and 53. Needs the view of sweeps/ilp_pairs_once.json.
WITH points AS (
    SELECT trace, launch_set, energy_J, gpu IN ('gtx280-ilp', 'xi-gpu-i30', 'xi-gpu-h30') AS equal,
           CASE WHEN gpu IN ('xi-gpu-t', 'gtx280-ilp') THEN 0 WHEN gpu IN ('xi-gpu-i', 'xi-gpu-i30') THEN 1 ELSE 2 END AS bar
    FROM ilp_pairs_once_energy),
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
