#include "replay/limit.h"

static uint64_t issued_by(const ws_cta *cta, const ws_static *statics, bool issue_meta) {
    uint64_t issued = 0;
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        const ws_warp *warp = &cta->warps[w];
        for (uint32_t i = 0; i < warp->inst_count; i++)
            issued += issue_meta || statics[warp->static_id[i]].class_ != WS_CLASS_META;
    }
    return issued;
}

/* Lowers `*ctas` to the smallest number of first CTAs that issue `wanted` warp instructions together. */
static bool count_ctas(const ws_trace *trace, ws_reader *counting, uint32_t index, bool issue_meta,
                       uint64_t wanted, uint32_t *ctas, ws_error *err) {
    const ws_static *statics = ws_trace_statics(trace);
    uint64_t issued = 0;
    uint32_t count = 0;
    bool ok = true;
    while (ok && count < *ctas && issued < wanted) {
        ws_cta cta;
        ok = ws_reader_cta(counting, index, count, &cta, err);
        if (ok) issued += issued_by(&cta, statics, issue_meta);
        count++;
    }
    *ctas = count;
    return ok;
}

bool ws_limit_ctas(const ws_trace *trace, ws_reader **counting, uint32_t index, const ws_config *config,
                   uint32_t *ctas, ws_error *err) {
    const ws_limit_params *limit = ws_config_get(config, &ws_limit_component);
    const ws_order_params *order = ws_config_get(config, &ws_order_component);
    const ws_counters *c = &ws_trace_kernel(trace, index)->counters;
    *ctas = (uint32_t)c->ctas;
    if (!limit) return true;
    if (limit->ctas && limit->ctas < (int64_t)c->ctas) *ctas = (uint32_t)limit->ctas;
    const uint64_t all = c->warp_instructions + (order->issue_meta ? c->meta_instructions : 0);
    const uint64_t wanted = (uint64_t)limit->warp_instructions;
    if (!wanted || wanted >= all) return true;
    if (!*counting) *counting = ws_reader_new(trace, err);
    return *counting && count_ctas(trace, *counting, index, order->issue_meta, wanted, ctas, err);
}
