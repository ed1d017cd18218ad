-- Entries of the scoreboard, with bypassing: IPC relative to one instruction of a warp in flight
-- After XI, Fig. 43. Needs the view of sweeps/ilp_entries.json.
WITH ratios AS (
    SELECT iif(min(s.trace) OVER same_name = max(s.trace) OVER same_name, s.kernel, s.trace || ': ' || s.kernel) AS kernel,
           s.ilp_scoreboard_entries AS entries, 1.0 * b.cycles / s.cycles AS speedup
    FROM ilp_entries_by_kernel s
    JOIN ilp_entries_by_kernel b ON (b.trace, b.kernel, b.launch_set) = (s.trace, s.kernel, s.launch_set) AND b.mechanism_core = 'none'
    WHERE s.mechanism_core = 'ilp'
    WINDOW same_name AS (PARTITION BY s.kernel)),
bars(entries, bar) AS (VALUES (2, 1), (4, 2), (6, 3), (8, 4), (12, 5), (16, 6)),
whole AS ( -- means are over what has all bars
    SELECT kernel FROM ratios GROUP BY kernel
    HAVING count(DISTINCT entries) = (SELECT count(DISTINCT entries) FROM ratios))
SELECT 'entries' AS panel, kernel AS series, bar, speedup
FROM (SELECT * FROM ratios
      UNION ALL SELECT 'geometric mean', entries, geomean(speedup)
          FROM ratios JOIN whole USING (kernel) GROUP BY entries)
JOIN bars USING (entries)
ORDER BY kernel = 'geometric mean', kernel, bar;
