/* Static instructions as the timed engine takes them, over launches that share them. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* In code for GPUs before Volta branches execute as integer instructions do, also where the GPU has units for them, and
 * whatever code ran before. */
static void branches_execute_by_the_version_of_their_code(void **state) {
    (void)state;
    static const generate_inst code[] = {{0, UINT32_MAX, 'j', .dst = 1},
                                         {8, UINT32_MAX, 'i', .dst = 2, .a = 1},
                                         {16, UINT32_MAX, 'x', .a = 2},
                                         {0}};
    const uint32_t versions[] = {70, 61, 86, 35, 61, 70, 0};
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = generate_coded_versions("sass", versions, (const generate_inst *const[]){code, NULL});
    ws_timed *timed = mechanism_gpu(
        trace,
        "gpu.clusters=1,core.branch_units=1,core.branch_latency=30,core.int_units=1,core.int_latency=4");
    ws_timed_counters first, counters;
    if (!timed || !ws_timed_run(timed, 1, &first, &err)) fail_msg("%s", err.text);
    for (uint32_t launch = 2; versions[launch - 1]; launch++) {
        if (!ws_timed_run(timed, launch, &counters, &err)) fail_msg("%s", err.text);
        assert_int_equal(counters.cycles, first.cycles - (versions[launch - 1] < 70 ? 30 - 4 : 0));
    }
    ws_timed_free(timed);
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(branches_execute_by_the_version_of_their_code)};
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
