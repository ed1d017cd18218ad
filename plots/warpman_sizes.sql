-- Warp-level resource management with dueling: IPC relative to CTA-level dispatch
-- After XI, Fig. 36 and 3.6.3. Needs the view of sweeps/warpman_sizes.json.
WITH sized AS (
    SELECT 1 AS nth, kernel AS name, sm_registers AS size, speedup FROM warpman_sizes_speedup
    WHERE mechanism_dispatch = 'warpman' AND core_simd_width = 32
    UNION ALL
    SELECT 2, kernel, core_simd_width, speedup FROM warpman_sizes_speedup
    WHERE mechanism_dispatch = 'warpman' AND sm_registers = 8192),
bars AS (
    SELECT nth, name, size, speedup FROM sized
    UNION ALL
    SELECT nth, 'geometric mean', size, geomean(speedup) FROM sized GROUP BY nth, size)
SELECT iif(nth = 1, 'by registers of an SM', 'by SIMD width') AS panel, name AS series,
       CASE WHEN size IN (4096, 8) THEN 1 WHEN size IN (8192, 16) THEN 2 ELSE 3 END AS bar, speedup
FROM bars
ORDER BY nth, name = 'geometric mean', name, bar;
