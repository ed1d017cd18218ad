-- Which settings have the least energy-delay product? The first three by class of kernel and for all: geometric means
-- relative to the baseline (the view of sweeps/all_mechanisms.json; core_dependences tells two baselines apart)
WITH point AS (
    SELECT kernel_class, core_dependences, edp_ratio, energy_ratio,
           rtrim(replace(mechanism_dispatch || ' + ' || mechanism_core || ' + ' || mechanism_front || ' + ' ||
                         mechanism_fetch || ' + ' || mechanism_cluster || ' + ' || mechanism_partition || ' + ' ||
                         iif(l1_bank_by = 'set', l1_banks || ' banks', 'none') || ' + ' ||
                         iif(core_coalescers > 1, core_coalescers || ' coalescers', 'none') || ' + ' ||
                         iif(sm_scheduler = 'swl', 'swl of ' || core_swl_warps || ' warps', 'none') || ' + ',
                         'none + ', ''), ' +') ||
           iif(mechanism_partition = 'reorder' AND reorder_hash_sets < 1024, ', small', '') AS setting
    FROM all_mechanisms_energy WHERE edp_ratio > 0),
grouped AS (SELECT * FROM point UNION ALL SELECT 'all', core_dependences, edp_ratio, energy_ratio, setting FROM point),
ranked AS (
    SELECT kernel_class, core_dependences, iif(setting = '', 'baseline', setting) AS setting, count(*) AS kernels,
           geomean(edp_ratio) AS edp_ratio, geomean(energy_ratio) AS energy_ratio,
           row_number() OVER (PARTITION BY kernel_class, core_dependences ORDER BY geomean(edp_ratio), setting) AS place
    FROM grouped GROUP BY kernel_class, core_dependences, setting)
SELECT kernel_class, core_dependences, place, setting, kernels, edp_ratio, energy_ratio
FROM ranked WHERE place <= 3
ORDER BY kernel_class = 'all', kernel_class, core_dependences DESC, place;
