-- Why did points fail? The 50 most frequent reasons. All parameters of an example:
-- SELECT * FROM ANALYSIS_config WHERE id = CONFIG
SELECT count(*) AS points, w.name AS sweep, p.analysis, t.name AS trace, k.short_name AS kernel,
       count(DISTINCT k.launch) AS launches, p.reason, min(p.config) AS config
FROM point p JOIN kernel k ON k.id = p.kernel JOIN trace t ON t.id = k.trace
LEFT JOIN sweep_point s ON s.point = p.id LEFT JOIN sweep w ON w.id = s.sweep
WHERE p.status = 'failed'
GROUP BY w.name, p.analysis, t.name, k.short_name, p.reason
ORDER BY points DESC, w.name, t.name, min(k.launch), p.reason
LIMIT 50;
