-- Intra-cluster locality within 2000 cycles, by CTA dispatch, for kernels with 1 % or more
-- After ICC, Fig. 8. Needs the view of sweeps/icl_cycles.json.
WITH policy(dispatch, bar) AS (
    VALUES ('two_level_rr', 1), ('global_rr', 2), ('greedy', 3), ('distributed', 4), ('distributed_block', 5)),
shares AS (
    SELECT iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS name, bar,
           icl, 1.0 * data_other_sm / nullif(requests, 0) AS data_other, 1.0 * data_same_sm / nullif(requests, 0) AS data_same,
           1.0 * line_other_sm / nullif(requests, 0) AS line_other, 1.0 * line_same_sm / nullif(requests, 0) AS line_same
    FROM icl_in_cycles_by_kernel JOIN policy ON dispatch = gpu_dispatch
    WHERE icl_window = 2000
    WINDOW same_name AS (PARTITION BY kernel)),
whole AS ( -- means are over what has all bars
    SELECT name FROM shares WHERE data_other NOT NULL GROUP BY name
    HAVING count(DISTINCT bar) = (SELECT count(DISTINCT bar) FROM shares WHERE data_other NOT NULL)),
mean(name) AS (
    SELECT 'mean of ' || count(*) || ' of ' || (SELECT count(DISTINCT name) FROM shares WHERE data_other NOT NULL)
    FROM whole),
bars AS (
    SELECT name, bar, data_other, data_same, line_other, line_same
    FROM shares
    WHERE name IN (SELECT name FROM shares WHERE icl >= 0.01)
    UNION ALL
    SELECT mean.name, bar, avg(data_other), avg(data_same), avg(line_other), avg(line_same)
    FROM shares JOIN whole USING (name) JOIN mean
    GROUP BY bar)
SELECT '' AS panel, name AS series, bar, 5 AS bars, 100 * data_other AS data_other_percent,
       100 * data_same AS data_same_percent, 100 * line_other AS line_other_percent, 100 * line_same AS line_same_percent
FROM bars
ORDER BY name LIKE 'mean of %', name, bar;
