/* Settings of limit studies: memory that answers at once (core.perfect_memory), and an L2 that is empty when a launch
 * begins (l2.flush). */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/wakes.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SMALL   "gpu.clusters=1,dram.channels=2,l1.latency=7,core.launch_cycles=0"
#define PERFECT ",core.perfect_memory=true"

static uint64_t cycles(const char *script, const char *settings) {
    const char *const warps[] = {script, NULL};
    return mechanism_play(warps, settings).counters.cycles;
}

/* ---- core.perfect_memory */

/* A load that waits for the one before it takes the latency of a hit and four cycles if it misses: from the tags to
 * the miss queue, to the port, with the reply to the L1, and from its fill to the register. That holds whatever memory
 * is like. */
static void a_miss_takes_four_cycles_more_than_a_hit(void **state) {
    (void)state;
    static const char *const memories[] = {"", ",l2.latency=900,noc.latency=30",
                                           ",noc.flit_B=8,noc.in_buffer=5",
                                           ",noc.boundary_buffer=20,noc.out_buffer=20", ",dram.latency=300"};
    uint64_t hit = cycles("W1 W1 W1", SMALL PERFECT) - cycles("W1 W1", SMALL PERFECT);
    for (size_t i = 0; i < WS_COUNT(memories); i++) {
        char settings[200];
        snprintf(settings, sizeof settings, SMALL PERFECT "%s", memories[i]);
        assert_int_equal(cycles("W1 W2 W3", settings) - cycles("W1 W2", settings), hit + 4);
        assert_int_equal(cycles("W1 W2 W3", settings), cycles("W1 W2 W3", SMALL PERFECT));
    }
}

/* Nothing goes to memory, of all kinds of accesses; the L1s do what they do. */
static void nothing_goes_to_memory(void **state) {
    (void)state;
    uint64_t accesses = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        for (int g = 0; g < MECHANISM_GPUS; g++) {
            char settings[400];
            snprintf(settings, sizeof settings, "%s" PERFECT, mechanism_gpus[g]);
            ws_timed_counters c = mechanism_run(trace, 1, settings).counters,
                              real = mechanism_run(trace, 1, mechanism_gpus[g]).counters;
            assert_int_equal(c.noc_packets_to_memory + c.noc_packets_to_sm + c.l2_accesses + c.dram_reads +
                                 c.dram_writes + c.dram_busy_cycles,
                             0);
            assert_int_equal(c.l1_accesses, c.l1_hits + c.l1_pending_hits + c.l1_misses + c.l1_sector_misses);
            assert_int_equal(c.warp_instructions, real.warp_instructions);
            assert_int_equal(c.loads, real.loads);
            assert_true(c.cycles < real.cycles);
            accesses += c.l1_accesses;
        }
        ws_trace_close(trace);
    }
    assert_true(accesses > 1000);
}

/* A port takes one reply a cycle: SMs that share one take as long as all of their misses, those with ports of their own
 * as long as one SM's. */
static void a_port_takes_a_reply_a_cycle(void **state) {
    (void)state;
    enum { SMS = 4, WARPS = 8, LOADS = 60 };
    generate_plan plan = generate_loads(SMS, WARPS, LOADS, generate_a_line_each);
    ws_trace *trace = generate_planned(&plan);
    uint64_t misses = WARPS * LOADS;
    static const char *const gpu =
        "gpu.clusters=1,gpu.sms_per_cluster=4,sm.ctas=1,l1.latency=1,noc.ports_per_cluster=%d" PERFECT;
    for (int ports = 1; ports <= SMS; ports *= 2) {
        char settings[200];
        snprintf(settings, sizeof settings, gpu, ports);
        ws_timed_counters c = mechanism_run(trace, 1, settings).counters;
        uint64_t least = misses * SMS / (uint64_t)ports;
        assert_int_equal(c.l1_misses, misses * SMS);
        assert_in_range(c.cycles, least, least + misses / 4);
        /* it has room for 32 replies: SMs that send more than it takes wait */
        assert_int_equal(c.l1_retries_miss_queue_full > 0, ports < SMS);
    }
    ws_trace_close(trace);
}

