-- What does a window of 128 requests in front of each SM's L1 leave of the loads' requests, and who shares with whom?
SELECT kernel, requests, remaining, share_same_warp, share_same_cta, share_other_cta
FROM window_reduction_by_kernel
WHERE window_size = 128 AND window_kind = 'fifo' AND window_scope = 'sm' AND sm_scheduler = 'gto'
ORDER BY remaining;
