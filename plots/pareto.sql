-- Gain and cost of mechanisms: geometric means by class of kernel (of 10,000 warp instructions per launch)
-- The mechanisms of all papers on one GPU; filled: nothing else gains as much for as little. Needs the view of sweeps/all_mechanisms.json.
WITH setting AS (
    SELECT kernel_class, cost_bits_per_sm / 8.0 AS bytes, speedup, on_front,
           CASE WHEN sm_scheduler = 'swl' THEN 'SWL ' || core_swl_warps
                ELSE replace(trim(replace(mechanism_dispatch || ' ' || mechanism_core || ' ' || mechanism_front || ' ' ||
                                          mechanism_fetch || ' ' || mechanism_cluster, 'none', '')), '  ', ' + ') END AS name
    FROM all_mechanisms_pareto
    WHERE core_dependences = 'registers')
SELECT kernel_class AS panel, iif(name = '', 'none', name) AS series, bytes, speedup, on_front
FROM setting
ORDER BY kernel_class = 'all', kernel_class, bytes, name;
