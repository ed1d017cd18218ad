-- Compares our results with the simulator's, launch by launch. To be read into a database of sweeps that are named
-- after the simulator's configurations (with _ for -), and that has the simulator's counters in the table accelsim.
-- `family`: what remains of a configuration's name without its scheduler; GTX480s itself is GTX480s-l16m64gto.
CREATE TABLE theirs AS
SELECT trace, CAST(kernel_index AS INTEGER) AS launch, config,
       replace(replace(CASE WHEN config LIKE '%-l%' THEN config ELSE config || '-l16m64gto' END, 'lrr', ''), 'gto', '')
           AS family,
       max(CASE metric WHEN 'warp_instructions' THEN CAST(value AS INTEGER) END) AS warp_instructions,
       max(CASE metric WHEN 'L1D_total_cache_accesses' THEN CAST(value AS INTEGER) END) AS accesses,
       max(CASE metric WHEN 'L1D_total_cache_misses' THEN CAST(value AS INTEGER) END) AS misses,
       max(CASE metric WHEN 'L1D_total_cache_pending_hits' THEN CAST(value AS INTEGER) END) AS pending,
       max(CASE metric WHEN 'cycles' THEN CAST(value AS INTEGER) END) AS cycles
FROM accelsim
GROUP BY trace, kernel_index, config;

-- The cycles that a launch waits before it begins. Both sides count them; they are taken off before comparing.
CREATE TABLE latency AS
SELECT config, CAST(value AS INTEGER) AS cycles FROM accelsim_config WHERE option = 'gpgpu_kernel_launch_latency';

CREATE TABLE ours AS
SELECT t.name AS trace, k.launch, k.short_name AS kernel, replace(s.name, '_', '-') AS config, r.*
FROM sweep s
JOIN sweep_point p ON p.sweep = s.id
JOIN timed r ON r.point = p.point
JOIN point q ON q.id = p.point
JOIN kernel k ON k.id = q.kernel
JOIN trace t ON t.id = k.trace;

-- Errors of rates are in points (hundredths), of cycles in percent of the simulator's. `calm`: whether the L1's miss
-- rate hardly depends on the order of accesses: 'yes' if the simulator's lrr and gto differ by less than 2 points in
-- it, else 'no'; 'unknown' if it ran only one of them.
CREATE VIEW validation AS
WITH pair AS (
    SELECT o.*, r.accesses AS accesses_ref, r.misses AS misses_ref, r.pending AS pending_ref,
           o.l1_misses + o.l1_sector_misses AS misses, r.cycles - coalesce(l.cycles, 0) AS cycles_ref,
           o.cycles - coalesce(l.cycles, 0) AS cycles_ours, r.warp_instructions AS warp_instructions_ref, r.family
    FROM ours o
    JOIN theirs r ON r.trace = o.trace AND r.launch = o.launch AND r.config = o.config
    LEFT JOIN latency l ON l.config = o.config),
family AS (
    SELECT trace, launch, family, count(*) AS schedulers,
           100.0 * (max(1.0 * misses / nullif(accesses, 0)) - min(1.0 * misses / nullif(accesses, 0))) AS difference
    FROM theirs
    GROUP BY trace, launch, family)
SELECT p.trace, p.launch, p.kernel, p.config, p.warp_instructions_ref, p.warp_instructions, p.accesses_ref,
       p.l1_accesses AS accesses,
       round(100.0 * p.misses_ref / nullif(p.accesses_ref, 0), 2) AS miss_percent_ref,
       round(100.0 * p.misses / nullif(p.l1_accesses, 0), 2) AS miss_percent,
       round(100.0 * (p.misses_ref + p.pending_ref) / nullif(p.accesses_ref, 0), 2) AS miss_pending_percent_ref,
       round(100.0 * (p.misses + p.l1_pending_hits) / nullif(p.l1_accesses, 0), 2) AS miss_pending_percent,
       CASE WHEN f.schedulers < 2 THEN 'unknown' WHEN f.difference < 2 THEN 'yes' ELSE 'no' END AS calm,
       p.cycles_ref, p.cycles_ours AS cycles,
       round(100.0 * (p.cycles_ours - p.cycles_ref) / p.cycles_ref, 1) AS cycles_error_percent
