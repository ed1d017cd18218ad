/* Intra-cluster coalescing in the timed replay: times with exact answers, laws, parameters that matter. */
#include "../support/every.h"
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { READS, CACHED, MERGED, SENT, DIRECT, SPARED, REDUNDANT };

#define SMALL "gpu.clusters=1,dram.channels=2,dram.clock_ratio=1,gpu.dispatch=global_rr,"
#define ICC   SMALL "mechanism.cluster=icc,"

static ws_trace *loads_of(uint32_t ctas, uint32_t insts,
                          uint64_t (*address)(uint32_t, uint32_t, uint32_t, uint32_t)) {
    generate_plan plan = generate_loads(ctas, 1, insts, address);
    plan.instruction.dst_count = plan.instruction.src_count = 1; /* each waits for the one before */
    plan.instruction.dst[0] = plan.instruction.src[0] = 7;
    return generate_planned(&plan);
}

static uint64_t line_of_instruction(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp;
    return UINT64_C(0x10000) + 128 * (uint64_t)inst + 4 * lane;
}

/* ---- exact answers */

/* If the SMs of a cluster read the same lines at the same time, the network sees the requests of a single SM. */
static void one_request_serves_all_sms(void **state) {
    (void)state;
    for (uint32_t sms = 1; sms <= 5; sms++) {
        char with[200], without[200];
        snprintf(with, sizeof with, ICC "icc.cache_lines=0,gpu.sms_per_cluster=%u", sms);
        snprintf(without, sizeof without, SMALL "gpu.sms_per_cluster=%u", sms);
        ws_trace *trace = loads_of(sms, 8, line_of_instruction);
        mechanism_result on = mechanism_run(trace, 1, with), off = mechanism_run(trace, 1, without);
        assert_int_equal(off.counters.noc_packets_to_memory, 8 * sms);
        assert_int_equal(off.counters.noc_reads, 8 * sms);
        assert_int_equal(on.counters.noc_packets_to_memory, 8);
        assert_int_equal(on.counters.noc_packets_to_sm, 8 * 4);
        assert_int_equal(on.counts[READS], 8 * sms);
        assert_int_equal(on.counts[SENT], 8);
        assert_int_equal(on.counts[MERGED], 8 * (sms - 1));
        assert_int_equal(on.counts[SPARED], 4 * 8 * (sms - 1));
        assert_int_equal(on.counters.l1_misses, off.counters.l1_misses);
        ws_trace_close(trace);
    }
}

/* ICC 7: a lookup takes one cycle in the merge table and one in the cache, or as many as the parameters say. */
static void look_ups_take_their_cycles(void **state) {
    (void)state;
    ws_trace *trace = loads_of(1, 1, line_of_instruction);
    uint64_t base = mechanism_run(trace, 1, SMALL "gpu.sms_per_cluster=1").counters.cycles;
    assert_int_equal(mechanism_run(trace, 1, ICC "icc.cache_lines=0").counters.cycles, base + 1);
    assert_int_equal(mechanism_run(trace, 1, ICC "icc.cache_lines=24").counters.cycles, base + 2);
    assert_int_equal(mechanism_run(trace, 1, ICC "icc.table_cycles=5,icc.cache_cycles=3").counters.cycles,
                     base + 8);
    ws_trace_close(trace);
}

/* A line from the coalesced cache holds up no reply that reaches the SM before it. SMs 0 and 1 have shared the line; SM
 * 2 reads it in warp 0, after so many hits in its L1 that in some of the cases a reply to warp 1, which reads new lines
 * only, comes back in the meantime. */
static uint32_t hits_before;
static bool reads_shared;

static uint64_t shared_after_hits(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    bool shared = cta < 2 || (warp == 0 && reads_shared && inst > hits_before);
    uint64_t line = shared ? 1000 : warp == 0 ? 2000 : 3000 + inst;
    return UINT64_C(0x10000) + 128 * line + 4 * lane;
}

static void the_cache_holds_up_no_reply(void **state) {
    (void)state;
    uint64_t cached = 0;
    for (hits_before = 1; hits_before < 16; hits_before++) {
        mechanism_result r[2];
        for (int i = 0; i < 2; i++) {
            reads_shared = i;
            generate_plan plan = generate_loads(3, 2, 18, shared_after_hits);
            plan.instruction.dst_count = plan.instruction.src_count = 1;
            plan.instruction.dst[0] = plan.instruction.src[0] = 7;
            ws_trace *trace = generate_planned(&plan);
            r[i] = mechanism_run(trace, 1, ICC "gpu.sms_per_cluster=3,icc.cache_cycles=64");
            ws_trace_close(trace);
        }
        assert_int_equal(r[1].counters.cycles, r[0].counters.cycles);
        cached += r[1].counts[CACHED];
    }
    assert_in_range(cached, 10, 15);
}

