/* The timed engine: small cases with exact answers, and laws that hold for any trace. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "base/array.h"
#include "warpsweep/timed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ws_component *const components[] = {&ws_gpu_component,   &ws_sm_component,   &ws_order_component,
                                                 &ws_limit_component, &ws_core_component, &ws_l1_component,
                                                 &ws_noc_component,   &ws_l2_component,   &ws_dram_component};
enum { COMPONENTS = WS_COUNT(components) };

/* Defaults with one SM, two channels and what `settings` says: name, value, .., NULL. */
static ws_config *config_of(const char *const *settings) {
    static const char *const small[] = {
        "gpu.clusters", "1", "dram.channels", "2", "dram.clock_ratio", "1", NULL};
    ws_error err = WS_NO_ERROR;
    ws_config *config = ws_config_new(components, COMPONENTS);
    for (const char *const *list = small; list; list = list == small ? settings : NULL)
        for (const char *const *s = list; *s; s += 2) {
            json_t *value = json_loads(s[1], JSON_DECODE_ANY, NULL);
            if (!value) value = json_string(s[1]);
            if (!ws_config_set(config, s[0], value, s[0], &err)) fail_msg("%s", err.text);
            json_decref(value);
        }
    if (!ws_config_validate(config, &err)) fail_msg("%s", err.text);
    return config;
}

static ws_timed_counters run(const ws_trace *trace, uint32_t kernel, const char *const *settings) {
    ws_error err = WS_NO_ERROR;
    ws_config *config = config_of(settings);
    ws_timed *timed = ws_timed_new(trace, config, &err);
    if (!timed) fail_msg("%s", err.text);
    ws_timed_counters counters;
    if (!ws_timed_run(timed, kernel, &counters, &err)) fail_msg("%s", err.text);
    ws_timed_free(timed);
    ws_config_free(config);
    return counters;
}

static const char *const defaults[] = {NULL};

/* ---- exact answers */

/* One warp of `insts` loads of one line, each overwriting (waiting for) the register that the one before loaded. */
static ws_trace *dependent_loads(uint32_t insts) {
    generate_plan plan = generate_loads(1, 1, insts, generate_one_line);
    plan.instruction.dst_count = plan.instruction.src_count = 1;
    plan.instruction.dst[0] = plan.instruction.src[0] = 7;
    return generate_planned(&plan);
}

/* Cycles from one dependent load to the next: to the load/store unit, and through the L1, where it hits. */
static void dependent_hits_add_up(void **state) {
    (void)state;
    ws_trace *few = dependent_loads(5), *many = dependent_loads(6);
    for (int latency = 20; latency <= 40; latency += 10) {
        char text[12];
        snprintf(text, sizeof text, "%d", latency);
        const char *settings[] = {"l1.latency", text, "core.pipeline_cycles", "6", NULL};
        uint64_t a = run(few, 1, settings).cycles, b = run(many, 1, settings).cycles;
        assert_int_equal(b - a, latency + 6 - 1);
    }
    ws_trace_close(few);
    ws_trace_close(many);
}

/* The same with the shortest way to the unit: with core.pipeline_cycles 1 it takes as long as with 2. */
static void the_shortest_way_to_the_unit(void **state) {
    (void)state;
    ws_trace *few = dependent_loads(5), *many = dependent_loads(6);
    const char *one[] = {"l1.latency", "30", "core.pipeline_cycles", "1", NULL},
               *two[] = {"l1.latency", "30", "core.pipeline_cycles", "2", NULL};
    assert_int_equal(run(many, 1, one).cycles - run(few, 1, one).cycles, 31);
    assert_int_equal(run(many, 1, two).cycles - run(few, 1, two).cycles, 31);
    ws_trace_close(few);
    ws_trace_close(many);
}

/* With a single warp a scheduler waits for data all the time between its loads, and nothing waits for the load/store
 * unit. With two warps that load 32 lines each, one load waits. */
static uint64_t thirty_two_lines(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp, (void)inst;
    return UINT64_C(0x10000) + 128 * (uint64_t)lane;
}

static void what_schedulers_wait_for(void **state) {
    (void)state;
    ws_trace *few = dependent_loads(5), *many = dependent_loads(6);
    const char *settings[] = {"l1.latency", "30", "core.pipeline_cycles", "6", "sm.schedulers", "1", NULL};
    ws_timed_counters a = run(few, 1, settings), b = run(many, 1, settings);
    assert_int_equal(b.scheduler_issues - a.scheduler_issues, 1);
    assert_int_equal(b.scheduler_data - a.scheduler_data, 34);
    assert_int_equal(b.memory_waiting, 0);
    ws_trace_close(few);
    ws_trace_close(many);

    generate_plan plan = generate_loads(1, 2, 1, thirty_two_lines);
    ws_trace *two = generate_planned(&plan);
    ws_timed_counters c = run(two, 1, settings);
    assert_true(c.memory_waiting >= 31); /* the second load, while the first one's 32 accesses start */
    assert_int_equal(c.memory_waiting, c.memory_waiting_cycles);
    ws_trace_close(two);
}

