-- What redundancy from uniform instructions protects of the ALUs' operations, and of the live vector registers
-- After XI, Figs. 14 and 15. Needs the view of sweeps/scalar.json.
-- mechanism_core: is scalar in all rows of counters
WITH counters AS (
    SELECT *, iif(scalar_design = 'token', 1, 2) AS bar
    FROM scalar_scalar_counters
    WHERE core_simd_width = 8 AND scalar_convert AND scalar_irb_entries = 8 AND scalar_copy = 'source'
      AND NOT scalar_checks),
shares AS ( -- of points with all launches that any bar of the kernel has
    SELECT bar, iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS kernel,
           100.0 * sum(protected_operations) / sum(alu_operations) AS alu,
           100.0 * sum(protected_cycles) / sum(live_cycles) AS live
    FROM counters c GROUP BY bar, trace, kernel
    HAVING count(DISTINCT launch) = (SELECT count(DISTINCT launch) FROM counters WHERE (trace, kernel) = (c.trace, c.kernel))
    WINDOW same_name AS (PARTITION BY kernel)),
bars AS (SELECT 1 AS nth, 'ALU operations' AS panel, kernel, bar, alu AS value FROM shares
         UNION ALL SELECT 2, 'live registers, over time', kernel, bar, live FROM shares),
whole AS ( -- means are over what has all bars of its panel
    SELECT nth, kernel FROM bars r WHERE value NOT NULL GROUP BY nth, kernel
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM bars WHERE nth = r.nth AND value NOT NULL))
SELECT panel, kernel AS series, bar, value
FROM (SELECT * FROM bars
      UNION ALL SELECT nth, panel, 'mean', bar, avg(value) FROM bars JOIN whole USING (nth, kernel) GROUP BY 1, 2, 4)
ORDER BY nth, kernel = 'mean', kernel, bar;