/* Two SMs read four lines twice. The lines fall into one set of a one-way L1, which has lost them the second time; the
 * coalesced cache has not, and a hit there saves the way to memory and back. */
static uint64_t four_lines(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp;
    return UINT64_C(0x10000) + 4096 * (uint64_t)(inst % 4) + 4 * lane;
}

static void coalesced_lines_are_read_again(void **state) {
    (void)state;
    ws_trace *trace = loads_of(2, 8, four_lines);
#define ONE_WAY "gpu.sms_per_cluster=2,l1.size_B=4096,l1.ways=1,l1.index=linear,"
    mechanism_result with = mechanism_run(trace, 1, ICC ONE_WAY "icc.cache_lines=4"),
                     few = mechanism_run(trace, 1, ICC ONE_WAY "icc.cache_lines=3"),
                     slow = mechanism_run(trace, 1, ICC ONE_WAY "icc.cache_lines=4,icc.cache_cycles=2");
    assert_int_equal(with.counts[CACHED], 8);
    assert_int_equal(with.counters.noc_packets_to_memory, 4);
    assert_int_equal(few.counts[CACHED], 0); /* LRU over one line more than it holds */
    assert_int_equal(few.counters.noc_packets_to_memory, 8);
    assert_int_equal(slow.counters.cycles - with.counters.cycles, 8);
    ws_trace_close(trace);
}

/* ICC 6.1: reads of other address spaces bypass the mechanism. With core.local_interleaved each thread has its own
 * words of local memory; without, all threads share the trace's addresses, and even then nothing is merged. */
static void reads_of_local_memory_pass(void **state) {
    (void)state;
    generate_plan plan = generate_loads(2, 1, 8, four_lines);
    plan.instruction.space = WS_SPACE_LOCAL;
    plan.opcode = "LDL";
    ws_trace *trace = generate_planned(&plan);
    static const char *const beside[] = {
        "", ",mechanism.front=warppool",
        ",mechanism.fetch=coarse,coarse.dueling=false,coarse.grain_window=0"};
    for (int b = 0; b < 3; b++)
        for (int own = 0; own < 2; own++) {
            char settings[400];
            snprintf(settings, sizeof settings, ICC ONE_WAY "core.local_interleaved=%s%s",
                     own ? "true" : "false", beside[b]);
            mechanism_result on = mechanism_run(trace, 1, settings);
            strcat(settings, ",icc.merge_entries=0,icc.cache_lines=0");
            mechanism_result without = mechanism_run(trace, 1, settings);
            if (b == 0) assert_int_equal(on.counts[READS], 0);
            assert_true(on.counters.noc_reads > 0);
            assert_memory_equal(&on.counters, &without.counters, sizeof on.counters);
        }
    ws_trace_close(trace);
}

/* A load that bypasses the L1, as one of scope GPU does, is no write: the coalesced cache keeps the line. An atomic is
 * one (ICC 6.1). Two SMs read line 0, lose it to line 32, meet line 0 in another way, and read it again. */
static void loads_past_the_l1_write_nothing(void **state) {
    (void)state;
    static const char kinds[] = "iga"; /* addition, load of scope GPU, atomic */
    uint64_t cached[3];
    for (int k = 0; k < 3; k++) {
        const generate_inst insts[] = {{0x10, UINT32_MAX, 'l', 1, 1, 0, 0},
                                       {0x20, UINT32_MAX, 'l', 1, 1, 0, 32},
                                       {0x30, UINT32_MAX, kinds[k], 1, 1, 0, 0},
                                       {0x40, UINT32_MAX, 'l', 1, 1, 0, 0},
                                       {0}};
        ws_trace *trace = generate_coded_ctas("sass", 2, (const generate_inst *const[]){insts, insts, NULL});
        cached[k] = mechanism_run(trace, 1, ICC ONE_WAY "icc.cache_lines=4").counts[CACHED];
        ws_trace_close(trace);
    }
    assert_int_equal(cached[0], 2);
    assert_int_equal(cached[1], 2);
    assert_int_equal(cached[2], 0);
}