/* A miss takes longer by exactly what each station on its way is made longer. */
static void miss_latency_adds_up(void **state) {
    (void)state;
    ws_trace *one = dependent_loads(1);
    uint64_t base = run(one, 1, defaults).cycles;
    const char *l2[] = {"l2.latency", "121", NULL}, *l1[] = {"l1.latency", "37", NULL},
               *dram[] = {"dram.latency", "103", NULL}, *noc[] = {"noc.latency", "9", NULL};
    assert_int_equal(run(one, 1, l2).cycles, base + 1);
    assert_int_equal(run(one, 1, l1).cycles, base + 2);
    assert_int_equal(run(one, 1, dram).cycles, base + 3);
    assert_int_equal(run(one, 1, noc).cycles, base + 10); /* there and back */
    ws_trace_close(one);
}

/* Equal clocks tick together with summed periods (dram.core_MHz), too, even if they are no whole number of kHz. */
static void equal_clocks_tick_together(void **state) {
    (void)state;
    generate_plan plan = generate_loads(4, 8, 64, generate_a_line_each);
    ws_trace *trace = generate_planned(&plan);
    ws_timed_counters expected = run(trace, 1, defaults);
    static const char *const MHz[] = {"1", "1.001", "4.35", "8.7", "1132", "700.0004"};
    for (size_t i = 0; i < WS_COUNT(MHz); i++) {
        ws_timed_counters c = run(trace, 1, (const char *[]){"dram.core_MHz", MHz[i], NULL});
        assert_memory_equal(&c, &expected, sizeof c);
    }
    ws_trace_close(trace);
}

/* Every line is asked for once: all accesses miss, and each line comes from DRAM once, as four sectors. */
static void streaming_reads_miss_once(void **state) {
    (void)state;
    generate_plan plan = generate_loads(4, 8, 64, generate_a_line_each);
    ws_trace *trace = generate_planned(&plan);
    ws_timed_counters c = run(trace, 1, defaults);
    assert_int_equal(c.l1_accesses, 4 * 8 * 64);
    assert_int_equal(c.l1_misses, 4 * 8 * 64);
    assert_int_equal(c.l2_accesses, 4 * 4 * 8 * 64);
    assert_int_equal(c.dram_reads, 4 * 4 * 8 * 64);
    assert_int_equal(c.dram_bytes, 64 * (c.dram_reads + c.dram_writes)); /* dram.atom_B */
    assert_int_equal(c.dram_writes, 0);
    ws_trace_close(trace);
}

/* With l2.copies, what the host has copied is in the L2 when the launch begins: half of the lines here. */
static void copies_lie_in_the_l2(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 2, 64, generate_a_line_each);
    plan.copy_address = 0x100000;
    plan.copy_B = 64 * 128;
    ws_trace *trace = generate_planned(&plan);
    const char *with[] = {"l2.copies", "true", NULL};
    ws_timed_counters cold = run(trace, 1, defaults), warm = run(trace, 1, with);
    assert_int_equal(cold.l2_hits, 0);
    assert_int_equal(cold.dram_reads, 4 * 2 * 64);
    assert_int_equal(warm.l2_hits, 4 * 64);
    assert_int_equal(warm.dram_reads, 4 * 64);
    ws_trace_close(trace);
}

/* With one MSHR entry misses follow each other: many entries are faster, and no entry count changes what is read. */
static void mshr_entries_bound_the_rate(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 4, 32, generate_a_line_each);
    ws_trace *trace = generate_planned(&plan);
    uint64_t cycles[2], misses = 4 * 32;
    for (int i = 0; i < 2; i++) {
        const char *settings[] = {"l1.mshr_entries", i ? "2" : "1", NULL};
        ws_timed_counters c = run(trace, 1, settings);
        assert_int_equal(c.l1_misses, misses);
        cycles[i] = c.cycles;
    }
    ws_trace *one = dependent_loads(1);
    uint64_t latency = run(one, 1, defaults).cycles;
    assert_true(cycles[0] > misses * (latency - 60)); /* serial, less what overlaps before the tags */
    assert_true(cycles[1] < cycles[0] * 6 / 10);
    ws_trace_close(one);
    ws_trace_close(trace);
}

