/* How instructions come to warps: in turns, and through an instruction cache. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { LONGEST = 200, PC_B = 8 };
#define ALL UINT32_MAX

/* One SM that needs one cycle for everything behind a fetch, and an instruction cache of two sets of two lines. */
#define ONE_SM   "gpu.clusters=1,dram.channels=1,core.int_latency=1,core.fp_latency=1,core.pipeline_cycles=1"
#define TWO_SETS ONE_SM ",core.icache_B=512,core.icache_ways=2"

/* Independent instructions, one behind the other from address `from` on. */
static void straight(generate_inst *code, uint32_t from, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        code[i] = (generate_inst){.pc = from + i * PC_B, .mask = ALL, .kind = 'i'};
    code[count] = (generate_inst){.kind = 0};
}

static ws_timed_counters play(const generate_inst *const *warps, const char *settings) {
    ws_trace *trace = generate_code("sass", warps);
    ws_timed_counters c = mechanism_run(trace, 1, settings).counters;
    ws_trace_close(trace);
    return c;
}

/* ---- in turns */

/* A buffer holds two instructions. One warp, fetched for in cycle 1, issues in cycles 3, 4, 6, 7 ..; two warps and more
 * keep the fetch busy, which serves each as often. */
static void fetches_take_turns(void **state) {
    (void)state;
    generate_inst code[LONGEST + 1];
    straight(code, 0, 60);
    const generate_inst *one[] = {code, NULL}, *six[] = {code, code, code, code, code, code, NULL};
    uint64_t alone = play(one, ONE_SM).cycles, together = play(six, ONE_SM).cycles;
    assert_int_equal(alone, 60 / 2 * 3 + 3);
    assert_in_range(together, 6 * 60 / 2, 6 * 60 / 2 + 6);
}

/* ---- the instruction cache */

static void every_line_misses_once(void **state) {
    (void)state;
    generate_inst code[LONGEST + 1];
    straight(code, 0, 64); /* four lines, all that the cache holds */
    const generate_inst *warps[] = {code, code, code, NULL};
    ws_timed_counters none = play(warps, ONE_SM), all = play(warps, TWO_SETS);
    assert_int_equal(none.icache_accesses, 0);
    assert_int_equal(all.icache_accesses, 3 * 64 / 2);
    assert_int_equal(all.icache_misses, 3 * 4); /* each warp comes before the line */
    assert_int_equal(all.noc_packets_to_memory, 4);
    assert_int_equal(all.l2_accesses, 4 * 4);
    const generate_inst *warp[] = {code, NULL};
    assert_int_equal(play(warp, TWO_SETS).icache_misses, 4);
}

/* A miss takes a warp as long as a load that goes to memory, and so much longer as the L2 is slower. */
static void a_miss_waits_for_the_line(void **state) {
    (void)state;
    generate_inst one_line[LONGEST + 1], two_lines[LONGEST + 1];
    straight(one_line, 0, 16);
    straight(two_lines, 64, 16);
    const generate_inst *one[] = {one_line, NULL}, *two[] = {two_lines, NULL};
    uint64_t near_one = play(one, TWO_SETS ",l2.latency=100").cycles,
             near_two = play(two, TWO_SETS ",l2.latency=100").cycles,
             far_one = play(one, TWO_SETS ",l2.latency=150").cycles,
             far_two = play(two, TWO_SETS ",l2.latency=150").cycles;
    assert_int_equal(far_one - near_one, 50);
    assert_int_equal(far_two - near_two, 2 * 50);
}

/* As many warps wait for a line as its entry takes, and as many lines are on their way as there are entries. */
static void warps_wait_at_entries(void **state) {
    (void)state;
    generate_inst codes[4][LONGEST + 1];
    const generate_inst *apart[5] = {NULL}, *same[] = {codes[0], codes[0], codes[0], codes[0], NULL};
    for (unsigned w = 0; w < 4; w++) {
        straight(codes[w], w * 128, 2);
        apart[w] = codes[w];
    }
    uint64_t lines = play(apart, TWO_SETS ",core.icache_mshr_entries=4").cycles,
             line_by_line = play(apart, TWO_SETS ",core.icache_mshr_entries=1").cycles;
    assert_true(line_by_line > 3 * lines);
    ws_timed_counters merged = play(same, TWO_SETS ",core.icache_mshr_merges=4"),
                      single = play(same, TWO_SETS ",core.icache_mshr_merges=1");
    assert_int_equal(merged.icache_misses, 4);
    assert_int_equal(single.icache_misses, 1); /* the others come again, and hit */
    assert_int_equal(merged.noc_packets_to_memory, single.noc_packets_to_memory);
}