FROM pair p
JOIN family f ON f.trace = p.trace AND f.launch = p.launch AND f.family = p.family
ORDER BY p.trace, p.launch, p.config;

-- ---- what is demanded

-- The errors of each launch's L1 rates, in points, and how large they may be.
CREATE VIEW rate_errors AS
SELECT *, round(miss_percent - miss_percent_ref, 2) AS miss_error,
       round(miss_pending_percent - miss_pending_percent_ref, 2) AS miss_pending_error,
       CASE calm WHEN 'yes' THEN 1 ELSE 5 END AS bound
FROM validation;

-- One vote per kernel: its mean error over configurations and launches of at least 5,000 warp instructions.
CREATE VIEW kernel_cycles AS
SELECT trace, kernel, count(*) AS launches, round(avg(abs(cycles_error_percent)), 1) AS mean_error_percent,
       round(min(cycles_error_percent), 1) AS lowest, round(max(cycles_error_percent), 1) AS highest
FROM validation
WHERE warp_instructions_ref >= 5000
GROUP BY trace, kernel;

-- Pairs of design points of one GPU that the simulator puts more than 10 % apart: do we order them alike?
CREATE VIEW kernel_order AS
WITH design AS (
    SELECT trace, kernel, launch, config, cycles, cycles_ref,
           CASE instr(config, '-l') WHEN 0 THEN config ELSE substr(config, 1, instr(config, '-l') - 1) END AS gpu
    FROM validation
    WHERE warp_instructions_ref >= 5000)
SELECT a.trace, a.kernel, count(*) AS pairs, sum((a.cycles < b.cycles) = (a.cycles_ref < b.cycles_ref)) AS concordant,
       round(1.0 * sum((a.cycles < b.cycles) = (a.cycles_ref < b.cycles_ref)) / count(*), 3) AS concordance
FROM design a
JOIN design b ON a.trace = b.trace AND a.launch = b.launch AND a.gpu = b.gpu AND a.config < b.config
WHERE abs(a.cycles_ref - b.cycles_ref) > 0.1 * min(a.cycles_ref, b.cycles_ref)
GROUP BY a.trace, a.kernel;

CREATE VIEW checks AS
SELECT 1 AS number, 'warp instructions equal' AS what, count(*) || ' launches' AS of, 'all' AS demanded,
       sum(warp_instructions = warp_instructions_ref) || '' AS found,
       sum(warp_instructions <> warp_instructions_ref) = 0 AS met
FROM validation
UNION ALL
SELECT 2, 'L1 accesses equal', count(*) || ' launches', 'all', sum(accesses = accesses_ref) || '',
       sum(accesses <> accesses_ref) = 0
FROM validation
UNION ALL
SELECT 3, 'L1 miss rate within ' || bound || CASE bound WHEN 1 THEN ' point (lrr and gto agree)' ELSE ' points' END,
       count(*) || ' launches', 'all', sum(abs(miss_error) <= bound) || '', sum(abs(miss_error) > bound) = 0
FROM rate_errors GROUP BY bound
UNION ALL
SELECT 4, 'L1 miss and pending rate within ' || bound || CASE bound WHEN 1 THEN ' point (lrr and gto agree)' ELSE ' points' END,
       count(*) || ' launches', 'all', sum(abs(miss_pending_error) <= bound) || '', sum(abs(miss_pending_error) > bound) = 0
FROM rate_errors GROUP BY bound
UNION ALL
SELECT 5, 'mean error of cycles', count(*) || ' kernels', '<= 20 %', printf('%.1f %%', avg(mean_error_percent)),
       avg(mean_error_percent) <= 20
FROM kernel_cycles
UNION ALL
SELECT 6, 'order of design points: ' || kernel, pairs || ' pairs', '>= 0.9', printf('%.3f', concordance), concordance >= 0.9
FROM kernel_order;
