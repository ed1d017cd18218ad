-- What do the columns mean, and in which unit are they?
SELECT table_name, column_name, kind, unit, help
FROM metric
ORDER BY table_name, column_name;
