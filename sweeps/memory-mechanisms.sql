-- What does each memory-side mechanism gain, and cost? Geometric means by class of kernel (the view of
-- sweeps/memory-mechanisms.json; higher is better for speedup and l1_throughput, lower for the others)
SELECT kernel_class, mechanism_front AS front, mechanism_fetch AS fetch, mechanism_cluster AS cluster,
       sm_scheduler AS scheduler, l1_bank_by AS bank_by, count(*) AS kernels,
       geomean(speedup) AS speedup, geomean(mpki_ratio) AS mpki, geomean(l1_throughput_ratio) AS l1_throughput,
       geomean(noc_requests_ratio) AS noc_requests, max(cost_bits_per_sm) / 8 AS bytes_per_sm
FROM memory_mechanisms_speedup
WHERE speedup IS NOT NULL
GROUP BY 1, 2, 3, 4, 5, 6
ORDER BY kernel_class = 'not memory-limited', kernel_class, geomean(speedup) DESC;
