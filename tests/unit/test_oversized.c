/* CTAs that need more registers or shared memory than an SM has (sm.oversized_ctas), and registers that are allocated
 * in multiples (sm.register_unit): an SM holds as many CTAs as with resources that say the same plainly. test_spatial
 * has the naive twin. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SMALL "gpu.clusters=2,dram.channels=2,"

static uint32_t some_work(uint32_t cta, uint32_t warp, uint32_t part) {
    return 10 + (cta + 3 * warp + part) % 5;
}

static ws_trace *ctas_with(uint32_t registers_per_thread, uint32_t shared_B) {
    generate_work plan = {.ctas = 12,
                          .warps_per_cta = 4,
                          .registers_per_thread = registers_per_thread,
                          .shared_B = shared_B,
                          .parts = 2,
                          .work = some_work};
    return generate_worked(&plan);
}

static void replay_alike(const ws_trace *a, const char *a_settings, const ws_trace *b,
                         const char *b_settings) {
    mechanism_result a_timed = mechanism_run(a, 1, a_settings), b_timed = mechanism_run(b, 1, b_settings);
    assert_memory_equal(&a_timed, &b_timed, sizeof a_timed);
}

static void an_oversized_cta_has_the_sm_for_itself(void **state) {
    (void)state;
    ws_trace *registers = ctas_with(100, 0), *shared = ctas_with(0, 5000), *small = ctas_with(0, 0);
    const char *alone = SMALL "sm.ctas=1";
    replay_alike(registers, SMALL "sm.registers=12799,sm.oversized_ctas=true", small, alone);
    replay_alike(shared, SMALL "sm.shared_B=4999,sm.oversized_ctas=true", small, alone);
    replay_alike(shared, SMALL "sm.shared_B=0,sm.oversized_ctas=true", small,
                 SMALL "sm.ctas=8"); /* all of none */
    /* one that fits is not affected: two do */
    replay_alike(registers, SMALL "sm.registers=25600,sm.oversized_ctas=true", small, SMALL "sm.ctas=2");
    replay_alike(shared, SMALL "sm.shared_B=10000,sm.oversized_ctas=true", small, SMALL "sm.ctas=2");
    ws_trace_close(registers);
    ws_trace_close(shared);
    ws_trace_close(small);
}

/* .. also an SM that has fewer registers than the others. */
static void an_oversized_cta_has_an_sm_with_few_registers(void **state) {
    (void)state;
    ws_trace *trace = ctas_with(100, 0);
#define ILP SMALL "core.dependences=one_in_flight,mechanism.core=ilp,"
    replay_alike(trace, ILP "sm.registers=65536,ilp.registers=12799,sm.oversized_ctas=true", trace,
                 ILP "sm.ctas=1");
    ws_trace_close(trace);
}

static void registers_are_rounded_up(void **state) {
    (void)state;
    ws_trace *plain = ctas_with(24, 0), *odd = ctas_with(21, 0);
    /* 3 CTAs of 128 threads with 24 registers each; of 21 there would be 3.4 */
    replay_alike(odd, SMALL "sm.registers=9216,sm.register_unit=8", plain, SMALL "sm.registers=9216");
    replay_alike(odd, SMALL "sm.registers=9215,sm.register_unit=8", plain, SMALL "sm.ctas=2");
    replay_alike(odd, SMALL "sm.registers=9215,sm.register_unit=1", plain, SMALL "sm.ctas=3");
    ws_trace_close(plain);
    ws_trace_close(odd);
}

static const char *refusal(const ws_trace *trace, const char *settings) {
    static ws_error err;
    err = WS_NO_ERROR;
    ws_timed *timed = mechanism_gpu(trace, settings);
    ws_timed_counters counters;
    assert_false(ws_timed_run(timed, 1, &counters, &err));
    assert_int_equal(err.code, WS_ERROR_SPEC);
    ws_timed_free(timed);
    return err.text;
}

static void otherwise_they_are_refused(void **state) {
    (void)state;
    ws_trace *registers = ctas_with(21, 0), *shared = ctas_with(0, 5000);
    assert_string_equal(
        refusal(registers, SMALL "sm.registers=3071,sm.register_unit=8"),
        "launch 1 (worked): a CTA needs 3072 registers, an SM has 3071: raise sm.registers, or "
        "set sm.oversized_ctas=true");
    assert_string_equal(refusal(shared, SMALL "sm.shared_B=4999"),
                        "launch 1 (worked): a CTA needs 5000 shared_B, an SM has 4999: raise sm.shared_B, or "
                        "set sm.oversized_ctas=true");
    /* SMs whose number of registers another parameter sets .. */
    assert_string_equal(refusal(registers, ILP "sm.registers=3072,ilp.registers=3071,sm.register_unit=8"),
                        "launch 1 (worked): a CTA needs 3072 registers, an SM has 3071: raise ilp.registers, "
                        "or set sm.oversized_ctas=true");
    /* .. and where it sets that of some, but all have too few */
    assert_string_equal(
        refusal(registers, ILP "sm.registers=3071,ilp.registers=3000,ilp.sms=1,sm.register_unit=8"),
        "launch 1 (worked): a CTA needs 3072 registers, an SM has 3071: raise sm.registers, or "
        "set sm.oversized_ctas=true");
    /* there is no more than the warp slots */
    assert_string_equal(refusal(shared, SMALL "sm.warps=3,sm.oversized_ctas=true"),
                        "launch 1 (worked): a CTA needs 4 warps, an SM has 3: raise sm.warps");
    ws_trace_close(registers);
    ws_trace_close(shared);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_oversized_cta_has_the_sm_for_itself),
        cmocka_unit_test(an_oversized_cta_has_an_sm_with_few_registers),
        cmocka_unit_test(registers_are_rounded_up),
        cmocka_unit_test(otherwise_they_are_refused),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