/* Without registers a load holds up the instruction stall_on_use + 1 behind it, as if that read its register. */
static void stall_on_use_counts_instructions(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 1, 12, generate_a_line_each);
    plan.without_registers = true;
    ws_trace *bare = generate_planned(&plan);
    plan.without_registers = false;
    ws_trace *independent = generate_planned(&plan);
    plan.instruction.dst_count = plan.instruction.src_count = 1;
    plan.instruction.dst[0] = plan.instruction.src[0] = 7;
    ws_trace *dependent = generate_planned(&plan);
    const char *none[] = {"core.stall_on_use", "0", NULL}, *many[] = {"core.stall_on_use", "11", NULL};
    assert_int_equal(run(bare, 1, none).cycles, run(dependent, 1, none).cycles);
    assert_int_equal(run(bare, 1, many).cycles, run(independent, 1, many).cycles);
    uint64_t latency = (run(bare, 1, none).cycles - 1) / 12;
    for (unsigned ahead = 1; ahead < 6; ahead++) { /* 12 loads in groups of ahead + 1 */
        char text[8];
        snprintf(text, sizeof text, "%u", ahead);
        const char *settings[] = {"core.stall_on_use", text, NULL};
        uint64_t groups = (12 + ahead) / (ahead + 1), cycles = run(bare, 1, settings).cycles;
        assert_in_range(cycles, groups * latency - 60, groups * (latency + 60));
    }
    ws_trace_close(bare);
    ws_trace_close(independent);
    ws_trace_close(dependent);
}

/* ---- load latency */

/* A warp whose every load waits for the one before spends its life in loads: the rest of it does not depend on their
 * number, on how long they take, or on what they wait for. */
static void a_chain_takes_the_sum_of_its_loads(void **state) {
    (void)state;
    static const char *const settings[][5] = {{NULL},
                                              {"l1.latency", "80", NULL},
                                              {"l2.latency", "333", "dram.latency", "7", NULL},
                                              {"l1.access", "sector", "core.coalesce_order", "lane", NULL},
                                              {"l1.mshr_entries", "1", "noc.flit_B", "8", NULL}};
    uint64_t rest = 0;
    for (size_t i = 0; i < WS_COUNT(settings); i++)
        for (uint32_t loads = 1; loads <= 7; loads++) {
            generate_plan plan =
                generate_loads(1, 1, loads, loads % 2 ? generate_one_line : thirty_two_lines);
            plan.instruction.dst_count = plan.instruction.src_count = 1;
            plan.instruction.dst[0] = plan.instruction.src[0] = 7;
            ws_trace *trace = generate_planned(&plan);
            ws_timed_counters c = run(trace, 1, settings[i]);
            assert_int_equal(c.loads, loads);
            if (!rest) rest = c.cycles - c.load_cycles;
            assert_int_equal(c.cycles - c.load_cycles, rest);
            ws_trace_close(trace);
        }
}

/* The latency of a hit, and of each station that a miss passes, to the cycle. */
static void load_latency_is_that_of_the_stations(void **state) {
    (void)state;
    ws_trace *one = dependent_loads(1), *two = dependent_loads(2);
    const char *l1[] = {"l1.latency", "37", NULL}, *l2[] = {"l2.latency", "121", NULL},
               *noc[] = {"noc.latency", "9", NULL};
    uint64_t miss = run(one, 1, defaults).load_cycles;
    assert_int_equal(run(two, 1, defaults).load_cycles - miss, 35 + 6 - 1);
    assert_int_equal(run(one, 1, l1).load_cycles, miss + 2);
    assert_int_equal(run(one, 1, l2).load_cycles, miss + 1);
    assert_int_equal(run(one, 1, noc).load_cycles, miss + 10);
    ws_trace_close(one);
    ws_trace_close(two);
}

/* A load's 32 lines start in 32 cycles; if all hit, the last one's data come 31 cycles after the first one's. */
static void a_load_takes_as_long_as_its_last_access(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 1, 2, thirty_two_lines);
    plan.instruction.dst_count = plan.instruction.src_count = 1;
    plan.instruction.dst[0] = plan.instruction.src[0] = 7;
    ws_trace *both = generate_planned(&plan);
    plan.insts = 1;
    ws_trace *first = generate_planned(&plan);
    uint64_t second = run(both, 1, defaults).load_cycles - run(first, 1, defaults).load_cycles;
    assert_int_equal(second, 35 + 6 - 1 + 31);
    ws_trace_close(both);
    ws_trace_close(first);
}

/* ---- laws */

/* The number of sectors whose data go to memory, and of those whose data come back. */
static uint64_t sectors_there(const ws_timed_counters *c) {
    return (c->noc_bytes_to_memory - 8 * c->noc_packets_to_memory) / 32;
}
static uint64_t sectors_back(const ws_timed_counters *c) {
    return (c->noc_bytes_to_sm - 8 * c->noc_packets_to_sm) / 32;
}

