-- WarpPool: IPC with one structure changed, relative to the design as published
-- After WarpPool 3.9. Needs the view of sweeps/warppool_design.json.
WITH points AS (
    SELECT trace, kernel, warppool_coalescers AS c, warppool_merges AS m, warppool_inter_queues AS i, warppool_queues AS q,
           warppool_queue_entries AS e, warppool_selection AS s, warppool_writeback_warps AS w, launch_set, cycles
    FROM warppool_design_by_kernel),
ratios AS (
    SELECT p.*, 1.0 * b.cycles / p.cycles AS speedup
    FROM points p
    JOIN points b ON (b.trace, b.kernel, b.launch_set) = (p.trace, p.kernel, p.launch_set)
                 AND (b.c, b.m, b.i, b.q, b.e, b.s, b.w) = (2, 4, 32, 16, 8, 'adaptive', 1)),
choices(nth, panel, bar, c, m, i, q, e, s, w) AS (
    VALUES (1, 'coalescers', 1, 1, 4, 32, 16, 8, 'adaptive', 1), (1, 'coalescers', 2, 4, 4, 32, 16, 8, 'adaptive', 1),
           (1, 'coalescers', 3, 8, 4, 32, 16, 8, 'adaptive', 1),
           (2, 'merges per tag', 1, 2, 1, 32, 16, 8, 'adaptive', 1), (2, 'merges per tag', 2, 2, 2, 32, 16, 8, 'adaptive', 1),
           (2, 'merges per tag', 3, 2, 8, 32, 16, 8, 'adaptive', 1),
           (3, 'inter-warp queues', 1, 2, 4, 8, 16, 8, 'adaptive', 1), (3, 'inter-warp queues', 2, 2, 4, 16, 16, 8, 'adaptive', 1),
           (3, 'inter-warp queues', 3, 2, 4, 64, 16, 8, 'adaptive', 1),
           (4, 'instruction queues, entries', 1, 2, 4, 32, 1, 8, 'adaptive', 1),
           (4, 'instruction queues, entries', 2, 2, 4, 32, 1, 128, 'adaptive', 1),
           (4, 'instruction queues, entries', 3, 2, 4, 32, 48, 2, 'adaptive', 1),
           (4, 'instruction queues, entries', 4, 2, 4, 32, 16, 16, 'adaptive', 1),
           (5, 'selection', 1, 2, 4, 32, 16, 8, 'oldest', 1), (5, 'selection', 2, 2, 4, 32, 16, 8, 'warp_id', 1),
           (6, 'warps written back per cycle', 1, 2, 4, 32, 16, 8, 'adaptive', 2),
           (6, 'warps written back per cycle', 2, 2, 4, 32, 16, 8, 'adaptive', 4),
           (6, 'warps written back per cycle', 3, 8, 4, 32, 16, 8, 'adaptive', 4)),
chosen AS (
    SELECT nth, panel, bar, iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS kernel,
           speedup
    FROM choices JOIN ratios USING (c, m, i, q, e, s, w) WINDOW same_name AS (PARTITION BY kernel)),
whole AS ( -- means are over what has all bars of its panel
    SELECT nth, kernel FROM chosen r GROUP BY nth, kernel
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM chosen WHERE nth = r.nth))
SELECT panel, kernel AS series, bar, speedup
FROM (SELECT * FROM chosen
      UNION ALL SELECT nth, panel, bar, 'geometric mean', geomean(speedup)
          FROM chosen JOIN whole USING (nth, kernel) GROUP BY nth, bar)
ORDER BY nth, kernel = 'geometric mean', kernel, bar;
