#include "pair.h"

#include "generate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

void pair_hear_end(void *self, const ws_timed_warp_life *life) {
    ((pair *)self)->warps_on[life->instructions % 2][life->sm]++;
}

pair run_joined(const ws_trace *joined, const char *settings) {
    ws_error err = WS_NO_ERROR;
    pair p = {.launches = 0};
    ws_timed *timed = mechanism_gpu(joined, settings);
    ws_timed_tap(timed, &(ws_timed_taps){.self = &p, .warp_end = pair_hear_end});
    assert_int_equal(ws_timed_together(timed, 1), ws_trace_get_info(joined)->kernel_count);
    if (!ws_timed_run(timed, 1, &p.all, &err)) fail_msg("%s: %s", settings, err.text);
    p.launches = ws_timed_ran(timed);
    assert_int_equal(ws_timed_first(timed), 1);
    for (uint32_t i = 0; i < p.launches; i++) {
        p.share[i] = ws_timed_share_of(timed, 1 + i);
        p.runs[i] = ws_timed_runs_of(timed, 1 + i);
    }
    if (ws_timed_mechanisms(timed)->count) memcpy(p.counts, ws_timed_counts(timed, 0), sizeof p.counts);
    ws_timed_free(timed);
    return p;
}

pair run_pair(const ws_trace *first, const ws_trace *second, const char *settings) {
    ws_error err = WS_NO_ERROR;
    ws_trace *joined = ws_trace_join(first, second, &err);
    if (!joined) fail_msg("%s", err.text);
    pair p = run_joined(joined, settings);
    ws_trace_close(joined);
    return p;
}

uint32_t ten(uint32_t cta, uint32_t warp, uint32_t part) {
    (void)cta, (void)warp, (void)part;
    return 10;
}
uint32_t hundred(uint32_t cta, uint32_t warp, uint32_t part) {
    (void)cta, (void)warp, (void)part;
    return 101;
}
ws_trace *additions(uint32_t ctas, uint32_t warps, uint32_t (*work)(uint32_t, uint32_t, uint32_t)) {
    return generate_worked(&(generate_work){.ctas = ctas, .warps_per_cta = warps, .parts = 1, .work = work});
}