/* Behind a fence that empties its L1 an SM is to see what other clusters have written: the coalesced cache does not
 * give it a line from before. */
static void a_fence_empties_the_cache(void **state) {
    (void)state;
    static const generate_inst code[] = {{0, UINT32_MAX, 'l', .dst = 1, .line = 5},
                                         {16, UINT32_MAX, .kind = 'm', .a = 1},
                                         {32, UINT32_MAX, 'l', .dst = 2, .line = 5},
                                         {48, UINT32_MAX, 'x', .a = 2},
                                         {0}};
    ws_trace *trace = generate_coded_ctas("sass", 2, (const generate_inst *const[]){code, code, NULL});
    mechanism_result empties = mechanism_run(trace, 1, ICC "gpu.sms_per_cluster=2,core.fences=empty_l1"),
                     waits = mechanism_run(trace, 1, ICC "gpu.sms_per_cluster=2,core.fences=wait");
    assert_int_equal(empties.counts[MERGED], 2); /* a request before the fence, and one behind it */
    assert_int_equal(empties.counts[CACHED], 0);
    assert_int_equal(empties.counters.noc_reads, 2);
    assert_int_equal(waits.counters.l1_hits, 2);
    assert_int_equal(waits.counters.noc_reads, 1);
    ws_trace_close(trace);
}

/* An L1 that is asked by sector has an MSHR entry for each of a line's sectors. All of them get theirs when another SM
 * has fetched the line as a whole, and its reply brings all sectors in one packet. Each of two SMs reads the four
 * sectors of its line, and fetches the other's line; sectors of a line that is on its way are not sent for again. */
static uint64_t pair_of_lines(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)warp;
    return UINT64_C(0x10000) + 128 * (2 * (uint64_t)inst + cta) + 4 * lane;
}

static void a_whole_line_serves_reads_of_sectors(void **state) {
    (void)state;
    ws_trace *trace = loads_of(2, 8, pair_of_lines);
    static const char *const replies[] = {"sectors", "lines"};
    for (int i = 0; i < 2; i++) {
        char settings[300];
        snprintf(settings, sizeof settings,
                 ICC "gpu.sms_per_cluster=2,l1.access=sector,noc.replies=%s,mechanism.fetch=coarse,"
                     "coarse.dueling=false,coarse.grain_window=0",
                 replies[i]);
        mechanism_result r = mechanism_run(trace, 1, settings);
        assert_int_equal(r.counters.loads, 2 * 8);
        assert_true(r.counters.noc_reads < 2 * 8 * (4 + 1));
    }
    ws_trace_close(trace);
}

/* ---- laws */

static void check_laws(const mechanism_result *r, const mechanism_result *off) {
    assert_int_equal(r->counts[READS],
                     r->counts[CACHED] + r->counts[MERGED] + r->counts[SENT] + r->counts[DIRECT]);
    assert_int_equal(r->counters.warp_instructions, off->counters.warp_instructions);
    assert_int_equal(r->counters.l1_accesses, off->counters.l1_accesses);
    assert_true(r->counters.noc_reads >= r->counts[SENT] + r->counts[DIRECT]);
    assert_int_equal(r->counters.noc_packets_to_memory - r->counters.noc_reads,
                     off->counters.noc_packets_to_memory - off->counters.noc_reads); /* writes pass */
}

/* Every load returns, or else the replay would stand still, and the counters add up. */
static void laws_on_random_traces(void **state) {
    (void)state;
    uint64_t merged = 0, cached = 0, direct = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        ws_trace *trace = generate_random(seed, seed % 3 ? 32 : 64);
        for (int g = 0; g < MECHANISM_GPUS; g++)
            for (uint32_t k = 1; k <= ws_trace_get_info(trace)->kernel_count; k++) {
                char gpu[300], settings[400];
                snprintf(gpu, sizeof gpu, "%s,gpu.sms_per_cluster=3", mechanism_gpus[g]);
                mechanism_result off = mechanism_run(trace, k, gpu);
                for (int entries = EVERY == 1 ? 1 : 4; entries <= 16; entries *= 4 * EVERY) {
                    snprintf(settings, sizeof settings,
                             "%s,mechanism.cluster=icc,icc.merge_entries=%d,icc.cache_lines=%d", gpu, entries,
                             entries / 2);
                    mechanism_result r = mechanism_run(trace, k, settings),
                                     again = mechanism_run(trace, k, settings);
                    assert_memory_equal(&r, &again, sizeof r);
                    check_laws(&r, &off);
                    merged += r.counts[MERGED];
                    cached += r.counts[CACHED];
                    direct += r.counts[DIRECT];
                }
            }
        ws_trace_close(trace);
    }
    assert_true(merged > 100);
    assert_true(cached > 10);
    assert_true(direct > 100);
}

