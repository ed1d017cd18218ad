-- Branch prediction: share of the conditional branches that do not diverge which are predicted rightly
-- After XI, Fig. 47; kernels without such branches are left out. Needs the view of sweeps/ilp_prediction.json.
WITH shares AS (
    SELECT iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS kernel,
           ilp_prediction = 'gshare' AS gshare,
           1.0 - 1.0 * sum(mispredicted) / nullif(sum(branches) - sum(divergent), 0) AS accuracy
    FROM ilp_prediction_ilp_counters
    WHERE core_branch_latency = 8 AND ilp_prediction IN ('static', 'gshare') GROUP BY trace, kernel, gshare
    WINDOW same_name AS (PARTITION BY kernel)),
whole AS ( -- means are over what has all bars
    SELECT kernel FROM shares WHERE accuracy NOT NULL GROUP BY kernel
    HAVING count(DISTINCT gshare) = (SELECT count(DISTINCT gshare) FROM shares WHERE accuracy NOT NULL))
SELECT '' AS panel, kernel AS series, 1 + gshare AS bar, accuracy
FROM (SELECT * FROM shares WHERE accuracy IS NOT NULL
      UNION ALL SELECT 'mean', gshare, avg(accuracy) FROM shares JOIN whole USING (kernel) GROUP BY gshare)
ORDER BY kernel = 'mean', kernel, bar;
