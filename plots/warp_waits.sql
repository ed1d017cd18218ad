-- What warps wait for
-- After WP, 2.2, which chooses kernels by the memory instructions that wait. Needs the view of sweeps/hotspots.json.
WITH wait AS (
    SELECT trace, kernel, sum(data_cycles) AS data, sum(barrier_cycles) AS barrier, sum(fetch_cycles) AS fetch,
           sum(issue_cycles) AS issue
    FROM warp_time_hotspots_pc GROUP BY trace, kernel),
share AS (
    SELECT trace, kernel, 100.0 * data / warp_cycles AS data, 100.0 * barrier / warp_cycles AS barrier,
           100.0 * fetch / warp_cycles AS fetch, 100.0 * issue / warp_cycles AS issue
    FROM wait JOIN warp_time_by_kernel USING (trace, kernel))
-- Tops of the stacked parts; what is left to 100 lies behind a warp's last instruction.
SELECT 'share of warp cycles (%)' AS panel,
       iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS bar,
       issue AS top1, issue + data AS top2, issue + data + barrier AS top3, issue + data + barrier + fetch AS top4,
       100 AS top5
FROM share
WINDOW same_name AS (PARTITION BY kernel)
ORDER BY issue, trace, kernel;
