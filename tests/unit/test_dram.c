/* DRAM: where addresses lie, compared with pictures of their bits; how many rows are opened; the buses' time; what is
 * refused. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/naive_dram.h"
#include "../support/random.h"
#include "base/array.h"
#include "timed/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the mapping */

typedef struct mapping {
    const char *picture;
    ws_dram_params dram;
} mapping;

#define MAPPING(banks_, near_, bank_B_, row_B_, rows_)                                                       \
    { .banks = (banks_), .near_banks = (near_), .bank_B = (bank_B_), .row_B = (row_B_), .rows = (rows_) }

/* The first three pictures are those of GPGPU-Sim's configurations; the others have shapes that these lack. */
static const mapping mappings[] = {
    {"RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS", MAPPING(16, 2, 256, 4096, 4096)},  /* SM2_GTX480 */
    {"RRRR.RRRRRRRR.RBBBCCCB.CCCSSSSS", MAPPING(16, 2, 256, 2048, 8192)},  /* SM7_QV100 */
    {"RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS", MAPPING(16, 2, 128, 2048, 8192)},  /* SM86_RTX3070 */
    {"RRRR.RRRRRRRR.RBBCCCCB.CCSSSSSS", MAPPING(8, 2, 256, 4096, 8192)},   /* fewer banks */
    {"RRRR.RRRRRRRB.BBBCCCCB.CCSSSSSS", MAPPING(32, 2, 256, 4096, 2048)},  /* more banks */
    {"RRRRRRRRR.CCCCCCCC.CCSSSSSS", MAPPING(1, 1, 256, 65536, 512)},       /* one bank */
    {"RRRR.RRRRRRRR.CCCCBBBB.CCSSSSSS", MAPPING(16, 16, 256, 4096, 4096)}, /* all banks near */
    {"RRRR.RRRRRRRR.BBBBCCCC.CCSSSSSS", MAPPING(16, 1, 128, 4096, 4096)},  /* no near banks */
    {"RRRR.RRRRRRRR.BBBBCCCC.CCSSSSSS", MAPPING(16, 4, 4096, 4096, 4096)}, /* near banks with whole rows */
    {"RRRRRRRRRRRR.BBCCCBBC.CCSSSSSS", MAPPING(16, 4, 512, 4096, 4096)},
};
enum { MAPPINGS = WS_COUNT(mappings) };

static void places_are_as_drawn(void **state) {
    (void)state;
    static const uint32_t channels[] = {1, 2, 6, 16};
    uint64_t random = 5;
    for (size_t m = 0; m < MAPPINGS; m++)
        for (size_t c = 0; c < WS_COUNT(channels); c++)
            for (int i = 0; i < 500; i++) {
                const ws_l1_params l1 = {.line_B = 128};
                const ws_l2_params l2 = {.slices_per_channel = 2, .interleave_B = 256, .line_B = 128};
                ws_dram_params dram = mappings[m].dram;
                ws_address_map map;
                dram.channels = channels[c];
                dram.bank_index = i / 2 % 2 ? WS_BANK_INDEX_XOR : WS_BANK_INDEX_LINEAR;
                ws_address_map_init(&map, &l1, &l2, &dram);
                uint64_t line = random_next(&random) >> (i % 2 ? 44 : 50), row;
                uint32_t bank;
                ws_dram_place(&map, line, &bank, &row);
                naive_place place =
                    naive_dram_place(mappings[m].picture, naive_dram_address(line * 128, channels[c]));
                if (dram.bank_index == WS_BANK_INDEX_XOR) place.bank ^= place.row % (uint32_t)dram.banks;
                if (bank != place.bank || row != place.row)
                    fail_msg("%s, line %llu of %u channels: bank %u, row %llu", mappings[m].picture,
                             (unsigned long long)line, channels[c], bank, (unsigned long long)row);
            }
}

/* ---- rows */

enum { LOADS = 400, WARPS = 40 };

/* The address of load `inst`. Six streams of lines take turns; it depends on the mapping which of them share a bank. */
static uint64_t strewn(uint32_t inst) {
    static const uint64_t streams[] = {0, 0x10000, 0x2c00, 0x100000, 0x8000, 0x30100};
    return streams[inst % 6] + inst / 6 * UINT64_C(128);
}
static uint64_t strewn_load(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp;
    return strewn(inst) + 4 * (uint64_t)lane;
}

/* A trace of one warp in which each load waits for the one before it, so that DRAM serves them in this order. */
static ws_trace *strewn_loads(void) {
    generate_plan plan = generate_loads(1, 1, LOADS, strewn_load);
    plan.instruction.dst_count = plan.instruction.src_count = 1;
    plan.instruction.dst[0] = plan.instruction.src[0] = 7;
    return generate_planned(&plan);
}