/* Returns the number of instructions that load something from global or local memory. */
static uint64_t loads_of(const ws_trace *trace, uint32_t kernel) {
    ws_error err = WS_NO_ERROR;
    ws_reader *reader = ws_reader_new(trace, &err);
    assert_non_null(reader);
    uint64_t loads = 0;
    for (uint32_t c = 0; c < ws_trace_kernel(trace, kernel)->counters.ctas; c++) {
        ws_cta cta;
        assert_true(ws_reader_cta(reader, kernel, c, &cta, &err));
        for (uint32_t w = 0; w < cta.warp_count; w++)
            for (uint32_t i = 0; i < cta.warps[w].inst_count; i++) {
                const ws_static *s = &ws_trace_statics(trace)[cta.warps[w].static_id[i]];
                loads += s->op == WS_MEMORY_LOAD && ws_static_is_global_or_local(s) && cta.warps[w].mask[i];
            }
    }
    ws_reader_free(reader);
    return loads;
}

static void check_laws(const ws_trace *trace, uint32_t kernel, uint32_t schedulers, uint32_t partitions,
                       bool lines, const ws_timed_counters *c) {
    const ws_counters *k = &ws_trace_kernel(trace, kernel)->counters;
    assert_int_equal(c->warp_instructions, k->warp_instructions);
    assert_int_equal(c->scheduler_issues, k->warp_instructions);
    assert_int_equal(c->sm_cycles, c->cycles);
    assert_int_equal(c->partition_cycles, c->cycles * partitions);
    assert_int_equal(c->noc_port_cycles_to_memory, c->cycles); /* of one cluster */
    assert_true(c->noc_flits_to_memory <= c->noc_port_cycles_to_memory);
    assert_true(c->noc_port_cycles_to_sm >= c->cycles * partitions);
    assert_true(c->noc_flits_to_sm <= c->noc_port_cycles_to_sm);
    assert_true(c->dram_busy_cycles >= c->dram_reads + c->dram_writes);
    assert_int_equal(c->scheduler_issues + c->scheduler_memory + c->scheduler_unit + c->scheduler_data +
                         c->scheduler_barrier + c->scheduler_fetch + c->scheduler_empty,
                     schedulers * c->cycles);
    assert_true(c->memory_waiting >= c->memory_waiting_cycles &&
                c->memory_waiting_cycles <= c->sm_busy_cycles);
    assert_true(c->sm_busy_cycles <= c->cycles);
    assert_int_equal(c->loads, loads_of(trace, kernel)); /* each returns once */
    assert_true(c->load_cycles >= c->loads * 40);        /* at least a hit's latency */
    assert_true(c->noc_flits_to_memory >= c->noc_packets_to_memory);
    assert_true(c->noc_bytes_to_memory >= 8 * c->noc_packets_to_memory);
    assert_true(sectors_there(c) >= c->noc_packets_to_memory - c->noc_reads);
    assert_int_equal((c->noc_bytes_to_sm - 8 * c->noc_packets_to_sm) % 32, 0);
    /* Each sector is answered once, with others of its line or by itself. */
    assert_in_range(c->noc_packets_to_sm, lines ? (c->l2_accesses + 3) / 4 : c->l2_accesses, c->l2_accesses);
    assert_true(sectors_back(c) <= c->l2_accesses);
    assert_int_equal(c->l1_accesses, c->l1_hits + c->l1_pending_hits + c->l1_misses + c->l1_sector_misses);
    assert_int_equal(c->l2_accesses, c->l2_hits + c->l2_pending_hits + c->l2_misses + c->l2_sector_misses);
    /* one request of each partition may still wait for its row at the end */
    assert_true(c->dram_row_hits + c->dram_activates + partitions >= c->dram_requests);
    assert_true(c->cycles > 0 || k->warp_instructions == 0);
}

