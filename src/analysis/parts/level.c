#include "analysis/parts/level.h"

const char *const level_names[] = {
    [LEVEL_WARP] = "warp", [LEVEL_CTA] = "cta", [LEVEL_SM] = "sm", [LEVEL_KERNEL] = "kernel", NULL};

bool level_has_many(int level) {
    return level == LEVEL_WARP || level == LEVEL_CTA;
}

window_runs *level_runs_new(const ws_stream_info *stream, int level, bool all) {
    static const enum window_scope scopes[] = {[LEVEL_WARP] = WINDOW_WARP,
                                               [LEVEL_CTA] = WINDOW_CTA,
                                               [LEVEL_SM] = WINDOW_SM,
                                               [LEVEL_KERNEL] = WINDOW_CLUSTER};
    ws_stream_info info = *stream;
    if (level == LEVEL_KERNEL) info.sms_per_cluster = info.sms; /* all SMs make one cluster */
    return window_runs_new(&info, scopes[level], all);
}