static const char *setting_of(const ws_dram_params *d, char text[200]) {
    snprintf(text, 200,
             "dram.channels=1,dram.banks=%d,dram.near_banks=%d,dram.bank_B=%d,dram.row_B=%d,dram.rows=%d",
             (int)d->banks, (int)d->near_banks, (int)d->bank_B, (int)d->row_B, (int)d->rows);
    return text;
}

static void rows_are_opened_as_drawn(void **state) {
    (void)state;
    ws_trace *trace = strewn_loads();
    uint64_t addresses[LOADS], fewest = UINT64_MAX, most = 0;
    for (uint32_t i = 0; i < LOADS; i++) addresses[i] = strewn(i);
    for (size_t m = 0; m < MAPPINGS; m++) {
        char text[200];
        ws_timed_counters c = mechanism_run(trace, 1, setting_of(&mappings[m].dram, text)).counters;
        naive_rows expected = naive_dram_rows(mappings[m].picture, addresses, LOADS);
        if (c.dram_activates != expected.opened)
            fail_msg("%s: %llu rows opened, expected %llu", mappings[m].picture,
                     (unsigned long long)c.dram_activates, (unsigned long long)expected.opened);
        assert_int_equal(c.dram_requests, 4 * LOADS); /* sectors */
        assert_int_equal(c.dram_row_hits, c.dram_requests - expected.missed);
        assert_true(expected.missed < expected.opened);
        fewest = expected.opened < fewest ? expected.opened : fewest;
        most = expected.opened > most ? expected.opened : most;
    }
    assert_true(most > fewest + LOADS / 4);
    ws_trace_close(trace);
}

static uint64_t strewn_over_warps(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return strewn_load(cta, 0, inst * WARPS + warp, lane);
}

/* In order, loads that wait for each other open the rows that they open with FR-FCFS, too. Of loads that do not wait,
 * FR-FCFS opens fewer rows, the fewer the more requests it has to choose from. */
static void a_fifo_opens_rows_in_order(void **state) {
    (void)state;
    static const char *const queues[] = {"dram.queue=1", "dram.queue=8", "dram.queue=64"};
    ws_trace *one = strewn_loads(), *many = NULL;
    generate_plan plan = generate_loads(1, WARPS, LOADS / WARPS, strewn_over_warps);
    many = generate_planned(&plan);
    uint64_t addresses[LOADS], fewest = UINT64_MAX;
    for (uint32_t i = 0; i < LOADS; i++) addresses[i] = strewn(i);
    naive_rows expected = naive_dram_rows(mappings[0].picture, addresses, LOADS);
    for (size_t i = 0; i < WS_COUNT(queues); i++) {
        char chooses[100], fifo[150];
        snprintf(chooses, sizeof chooses, "dram.channels=1,dram.clock_ratio=0.5,%s", queues[i]);
        snprintf(fifo, sizeof fifo, "%s,dram.scheduler=fifo", chooses);
        assert_int_equal(mechanism_run(one, 1, fifo).counters.dram_activates, expected.opened);
        ws_timed_counters in_order = mechanism_run(many, 1, fifo).counters,
                          chosen = mechanism_run(many, 1, chooses).counters;
        assert_int_equal(in_order.dram_reads, chosen.dram_reads);
        assert_true(chosen.dram_activates < fewest);
        fewest = chosen.dram_activates;
        if (i == 0) continue; /* nothing to choose from */
        assert_true(chosen.dram_activates < in_order.dram_activates);
        assert_true(chosen.cycles < in_order.cycles);
    }
    ws_trace_close(one);
    ws_trace_close(many);
}

enum { LAUNCHES = 6 };

static uint64_t a_bank_each(uint32_t launch, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)warp, (void)inst;
    return 256 * (uint64_t)launch + 4 * (uint64_t)lane;
}

/* Memory's time goes on from launch to launch. Each launch reads a line of a bank that none has opened before, so all
 * take as long; where memory has one cycle to two of the core, to the next such cycle. */
static void launches_share_memorys_time(void **state) {
    (void)state;
    static const char *const ratios[] = {"1", "0.5"};
    generate_plan plan = generate_loads(1, 1, 1, a_bank_each);
    plan.more_launches = LAUNCHES - 1;
    ws_trace *trace = generate_planned(&plan);
    for (unsigned r = 0; r < WS_COUNT(ratios); r++) {
        char settings[200];
        snprintf(settings, sizeof settings,
                 "gpu.clusters=1,dram.channels=1,dram.near_banks=16,dram.bank_B=256,dram.clock_ratio=%s",
                 ratios[r]);
        ws_timed *gpu = mechanism_gpu(trace, settings);
        uint64_t first = 0;
        for (uint32_t launch = 1; launch <= LAUNCHES; launch++) {
            ws_error err = WS_NO_ERROR;
            ws_timed_counters c;
            if (!ws_timed_run(gpu, launch, &c, &err)) fail_msg("%s", err.text);
            assert_int_equal(c.dram_activates, 1);
            if (launch == 1) first = c.cycles;
            assert_in_range(c.cycles, first - r, first + r);
        }
        ws_timed_free(gpu);
    }
    ws_trace_close(trace);
}