static void laws_on_random_traces(void **state) {
    (void)state;
    static const char *const volta[] = {"l1.access",
                                        "sector",
                                        "l1.index",
                                        "linear",
                                        "l1.write",
                                        "through_lazy",
                                        "l1.banks",
                                        "4",
                                        "sm.scheduler",
                                        "lrr",
                                        "sm.schedulers",
                                        "4",
                                        "core.memory_ports",
                                        "4",
                                        "core.strong_past_l1",
                                        "false",
                                        NULL};
    static const char *const tight[] = {"l1.mshr_entries",
                                        "2",
                                        "l1.mshr_merges",
                                        "1",
                                        "l1.miss_queue",
                                        "2",
                                        "noc.in_buffer",
                                        "5",
                                        "noc.out_buffer",
                                        "1",
                                        "l2.queue",
                                        "8",
                                        "l2.mshr_entries",
                                        "2",
                                        "l2.mshr_merges",
                                        "1",
                                        "l2.miss_queue",
                                        "2",
                                        "dram.queue",
                                        "1",
                                        "dram.return_queue",
                                        "1",
                                        "dram.channels",
                                        "3",
                                        "core.memory_queue",
                                        "1",
                                        "core.unit_queue",
                                        "1",
                                        NULL};
    static const char *const on_fill[] = {"l1.allocation",
                                          "on_fill",
                                          "l1.replacement",
                                          "random",
                                          "l2.replacement",
                                          "plru",
                                          "l1.size_B",
                                          "512",
                                          "l1.index",
                                          "linear",
                                          "l1.write",
                                          "through_lazy",
                                          "l1.spare_dirty_percent",
                                          "50",
                                          NULL};
    static const char *const lines[] = {"noc.replies", "lines", "noc.flit_B", "64", "l2.port_B", "64", NULL};
    const char *const *const settings[] = {defaults, volta, tight, on_fill, lines};
    for (uint64_t seed = 1; seed <= 12; seed++) {
        ws_trace *trace = generate_random(seed, seed % 3 ? 32 : 64);
        for (size_t i = 0; i < WS_COUNT(settings); i++)
            for (uint32_t k = 1; k <= ws_trace_get_info(trace)->kernel_count; k++) {
                ws_timed_counters c = run(trace, k, settings[i]), again = run(trace, k, settings[i]);
                check_laws(trace, k, settings[i] == volta ? 4 : 2, settings[i] == tight ? 3 : 2,
                           settings[i] == lines, &c);
                /* If accesses are sectors, a load brings one back, a store takes one there, an atomic does both. */
                if (settings[i] == volta)
                    assert_int_equal(sectors_there(&c) + sectors_back(&c), c.l2_accesses + c.l1_bypasses);
                assert_memory_equal(&c, &again, sizeof c);
            }
        ws_trace_close(trace);
    }
}

/* A launch that begins `cycles` later does the same, and ends as much later. */
static void it_does_not_matter_when_a_launch_begins(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        ws_timed_counters at_once = run(trace, 1, defaults);
        for (uint64_t cycles = 1; cycles <= 3; cycles++) {
            char text[8];
            snprintf(text, sizeof text, "%u", (unsigned)cycles);
            ws_timed_counters later = run(trace, 1, (const char *[]){"core.launch_cycles", text, NULL});
            later.cycles -= cycles;
            later.sm_cycles -= cycles;
            later.partition_cycles -= 2 * cycles;
            later.noc_port_cycles_to_memory -= cycles;
            later.noc_port_cycles_to_sm -= 4 * cycles;
            later.dram_cycles -= 2 * cycles;
            later.scheduler_empty -= 2 * cycles;
            assert_memory_equal(&later, &at_once, sizeof later);
        }
        ws_trace_close(trace);
    }
}

/* CTAs without work come and go, one per cycle on each SM. */
static uint32_t no_work(uint32_t cta, uint32_t warp, uint32_t part) {
    (void)cta, (void)warp, (void)part;
    return 0;
}

static void ctas_without_work_take_a_cycle_each(void **state) {
    (void)state;
    for (uint32_t ctas = 1; ctas <= 7; ctas++) {
        ws_trace *trace =
            generate_worked(&(generate_work){.ctas = ctas, .warps_per_cta = 2, .parts = 1, .work = no_work});
        ws_timed_counters one = run(trace, 1, defaults),
                          two = run(trace, 1, (const char *[]){"gpu.clusters", "2", NULL});
        assert_int_equal(one.ctas, ctas);
        assert_int_equal(two.ctas, ctas);
        assert_int_equal(one.cycles, ctas - 1);
        assert_int_equal(two.cycles, (ctas - 1) / 2);
        ws_trace_close(trace);
    }
}

/* ---- taps */

enum { CTAS_HEARD = 64 };
typedef struct heard {
    uint64_t status[WS_TIMED_SECTOR_MISS + 1], stores;
    uint64_t cycle; /* of the last access */
    uint64_t lives, longest, lived;
    uint64_t samples, sampled_cycle;
    ws_timed_counters last;
    uint64_t issued[CTAS_HEARD][WS_CTA_WARPS_MAX];
} heard;

static void hear_access(void *self, const ws_timed_access *a) {
    heard *h = self;
    h->status[a->status]++;
    h->stores += a->op == WS_MEMORY_STORE;
    assert_true(a->cycle >= h->cycle);
    assert_true(a->words != 0 || a->op == WS_MEMORY_STORE); /* a store may write words only in part */
    h->cycle = a->cycle;
}

static void hear_life(void *self, const ws_timed_warp_life *life) {
    heard *h = self;
    h->lives++;
    assert_true(life->start < life->end && life->cta < CTAS_HEARD && life->warp < WS_CTA_WARPS_MAX);
    assert_int_equal(h->issued[life->cta][life->warp], 0);
    h->issued[life->cta][life->warp] = life->instructions;
    h->lived += life->end - life->start;
    if (life->end > h->longest) h->longest = life->end;
}

