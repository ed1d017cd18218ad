-- What the kernels execute: instructions by class, SIMD efficiency, branches that diverge
-- Needs the view of sweeps/instruction_mix.json.
SELECT '' AS panel,
       iif(min(trace) OVER same_name = max(trace) OVER same_name, kernel, trace || ': ' || kernel) AS bar,
       100 * int_share AS int_percent, 100 * fp_share AS fp_percent, 100 * (sfu_share + tensor_share) AS sfu_percent,
       100 * mem_share AS mem_percent, 100 * branch_share AS branch_percent,
       100 * (barrier_share + exit_share + other_share) AS other_percent,
       100 * simd_efficiency AS simd_percent, 100 * branch_divergence AS divergent_percent
FROM mix_by_kernel
WINDOW same_name AS (PARTITION BY kernel)
ORDER BY trace, kernel;
