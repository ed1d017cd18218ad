#include "bundled.h"
#include "trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

ws_trace *bundled_open(const char *name) {
    char path[64];
    ws_error err = WS_NO_ERROR;
    snprintf(path, sizeof path, "traces/%s.wst", name);
    ws_trace *trace = trace_open(path);
    if (!ws_trace_check(trace, &err)) fail_msg("%s", err.text);
    assert_string_equal(ws_trace_get_info(trace)->isa, "llvm");
    assert_true(ws_trace_get_info(trace)->features & WS_FEATURE_REGISTERS);
    assert_true(ws_trace_get_info(trace)->features & WS_FEATURE_SOURCE_LINE);
    return trace;
}

void bundled_expect(const ws_trace *trace, uint32_t index, const bundled_launch *e) {
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

uint64_t bundled_lines(uint64_t first, uint64_t count) {
    return (4 * (first + count) - 1) / WS_LINE_B - 4 * first / WS_LINE_B + 1;
}