static void hear_sample(void *self, const ws_timed_sample *sample) {
    heard *h = self;
    h->samples++;
    assert_int_equal(sample->cycle, sample->counters->cycles);
    assert_true(sample->cycle > h->sampled_cycle);
    assert_true(sample->counters->warp_instructions >= h->last.warp_instructions);
    h->sampled_cycle = sample->cycle;
    h->last = *sample->counters;
}

static uint64_t issues_of(const ws_trace *trace, const ws_warp *warp) {
    const ws_static *statics = ws_trace_statics(trace);
    uint64_t count = 0;
    for (uint32_t i = 0; i < warp->inst_count; i++)
        count += statics[warp->static_id[i]].class_ != WS_CLASS_META;
    return count;
}

/* Each warp with instructions to issue has lived once, and has issued all of them. */
static void check_lives(const ws_trace *trace, uint32_t kernel, const heard *h) {
    ws_error err = WS_NO_ERROR;
    ws_reader *reader = ws_reader_new(trace, &err);
    uint64_t lives = 0;
    for (uint32_t c = 0; c < ws_trace_kernel(trace, kernel)->counters.ctas; c++) {
        ws_cta cta;
        assert_true(ws_reader_cta(reader, kernel, c, &cta, &err));
        for (uint32_t w = 0; w < cta.warp_count; w++) {
            uint64_t issues = issues_of(trace, &cta.warps[w]);
            lives += issues > 0;
            assert_int_equal(h->issued[cta.ordinal][cta.warps[w].id], issues);
        }
    }
    assert_int_equal(h->lives, lives);
    ws_reader_free(reader);
}

/* Taps tell as much as the counters hold, and change nothing. */
static void taps_agree_with_counters(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    const char *set[] = {"l1.access", "sector", "l1.write", "through_lazy", "core.launch_cycles", "30", NULL};
    ws_config *config = config_of(set);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        ws_timed *timed = ws_timed_new(trace, config, &err);
        assert_non_null(timed);
        for (uint32_t k = 1; k <= ws_trace_get_info(trace)->kernel_count; k++) {
            heard h = {0};
            ws_timed_taps taps = {.access = hear_access, .warp_end = hear_life, .sample = hear_sample};
            taps.self = &h, taps.sample_cycles = 50;
            ws_timed_tap(timed, &taps);
            ws_timed_counters c, silent;
            assert_true(ws_timed_run(timed, k, &c, &err));
            assert_int_equal(h.status[WS_TIMED_HIT], c.l1_hits);
            assert_int_equal(h.status[WS_TIMED_PENDING_HIT], c.l1_pending_hits);
            assert_int_equal(h.status[WS_TIMED_MISS], c.l1_misses);
            assert_int_equal(h.status[WS_TIMED_SECTOR_MISS], c.l1_sector_misses);
            check_lives(trace, k, &h);
            assert_true(h.lives == 0 || h.longest == c.cycles);
            assert_int_equal(h.lived, c.warp_cycles);
            assert_int_equal(h.samples, (c.cycles + 49) / 50);
            assert_memory_equal(&h.last, &c, sizeof c);
            if (k > 1) continue;
            silent = run(trace, k, set);
            assert_memory_equal(&silent, &c, sizeof c);
        }
        ws_timed_free(timed);
        ws_trace_close(trace);
    }
    ws_config_free(config);
}

/* ---- limits */

static uint64_t scattered(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return UINT64_C(0x10000) + 128 * ((cta * 37 + warp * 11 + inst * 5 + lane) % 4096);
}

/* A launch that a limit cuts is like a launch of as many CTAs. */
static void limits_cut_to_a_prefix(void **state) {
    (void)state;
    enum { CTAS = 9, WARPS = 3, INSTS = 7 };
    const generate_plan whole = generate_loads(CTAS, WARPS, INSTS, scattered);
    ws_trace *trace = generate_planned(&whole);
    for (uint32_t ctas = 1; ctas <= CTAS + 1; ctas++) {
        const uint32_t left = ctas < CTAS ? ctas : CTAS;
        const generate_plan prefix = generate_loads(left, WARPS, INSTS, scattered);
        ws_trace *shorter = generate_planned(&prefix);
        char by_ctas[16], by_instructions[16];
        snprintf(by_ctas, sizeof by_ctas, "%u", ctas);
        snprintf(by_instructions, sizeof by_instructions, "%u",
                 (ctas - 1) * WARPS * INSTS + 1); /* one of the last */
        const ws_timed_counters expected = run(shorter, 1, defaults);
        assert_int_equal(expected.ctas, left);
        const ws_timed_counters cut = run(trace, 1, (const char *[]){"limit.ctas", by_ctas, NULL});
        assert_memory_equal(&cut, &expected, sizeof cut);
        const ws_timed_counters counted =
            run(trace, 1, (const char *[]){"limit.warp_instructions", by_instructions, NULL});
        assert_memory_equal(&counted, &expected, sizeof counted);
        ws_trace_close(shorter);
    }
    ws_trace_close(trace);
}

