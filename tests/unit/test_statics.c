/* Static instructions as the timed engine takes them, over launches that share them. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "timed/launch/statics.h"

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

/* Register r lies in bank r modulo their number. A register that is named twice is read once. */
static void banks_give_each_register_once(void **state) {
    (void)state;
    static const generate_inst code[] = {{0, UINT32_MAX, 'i', .dst = 5, .a = 2, .b = 2},
                                         {16, UINT32_MAX, 'i', .dst = 8, .a = 2, .b = 6},
                                         {32, UINT32_MAX, 'i', .dst = 3, .a = 1, .b = 4},
                                         {48, UINT32_MAX, 'x', .a = 3},
                                         {0}};
    static const uint64_t reads[] = {0x100, 0x200, 0x11}, writes[] = {0x10, 0x1, 0x1000};
    ws_trace *trace = generate_code("sass", (const generate_inst *const[]){code, NULL});
    ws_config *config = mechanism_config("core.register_banks=8");
    ws_timed_statics statics;
    assert_true(ws_timed_statics_init(&statics, trace, ws_config_get(config, &ws_core_component), 4, false));
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(statics.at[i].reads, reads[i]);
        assert_int_equal(statics.at[i].writes, writes[i]);
    }
    ws_timed_statics_free(&statics);
    ws_config_free(config);
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(branches_execute_by_the_version_of_their_code),
                                       cmocka_unit_test(banks_give_each_register_once)};
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
