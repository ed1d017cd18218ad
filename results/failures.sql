-- Which points failed, and why? All parameters of one: SELECT * FROM ANALYSIS_config WHERE id = CONFIG
SELECT t.name AS trace, k.launch, k.short_name AS kernel, p.analysis, p.config, p.reason
FROM point p JOIN kernel k ON k.id = p.kernel JOIN trace t ON t.id = k.trace
WHERE p.status = 'failed'
ORDER BY t.name, k.launch, p.config;
