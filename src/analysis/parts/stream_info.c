/* What analyses are told of a stream before it starts. */
#include "warpsweep/analysis.h"

#include "base/array.h"
#include "replay/occupancy.h"
#include "warpsweep/timed.h"

/* Of a configuration without the component coalesce, fidelity `timed`'s, the L1 says what lines are. */
static void set_sizes(ws_stream_info *info, const ws_coalesce_params *coalesce, const ws_l1_params *l1) {
    if (coalesce) {
        info->line_B = (uint32_t)coalesce->line_B;
        info->sector_B = (uint32_t)coalesce->sector_B;
    } else {
        info->line_B = (uint32_t)l1->line_B;
        info->sector_B = WS_TIMED_SECTOR_B;
        info->access_B = l1->access == WS_ACCESS_SECTOR ? info->sector_B : info->line_B;
    }
}

bool ws_stream_info_of(const ws_trace *trace, uint32_t index, const ws_config *config, ws_stream_info *info,
                       ws_error *err) {
    const ws_coalesce_params *coalesce = ws_config_get(config, &ws_coalesce_component);
    const ws_component *const needed[] = {&ws_gpu_component, &ws_sm_component,
                                          coalesce ? &ws_coalesce_component : &ws_l1_component};
    const ws_kernel *kernel = ws_trace_expect_kernel(trace, index, err);
    if (!kernel || !ws_config_has(config, needed, WS_COUNT(needed), err)) return false;
    const ws_gpu_params *gpu = ws_config_get(config, &ws_gpu_component);
    const ws_sm_params *sm = ws_config_get(config, &ws_sm_component);
    *info = (ws_stream_info){
        .trace = trace,
        .kernel = kernel,
        .sms = (uint32_t)(gpu->clusters * gpu->sms_per_cluster),
        .sms_per_cluster = (uint32_t)gpu->sms_per_cluster,
        .warps_per_cta = ws_occupancy_of(kernel, ws_trace_get_info(trace)->warp_size, sm).warps_per_cta,
        .sm = sm,
    };
    set_sizes(info, coalesce, ws_config_get(config, &ws_l1_component));
    return true;
}
