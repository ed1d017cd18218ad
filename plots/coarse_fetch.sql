-- Coarse-grained fetch of 2 and 4 lines: IPC relative to the baseline
-- After XI, Figs. 57 and 58. Needs the view of sweeps/coarse.json.
WITH forms(panel, bar, lines, dueling, miss, window) AS (
    VALUES ('at every read', 1, 2, 0, 0, 64),
           ('at every read', 2, 4, 0, 0, 64),
           ('with dueling', 1, 2, 1, 0, 64), ('with dueling', 2, 4, 1, 0, 64),
           ('2 lines otherwise', 1, 2, 0, 1, 64), ('2 lines otherwise', 2, 2, 0, 0, 0)),
ratios AS (
    SELECT panel, bar, iif(min(p.trace) OVER same_name = max(p.trace) OVER same_name, p.kernel, p.trace || ': ' || p.kernel) AS kernel,
           1.0 * b.cycles / p.cycles AS speedup
    FROM forms f
    JOIN coarse_by_kernel p ON (p.mechanism_fetch, p.coarse_lines, p.coarse_dueling, p.coarse_on_miss_only, p.coarse_grain_window)
                             = ('coarse', f.lines, f.dueling, f.miss, f.window)
    JOIN coarse_by_kernel b ON (b.trace, b.kernel, b.launch_set) = (p.trace, p.kernel, p.launch_set)
                           AND b.mechanism_fetch = 'none'
    WINDOW same_name AS (PARTITION BY p.kernel)),
whole AS ( -- means are over what has all bars of its panel
    SELECT panel, kernel FROM ratios r GROUP BY panel, kernel
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM ratios WHERE panel = r.panel))
SELECT panel, kernel AS series, bar, value
FROM (SELECT panel, bar, kernel, speedup AS value, 0 AS last FROM ratios
      UNION ALL SELECT panel, bar, 'geometric mean', geomean(speedup), 1
          FROM ratios JOIN whole USING (panel, kernel) GROUP BY panel, bar)
ORDER BY panel LIKE '2 lines%', panel LIKE 'with%', last, kernel, bar;
