/* Each allocation of a timed replay fails in turn: every time the error says so, and nothing crashes or leaks. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- what the linker puts in place of the allocator (--wrap) */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);

static uint64_t allocations, failing; /* since run() began; number of the one that fails, 0: none */

static bool fails(void) {
    return ++allocations == failing;
}

void *__wrap_malloc(size_t size) {
    return fails() ? NULL : __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size) {
    return fails() ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t size) {
    return fails() ? NULL : __real_realloc(old, size);
}
void *__wrap_aligned_alloc(size_t align, size_t size) {
    return fails() ? NULL : __real_aligned_alloc(align, size);
}

/* ---- */

/* Runs one launch on a new GPU while allocation number `fail` fails. */
static bool run(const ws_trace *trace, const ws_config *config, uint64_t fail, ws_error *err) {
    ws_timed_counters counters;
    allocations = 0;
    failing = fail;
    ws_timed *timed = ws_timed_new(trace, config, err);
    bool ok = timed && ws_timed_run(timed, 1, &counters, err);
    ws_timed_free(timed);
    failing = 0;
    return ok;
}

static void fail_each(const ws_trace *trace, const char *settings) {
    ws_error err = WS_NO_ERROR;
    ws_config *config = mechanism_config(settings);
    if (!run(trace, config, 0, &err)) fail_msg("%s: %s", settings, err.text);
    uint64_t count = allocations;
    assert_true(count > 20);
    for (uint64_t i = 1; i <= count; i++) {
        err = WS_NO_ERROR;
        if (!run(trace, config, i, &err) && err.code != WS_ERROR_MEMORY)
            fail_msg("%s: allocation %llu: %s", settings, (unsigned long long)i, err.text);
    }
    ws_config_free(config);
}

static void each_allocation_fails(void **state) {
    (void)state;
    static const char *const settings[] = {"gpu.clusters=1,gpu.sms_per_cluster=2,mechanism.cluster=icc",
                                           "gpu.clusters=3,mechanism.fetch=coarse,coarse.lines=4",
                                           "gpu.clusters=2,mechanism.front=mrpb",
                                           "gpu.clusters=2,mechanism.front=warppool",
                                           "gpu.clusters=2,mechanism.dispatch=warpman",
                                           "gpu.clusters=2,mechanism.core=scalar",
                                           "gpu.clusters=2,mechanism.core=ccws",
                                           ("gpu.clusters=2,mechanism.core=ilp,ilp.prediction=gshare,"
                                            "core.dependences=one_in_flight"),
                                           "gpu.clusters=1,l1.banks=4,l1.bank_by=set,core.coalescers=2"};
    for (const ws_mechanism *const *m = ws_mechanisms(); *m; m++) {
        char asked[64];
        snprintf(asked, sizeof asked, "=%s", (*m)->name);
        size_t i = 0;
        while (i < WS_COUNT(settings) && !strstr(settings[i], asked)) i++;
        if (i == WS_COUNT(settings) && !(*m)->partition) fail_msg("%s: not turned on here", (*m)->name);
    }
    ws_trace *trace = generate_random(2, 32);
    for (size_t i = 0; i < WS_COUNT(settings); i++) fail_each(trace, settings[i]);
    ws_trace_close(trace);
}

/* The tables that hold the instructions of a block grow with their number, and each growth can fail. */
static void many_instructions(void **state) {
    (void)state;
    enum { MANY = 300 };
    generate_inst code[MANY + 1] = {{.kind = 0}};
    for (uint32_t i = 0; i < MANY; i++) code[i] = (generate_inst){.pc = i, .mask = UINT32_MAX, .kind = 'i'};
    ws_trace *trace = generate_code("llvm", (const generate_inst *const[]){code, NULL});
    fail_each(trace, "gpu.clusters=1");
    ws_trace_close(trace);
}

/* A warp loads indices and then the elements they lead to, so that the reorder unit has something to do. */
static void the_reorder_unit(void **state) {
    (void)state;
    static const generate_inst code[] = {
        {.pc = 1, .mask = UINT32_MAX, .kind = 'l', .dst = 1, .line = 3},
        {.pc = 2, .mask = UINT32_MAX, .kind = 'l', .dst = 2, .a = 1, .line = 5},
        {.kind = 0}};
    const char *settings =
        "gpu.clusters=1,mechanism.partition=reorder,reorder.index_pc=1,reorder.access_pc=2";
    ws_trace *trace = generate_code("llvm", (const generate_inst *const[]){code, NULL});
    assert_int_equal(mechanism_run(trace, 1, settings).counts[0], 1); /* request */
    fail_each(trace, settings);
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation_fails),
        cmocka_unit_test(many_instructions),
        cmocka_unit_test(the_reorder_unit),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
