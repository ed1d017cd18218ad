/* The analysis `spatial`: the published shares of XI 3.3.1, CTAs counted one by one, and laws. */
#include "replay/occupancy.h"

#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/naive.h"
#include "../support/random.h"
#include "base/array.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ws_analysis *analysis(void) {
    return ws_analysis_find("spatial", NULL);
}

/* ---- XI table 5 on the GTX 480 of XI table 4 */

static const ws_sm_params gtx480 = {
    .threads = 1536, .warps = 48, .ctas = 8, .registers = 32768, .shared_B = 49152, .schedulers = 1};

/* Registers per CTA are the table's, except for CT and PF: its 3068 and 3228 contradict the text (512 registers left
 * over at seven CTAs) and are no multiples of the number of threads. 4608 and 3328 are, and they give the published
 * mean. */
static const struct {
    const char *name;
    uint32_t shared_KB, warps, ctas, registers;
    double unused_percent; /* as published, to one decimal; 0: not published */
} table5[] = {
    {"CT", 0, 6, 7, 4608, 1.6}, {"MC", 0, 12, 4, 7680, 0},   {"RS", 4, 16, 2, 11776, 28.1},
    {"SN", 8, 16, 3, 8704, 0},  {"HS", 3, 8, 3, 8960, 18.0}, {"PF", 2, 8, 6, 3328, 0},
    {"SR", 4, 16, 3, 2560, 0},  {"ST", 0, 32, 1, 17408, 0},  {"RAY", 0, 6, 2, 12288, 25.0},
    {"MM", 2, 8, 5, 6144, 6.3}, {"NN", 0, 8, 5, 6114, 6.7},
};
enum { BENCHMARKS = WS_COUNT(table5) };

static void published_shares_are_met(void **state) {
    (void)state;
    double log_used = 0;
    for (size_t i = 0; i < BENCHMARKS; i++) {
        const ws_kernel kernel = {.block = {32 * table5[i].warps, 1, 1},
                                  .shared_B = table5[i].shared_KB << 10};
        ws_residency limits[WS_RESOURCES];
        ws_residency_of(&kernel, 32, &gtx480, limits);
        limits[WS_RESOURCE_REGISTERS].need = table5[i].registers;
        uint32_t ctas = ws_residency_ctas(limits, NULL);
        assert_int_equal(ctas, table5[i].ctas);
        double used = ctas * table5[i].registers / 32768.0;
        log_used += log(used) / BENCHMARKS;
        if (table5[i].unused_percent > 0)
            assert_float_equal(100 * (1 - used), table5[i].unused_percent, 0.0501);
    }
    assert_float_equal(100 * (1 - exp(log_used)), 29.4, 0.05);
}

/* ---- rows */

static char *row_of(const ws_trace *trace, const ws_kernel *kernel, const ws_sm_params *sm) {
    static const void *const no_params[] = {NULL};
    const stream none = {0};
    const ws_stream_info info = {.trace = trace, .kernel = kernel, .sm = sm};
    return stream_analyse(&none, analysis(), no_params, 1, &info, WS_BATCH_MAX, NULL);
}

static ws_sm_params random_sm(uint64_t *random) {
    return (ws_sm_params){.threads = 1 + random_below(random, 2048),
                          .warps = 1 + random_below(random, 64),
                          .ctas = 1 + random_below(random, 32),
                          .registers = 1 + random_below(random, 65536),
                          .register_unit = random_below(random, 10),
                          .oversized_ctas = random_one_in(random, 3),
                          .shared_B = random_below(random, 65536)};
}

static ws_kernel random_kernel(uint64_t *random) {
    return (ws_kernel){
        .block = {1 + random_below(random, 64), 1 + random_below(random, 8), 1 + random_below(random, 2)},
        .registers_per_thread = random_below(random, 40),
        .shared_B = random_one_in(random, 3) ? 0 : random_below(random, 16384)};
}

static void placing_ctas_one_by_one_gives_the_same(void **state) {
    (void)state;
    for (uint32_t warp_size = 32; warp_size <= 64; warp_size *= 2) {
        ws_trace *trace = generate_random(1, warp_size);
        for (uint64_t seed = 1; seed <= 300; seed++) {
            uint64_t random = seed;
            ws_kernel kernel = random_kernel(&random);
            ws_sm_params sm = random_sm(&random);
            char *got = row_of(trace, &kernel, &sm), *expected = naive_spatial(&kernel, warp_size, &sm);
            assert_string_equal(got, expected);
            free(got);
            free(expected);
        }
        ws_trace_close(trace);
    }
}

/* RadixSort and MatrixMultiply of table 5, cell by cell; and a CTA that does not fit. */
static void worked_examples(void **state) {
    (void)state;
    ws_trace *trace = generate_random(1, 32);
    const ws_kernel rs = {.block = {512, 1, 1}, .registers_per_thread = 23, .shared_B = 4096};
    char *row = row_of(trace, &rs, &gtx480);
    assert_string_equal(row, "0 0 2 registers 3 3 2 12 1024 1536 32 48 23552 32768 8192 49152\n");
    free(row);
    const ws_kernel mc = {.block = {384, 1, 1},
                          .registers_per_thread = 20}; /* limited by both, says XI 3.3.1 */
    row = row_of(trace, &mc, &gtx480);
    assert_string_equal(
        row, "0 0 4 threads+warps+registers 4 4 4 the_kernel_needs_no_shared_memory 1536 1536 48 48 "
             "30720 32768 0 49152\n");
    free(row);
    const ws_kernel huge = {.block = {1024, 1, 1}, .registers_per_thread = 64, .shared_B = 1};
    row = row_of(trace, &huge, &gtx480);
    assert_string_equal(row, "0 0 0 registers 1 1 0 49152 0 1536 0 48 0 32768 0 49152\n");
    free(row);
    ws_trace_close(trace);
}

/* More of a resource never gives fewer CTAs; more of one that is not the only limit gives no more either. */
static void more_of_a_resource_never_hurts(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        uint64_t random = seed;
        ws_kernel kernel = random_kernel(&random);
        ws_sm_params sm = random_sm(&random);
        ws_residency limits[WS_RESOURCES];
        ws_residency_of(&kernel, 32, &sm, limits);
        enum ws_resource limit = WS_RESOURCES;
        uint32_t ctas = ws_residency_ctas(limits, &limit);
        for (int r = 0; r < WS_RESOURCES; r++) {
            assert_true(ctas * limits[r].need <= limits[r].have);
            ws_residency more[WS_RESOURCES];
            memcpy(more, limits, sizeof more);
            more[r].have += 1 + random_below(&random, 5000);
            assert_true(ws_residency_ctas(more, NULL) >= ctas);
            if (r != (int)limit) assert_int_equal(ws_residency_ctas(more, NULL), ctas);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_shares_are_met),
        cmocka_unit_test(placing_ctas_one_by_one_gives_the_same),
        cmocka_unit_test(worked_examples),
        cmocka_unit_test(more_of_a_resource_never_hurts),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
