-- Which kind of SM each kernel is steered to (XI 4.5: to those with ILP when an SM holds fewer than 16 of its warps, or when
-- it has at most 32,768 threads), and how GPU-I and GPU-H do with it, relative to GPU-T: cycles of GPU-T over theirs.
-- Needs the view of sweeps/ilp_gpus.json; what an SM holds is that of XI tab. 6. Names tell the traces of one sweep apart,
-- not those of the database, which may have one that was made again under its name.
WITH size AS (
    SELECT t.name AS trace, k.short_name AS kernel, k.launch, (k.block_x * k.block_y * k.block_z + 31) / 32 AS warps,
           k.grid_x * k.grid_y * k.grid_z * k.block_x * k.block_y * k.block_z AS threads,
           k.registers_per_thread AS registers, k.shared_B
    FROM kernel k JOIN trace t ON t.id = k.trace
    WHERE k.id IN (SELECT p.kernel FROM point p JOIN sweep_point o ON o.point = p.id JOIN sweep s ON s.id = o.sweep
                   WHERE s.name = 'ilp_gpus')),
held AS (
    SELECT *, warps * min(32 / warps, 8, iif(registers > 0, 16384 / (32 * warps * registers), 8),
                          iif(shared_B > 0, 16384 / shared_B, 8)) AS warps_on_sm
    FROM size),
points AS (
    SELECT trace, kernel, launch, cycles, CASE gpu_clusters WHEN 40 THEN 'T' WHEN 36 THEN 'I' ELSE 'H' END AS gpu
    FROM ilp_gpus WHERE gpu_clusters > 30)
SELECT trace, kernel, iif(warps_on_sm < 16 OR threads <= 32768, 'ILP', 'TLP') AS steered_to, count(*) AS launches,
       min(warps_on_sm) AS warps_on_sm, max(threads) AS threads, geomean(1.0 * t.cycles / i.cycles) AS gpu_i,
       geomean(1.0 * t.cycles / h.cycles) AS gpu_h
FROM held
JOIN points t USING (trace, kernel, launch)
JOIN points i USING (trace, kernel, launch)
JOIN points h USING (trace, kernel, launch)
WHERE t.gpu = 'T' AND i.gpu = 'I' AND h.gpu = 'H'
GROUP BY trace, kernel, steered_to ORDER BY steered_to, gpu_i DESC;
