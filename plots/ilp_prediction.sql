-- Branch prediction, with branches resolved after 1 and 8 cycles: IPC relative to no prediction
-- After XI, Fig. 45. Needs the view of sweeps/ilp_prediction.json.
WITH points AS (
    SELECT core_branch_latency AS latency, ilp_prediction AS prediction, trace, kernel, launch_set, cycles
    FROM ilp_prediction_by_kernel),
bars(prediction, bar) AS (VALUES ('static', 1), ('gshare', 2), ('perfect', 3)),
ratios AS (
    SELECT p.latency, iif(min(p.trace) OVER same_name = max(p.trace) OVER same_name, p.kernel, p.trace || ': ' || p.kernel) AS kernel,
           w.bar, 1.0 * b.cycles / p.cycles AS speedup
    FROM points p JOIN bars w USING (prediction)
    JOIN points b ON (b.latency, b.trace, b.kernel, b.launch_set) = (p.latency, p.trace, p.kernel, p.launch_set)
                 AND b.prediction = 'none'
    WINDOW same_name AS (PARTITION BY p.kernel)),
whole AS ( -- means are over what has all bars of its panel
    SELECT latency, kernel FROM ratios r GROUP BY latency, kernel
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM ratios WHERE latency = r.latency))
SELECT iif(latency = 1, '1 cycle', latency || ' cycles') AS panel, kernel AS series, bar, speedup
FROM (SELECT * FROM ratios
      UNION ALL SELECT latency, 'geometric mean', bar, geomean(speedup)
          FROM ratios JOIN whole USING (latency, kernel) GROUP BY latency, bar)
ORDER BY latency, kernel = 'geometric mean', kernel, bar;
