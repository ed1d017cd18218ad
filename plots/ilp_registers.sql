-- Registers of an SM, without and with instruction-level parallelism: IPC relative to 16,384 without
-- After XI, Figs. 44, 46 (3 SMs). Needs the view of sweeps/ilp_registers.json.
WITH points AS (
    SELECT kernel, sm_registers AS registers, mechanism_core = 'ilp' AS ilp, cycles FROM ilp_registers_by_kernel),
bars(registers, ilp, bar) AS (VALUES (4096, 0, 1), (4096, 1, 2), (8192, 0, 3), (8192, 1, 4), (16384, 0, 5), (16384, 1, 6)),
ratios AS (
    SELECT p.kernel, w.bar, 1.0 * b.cycles / p.cycles AS speedup
    FROM points p JOIN bars w USING (registers, ilp)
    JOIN points b ON b.kernel = p.kernel AND b.registers = 16384 AND NOT b.ilp)
SELECT 'registers' AS panel, kernel AS series, bar, speedup
FROM (SELECT * FROM ratios
      UNION ALL SELECT 'geometric mean', bar, geomean(speedup) FROM ratios GROUP BY bar)
ORDER BY kernel = 'geometric mean', kernel, bar;
