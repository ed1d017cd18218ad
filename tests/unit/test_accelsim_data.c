/* Real Accel-Sim traces: the counts that others found in them. Reads $WARPSWEEP_TESTDATA, skips without it. */
#include "warpsweep/trace.h"

#include "../support/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Path of a data set, or NULL (with the test skipped) when it is not there. */
static const char *data_path(const char *name) {
    static char path[512];
    const char *root = getenv("WARPSWEEP_TESTDATA");
    snprintf(path, sizeof path, "%s/%s", root ? root : "", name);
    if (root && access(path, R_OK) == 0) return path;
    print_message("# skipped: $WARPSWEEP_TESTDATA/%s is not there\n", name);
    skip();
    return NULL;
}

static ws_trace *import(const char *source, const ws_import_options *options) {
    ws_error err = WS_NO_ERROR;
    const char *out = folder_path("out.wst");
    if (!ws_import(source, out, options, &err)) fail_msg("%s", err.text);
    ws_trace *trace = ws_trace_open(out, &err);
    if (!trace || !ws_trace_check(trace, &err)) fail_msg("%s", err.text);
    return trace;
}

/* ---- totals ---------------------------------------------------------------------------------------------- */

enum { UNCOUNTED = -1 };

typedef struct expectation {
    const char *source;
    int64_t kernels, memcpys, ctas, warps, warp_instructions, trace_memory_lines, memory_instructions,
        requests, sectors;
} expectation;

static void check_count(const char *name, int64_t expected, uint64_t found) {
    if (expected != UNCOUNTED && (uint64_t)expected != found)
        fail_msg("%s: expected %lld, found %llu", name, (long long)expected, (unsigned long long)found);
}

static void check_totals(const expectation *e) {
    const char *path = data_path(e->source);
    ws_trace *trace = import(path, NULL);
    ws_counters totals = ws_trace_totals(trace);
    check_count("kernels", e->kernels, ws_trace_get_info(trace)->kernel_count);
    check_count("memcpys", e->memcpys, ws_trace_get_info(trace)->memcpy_count);
    check_count("ctas", e->ctas, totals.ctas);
    check_count("warps", e->warps, totals.warps);
    check_count("warp_instructions", e->warp_instructions, totals.warp_instructions);
    check_count("trace_memory_lines", e->trace_memory_lines, totals.trace_memory_lines);
    check_count("memory_instructions", e->memory_instructions, totals.memory_instructions);
    check_count("requests", e->requests, totals.requests);
    check_count("sectors", e->sectors, totals.sectors);
    ws_trace_close(trace);
}

static void bfs_has_the_counts_of_its_manifest(void **state) {
    (void)state;
    check_totals(
        &(expectation){"accelsim/bfs-rodinia-v3", 16, 14, 128, 2048, 159509, 38584, 30949, 69908, 90629});
}

static void mlp_has_the_counts_of_its_manifest(void **state) {
    (void)state;
    check_totals(&(expectation){"accelsim/mlp-train-v5", 33, 5, UNCOUNTED, 1169, 79040, 9745, UNCOUNTED,
                                UNCOUNTED, UNCOUNTED});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bfs_has_the_counts_of_its_manifest),
        cmocka_unit_test(mlp_has_the_counts_of_its_manifest),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