/* Lines of local memory that are read, written and then displaced are written back, which nobody answers. */
static void what_is_written_back_is_gone(void **state) {
    (void)state;
    enum { LINES = 40 };
    generate_inst code[3 * LINES + 2] = {{0}};
    for (uint32_t i = 0; i < 3 * LINES; i++)
        code[i] = (generate_inst){.pc = 16 * i, .mask = UINT32_MAX, .kind = "piq"[i % 3], .line = i / 3};
    for (uint32_t i = 0; i < 3 * LINES; i += 3)
        code[i].dst = code[i + 1].a = 3; /* the store finds the line */
    code[3 * LINES] = (generate_inst){.pc = 16 * 3 * LINES, .mask = UINT32_MAX, .kind = 'x'};
    const generate_inst *const warps[] = {code, code, NULL};
    ws_trace *trace = generate_code("sass", warps);
    static const char *const settings = SMALL ",l1.size_B=1024,l1.ways=4,l1.index=linear";
    char perfect[200];
    snprintf(perfect, sizeof perfect, "%s" PERFECT, settings);
    ws_timed_counters real = mechanism_run(trace, 1, settings).counters,
                      c = mechanism_run(trace, 1, perfect).counters;
    assert_true(real.noc_packets_to_memory > real.noc_reads); /* the L1 writes back */
    assert_int_equal(c.warp_instructions, 2 * (3 * LINES + 1));
    assert_int_equal(c.noc_packets_to_memory, 0);
    wakes_compare(trace, 1, perfect);
    ws_trace_close(trace);
}

/* Mechanisms in front of memory work as before: with all that they send answered, and no turn asked for too late. */
static void mechanisms_are_answered(void **state) {
    (void)state;
    static const char *const variants[] = {
        "gpu.sms_per_cluster=8", /* ports that are full */
        "gpu.sms_per_cluster=4,noc.ports_per_cluster=2,core.global_past_l1=true,core.atomic_sectors=true",
        "gpu.sms_per_cluster=3,mechanism.cluster=icc",
        "mechanism.fetch=coarse,coarse.lines=4,coarse.dueling=false,coarse.grain_window=0",
        ("gpu.sms_per_cluster=4,noc.ports_per_cluster=2,mechanism.cluster=icc,mechanism.fetch=coarse,"
         "coarse.dueling=false,coarse.grain_window=0,l1.access=sector"),
        "mechanism.front=warppool",
        "core.icache_B=512,core.icache_ways=1,noc.boundary_buffer=20,noc.out_buffer=20",
        "l1.write=through_lazy,l1.allocation=on_fill,core.fences=empty_l1"};
    for (uint64_t seed = 2; seed <= 7; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        for (size_t v = seed % 2; v < WS_COUNT(variants); v += 2) {
            char settings[500];
            snprintf(settings, sizeof settings, "%s,%s" PERFECT, mechanism_gpus[(seed + v) % MECHANISM_GPUS],
                     variants[v]);
            wakes_compare(trace, 1, settings);
        }
        ws_trace_close(trace);
    }
}

static void there_are_no_partitions(void **state) {
    (void)state;
    static const char *const warps[] = {"L1", NULL};
    ws_trace *trace = generate_script(warps);
    assert_string_equal(mechanism_refusal(trace, "mechanism.partition=reorder" PERFECT),
                        "core.perfect_memory: expected false with mechanism.partition, which works in the "
                        "memory partitions, found true");
    ws_trace_close(trace);
}

/* What changes the counters all the same: numbers of ports, partitions and DRAM's cycles. */
static const char *const counted[] = {"noc.ports_per_cluster=2", "noc.input_speedup=true",
                                      "l2.slices_per_channel=4", "dram.channels=4", "dram.clock_ratio=2"};

