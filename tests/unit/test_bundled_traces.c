/* The bundled traces against what the kernels' sources say: closed forms of their loops. */
#include "warpsweep/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ws_trace *open_trace(const char *name) {
    char path[64];
    ws_error err = WS_NO_ERROR;
    snprintf(path, sizeof path, "traces/%s.wst", name);
    ws_trace *trace = ws_trace_open(path, &err);
    if (!trace) fail_msg("%s", err.text);
    if (!ws_trace_check(trace, &err)) fail_msg("%s", err.text);
    assert_string_equal(ws_trace_get_info(trace)->isa, "llvm");
    assert_true(ws_trace_get_info(trace)->features & WS_FEATURE_REGISTERS);
    assert_true(ws_trace_get_info(trace)->features & WS_FEATURE_SOURCE_LINE);
    return trace;
}

/* What a launch must amount to. */
typedef struct expectation {
    const char *kernel;
    ws_dim3 grid, block;
    uint64_t warps, memory_instructions, requests;
} expectation;

static void expect_launch(const ws_trace *trace, uint32_t index, const expectation *e) {
    const ws_kernel *k = ws_trace_kernel(trace, index);
    assert_string_equal(k->name, e->kernel);
    assert_string_equal(k->short_name, e->kernel);
    assert_memory_equal(&k->grid, &e->grid, sizeof e->grid);
    assert_memory_equal(&k->block, &e->block, sizeof e->block);
    assert_int_equal(k->counters.ctas, (uint64_t)e->grid.x * e->grid.y * e->grid.z);
    assert_int_equal(k->counters.warps, e->warps);
    assert_int_equal(k->counters.memory_instructions, e->memory_instructions);
    assert_int_equal(k->counters.requests, e->requests);
    assert_int_equal(k->counters.after_exit, 0);
    assert_in_range(k->registers_per_thread, 1, 255);
}

static uint32_t lines_of(const uint64_t *addresses, uint32_t count) {
    uint64_t lines[WS_LANES_MAX];
    uint32_t found = 0;
    for (uint32_t a = 0; a < count; a++) {
        uint64_t line = addresses[a] / WS_LINE_B;
        uint32_t i = 0;
        while (i < found && lines[i] != line) i++;
        if (i == found) lines[found++] = line;
    }
    return found;
}

/* A kernel's accesses by one operation, in the order of the program: how many warp instructions execute each
 * with all 32 lanes, and how many lines all of these ask for (0: not always the same). */
typedef struct access_site {
    uint32_t pc;
    uint64_t executions;
    uint32_t lines;
} access_site;
typedef struct access_sites {
    access_site sites[16];
    size_t count;
} access_sites;

static access_site *site_at(access_sites *found, uint32_t pc, uint32_t lines) {
    size_t i = 0;
    while (i < found->count && found->sites[i].pc != pc) i++;
    if (i == found->count) {
        assert_true(found->count < 16);
        found->sites[found->count++] = (access_site){.pc = pc, .lines = lines};
    }
    return &found->sites[i];
}

static int by_pc(const void *a, const void *b) {
    const access_site *x = a, *y = b;
    return x->pc < y->pc ? -1 : x->pc > y->pc;
}

static access_sites find_accesses(const ws_trace *trace, uint32_t kernel, ws_memory_op op) {
    access_sites found = {0};
    ws_error err = WS_NO_ERROR;
    ws_reader *reader = ws_reader_new(trace, &err);
    ws_cta cta;
    assert_non_null(reader);
    for (uint32_t c = 0; c < ws_trace_kernel(trace, kernel)->counters.ctas; c++) {
        assert_true(ws_reader_cta(reader, kernel, c, &cta, &err));
        for (const ws_warp *warp = cta.warps; warp < cta.warps + cta.warp_count; warp++)
            for (uint32_t i = 0; i < warp->inst_count; i++) {
                const ws_static *s = &ws_trace_statics(trace)[warp->static_id[i]];
                if (s->op != op || s->space != WS_SPACE_GLOBAL || warp->mask[i] != UINT32_MAX) continue;
                uint32_t lines = lines_of(warp->addresses + warp->address_at[i], 32);
                access_site *site = site_at(&found, s->pc, lines);
                site->executions++;
                if (site->lines != lines) site->lines = 0;
            }
    }
    ws_reader_free(reader);
    qsort(found.sites, found.count, sizeof *found.sites, by_pc);
    return found;
}

static void expect_access(const access_sites *found, size_t nth, uint64_t executions, uint32_t lines) {
    assert_true(nth < found->count);
    assert_int_equal(found->sites[nth].executions, executions);
    assert_int_equal(found->sites[nth].lines, lines);
}

/* ---- PolyBench -------------------------------------------------------------------------------------- */

/* Per thread and step: a matrix element (32 lines where a thread walks its row), a vector element, the sum
 * stored; before the steps, the sum set to 0. */
static void test_atax(void **state) {
    (void)state;
    enum { ROWS = 3840, COLUMNS = 768 };
    ws_trace *trace = open_trace("atax");
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 2);
    expect_launch(trace, 1,
                  &(expectation){.kernel = "atax_1",
                                 .grid = {ROWS / 256, 1, 1},
                                 .block = {256, 1, 1},
                                 .warps = ROWS / 32,
                                 .memory_instructions = ROWS / 32 * (1 + 3 * COLUMNS),
                                 .requests = ROWS / 32 * (1 + (32 + 1 + 1) * COLUMNS)});
    expect_launch(trace, 2,
                  &(expectation){.kernel = "atax_2",
                                 .grid = {COLUMNS / 256, 1, 1},
                                 .block = {256, 1, 1},
                                 .warps = COLUMNS / 32,
                                 .memory_instructions = COLUMNS / 32 * (1 + 3 * ROWS),
                                 .requests = COLUMNS / 32 * (1 + 3 * ROWS)});
    access_sites loads = find_accesses(trace, 1, WS_MEMORY_LOAD);
    assert_int_equal(loads.count, 2);
    expect_access(&loads, 0, ROWS / 32 * COLUMNS, 32); /* A */
    expect_access(&loads, 1, ROWS / 32 * COLUMNS, 1);  /* x */
    ws_trace_close(trace);
}

static void test_gemm(void **state) {
    (void)state;
    enum { N = 128 };
    ws_trace *trace = open_trace("gemm");
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 1);
    expect_launch(trace, 1,
                  &(expectation){.kernel = "gemm",
                                 .grid = {N / 32, N / 8, 1},
                                 .block = {32, 8, 1},
                                 .warps = N * N / 32,
                                 .memory_instructions = N * N / 32 * (2 + 3 * N),
                                 .requests = N * N / 32 * (2 + 3 * N)});
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_atax),
        cmocka_unit_test(test_gemm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