/* ---- refusals */

/* A configuration that cannot work is refused before the run. */
static void refusals(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = dependent_loads(1);
    static const struct {
        const char *settings[5], *text;
    } cases[] = {{{"l2.partition", "ipoly"}, "l2.partition: ipoly expects 16, 32 or 64 slices"},
                 {{"l2.size_B", "1073741824", "dram.channels", "3"},
                  "l2.size_B: expected at most 4294967296 B in all 6 slices (dram.channels x "
                  "l2.slices_per_channel), found "
                  "6442450944"},
                 {{"noc.boundary_buffer", "3"}, "at least the 4 flits of the largest packet"}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_config *config = config_of(cases[i].settings);
        assert_null(ws_timed_new(trace, config, &err));
        assert_int_equal(err.code, WS_ERROR_SPEC);
        assert_non_null(strstr(err.text, cases[i].text));
        ws_config_free(config);
    }
    ws_trace_close(trace);
}

/* Checks the text with which a setting, given as JSON, is refused. */
static void assert_refused(const char *name, const char *value, const char *text) {
    ws_error err = WS_NO_ERROR;
    ws_config *config = ws_config_new(components, COMPONENTS);
    json_t *json = json_loads(value, JSON_DECODE_ANY, NULL);
    bool taken = ws_config_set(config, name, json, name, &err) && ws_config_validate(config, &err);
    assert_false(taken);
    assert_int_equal(err.code, WS_ERROR_SPEC);
    if (!strstr(err.text, text)) fail_msg("%s: %s", name, err.text);
    json_decref(json);
    ws_config_free(config);
}

static void what_cannot_work_is_refused(void **state) {
    (void)state;
    assert_refused("l1.size_B", "256",
                   "expected a multiple of l1.ways x l1.line_B"); /* four lines do not fit */
    assert_refused("l1.size_B", "10000", "l1.size_B: expected a multiple");
    assert_refused("l1.mshr_entries", "0", "l1.mshr_entries");
    assert_refused("l2.mshr_entries", "0", "l2.mshr_entries");
    assert_refused("core.swl_warps", "0", "core.swl_warps");
    ws_noc_params both = {.crossbar_speedup = 2, .input_speedup = true};
    ws_error refusal = WS_NO_ERROR;
    assert_false(ws_noc_component.validate(&both, &refusal));
    assert_non_null(strstr(refusal.text, "noc.crossbar_speedup: expected 1 with noc.input_speedup"));

    ws_error err = WS_NO_ERROR;
    generate_plan plan = generate_loads(1, 8, 1, generate_a_line_each);
    ws_trace *trace = generate_planned(&plan);
    const char *settings[] = {"sm.threads", "128", NULL};
    ws_config *config = config_of(settings);
    ws_timed *timed = ws_timed_new(trace, config, &err);
    ws_timed_counters counters;
    assert_false(ws_timed_run(timed, 1, &counters, &err));
    assert_int_equal(err.code, WS_ERROR_SPEC);
    assert_non_null(strstr(err.text, "sm.threads"));
    ws_timed_free(timed);
    ws_config_free(config);

    config = config_of((const char *[]){"core.fp_units", "0", NULL}); /* nor are there integer ones */
    assert_null(ws_timed_new(trace, config, &err));
    assert_int_equal(err.code, WS_ERROR_SPEC);
    assert_non_null(strstr(err.text, "core.fp_units, core.int_units: expected some of one kind"));
    uint32_t culprit = 1;
    *err.text = '\0';
    assert_false(ws_timed_check(NULL, config, 0, &culprit, &err)); /* which is told without a trace, too */
    assert_int_equal(culprit, 0);
    assert_non_null(strstr(err.text, "core.fp_units, core.int_units: expected some of one kind"));
    ws_config_free(config);
    ws_trace_close(trace);
}

static void launches_that_are_not_there_are_refused(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = dependent_loads(1);
    ws_config *config = config_of(defaults);
    ws_timed *timed = ws_timed_new(trace, config, &err);
    for (uint32_t launch = 0; launch <= 2; launch += 2) {
        uint32_t culprit;
        ws_timed_counters counters;
        assert_false(ws_timed_check(trace, config, launch, &culprit, &err));
        assert_false(ws_timed_run(timed, launch, &counters, &err));
        assert_int_equal(err.code, WS_ERROR_INTERNAL);
        assert_non_null(strstr(err.text, "generated.wst: expected one of its 1 launches, found "));
    }
    ws_timed_counters counters;
    assert_true(ws_timed_run(timed, 1, &counters, &err)); /* the GPU can still be used */
    ws_timed_free(timed);
    ws_config_free(config);
    ws_trace_close(trace);
}

