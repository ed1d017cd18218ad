/* The components of every replayed design point: the GPU, its SMs, the coalescer, the order fidelity. */
#include "base/array.h"
#include "warpsweep/replay.h"

static const char *const dispatch_names[] = {[WS_DISPATCH_TWO_LEVEL_RR] = "two_level_rr",
                                             [WS_DISPATCH_GLOBAL_RR] = "global_rr",
                                             [WS_DISPATCH_GREEDY] = "greedy",
                                             [WS_DISPATCH_DISTRIBUTED] = "distributed",
                                             [WS_DISPATCH_DISTRIBUTED_BLOCK] = "distributed_block",
                                             NULL};

static const ws_param gpu_params[] = {
    WS_INT(ws_gpu_params, clusters, "gpu.clusters", "clusters", 15, 1, WS_CLUSTERS_MAX, "Clusters of SMs."),
    WS_INT(ws_gpu_params, sms_per_cluster, "gpu.sms_per_cluster", "SMs", 1, 1, 1024,
           "SMs of each cluster; clusters x SMs is at most 4096."),
    WS_CHOICE(
        ws_gpu_params, dispatch, "gpu.dispatch", WS_DISPATCH_TWO_LEVEL_RR, dispatch_names,
        "Who gets the next CTA (ICC 2.3, 4.1, 5). two_level_rr: round robin over clusters, then over the "
        "SMs of a cluster. global_rr: round robin over all SMs. greedy: fills the first cluster, then the "
        "next. distributed: consecutive CTAs are pooled per cluster in equal shares (the first clusters "
        "get one more), round robin inside. distributed_block: like distributed, two CTAs at a time to an "
        "SM that has two free slots (one at a time where an SM holds only one). In fidelity timed an SM "
        "starts one CTA per cycle; a cluster, too, but under global_rr and greedy."),
};

static bool gpu_validate(const void *params, ws_error *err) {
    const ws_gpu_params *gpu = params;
    int64_t sms = gpu->clusters * gpu->sms_per_cluster;
    if (sms <= WS_SMS_MAX) return true;
    return ws_fail(err, WS_ERROR_SPEC,
                   "gpu.clusters x gpu.sms_per_cluster: expected at most %d SMs, found %lld x %lld = %lld: "
                   "lower one of them",
                   WS_SMS_MAX, (long long)gpu->clusters, (long long)gpu->sms_per_cluster, (long long)sms);
}

const ws_component ws_gpu_component = {.name = "gpu",
                                       .summary = "Clusters, SMs and CTA dispatch",
                                       .source = "ICC 2.3, 4, 5; defaults GTX480 (WP tab. 2)",
                                       .params = gpu_params,
                                       .param_count = WS_COUNT(gpu_params),
                                       .struct_size = sizeof(ws_gpu_params),
                                       .validate = gpu_validate};

static const char *const scheduler_names[] = {[WS_SCHEDULER_LRR] = "lrr",
                                              [WS_SCHEDULER_GTO] = "gto",
                                              [WS_SCHEDULER_TWO_LEVEL] = "two_level",
                                              [WS_SCHEDULER_SWL] = "swl",
                                              NULL};

static const ws_param sm_params[] = {
    WS_INT(ws_sm_params, threads, "sm.threads", "threads", 1536, 1, 4096,
           "Threads resident on an SM; a CTA counts with whole warps."),
    WS_INT(ws_sm_params, warps, "sm.warps", "warps", 48, 1, WS_SLOTS, "Warps resident on an SM."),
    WS_INT(ws_sm_params, ctas, "sm.ctas", "CTAs", 8, 1, WS_SLOTS, "CTAs resident on an SM."),
    WS_INT(ws_sm_params, registers, "sm.registers", "registers", 32768, 1, 1048576,
           "32-bit registers of an SM. A kernel whose registers are unknown is not limited by them."),
    WS_INT(ws_sm_params, register_unit, "sm.register_unit", "registers", 1, 1, 64,
           "A thread is allocated registers in multiples of this number, which limits residency only. 4 in "
           "GPGPU-Sim; 8 on GPUs that allocate 256 registers to a warp at a time."),
    WS_INT(ws_sm_params, shared_B, "sm.shared_B", "B", 49152, 0, 1048576, "Shared memory of an SM."),
    WS_BOOL(ws_sm_params, oversized_ctas, "sm.oversized_ctas", false,
            "Whether a CTA that needs more registers or shared memory than an SM has may run: it then takes "
            "all that there is. false: such a launch is refused."),
    WS_INT(ws_sm_params, schedulers, "sm.schedulers", "schedulers", 2, 1, 8,
           "Warp schedulers of an SM. Warp slot s belongs to scheduler s modulo their number."),
    WS_CHOICE(
        ws_sm_params, scheduler, "sm.scheduler", WS_SCHEDULER_GTO, scheduler_names,
        "Which eligible warp issues next. lrr: loose round robin, starts after the warp that issued last. "
        "gto: greedy then oldest, the warp that issued last while it can, then the oldest (CTA launch "
        "order, then warp id). two_level: lrr within an active set of core.active_warps (timed only). swl: "
        "static wavefront limiting, at most core.swl_warps warps of the SM issue (timed only)."),
};

