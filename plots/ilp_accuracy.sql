-- Branch prediction: share of the conditional branches that do not diverge which are predicted rightly
-- After XI, Fig. 47; kernels without such branches are left out. Needs the view of sweeps/ilp_prediction.json.
WITH counters AS (
    SELECT trace, kernel, launch, ilp_prediction = 'gshare' AS gshare, branches, divergent, mispredicted
    FROM ilp_prediction_ilp_counters WHERE core_branch_latency = 8 AND ilp_prediction IN ('static', 'gshare')),
shares AS ( -- of points with all launches that any bar of the kernel has
    SELECT iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS kernel, gshare,
           1.0 - 1.0 * sum(mispredicted) / nullif(sum(branches) - sum(divergent), 0) AS accuracy
    FROM counters c GROUP BY trace, kernel, gshare
    HAVING count(DISTINCT launch) = (SELECT count(DISTINCT launch) FROM counters WHERE (trace, kernel) = (c.trace, c.kernel))
    WINDOW same_name AS (PARTITION BY kernel)),
whole AS ( -- means are over what has all bars
    SELECT kernel FROM shares WHERE accuracy NOT NULL GROUP BY kernel
    HAVING count(DISTINCT gshare) = (SELECT count(DISTINCT gshare) FROM shares WHERE accuracy NOT NULL))
SELECT '' AS panel, kernel AS series, 1 + gshare AS bar, accuracy
FROM (SELECT * FROM shares WHERE accuracy IS NOT NULL
      UNION ALL SELECT 'mean', gshare, avg(accuracy) FROM shares JOIN whole USING (kernel) GROUP BY gshare)
ORDER BY kernel = 'mean', kernel, bar;