/* A launch is given up, and its GPU with it, if and only if it makes no progress for longer than allowed. */
static void deadlocks_are_told(void **state) {
    (void)state;
    ws_trace *trace = dependent_loads(2);
    ws_error err = WS_NO_ERROR;
    uint64_t latency =
        run(trace, 1, defaults).cycles - run(trace, 1, (const char *[]){"dram.latency", "1", NULL}).cycles;
    assert_int_equal(latency, 99); /* 100 - 1: only the wait for DRAM is shorter */
    bool given_up = false;
    uint64_t least = 0;
    for (uint64_t patience = 200; patience < 500; patience += 10) {
        char text[8];
        snprintf(text, sizeof text, "%u", (unsigned)patience);
        const char *settings[] = {"core.deadlock_cycles", text, NULL};
        ws_config *config = config_of(settings);
        ws_timed *timed = ws_timed_new(trace, config, &err);
        ws_timed_counters counters;
        bool ok = ws_timed_run(timed, 1, &counters, &err);
        assert_true(ok || least == 0); /* if it is enough, more is enough, too */
        if (ok && !least) least = patience;
        if (!ok) {
            given_up = true;
            assert_int_equal(err.code, WS_ERROR_SPEC); /* the configuration is to blame */
            assert_non_null(strstr(err.text, "deadlock at cycle "));
            assert_non_null(strstr(err.text, "SM 0, CTA 0, warp 0 not at a barrier, 1 results outstanding, 1 "
                                             "instructions left; its L1: 1 MSHR entries in use"));
            assert_non_null(strstr(err.text, "; where memory is that slow, raise core.deadlock_cycles"));
            assert_false(ws_timed_run(timed, 1, &counters, &err));
            assert_non_null(strstr(err.text, "an earlier launch was given up"));
        }
        ws_timed_free(timed);
        ws_config_free(config);
    }
    assert_true(given_up && least);
    ws_trace_close(trace);
}

static uint64_t lines_of_one_set(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp;
    return UINT64_C(0x10000) + inst * 64 * 128 + 4 * lane;
}

/* Written lines that are spared hold a set forever if too few other lines are written. */
static void a_set_that_written_lines_hold_is_told(void **state) {
    (void)state;
    generate_plan plan = generate_loads(1, 1, 3, lines_of_one_set);
    plan.instruction.op = WS_MEMORY_STORE;
    ws_trace *trace = generate_planned(&plan);
    const char *settings[] = {"l1.size_B",
                              "16384",
                              "l1.ways",
                              "2",
                              "l1.index",
                              "linear",
                              "l1.write",
                              "through_lazy",
                              "l1.spare_dirty_percent",
                              "10",
                              NULL};
    ws_error err = WS_NO_ERROR;
    ws_config *config = config_of(settings);
    ws_timed *timed = ws_timed_new(trace, config, &err);
    ws_timed_counters counters;
    assert_false(ws_timed_run(timed, 1, &counters, &err));
    assert_int_equal(err.code, WS_ERROR_SPEC);
    const char *stands = strstr(err.text, ", for ");
    assert_non_null(stands);
    assert_memory_equal(err.text, "l1.spare_dirty_percent: expected less than 10: deadlock at cycle ", 65);
    assert_string_equal(stands,
                        ", for the L1 of SM 0 keeps all 2 lines of a set, as they are written, and only 2 "
                        "of its 128 lines are; lower it, or raise l1.ways");
    ws_timed_free(timed);
    ws_config_free(config);
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dependent_hits_add_up),
        cmocka_unit_test(the_shortest_way_to_the_unit),
        cmocka_unit_test(what_schedulers_wait_for),
        cmocka_unit_test(miss_latency_adds_up),
        cmocka_unit_test(equal_clocks_tick_together),
        cmocka_unit_test(streaming_reads_miss_once),
        cmocka_unit_test(mshr_entries_bound_the_rate),
        cmocka_unit_test(stall_on_use_counts_instructions),
        cmocka_unit_test(copies_lie_in_the_l2),
        cmocka_unit_test(a_chain_takes_the_sum_of_its_loads),
        cmocka_unit_test(load_latency_is_that_of_the_stations),
        cmocka_unit_test(a_load_takes_as_long_as_its_last_access),
        cmocka_unit_test(laws_on_random_traces),
        cmocka_unit_test(it_does_not_matter_when_a_launch_begins),
        cmocka_unit_test(ctas_without_work_take_a_cycle_each),
        cmocka_unit_test(taps_agree_with_counters),
        cmocka_unit_test(limits_cut_to_a_prefix),
        cmocka_unit_test(refusals),
        cmocka_unit_test(what_cannot_work_is_refused),
        cmocka_unit_test(launches_that_are_not_there_are_refused),
        cmocka_unit_test(deadlocks_are_told),
        cmocka_unit_test(a_set_that_written_lines_hold_is_told),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
