-- SMs with ILP (GPU-I), without (GPU-T), and half of each (GPU-H), a kernel at a time: energy relative to GPU-T
-- After XI, Fig. 49. Needs the view of sweeps/ilp_gpus.json.
WITH points AS (
    SELECT trace, kernel, launch_set, energy_J, gpu_clusters = 30 AS equal,
           CASE WHEN mechanism_core = 'none' THEN 0 WHEN ilp_sms = 0 THEN 1 ELSE 2 END AS bar
    FROM ilp_gpus_energy),
ratios AS (
    SELECT p.equal, iif(min(p.trace) OVER same_name = max(p.trace) OVER same_name, p.kernel, p.trace || ': ' || p.kernel) AS kernel,
           p.bar, p.energy_J / t.energy_J AS energy
    FROM points p
    JOIN points t ON (t.trace, t.kernel, t.launch_set, t.equal, t.bar) = (p.trace, p.kernel, p.launch_set, p.equal, 0)
    WHERE p.bar > 0
    WINDOW same_name AS (PARTITION BY p.kernel)),
whole AS ( -- means are over what has all bars of its panel
    SELECT equal, kernel FROM ratios r GROUP BY equal, kernel
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM ratios WHERE equal = r.equal))
SELECT iif(equal, '30 SMs each; those with ILP: 8k registers', 'like areas; GPU-T: 40 SMs') AS panel, kernel AS series, bar, energy
FROM (SELECT * FROM ratios
      UNION ALL SELECT equal, 'geometric mean', bar, geomean(energy)
          FROM ratios JOIN whole USING (equal, kernel) GROUP BY equal, bar)
ORDER BY equal, kernel = 'geometric mean', kernel, bar;
