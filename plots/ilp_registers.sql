-- Bypassing and scoreboard (ILP) by registers of an SM: IPC relative to that without
-- After XI, Figs. 44, 46 (3 SMs). Needs the view of sweeps/ilp_registers.json.
WITH all_points AS (
    SELECT trace, kernel, sm_registers AS registers, mechanism_core = 'ilp' AS ilp, ilp_prediction AS prediction, cycles,
           launches, max(launches) OVER (PARTITION BY trace, kernel) AS all_launches
    FROM ilp_registers_by_kernel),
points AS (SELECT * FROM all_points WHERE prediction = 'none' AND launches = all_launches),
bars(panel, registers, ilp, base, bar) AS (
    VALUES ('with as many registers', 4096, 1, 4096, 1), ('with as many registers', 6144, 1, 6144, 2), ('with as many registers', 8192, 1, 8192, 3),
           ('with as many registers', 12288, 1, 12288, 4), ('with as many registers', 16384, 1, 16384, 5),
           ('with as many registers', 32768, 1, 32768, 6), ('with 16k registers', 4096, 0, 16384, 1), ('with 16k registers', 4096, 1, 16384, 2),
           ('with 16k registers', 8192, 0, 16384, 3), ('with 16k registers', 8192, 1, 16384, 4), ('with 16k registers', 16384, 0, 16384, 5),
           ('with 16k registers', 16384, 1, 16384, 6)),
ratios AS (
    SELECT panel, p.kernel, bar, 1.0 * b.cycles / p.cycles AS speedup
    FROM points p JOIN bars w USING (registers, ilp)
    JOIN points b ON b.trace = p.trace AND b.kernel = p.kernel AND b.registers = w.base AND NOT b.ilp)
SELECT panel, kernel AS series, bar, speedup
FROM (SELECT * FROM ratios
      UNION ALL SELECT panel, 'geometric mean', bar, geomean(speedup) FROM ratios GROUP BY panel, bar)
ORDER BY panel DESC, kernel = 'geometric mean', kernel, bar;