/* With loads alone, every L1 miss passes the mechanism, and all of its sectors come back, from the network or with the
 * reply to another SM's request. */
static uint64_t shared_lines(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return UINT64_C(0x10000) + 128 * ((inst * 7 + warp * 3 + cta / 2) % 61) + 4 * lane;
}

static void sectors_are_conserved(void **state) {
    (void)state;
    generate_plan plan = generate_loads(12, 4, 40, shared_lines);
    ws_trace *trace = generate_planned(&plan);
    for (int entries = 0; entries <= 64; entries += 4) {
        bool lines = entries % 8;
        char settings[200];
        snprintf(settings, sizeof settings,
                 ICC
                 "gpu.sms_per_cluster=4,l1.size_B=1024,l1.index=linear,icc.merge_entries=%d,noc.replies=%s",
                 entries, lines ? "lines" : "sectors");
        mechanism_result r = mechanism_run(trace, 1, settings);
        uint64_t sectors = (r.counters.noc_bytes_to_sm - 8 * r.counters.noc_packets_to_sm) / 32;
        assert_int_equal(r.counts[READS], r.counters.l1_misses);
        assert_int_equal(r.counters.noc_packets_to_memory, r.counts[SENT] + r.counts[DIRECT]);
        assert_int_equal(r.counters.noc_reads, r.counters.noc_packets_to_memory);
        assert_int_equal(sectors, 4 * r.counters.noc_packets_to_memory);
        assert_int_equal(4 * r.counts[READS], sectors + r.counts[SPARED]);
        /* A line's sectors come in one packet, unless the L2 has some and waits for others. */
        if (lines)
            assert_in_range(r.counters.noc_packets_to_sm, sectors / 4, sectors / 4 + sectors / 16);
        else
            assert_int_equal(r.counters.noc_packets_to_sm, sectors);
        if (entries == 0) assert_int_equal(r.counts[MERGED] + r.counts[CACHED] + r.counts[SENT], 0);
    }
    ws_trace_close(trace);
}

static void sized_to_nothing_it_is_the_baseline(void **state) {
    (void)state;
    mechanism_changes_nothing("mechanism.cluster=icc,icc.merge_entries=0,icc.cache_lines=0");
}

/* ---- parameters */

static void each_parameter_matters(void **state) {
    (void)state;
    static const char *const changes[] = {"icc.merge_entries=4",    "icc.cache_lines=0",
                                          "icc.table_cycles=9",     "icc.cache_cycles=9",
                                          "mechanism.cluster=none", NULL};
    mechanism_each_matters("traces/hotspot.wst", "gpu.clusters=2,gpu.sms_per_cluster=5,mechanism.cluster=icc",
                           changes);
}

static void refusals(void **state) {
    (void)state;
    ws_trace *trace = loads_of(1, 1, line_of_instruction);
    assert_non_null(strstr(mechanism_refusal(trace, "gpu.sms_per_cluster=65,mechanism.cluster=icc"),
                           "gpu.sms_per_cluster: expected at most 64"));
    assert_non_null(strstr(mechanism_refusal(trace, "mechanism.cluster=mrpb"), "mechanism.cluster"));
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_request_serves_all_sms),
        cmocka_unit_test(look_ups_take_their_cycles),
        cmocka_unit_test(the_cache_holds_up_no_reply),
        cmocka_unit_test(coalesced_lines_are_read_again),
        cmocka_unit_test(reads_of_local_memory_pass),
        cmocka_unit_test(loads_past_the_l1_write_nothing),
        cmocka_unit_test(a_fence_empties_the_cache),
        cmocka_unit_test(a_whole_line_serves_reads_of_sectors),
        cmocka_unit_test(laws_on_random_traces),
        cmocka_unit_test(sectors_are_conserved),
        cmocka_unit_test(sized_to_nothing_it_is_the_baseline),
        cmocka_unit_test(each_parameter_matters),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