static bool is_counted(const char *name) {
    size_t length = strlen(name), i = 0;
    while (i < WS_COUNT(counted) && !(strncmp(counted[i], name, length) == 0 && counted[i][length] == '='))
        i++;
    return i < WS_COUNT(counted);
}

/* All other parameters of the network, the L2 and DRAM are said to have no effect; test_timed_params shows that. */
static void what_is_not_counted_is_said_to_be_idle(void **state) {
    (void)state;
    static const ws_component *const components[] = {&ws_noc_component, &ws_l2_component, &ws_dram_component};
    ws_config *config = mechanism_config(SMALL PERFECT);
    for (size_t c = 0; c < WS_COUNT(components); c++)
        for (size_t i = 0; i < components[c]->param_count; i++) {
            const char *name = components[c]->params[i].name;
            bool is_said = ws_config_unmet(config, name, false) != NULL;
            if (is_said == is_counted(name)) fail_msg("%s: %ssaid to be idle", name, is_said ? "" : "not ");
        }
    ws_config_free(config);
}

static void what_is_counted_shows(void **state) {
    (void)state;
    static const char *const base = SMALL PERFECT ",gpu.sms_per_cluster=4";
    ws_trace *trace = generate_random(2, 32);
    ws_timed_counters expected = mechanism_run(trace, 1, base).counters;
    for (size_t i = 0; i < WS_COUNT(counted); i++) {
        char settings[200];
        snprintf(settings, sizeof settings, "%s,%s", base, counted[i]);
        ws_timed_counters found = mechanism_run(trace, 1, settings).counters;
        assert_memory_not_equal(&found, &expected, sizeof found);
    }
    ws_trace_close(trace);
}

/* ---- l2.flush */

/* Runs two launches one after the other. */
static void run_both(const ws_trace *trace, const char *settings, ws_timed_counters c[2]) {
    ws_error err = WS_NO_ERROR;
    ws_timed *gpu = mechanism_gpu(trace, settings);
    for (uint32_t launch = 1; launch <= 2; launch++)
        if (!ws_timed_run(gpu, launch, &c[launch - 1], &err)) fail_msg("%s", err.text);
    ws_timed_free(gpu);
}

/* The second launch reads what the first has read, or written. */
static void a_launch_finds_the_l2_empty(void **state) {
    (void)state;
    static const ws_memory_op ops[] = {WS_MEMORY_LOAD, WS_MEMORY_STORE};
    for (size_t i = 0; i < WS_COUNT(ops); i++) {
        generate_plan plan = generate_loads(2, 4, 4, generate_one_line);
        plan.more_launches = 1;
        plan.instruction.op = ops[i];
        ws_trace *trace = generate_planned(&plan);
        ws_timed_counters kept[2], flushed[2];
        run_both(trace, SMALL, kept);
        run_both(trace, SMALL ",l2.flush=true", flushed);
        assert_int_equal(kept[0].cycles, flushed[0].cycles);
        assert_in_range(flushed[1].cycles, kept[1].cycles, flushed[0].cycles); /* DRAM has its rows open */
        assert_int_equal(flushed[0].l2_misses, flushed[1].l2_misses);
        assert_int_equal(flushed[0].l2_sector_misses, flushed[1].l2_sector_misses);
        assert_true(kept[1].l2_misses < flushed[1].l2_misses);
        assert_int_equal(flushed[1].dram_writes, 0); /* what was written is dropped */
        ws_trace_close(trace);
    }
}

/* A launch whose CTAs run one after another keeps its lines: each begins in the cycle in which the one before ends. */
static void ctas_keep_what_their_launch_has_read(void **state) {
    (void)state;
    generate_plan plan = generate_loads(5, 1, 1, generate_one_line);
    ws_trace *trace = generate_planned(&plan);
    ws_timed_counters c =
        mechanism_run(trace, 1, SMALL ",sm.ctas=1,core.global_past_l1=true,l2.flush=true").counters;
    assert_int_equal(c.l2_accesses, 5 * 4);
    assert_int_equal(c.l2_hits, 4 * 4);
    ws_trace_close(trace);
}

