-- Who computed what, when, with which program?
SELECT id, sweep, started, ended, outcome, points_done, points_failed, jobs, version, revision, host
FROM run
ORDER BY id;