/* Each parameter, changed alone, changes the number of rows opened and the cycles, but not the number of bursts
 * read. */
static void each_parameter_counts(void **state) {
    (void)state;
    static const char *const changed[] = {"dram.banks=8",    "dram.banks=32",   "dram.near_banks=4",
                                          "dram.bank_B=512", "dram.row_B=2048", "dram.rows=16"};
    ws_trace *trace = strewn_loads();
    ws_timed_counters base = mechanism_run(trace, 1, "dram.channels=1").counters;
    for (size_t i = 0; i < WS_COUNT(changed); i++) {
        char text[100];
        snprintf(text, sizeof text, "dram.channels=1,%s", changed[i]);
        ws_timed_counters c = mechanism_run(trace, 1, text).counters;
        if (c.dram_activates == base.dram_activates || c.cycles == base.cycles)
            fail_msg("%s changes nothing", changed[i]);
        assert_int_equal(c.dram_reads, base.dram_reads);
    }
    ws_trace_close(trace);
}

/* ---- the buses' time; what cannot work */

/* dram_cycles are the DRAM cycles that fit into the launch, here 1.3 per core cycle, for each of two channels.
 * dram_busy_cycles are those in which the data buses are in use, here 3 for each burst. */
static void busy_buses_have_dram_cycles(void **state) {
    (void)state;
    ws_trace *trace = strewn_loads();
    ws_timed_counters c = mechanism_run(trace, 1,
                                        "dram.channels=2,dram.clock_ratio=1.3,dram.burst_cycles=3,"
                                        "dram.ccd=3")
                              .counters;
    assert_true(c.dram_reads > 0 && c.dram_busy_cycles <= c.dram_cycles);
    assert_int_equal(c.dram_busy_cycles, 3 * (c.dram_reads + c.dram_writes));
    assert_int_equal(c.dram_cycles, 2 * (13 * c.cycles / 10));
    ws_trace_close(trace);
}

static void refusals(void **state) {
    (void)state;
    static const struct {
        const char *settings, *text;
    } cases[] = {{"dram.banks=12", "dram.banks: expected a power of two, found 12"},
                 {"dram.banks=64", "dram.banks"},
                 {"dram.near_banks=3", "dram.near_banks: expected a power of two, found 3"},
                 {"dram.banks=2,dram.near_banks=4", "dram.near_banks: expected at most dram.banks = 2"},
                 {"dram.bank_B=192", "dram.bank_B: expected a power of two, found 192"},
                 {"dram.bank_B=8192", "dram.bank_B: expected at most dram.row_B = 4096"},
                 {"dram.burst_cycles=3", "dram.burst_cycles: expected at most dram.ccd = 2"},
                 {"dram.core_MHz=0.0004", "dram.core_MHz: expected 0, or at least 1 MHz, found 0.0004"},
                 {"dram.core_MHz=0.999", "dram.core_MHz: expected 0, or at least 1 MHz, found 0.999"},
                 {"dram.write_queue=8",
                  "dram.write_high: expected dram.write_low (16) to dram.write_queue (8), found 28"},
                 {"dram.write_queue=64,dram.write_low=40", "dram.write_high: expected dram.write_low (40)"},
                 {"dram.scheduler=fifo,dram.write_queue=32",
                  "dram.write_queue: expected 0 with dram.scheduler = fifo, found 32"},
                 {"dram.bank_group=high_bits,dram.bank_groups=3",
                  "dram.bank_groups: expected a divisor of dram.banks = 16 with dram.bank_group = high_bits"},
                 {"dram.row_B=3000", "dram.row_B: expected a power of two"},
                 {"dram.rows=0", "dram.rows"},
                 {"dram.bank_B=64", "the larger of l1.line_B and l2.line_B = 128, found 64 and 256"},
                 {"l2.line_B=256,dram.bank_B=128", "the larger of l1.line_B and l2.line_B = 256, found 128"}};
    ws_trace *trace = strewn_loads();
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        const char *text = mechanism_refusal(trace, cases[i].settings);
        if (!strstr(text, cases[i].text)) fail_msg("%s: %s", cases[i].settings, text);
    }
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_as_drawn),
        cmocka_unit_test(rows_are_opened_as_drawn),
        cmocka_unit_test(a_fifo_opens_rows_in_order),
        cmocka_unit_test(launches_share_memorys_time),
        cmocka_unit_test(each_parameter_counts),
        cmocka_unit_test(busy_buses_have_dram_cycles),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
