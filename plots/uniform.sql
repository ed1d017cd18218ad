-- Redundant scalar operations of uniform instructions, and what a reuse buffer finds of them
-- After XI, Fig. 2. Needs the view of sweeps/uniform.json. The mean leaves out bars of 0, which a logarithm does not have.
WITH shares AS (
    SELECT trace, kernel,
           max(intra_share) FILTER (WHERE uniform_detector = 'value' AND uniform_irb_entries = 8) AS intra,
           max(inter_share) FILTER (WHERE uniform_detector = 'value' AND uniform_irb_entries = 8) AS inter,
           max(combined_share) FILTER (WHERE uniform_detector = 'value' AND uniform_irb_entries = 8) AS combined,
           max(intra_share) FILTER (WHERE uniform_detector = 'token' AND uniform_irb_entries = 8) AS token,
           max(reuse_ratio) FILTER (WHERE uniform_detector = 'value' AND uniform_irb_entries = 2) AS reuse2,
           max(reuse_ratio) FILTER (WHERE uniform_detector = 'value' AND uniform_irb_entries = 4) AS reuse4,
           max(reuse_ratio) FILTER (WHERE uniform_detector = 'value' AND uniform_irb_entries = 8) AS reuse8,
           max(reuse_ratio) FILTER (WHERE uniform_detector = 'value' AND uniform_irb_entries = 16) AS reuse16
    FROM uniform_vectors_by_kernel
    GROUP BY trace, kernel
), bars AS (
    SELECT 1 AS place, trace, iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel)
                                  AS name,
           intra, inter, combined, token, reuse2, reuse4, reuse8, reuse16
    FROM shares WINDOW same_name AS (PARTITION BY kernel)
    UNION ALL
    SELECT 2, '', iif(geomean_left_out(intra) + geomean_left_out(inter) + geomean_left_out(combined) +
                      geomean_left_out(token) + geomean_left_out(reuse2) + geomean_left_out(reuse4) +
                      geomean_left_out(reuse8) + geomean_left_out(reuse16), 'geometric mean above 0', 'geometric mean'),
           geomean(intra), geomean(inter), geomean(combined), geomean(token),
           geomean(reuse2), geomean(reuse4), geomean(reuse8), geomean(reuse16)
    FROM shares
)
SELECT 'redundant operations' AS panel, name AS bar, 100 * intra AS intra, 100 * inter AS inter,
       100 * combined AS combined, 100 * token AS token, 100 * reuse2 AS reuse2, 100 * reuse4 AS reuse4,
       100 * reuse8 AS reuse8, 100 * reuse16 AS reuse16
FROM bars
ORDER BY place, trace, name;