/* A later launch finds what an earlier one has left there, on the SMs that had CTAs of it; each begins behind the SM
 * that got the last. */
static void launches_keep_it(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = generate_random(2, 32);
    for (int sms = 1; sms <= 2; sms++) {
        char settings[200];
        snprintf(settings, sizeof settings, "gpu.clusters=%d,core.icache_B=65536", sms);
        ws_config *config = mechanism_config(settings);
        ws_timed *timed = ws_timed_new(trace, config, &err);
        ws_timed_counters first, second;
        assert_true(ws_timed_run(timed, 1, &first, &err) && ws_timed_run(timed, 1, &second, &err));
        assert_true(first.icache_misses > 0);
        assert_true(second.icache_misses < first.icache_misses);
        if (sms == 1) assert_int_equal(second.icache_misses, 0);
        ws_timed_free(timed);
        ws_config_free(config);
    }
    ws_trace_close(trace);
}

/* ---- against the definition: one warp's fetches, one after the other, through sets of least recently used lines */

typedef struct naive_icache {
    uint32_t sets, ways, count[4];
    uint64_t line[4][8]; /* the oldest first */
} naive_icache;

static bool naive_fetch(naive_icache *c, uint64_t line) {
    uint64_t *set = c->line[line % c->sets];
    uint32_t *count = &c->count[line % c->sets], at = 0;
    while (at < *count && set[at] != line) at++;
    bool miss = at == *count;
    if (miss && *count == c->ways) at = 0;
    if (miss && *count < c->ways) ++*count;
    for (; at + 1 < *count; at++) set[at] = set[at + 1];
    set[at] = line;
    return miss;
}

static void one_warp_is_like_naive(void **state) {
    (void)state;
    uint64_t misses = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t r = seed;
        naive_icache naive = {.sets = 1u << random_below(&r, 3), .ways = 1 + random_below(&r, 4)};
        generate_inst code[LONGEST + 1];
        uint32_t count = 1 + random_below(&r, LONGEST), pc = 0, fetch_insts = 1 + random_below(&r, 4),
                 expected = 0;
        straight(code, 0, count);
        for (uint32_t i = 0; i < count; i++, pc += PC_B) {
            if (random_one_in(&r, 12)) pc = random_below(&r, 256) * PC_B;
            code[i].pc = pc;
            if (i % fetch_insts == 0) expected += naive_fetch(&naive, (UINT64_C(0xf0000000) + pc) / 128);
        }
        char settings[300];
        snprintf(settings, sizeof settings,
                 ONE_SM ",core.icache_ways=%u,core.icache_B=%u,core.fetch_insts=%u", naive.ways,
                 naive.sets * naive.ways * 128, fetch_insts);
        const generate_inst *warps[] = {code, NULL};
        ws_timed_counters c = play(warps, settings);
        if (c.icache_misses != expected)
            fail_msg("seed %d, %s: %d misses, expected %u", (int)seed, settings, (int)c.icache_misses,
                     expected);
        assert_int_equal(c.icache_accesses, (count + fetch_insts - 1) / fetch_insts);
        misses += expected;
    }
    assert_true(misses > 100);
}

static void refusals(void **state) {
    (void)state;
    ws_trace *trace = generate_random(1, 32);
    assert_non_null(
        strstr(mechanism_refusal(trace, "core.icache_B=1000"), "core.icache_B: expected a multiple of"));
    assert_non_null(
        strstr(mechanism_refusal(trace, "core.icache_B=1024,mechanism.cluster=icc,gpu.sms_per_cluster=2"),
               "core.icache_B: expected 0 with"));
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fetches_take_turns),
        cmocka_unit_test(every_line_misses_once),
        cmocka_unit_test(a_miss_waits_for_the_line),
        cmocka_unit_test(warps_wait_at_entries),
        cmocka_unit_test(launches_keep_it),
        cmocka_unit_test(one_warp_is_like_naive),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