static bool sm_validate(const void *params, ws_error *err) {
    const ws_sm_params *sm = params;
    if (sm->schedulers <= sm->warps) return true;
    return ws_fail(
        err, WS_ERROR_SPEC,
        "sm.schedulers: expected at most sm.warps (%lld), found %lld: a scheduler without warps never "
        "issues",
        (long long)sm->warps, (long long)sm->schedulers);
}

const ws_component ws_sm_component = {.name = "sm",
                                      .summary = "Residency limits and warp scheduling of an SM",
                                      .source = "defaults GTX480 (WP tab. 2)",
                                      .params = sm_params,
                                      .param_count = WS_COUNT(sm_params),
                                      .struct_size = sizeof(ws_sm_params),
                                      .validate = sm_validate};

static const ws_param coalesce_params[] = {
    WS_INT(
        ws_coalesce_params, line_B, "coalesce.line_B", "B", 128, 32, 256,
        "Cache line: lane accesses of one warp instruction to one line make one request. A power of two. A "
        "GPU gives that of its L1, l1.line_B."),
    WS_INT(ws_coalesce_params, sector_B, "coalesce.sector_B", "B", 32, 4, 256,
           "Sector: the unit in which a line is moved. A power of two, at most the line."),
};

static bool power_of_two(int64_t n) {
    return n > 0 && (n & (n - 1)) == 0;
}

static bool coalesce_validate(const void *params, ws_error *err) {
    const ws_coalesce_params *c = params;
    if (!power_of_two(c->line_B))
        return ws_fail(err, WS_ERROR_SPEC,
                       "coalesce.line_B: expected a power of two (32, 64, 128, 256), found %lld",
                       (long long)c->line_B);
    if (!power_of_two(c->sector_B))
        return ws_fail(err, WS_ERROR_SPEC,
                       "coalesce.sector_B: expected a power of two (4 .. 256), found %lld",
                       (long long)c->sector_B);
    if (c->sector_B > c->line_B)
        return ws_fail(err, WS_ERROR_SPEC,
                       "coalesce.sector_B: expected at most coalesce.line_B (%lld), found %lld: lower "
                       "coalesce.sector_B or raise coalesce.line_B",
                       (long long)c->line_B, (long long)c->sector_B);
    return true;
}

const ws_component ws_coalesce_component = {.name = "coalesce",
                                            .summary = "Coalescing within a warp instruction",
                                            .source = "WP 2.1",
                                            .params = coalesce_params,
                                            .param_count = WS_COUNT(coalesce_params),
                                            .struct_size = sizeof(ws_coalesce_params),
                                            .validate = coalesce_validate};

static const ws_param order_params[] = {
    WS_INT(
        ws_order_params, load_delay_issues, "order.load_delay_issues", "steps", 20, 0, 1000000,
        "Steps for which a warp cannot issue after a load of global or local memory or a value-returning "
        "atomic; a load without an active lane delays nothing. A step is one issue slot of every scheduler. "
        "Without a delay gto would never leave a warp. sweeps/README.md (\"Who goes next\"), which is "
        "installed in share/doc/warpsweep, has all rules of this order."),
    WS_BOOL(ws_order_params, issue_meta, "order.issue_meta", false,
            "Whether instructions of class meta (phi, getelementptr, casts of an llvm trace) take issue "
            "slots and count; they have no counterpart on hardware."),
};

const ws_component ws_order_component = {.name = "order",
                                         .summary = "Fidelity `order`: interleaving without latencies",
                                         .source = "our own",
                                         .params = order_params,
                                         .param_count = WS_COUNT(order_params),
                                         .struct_size = sizeof(ws_order_params)};

static const ws_param limit_params[] = {
    WS_INT(
        ws_limit_params, ctas, "limit.ctas", "CTAs", 0, 0, UINT32_MAX,
        "CTAs of each launch that are replayed, the first that the trace has by grid index (x fastest), as "
        "if the grid had no others: dispatch sees only these. What goes by the size of the grid stays that "
        "of the whole: the L1's part of l1.unified_B, ilp.steering, places in local memory. 0: all. Where "
        "CTAs are left out, results are marked: `truncated` is 1."),
    WS_INT(ws_limit_params, warp_instructions, "limit.warp_instructions", "instructions", 0, 0, 9e15,
           "Warp instructions of each launch after which its replay is cut: only as many CTAs are replayed, "
           "the first by grid index, as together issue this many, at least one, and the last one to its end. "
           "0: all. With limit.ctas, the limit that leaves fewer CTAs holds."),
};

const ws_component ws_limit_component = {.name = "limit",
                                         .summary = "How much of each launch is replayed",
                                         .source = "our own",
                                         .params = limit_params,
                                         .param_count = WS_COUNT(limit_params),
                                         .struct_size = sizeof(ws_limit_params)};
