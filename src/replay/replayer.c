/* Replays of one trace at fidelity `order`: connects configuration, CTA dispatch, prepared stream and engine. */
#include "base/array.h"
#include "replay/limit.h"
#include "replay/occupancy.h"
#include "replay/order.h"

#include <stdlib.h>

enum { BUDGET_B = 256 << 20 };

struct ws_replayer {
    const ws_trace *trace;
    ws_reader *reader;
    ws_reader *counting; /* for ws_limit_ctas() */
    size_t budget_B;
    uint32_t wants;
    ws_prepared *prepared; /* of the kernel that was replayed last; may be NULL */
};

ws_replayer *ws_replayer_new(const ws_trace *trace, size_t budget_B, ws_error *err) {
    ws_replayer *replayer = calloc(1, sizeof *replayer);
    if (!replayer) {
        ws_no_memory(err);
        return NULL;
    }
    replayer->trace = trace;
    replayer->budget_B = budget_B ? budget_B : BUDGET_B;
    if ((replayer->reader = ws_reader_new(trace, err))) return replayer;
    ws_replayer_free(replayer);
    return NULL;
}

void ws_replayer_free(ws_replayer *replayer) {
    if (!replayer) return;
    ws_prepared_free(replayer->prepared);
    ws_reader_free(replayer->reader);
    ws_reader_free(replayer->counting);
    free(replayer);
}

void ws_replayer_want(ws_replayer *replayer, uint32_t wants) {
    replayer->wants = wants;
}

/* Returns the prepared stream that this replay needs: that of the last replay if it fits, or a new one. */
static ws_prepared *prepared_for(ws_replayer *r, uint32_t index, const ws_prepared_options *options,
                                 ws_error *err) {
    if (r->prepared && ws_prepared_is(r->prepared, index, options)) return r->prepared;
    ws_prepared_free(r->prepared);
    r->prepared = ws_prepared_new(r->trace, r->reader, index, options, r->budget_B, err);
    return r->prepared;
}

/* Returns what the prepared stream has to keep for these taps. */
static uint32_t keep_for(const ws_replayer *r, const ws_tap *taps, size_t tap_count) {
    bool instructions = false;
    for (size_t i = 0; i < tap_count; i++) instructions |= taps[i].instructions != NULL;
    if (!instructions) return r->wants & WS_WANT_LANES;
    bool values = ws_trace_get_info(r->trace)->features & WS_FEATURE_VALUES;
    return (values ? r->wants : r->wants & ~(uint32_t)WS_WANT_VALUES) | WS_KEEP_INSTRUCTIONS;
}

bool ws_replay_order_check(const ws_trace *trace, uint32_t index, const ws_config *config, ws_error *err) {
    static const ws_component *const needed[] = {&ws_gpu_component, &ws_sm_component, &ws_coalesce_component,
                                                 &ws_order_component};
    const ws_kernel *kernel = ws_trace_expect_kernel(trace, index, err);
    if (!kernel || !ws_config_has(config, needed, WS_COUNT(needed), err) || !ws_config_validate(config, err))
        return false;
    const ws_sm_params *sm = ws_config_get(config, &ws_sm_component);
    if (sm->scheduler != WS_SCHEDULER_LRR && sm->scheduler != WS_SCHEDULER_GTO)
        return ws_fail(err, WS_ERROR_SPEC,
                       "sm.scheduler: fidelity order has lrr and gto, found %s: use fidelity timed",
                       sm->scheduler == WS_SCHEDULER_SWL ? "swl" : "two_level");
    return ws_occupancy_check(kernel, ws_trace_get_info(trace)->warp_size, sm, "sm.registers", err);
}

bool ws_replay_order(ws_replayer *replayer, uint32_t index, const ws_config *config, const ws_tap *taps,
                     size_t tap_count, ws_order_counters *counters, ws_error *err) {
    const ws_gpu_params *gpu = ws_config_get(config, &ws_gpu_component);
    const ws_sm_params *sm = ws_config_get(config, &ws_sm_component);
    const ws_coalesce_params *coalesce = ws_config_get(config, &ws_coalesce_component);
    const ws_order_params *order = ws_config_get(config, &ws_order_component);
    const ws_kernel *kernel = ws_trace_kernel(replayer->trace, index);
    uint32_t warp_size = ws_trace_get_info(replayer->trace)->warp_size;
    if (!ws_replay_order_check(replayer->trace, index, config, err)) return false;

    ws_occupancy occupancy = ws_occupancy_of(kernel, warp_size, sm);
    ws_order_machine machine = {
        .sms = (uint32_t)(gpu->clusters * gpu->sms_per_cluster),
        .schedulers = (uint32_t)sm->schedulers,
        .scheduler = (enum ws_scheduler)sm->scheduler,
        .warps_per_cta = occupancy.warps_per_cta,
        .ctas_per_sm = occupancy.ctas_per_sm,
        .load_delay = (uint64_t)order->load_delay_issues,
    };
    const ws_prepared_options options = {*coalesce, order->issue_meta, keep_for(replayer, taps, tap_count)};
    uint32_t ctas;
    if (!ws_limit_ctas(replayer->trace, &replayer->counting, index, config, &ctas, err)) return false;
    ws_prepared *prepared = prepared_for(replayer, index, &options, err);
    if (!prepared) return false;
    ws_prepared_expect(prepared, ctas);
    ws_dispatcher *dispatcher = ws_dispatcher_new(gpu, occupancy.ctas_per_sm, ctas, NULL);
    if (!dispatcher) return ws_no_memory(err);
    ws_order_counters unread;
    bool ok =
        ws_order_run(&machine, dispatcher, prepared, taps, tap_count, counters ? counters : &unread, err);
    ws_dispatcher_free(dispatcher);
    return ok;
}
