-- What DRAM's scheduler gains over requests in order (drawn at 1), by its window: IPC, and the rows opened
-- Cycle by cycle; the kernels that gain most. Needs the view of sweeps/dram_windows.json.
-- y: shared
WITH points AS (
    SELECT iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS name,
           iif(dram_scheduler = 'fifo', 1, dram_queue) AS window,
           1.0 * max(cycles) FILTER (WHERE dram_scheduler = 'fifo') OVER own / cycles AS ipc,
           1.0 * dram_activates / nullif(max(dram_activates) FILTER (WHERE dram_scheduler = 'fifo') OVER own, 0) AS rows
    FROM dram_windows_by_kernel
    WINDOW same_name AS (PARTITION BY kernel), own AS (PARTITION BY trace, kernel, launch_set)),
places AS (SELECT name, row_number() OVER (ORDER BY max(ipc) DESC, name) AS place FROM points GROUP BY name),
whole AS ( -- the means are over what has all windows
    SELECT name FROM points WHERE ipc NOT NULL AND rows NOT NULL GROUP BY name
    HAVING count(*) = (SELECT count(DISTINCT window) FROM points WHERE ipc NOT NULL AND rows NOT NULL)),
lines AS (
    SELECT place, name, window, ipc, rows FROM points JOIN places USING (name) WHERE place < 8
    UNION ALL
    SELECT 8, 'geometric mean', window, geomean(ipc), geomean(rows)
    FROM points JOIN whole USING (name) GROUP BY window)
SELECT panel, name AS series, window AS "window (requests)", y AS "relative to requests in order"
FROM (SELECT 'IPC' AS panel, *, ipc AS y FROM lines
      UNION ALL SELECT 'rows opened', *, rows FROM lines)
ORDER BY panel, place, window;
