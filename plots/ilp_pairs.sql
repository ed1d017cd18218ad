-- Two programs at the same time, one of few threads and one of many: weighted speedup
-- After XI, Figs. 50 and 52. Needs the views of sweeps/ilp_pairs.json.
WITH gpus(gpu, equal, bar) AS (
    VALUES ('xi-gpu-t', 0, 1), ('xi-gpu-i', 0, 2), ('xi-gpu-h', 0, 3),
           ('gtx280-ilp', 1, 1), ('xi-gpu-i30', 1, 2), ('xi-gpu-h30', 1, 3)),
programs AS (
    SELECT trace, gpu, equal, bar, program,
           1.0 * sum(warp_instructions) / sum(cycles) AS ipc,
           1.0 * sum(alone_warp_instructions) / sum(alone_cycles) AS ipc_alone,
           count(*) = max(count(*)) OVER (PARTITION BY trace, program) AS whole
    FROM ilp_pairs_timed_program JOIN gpus USING (gpu) GROUP BY trace, gpu, program),
-- XI weighs the first program by its IPC alone on GPU-I, the second by its own on GPU-T.
weighted AS (
    SELECT p.equal, p.trace, p.bar, 0.5 * sum(p.ipc / alone.ipc_alone) AS speedup
    FROM programs p JOIN programs alone ON alone.trace = p.trace AND alone.equal = p.equal AND alone.program = p.program
                    AND alone.bar = iif(p.program = 1, 2, 1) AND alone.whole
    WHERE p.whole
    GROUP BY p.equal, p.trace, p.bar
    HAVING count(p.ipc / alone.ipc_alone) = 2),
whole AS ( -- means are over what has all bars of its panel
    SELECT equal, trace FROM weighted r GROUP BY equal, trace
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM weighted WHERE equal = r.equal))
SELECT iif(equal, '30 SMs; ILP: 8k registers', '40, 36, 20 + 18 SMs') AS panel, trace AS series, bar, speedup
FROM (SELECT * FROM weighted
      UNION ALL SELECT equal, 'geometric mean', bar, geomean(speedup)
          FROM weighted JOIN whole USING (equal, trace) GROUP BY equal, bar)
ORDER BY equal, trace = 'geometric mean', trace, bar;
