-- Bypassing and the scoreboard of 8 entries: IPC relative to one instruction of a warp in flight
-- After XI, Fig. 42. Needs the view of sweeps/ilp.json.
WITH bars AS (
    SELECT gpu_clusters AS sms, trace, kernel, launch_set, cycles,
           CASE WHEN mechanism_core = 'none' THEN 0 WHEN ilp_scoreboard_entries = 0 THEN 1 WHEN ilp_bypass = 0 THEN 2 ELSE 3 END AS bar
    FROM ilp_by_kernel),
ratios AS (
    SELECT b.sms, iif(min(b.trace) OVER same_name = max(b.trace) OVER same_name, b.kernel, b.trace || ': ' || b.kernel) AS kernel,
           b.bar, 1.0 * n.cycles / b.cycles AS speedup
    FROM bars b JOIN bars n ON (n.sms, n.trace, n.kernel, n.launch_set, n.bar) = (b.sms, b.trace, b.kernel, b.launch_set, 0)
    WHERE b.bar > 0
    WINDOW same_name AS (PARTITION BY b.kernel)),
whole AS ( -- means are over what has all bars of its panel
    SELECT sms, kernel FROM ratios r GROUP BY sms, kernel
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM ratios WHERE sms = r.sms))
SELECT sms || ' SMs' AS panel, kernel AS series, bar, speedup
FROM (SELECT * FROM ratios
      UNION ALL SELECT sms, 'geometric mean', bar, geomean(speedup)
          FROM ratios JOIN whole USING (sms, kernel) GROUP BY sms, bar)
ORDER BY sms DESC, kernel = 'geometric mean', kernel, bar;
