-- Bypassing and scoreboard (ILP) by registers of an SM: IPC relative to that without
-- After XI, Figs. 44, 46 (3 SMs). Needs the view of sweeps/ilp_registers.json.
WITH all_points AS (
    SELECT trace, kernel, sm_registers AS registers, mechanism_core = 'ilp' AS ilp, ilp_prediction AS prediction, cycles,
           launches, max(launches) OVER (PARTITION BY trace, kernel) AS all_launches
    FROM ilp_registers_by_kernel),
points AS (SELECT * FROM all_points WHERE prediction = 'none' AND launches = all_launches),
panels(nth, panel) AS (
    VALUES (1, 'with ILP, relative to as many registers without'), (2, 'relative to 16k registers without ILP')),
bars(nth, bar, registers, ilp, base) AS (
    VALUES (1, 1, 4096, 1, 4096), (1, 2, 6144, 1, 6144), (1, 3, 8192, 1, 8192), (1, 4, 12288, 1, 12288),
           (1, 5, 16384, 1, 16384), (1, 6, 32768, 1, 32768),
           (2, 1, 4096, 0, 16384), (2, 2, 4096, 1, 16384), (2, 3, 8192, 0, 16384), (2, 4, 8192, 1, 16384),
           (2, 5, 16384, 0, 16384), (2, 6, 16384, 1, 16384)),
ratios AS (
    SELECT nth, iif(min(p.trace) OVER same_name = max(p.trace) OVER same_name, p.kernel, p.trace || ': ' || p.kernel) AS kernel,
           bar, 1.0 * b.cycles / p.cycles AS speedup
    FROM points p JOIN bars w USING (registers, ilp)
    JOIN points b ON b.trace = p.trace AND b.kernel = p.kernel AND b.registers = w.base AND NOT b.ilp
    WINDOW same_name AS (PARTITION BY p.kernel)),
whole AS ( -- means are over what has all bars of its panel
    SELECT nth, kernel FROM ratios r GROUP BY nth, kernel
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM ratios WHERE nth = r.nth))
SELECT panel, kernel AS series, bar, speedup
FROM (SELECT * FROM ratios
      UNION ALL SELECT nth, 'geometric mean', bar, geomean(speedup)
          FROM ratios JOIN whole USING (nth, kernel) GROUP BY nth, bar)
JOIN panels USING (nth)
ORDER BY nth, kernel = 'geometric mean', kernel, bar;
