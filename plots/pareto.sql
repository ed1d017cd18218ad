-- Gain and cost of mechanisms (without ILP, which has a core of its own): geometric means by class of kernel; filled: nothing else gains as much for as little
-- The mechanisms of all papers on one GPU. Needs the view of sweeps/all_mechanisms.json. Two settings of reorder differ
-- in reorder_hash_sets and reorder_ring_elements, and so in their cost.
WITH setting AS (
    SELECT kernel_class, cost_bits_per_sm / 8.0 AS bytes, speedup, on_front,
           rtrim(replace(mechanism_dispatch || ' + ' || mechanism_core || ' + ' || mechanism_front || ' + ' ||
                         mechanism_fetch || ' + ' || mechanism_cluster || ' + ' || mechanism_partition || ' + ' ||
                         iif(l1_bank_by = 'set', l1_banks || ' banks', 'none') || ' + ' ||
                         iif(core_coalescers > 1, core_coalescers || ' coalescers', 'none') || ' + ' ||
                         iif(sm_scheduler = 'swl', 'SWL ' || core_swl_warps, 'none') || ' + ', 'none + ', ''), ' +') ||
           iif(mechanism_partition = 'reorder' AND cost_bits_per_sm < max(cost_bits_per_sm) OVER alike, ', small', '') AS name
    FROM all_mechanisms_pareto
    WHERE core_dependences = 'registers'
    WINDOW alike AS (PARTITION BY kernel_class, mechanism_dispatch, mechanism_core, mechanism_front, mechanism_fetch,
                     mechanism_cluster, mechanism_partition, l1_bank_by, core_coalescers, sm_scheduler))
SELECT kernel_class AS panel, iif(name = '', 'none', name) AS series, bytes, speedup, on_front
FROM setting
WHERE on_front NOT NULL OR bytes IS NULL -- others lack kernels, and means over fewer do not compare
ORDER BY kernel_class = 'all', kernel_class, bytes, name;
