-- Warp-level resource management with dueling: IPC relative to CTA-level dispatch
-- After XI, Fig. 36 and 3.6.3. Needs the view of sweeps/warpman_sizes.json.
WITH sizes(nth, size, bar) AS (VALUES (1, 4096, 1), (1, 8192, 2), (1, 16384, 3), (2, 8, 1), (2, 16, 2), (2, 32, 3)),
points AS (
    SELECT 1 AS nth, trace, kernel, sm_registers AS size, speedup FROM warpman_sizes_speedup
    WHERE mechanism_dispatch = 'warpman' AND core_simd_width = 32
    UNION ALL
    SELECT 2, trace, kernel, core_simd_width, speedup FROM warpman_sizes_speedup
    WHERE mechanism_dispatch = 'warpman' AND sm_registers = 8192),
sized AS (
    SELECT nth, iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS name,
           size, speedup
    FROM points WINDOW same_name AS (PARTITION BY kernel)),
whole AS ( -- means are over what has all bars of its panel
    SELECT nth, name FROM sized r WHERE speedup NOT NULL GROUP BY nth, name
    HAVING count(DISTINCT size) = (SELECT count(DISTINCT size) FROM sized WHERE nth = r.nth AND speedup NOT NULL)),
bars AS (
    SELECT nth, name, size, speedup FROM sized
    UNION ALL
    SELECT nth, 'geometric mean', size, geomean(speedup) FROM sized JOIN whole USING (nth, name) GROUP BY nth, size)
SELECT iif(nth = 1, 'by registers of an SM', 'by SIMD width') AS panel, name AS series, bar, speedup
FROM bars JOIN sizes USING (nth, size)
ORDER BY nth, name = 'geometric mean', name, bar;
