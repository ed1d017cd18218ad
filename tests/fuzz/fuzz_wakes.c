/* Any bytes as the choice of a trace, a GPU and two of the settings under which parts wait for each other: skipping
 * cycles without turns must not show. */
#include "../support/async_program.h"
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/wakes.h"
#include "memory_file.h"

#include <stdio.h>
#include <string.h>

typedef struct __attribute__((packed)) choice {
    uint16_t seed, other_seed;
    uint8_t kind, gpu, variant, other_variant, place, ctas;
} choice;

static ws_trace *copies(uint64_t seed) {
    async_random scripts;
    async_randomize(&scripts, seed);
    return async_script(scripts.warps, scripts.ctas, ASYNC_COPIES);
}

static void compare(const ws_trace *trace, const choice *c) {
    static const char *const places[] = {"core.launch_cycles=0",
                                         "core.first_launch_sms=1,core.launch_cycles=40"};
    char settings[1000];
    snprintf(settings, sizeof settings, "%s,%s,gpu.clusters=2,limit.ctas=%d,%s,%s",
             mechanism_gpus[c->gpu % MECHANISM_GPUS], places[c->place % 2], c->ctas % 9 + 4,
             wakes_variants[c->variant % wakes_variant_count],
             wakes_variants[c->other_variant % wakes_variant_count]);
    if (mechanism_accepts(trace, settings)) wakes_compare(trace, 1, settings);
}

static void compare_pair(const choice *c) {
    ws_error err = WS_NO_ERROR;
    ws_trace *a = generate_random(c->seed, 32), *b = generate_random(c->other_seed, 32);
    ws_trace *joined = ws_trace_join(a, b, &err);
    if (joined) compare(joined, c); /* some random traces cannot run beside each other */
    ws_trace_close(joined);
    ws_trace_close(a);
    ws_trace_close(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    choice c = {0};
    memcpy(&c, bytes, size < sizeof c ? size : sizeof c);
    folder_setup(NULL);
    if (c.kind % 3 == 2) {
        compare_pair(&c);
    } else {
        ws_trace *trace = c.kind % 3 ? copies(c.seed) : generate_random(c.seed, c.other_seed % 2 ? 64 : 32);
        compare(trace, &c);
        ws_trace_close(trace);
    }
    folder_teardown(NULL);
    return 0;
}