/* What is copied to the device before a launch is dropped, too. */
static void copies_are_dropped(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 4, 4, generate_one_line);
    plan.copy_address = generate_one_line(0, 0, 0, 0) & ~UINT64_C(127);
    plan.copy_B = 128;
    ws_trace *trace = generate_planned(&plan);
    ws_timed_counters found = mechanism_run(trace, 1, SMALL ",l2.copies=true").counters,
                      dropped = mechanism_run(trace, 1, SMALL ",l2.copies=true,l2.flush=true").counters;
    assert_int_equal(found.l2_misses, 0);
    assert_int_equal(dropped.l2_misses, 1);
    ws_trace_close(trace);
}

/* Of launches of two streams, one finds what another that still runs has read. The last one finds nothing: it begins
 * when all have ended. */
static void streams_flush_where_nothing_runs(void **state) {
    (void)state;
    static const struct generate_launch launches[] = {
        {1, 1, 1, 4}, {2, 1, 1, 400}, {1, 1, 1, 4}, {2, 1, 1, 4}};
    generate_plan plan = generate_loads(1, 1, 1, generate_one_line);
    plan.launches = launches;
    plan.more_launches = WS_COUNT(launches) - 1;
    ws_trace *trace = generate_planned(&plan);
    uint64_t misses[2];
    for (int flush = 0; flush < 2; flush++) {
        char settings[200];
        snprintf(settings, sizeof settings, SMALL ",core.concurrent_launches=4,gpu.clusters=4,l2.flush=%s",
                 flush ? "true" : "false");
        misses[flush] = mechanism_run(trace, 1, settings).counters.l2_misses;
    }
    assert_int_equal(misses[0], 1);
    assert_int_equal(misses[1], 2);
    ws_trace_close(trace);
}

/* Lines that nobody waits for, and what L1s write back, are on their way when the L2 is emptied. */
static void what_is_on_its_way_still_comes(void **state) {
    (void)state;
    static const char *const variants[] = {
        "mechanism.fetch=coarse,coarse.lines=4,coarse.dueling=false,coarse.grain_window=0",
        "l2.size_B=1024,l2.ways=2,core.concurrent_launches=2",
        "l1.write=through_lazy,core.concurrent_launches=3"};
    static const uint64_t streams[] = {1, 2, 1, 2, 0};
    for (uint64_t seed = 1; seed <= 6; seed++) {
        ws_trace *trace = generate_streams(seed, 32, streams);
        for (size_t v = 0; v < WS_COUNT(variants); v++) {
            char settings[400];
            snprintf(settings, sizeof settings, "%s,%s,l2.flush=true,core.launch_cycles=0",
                     mechanism_gpus[(seed + v) % MECHANISM_GPUS], variants[v]);
            wakes_compare(trace, 1, settings);
        }
        ws_trace_close(trace);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_miss_takes_four_cycles_more_than_a_hit),
        cmocka_unit_test(nothing_goes_to_memory),
        cmocka_unit_test(a_port_takes_a_reply_a_cycle),
        cmocka_unit_test(what_is_written_back_is_gone),
        cmocka_unit_test(mechanisms_are_answered),
        cmocka_unit_test(there_are_no_partitions),
        cmocka_unit_test(what_is_not_counted_is_said_to_be_idle),
        cmocka_unit_test(what_is_counted_shows),
        cmocka_unit_test(a_launch_finds_the_l2_empty),
        cmocka_unit_test(ctas_keep_what_their_launch_has_read),
        cmocka_unit_test(copies_are_dropped),
        cmocka_unit_test(streams_flush_where_nothing_runs),
        cmocka_unit_test(what_is_on_its_way_still_comes),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
