-- Intra-cluster locality under distributed dispatch, by window, for kernels with 1 % or more
-- After ICC, Fig. 3. Needs the view of sweeps/icl.json.
WITH shares AS (
    SELECT iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS name,
           icl_clock, icl_window, icl, 1.0 * data_other_sm / nullif(requests, 0) AS data_other,
           1.0 * data_same_sm / nullif(requests, 0) AS data_same, 1.0 * line_other_sm / nullif(requests, 0) AS line_other,
           1.0 * line_same_sm / nullif(requests, 0) AS line_same
    FROM intra_cluster_locality_by_kernel
    WHERE gpu_dispatch = 'distributed' AND icl_window IN (500, 1000, 1500, 2000)
    WINDOW same_name AS (PARTITION BY kernel)),
whole AS ( -- means are over what has all bars
    SELECT name FROM shares WHERE data_other NOT NULL GROUP BY name
    HAVING count(DISTINCT icl_clock || icl_window) = (SELECT count(DISTINCT icl_clock || icl_window) FROM shares
                                                      WHERE data_other NOT NULL)),
mean(name) AS (
    SELECT 'mean of ' || count(*) || ' of ' || (SELECT count(DISTINCT name) FROM shares WHERE data_other NOT NULL)
    FROM whole),
bars AS (
    SELECT name, icl_clock, icl_window, data_other, data_same, line_other, line_same
    FROM shares
    WHERE name IN (SELECT name FROM shares WHERE icl >= 0.01)
    UNION ALL
    SELECT mean.name, icl_clock, icl_window, avg(data_other), avg(data_same), avg(line_other),
           avg(line_same)
    FROM shares JOIN whole USING (name) JOIN mean
    GROUP BY icl_clock, icl_window)
SELECT iif(icl_clock = 'time', 'window counted in steps of the replay', 'window counted in requests of the cluster') AS panel,
       name AS series, icl_window / 500 AS bar, 4 AS bars, 100 * data_other AS data_other_percent,
       100 * data_same AS data_same_percent, 100 * line_other AS line_other_percent, 100 * line_same AS line_same_percent
FROM bars
ORDER BY icl_clock DESC, name LIKE 'mean of %', name, icl_window;
