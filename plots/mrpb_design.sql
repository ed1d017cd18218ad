-- Memory request prioritization buffer: IPC of each choice, relative to none
-- After MRPB, Figs. 8 to 13. Needs the view of sweeps/mrpb_design.json.
WITH points AS (
    SELECT trace, kernel, mrpb_signature AS signature, mrpb_drain AS drain, mrpb_entries AS entries, mrpb_flush AS flush,
           mrpb_latency AS latency, mrpb_bypass AS bypass, launch_set, cycles
    FROM mrpb_design_by_kernel),
choices(nth, panel, bar, signature, drain, entries, flush, latency, bypass) AS (
    VALUES (1, 'queue of an access (signature)', 1, 'block_id', 'fixed', 0, 0, 3, 'none'), (1, '', 2, 'in_block_warp_id', 'fixed', 0, 0, 3, 'none'),
           (1, '', 3, 'warp_id', 'fixed', 0, 0, 3, 'none'),
           (2, 'next queue (greedy: till empty)', 1, 'warp_id', 'fixed', 0, 0, 3, 'none'), (2, '', 2, 'warp_id', 'round_robin', 0, 0, 3, 'none'),
           (2, '', 3, 'warp_id', 'longest_first', 0, 0, 3, 'none'), (2, '', 4, 'warp_id', 'greedy_fixed', 0, 0, 3, 'none'),
           (2, '', 5, 'warp_id', 'greedy_round_robin', 0, 0, 3, 'none'),
           (2, '', 6, 'warp_id', 'greedy_longest_first', 0, 0, 3, 'none'),
           (3, 'entries of a queue, no flush', 1, 'warp_id', 'fixed', 4, 0, 3, 'none'), (3, '', 2, 'warp_id', 'fixed', 8, 0, 3, 'none'),
           (3, '', 3, 'warp_id', 'fixed', 16, 0, 3, 'none'), (3, '', 4, 'warp_id', 'fixed', 32, 0, 3, 'none'),
           (3, '', 5, 'warp_id', 'fixed', 0, 0, 3, 'none'),
           (4, 'entries of a queue, with flush', 1, 'warp_id', 'fixed', 4, 1, 3, 'none'), (4, '', 2, 'warp_id', 'fixed', 8, 1, 3, 'none'),
           (4, '', 3, 'warp_id', 'fixed', 16, 1, 3, 'none'), (4, '', 4, 'warp_id', 'fixed', 32, 1, 3, 'none'),
           (5, 'latency in cycles', 1, 'warp_id', 'fixed', 8, 1, 3, 'none'), (5, '', 2, 'warp_id', 'fixed', 8, 1, 4, 'none'),
           (5, '', 3, 'warp_id', 'fixed', 8, 1, 6, 'none'), (5, '', 4, 'warp_id', 'fixed', 8, 1, 10, 'none'),
           (5, '', 5, 'warp_id', 'fixed', 8, 1, 18, 'none'),
           (6, 'bypassing alone', 1, 'none', 'fixed', 8, 1, 5, 'all_stalls'), (6, '', 2, 'none', 'fixed', 8, 1, 5, 'set_full')),
ratios AS (
    SELECT c.nth, c.bar, iif(min(p.trace) OVER same_name = max(p.trace) OVER same_name, p.kernel, p.trace || ': ' || p.kernel) AS kernel,
           1.0 * b.cycles / p.cycles AS speedup
    FROM choices c
    JOIN points p USING (signature, drain, entries, flush, latency, bypass)
    JOIN points b ON (b.trace, b.kernel, b.launch_set) = (p.trace, p.kernel, p.launch_set)
                 AND b.signature = 'none' AND b.bypass = 'none'
    WINDOW same_name AS (PARTITION BY p.kernel)),
whole AS ( -- means are over what has all bars of its panel
    SELECT nth, kernel FROM ratios r GROUP BY nth, kernel
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM ratios WHERE nth = r.nth))
SELECT (SELECT panel FROM choices WHERE nth = r.nth AND bar = 1) AS panel, kernel AS series, bar, speedup
FROM (SELECT * FROM ratios
      UNION ALL SELECT nth, bar, 'geometric mean', geomean(speedup)
          FROM ratios JOIN whole USING (nth, kernel) GROUP BY nth, bar) r
ORDER BY nth, kernel = 'geometric mean', kernel, bar;
