/* The irregular accesses reorder unit (IRU) in the timed replay: known answers, conservation of what threads execute,
 * parameters that matter, cost, refusals. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/random.h"
#include "../support/trace.h"
#include "base/array.h"
#include "timed/memory/address_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    REQUESTS,
    DISABLED,
    ELEMENTS,
    FILTERED,
    BY_ENTRY,
    BY_TIMEOUT,
    BY_END,
    PREFETCHES,
    RING,
    WAITED,
    REPLIES
};

#define SMALL "gpu.clusters=2,dram.channels=4,dram.clock_ratio=1,gpu.dispatch=global_rr"
#define ON    SMALL ",mechanism.partition=reorder"

/* ---- a kernel with an index load: one thread per element */

enum {
    INDEX_PC = 0x10,
    INDICES = 0x100000,
    WEIGHTS = 0x200080,
    LABELS = 0x400000,
    MARKS = 0x600000,
    OTHERS = 0x800000,
};

typedef struct plan {
    uint32_t ctas, warps, elements; /* threads beyond `elements` have nothing to do */
    uint32_t lanes;                 /* per warp; 0: 32 */
    uint32_t (*node)(uint32_t element);
    bool weights; /* threads load from a secondary array */
    bool adds;    /* an atomic addition to the node's label, else a load of it */
    bool marks;   /* threads with odd nodes store to their node's mark */
    bool loops;   /* each thread executes (node mod 3) loads of its own data */
    /* half of the threads have a slow operation there, the others a fast one at 0x2c; 0: none */
    uint32_t slow_pc;
    bool barrier, twice, crooked, without_registers;
    uint64_t indices, secondary; /* where the arrays begin; 0: INDICES, WEIGHTS */
    uint32_t step_B;             /* from element to element of both; 0: 4 */
    const struct plan *next;     /* the next launch, if any: warps have as many lanes */
} plan;

typedef struct maker {
    const plan *plan;
    ws_writer *writer;
    uint32_t cta, warp;
} maker;

static uint32_t lanes_of(const plan *p) {
    return p->lanes ? p->lanes : 32;
}

/* Returns the number of the warp's first thread. */
static uint32_t first_of(const maker *m) {
    return (m->cta * m->plan->warps + m->warp) * lanes_of(m->plan);
}

static void put(maker *m, uint32_t pc, ws_class class_, ws_memory_op op, const char *opcode, bool fed,
                unsigned dst, unsigned src, uint64_t mask,
                uint64_t (*address)(const plan *, uint32_t element)) {
    ws_error err = WS_NO_ERROR;
    uint64_t addresses[WS_LANES_MAX];
    unsigned count = 0;
    uint32_t first = first_of(m);
    for (uint64_t rest = mask; rest && address; rest &= rest - 1)
        addresses[count++] = address(m->plan, first + (uint32_t)__builtin_ctzll(rest));
    ws_static s = {.pc = pc,
                   .opcode = ws_writer_opcode(m->writer, opcode, strlen(opcode)),
                   .class_ = (uint8_t)class_,
                   .op = (uint8_t)op,
                   .space = op == WS_MEMORY_NONE ? WS_SPACE_NONE : WS_SPACE_GLOBAL,
                   .width_B = op == WS_MEMORY_NONE ? 0 : 4,
                   .index_count = fed,
                   .index_pc = {fed ? INDEX_PC : 0}};
    if (!m->plan->without_registers) {
        s.dst_count = dst > 0, s.dst[0] = (uint16_t)dst;
        s.src_count = src > 0, s.src[0] = (uint16_t)src;
    }
    uint32_t id = ws_writer_static(m->writer, &s);
    assert_true(ws_writer_inst(m->writer, id, mask, addresses, &err));
}

static uint64_t index_at(const plan *p, uint32_t element) {
    return (p->indices ? p->indices : INDICES) + (p->step_B ? p->step_B : 4) * (uint64_t)element;
}
static uint64_t weight_at(const plan *p, uint32_t element) {
    return (p->secondary ? p->secondary : WEIGHTS) + (p->step_B ? p->step_B : 4) * (uint64_t)element;
}
static uint64_t label_at(const plan *p, uint32_t element) {
    return LABELS + 4 * (uint64_t)p->node(element);
}
static uint64_t mark_at(const plan *p, uint32_t element) {
    return MARKS + 4 * (uint64_t)(p->node(element) + (p->crooked ? element : 0));
}
static uint64_t other_at(const plan *p, uint32_t element) {
    return (void)p, OTHERS + 16 * (uint64_t)element;
}

static void put_warp(maker *m) {
    const plan *p = m->plan;
    uint32_t first = first_of(m);
    uint64_t all = UINT64_MAX >> (64 - lanes_of(p)), asks = 0, odd = 0, loops[3] = {0};
    for (uint32_t lane = 0; lane < lanes_of(p) && first + lane < p->elements; lane++) {
        asks |= UINT64_C(1) << lane;
        odd |= (uint64_t)(p->node(first + lane) % 2) << lane;
        for (uint32_t k = 0; k < p->node(first + lane) % 3; k++) loops[k] |= UINT64_C(1) << lane;
    }
    put(m, 0x08, WS_CLASS_INT, WS_MEMORY_NONE, "id", false, 1, 0, all, NULL);
    for (int i = 0; asks && i <= p->twice; i++)
        put(m, INDEX_PC, WS_CLASS_MEM, WS_MEMORY_LOAD, "load", false, 2, 1, asks, index_at);
    if (asks && p->weights) put(m, 0x14, WS_CLASS_MEM, WS_MEMORY_LOAD, "load", false, 3, 1, asks, weight_at);
    if (asks && p->adds)
        put(m, 0x20, WS_CLASS_MEM, WS_MEMORY_REDUCTION, "atomic_add", true, 0, 2, asks, label_at);
    else if (asks)
        put(m, 0x20, WS_CLASS_MEM, WS_MEMORY_LOAD, "load", true, 4, 2, asks, label_at);
    /* An instruction that no lane executes still counts as one of the warp. */
    if (asks) put(m, 0x24, WS_CLASS_INT, WS_MEMORY_NONE, "add", false, 5, 4, 0, NULL);
    if (asks) put(m, 0x28, WS_CLASS_INT, WS_MEMORY_NONE, "add", false, 5, 4, asks, NULL);
    if (asks && p->slow_pc) {
        const uint64_t half = asks & UINT64_C(0x5555555555555555);
        put(m, p->slow_pc, WS_CLASS_SFU, WS_MEMORY_NONE, "sin", false, 7, 1, half, NULL);
        put(m, 0x2c, WS_CLASS_INT, WS_MEMORY_NONE, "add", false, 8, 1, asks & ~half, NULL);
    }
    if (odd && p->marks) put(m, 0x30, WS_CLASS_MEM, WS_MEMORY_STORE, "store", true, 0, 2, odd, mark_at);
    for (int k = 0; k < 3 && loops[k] && p->loops; k++) {
        put(m, 0x38, WS_CLASS_MEM, WS_MEMORY_LOAD, "load", false, 6, 1, loops[k], other_at);
        put(m, 0x40, WS_CLASS_BRANCH, WS_MEMORY_NONE, "br", false, 0, 6, loops[k], NULL);
    }
    if (p->barrier) put(m, 0x48, WS_CLASS_BARRIER, WS_MEMORY_NONE, "bar", false, 0, 0, all, NULL);
    put(m, 0x60, WS_CLASS_EXIT, WS_MEMORY_NONE, "ret", false, 0, 0, all, NULL);
}

static void put_launch(maker *m) {
    ws_error err = WS_NO_ERROR;
    const plan *p = m->plan;
    const ws_kernel kernel = {.name = "k", .grid = {p->ctas, 1, 1}, .block = {p->warps * lanes_of(p), 1, 1}};
    assert_true(ws_writer_kernel(m->writer, &kernel, &err));
    for (m->cta = 0; m->cta < p->ctas; m->cta++) {
        assert_true(ws_writer_cta(m->writer, (ws_dim3){m->cta, 0, 0}, &err));
        for (m->warp = 0; m->warp < p->warps; m->warp++) {
            assert_true(ws_writer_warp(m->writer, m->warp, &err));
            put_warp(m);
        }
    }
}

static ws_trace *trace_of(const plan *p) {
    ws_error err = WS_NO_ERROR;
    maker m = {.plan = p};
    m.writer = ws_writer_new(folder_path("reorder.wst"), "test", "test", lanes_of(p),
                             p->without_registers ? 0 : WS_FEATURE_REGISTERS, &err);
    for (; m.plan; m.plan = m.plan->next) put_launch(&m);
    if (!ws_writer_finish(m.writer, &err)) fail_msg("%s", err.text);
    ws_writer_free(m.writer);
    return trace_written("reorder.wst");
}

static mechanism_result run(const plan *p, const char *settings) {
    ws_trace *trace = trace_of(p);
    mechanism_result r = mechanism_run(trace, 1, settings);
    ws_trace_close(trace);
    return r;
}

/* Returns the error with which the launch is refused. */
static const char *why_not(const ws_trace *trace, const char *settings) {
    static ws_error err;
    ws_timed_counters counters;
    memset(&err, 0, sizeof err);
    ws_timed *timed = mechanism_gpu(trace, settings);
    assert_false(ws_timed_run(timed, 1, &counters, &err));
    ws_timed_free(timed);
    return err.text;
}

/* ---- known answers */

static uint32_t lines_apart(uint32_t element) { /* lane i of each warp leads to line i */
    return element % 32 * 32 + element / 32;
}
static uint32_t nowhere_else(uint32_t element) {
    return (void)element, 0;
}

/* Each of 32 warps asks for 32 lines; the unit gives each warp 32 elements that lead to the same line. */
static void each_warp_gets_a_line(void **state) {
    (void)state;
    const plan p = {.ctas = 8, .warps = 4, .elements = 1024, .node = lines_apart};
    mechanism_result off = run(&p, SMALL ",l1.index=linear"), on = run(&p, ON ",l1.index=linear");
    assert_int_equal(off.counters.l1_accesses, 32 + 1024);
    assert_int_equal(on.counters.l1_accesses, 32);
    assert_int_equal(on.counters.l1_misses, 32);
    assert_int_equal(on.counters.l1_bypasses, 32);
    assert_int_equal(on.counters.l2_accesses, 4 * (32 + 32)); /* lines of the array, lines of labels */
    /* Up go a request to the unit and one for the line per warp, 8 B each; down come 4 sectors for each of them. */
    assert_int_equal(on.counters.noc_packets_to_memory, 64);
    assert_int_equal(on.counters.noc_bytes_to_memory, 64 * 8);
    assert_int_equal(on.counters.noc_packets_to_sm, 4 * 64);
    assert_int_equal(on.counters.noc_bytes_to_sm, 4 * 64 * 40);
    assert_int_equal(on.counters.warp_instructions, off.counters.warp_instructions);
    assert_int_equal(on.counters.thread_instructions, off.counters.thread_instructions);
    assert_int_equal(on.counts[REQUESTS], 32);
    assert_int_equal(on.counts[ELEMENTS], 1024);
    assert_int_equal(on.counts[BY_ENTRY], 32);
    assert_int_equal(on.counts[PREFETCHES], 32);
    assert_int_equal(on.counts[REPLIES], 32);
    assert_int_equal(on.counts[FILTERED] + on.counts[DISABLED] + on.counts[BY_TIMEOUT] + on.counts[BY_END],
                     0);
}

/* The same with other sizes of warps and lines; there are as many warps as lanes in a warp. */
static uint32_t warp_lanes, line_words;
static uint32_t own_lines_apart(uint32_t element) {
    return element % warp_lanes * line_words + element / warp_lanes % line_words;
}

static void warps_and_lines_may_have_other_sizes(void **state) {
    (void)state;
    for (warp_lanes = 32; warp_lanes <= 64; warp_lanes *= 2)
        for (line_words = 16; line_words <= 32; line_words *= 2) {
            const plan p = {.ctas = warp_lanes / 4,
                            .warps = 4,
                            .elements = warp_lanes * warp_lanes,
                            .lanes = warp_lanes,
                            .node = own_lines_apart};
            char settings[300];
            snprintf(settings, sizeof settings,
                     ON ",gpu.clusters=4,reorder.timeout=100000,l1.line_B=%u,l2.line_B=%u", 4 * line_words,
                     4 * line_words);
            mechanism_result r = run(&p, settings);
            assert_int_equal(r.counters.l1_accesses, warp_lanes);
            assert_int_equal(r.counts[BY_ENTRY], warp_lanes);
            assert_int_equal(r.counts[PREFETCHES], p.elements / line_words);
        }
}

/* A partition's answers leave by its slices in turn. The port of one slice needs 40 cycles for an answer, and the
 * elements for an answer come within 32, so a second slice helps. */
static void answers_leave_by_all_slices(void **state) {
    (void)state;
#define NARROW ON ",dram.channels=1,noc.flit_B=4,reorder.filter=none,l2.slices_per_channel="
    const plan p = {.ctas = 8, .warps = 4, .elements = 1024, .node = nowhere_else};
    assert_true(run(&p, NARROW "2").counters.cycles < run(&p, NARROW "1").counters.cycles);
}

/* The secondary array's data come with a second reply, and the load of them is not executed (IRU 4). */
static void weights_come_along(void **state) {
    (void)state;
    const plan p = {.ctas = 8, .warps = 4, .elements = 1024, .node = lines_apart, .weights = true};
    mechanism_result off = run(&p, SMALL), on = run(&p, ON ",reorder.timeout=10000"),
                     alone = run(&p, ON ",reorder.timeout=10000,reorder.secondary=false");
    assert_int_equal(on.counts[REPLIES], 64);
    assert_int_equal(on.counters.thread_instructions, off.counters.thread_instructions - 1024);
    assert_int_equal(on.counters.l1_accesses, 32);
    assert_int_equal(on.counters.l2_accesses, 4 * (32 + 32 + 32));
    assert_int_equal(alone.counts[REPLIES], 32);
    assert_int_equal(alone.counters.thread_instructions, off.counters.thread_instructions);
    /* Elements keep the weights of their own places. Those of a warp lie apart now, each lane's in a line of its
     * own. */
    assert_int_equal(alone.counters.l1_accesses, 32 + 1024);
}

/* For the secondary data of an index line, only the sectors that they lie in are read, from one line or two. */
static void secondary_data_may_lie_across_lines(void **state) {
    (void)state;
    static const struct {
        uint32_t behind, sectors; /* bytes from the start of a line; sectors that 32 elements occupy */
    } cases[] = {{0, 4}, {64, 4}, {80, 5}, {1, 5}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        const plan p = {.ctas = 8,
                        .warps = 4,
                        .elements = 1024,
                        .node = lines_apart,
                        .weights = true,
                        .secondary = WEIGHTS + cases[i].behind};
        mechanism_result r = run(&p, ON ",reorder.timeout=10000");
        assert_int_equal(r.counters.l2_accesses, 32 * (4 + cases[i].sectors + 4));
    }
}

/* Elements that lie a byte apart have 4-byte secondary data that overlap, and that lie in up to three lines. */
static void secondary_data_may_lie_in_three_lines(void **state) {
    (void)state;
    const plan p = {.ctas = 8,
                    .warps = 4,
                    .elements = 1024,
                    .node = lines_apart,
                    .weights = true,
                    .secondary = WEIGHTS + 127,
                    .step_B = 1};
    mechanism_result r = run(&p, ON ",reorder.timeout=10000");
    /* 8 lines of 128 indices, whose secondary data lie in 6 sectors; 32 warps with 4 lines of labels each */
    assert_int_equal(r.counters.l2_accesses, 8 * (4 + 6) + 32 * 4);
}

/* All elements lead to the same word: one of them is left, and the other warps have nothing left to do but end. */
static void one_element_is_left(void **state) {
    (void)state;
    const plan p = {.ctas = 8, .warps = 4, .elements = 1024, .node = nowhere_else, .adds = true};
    mechanism_result off = run(&p, SMALL), on = run(&p, ON), none = run(&p, ON ",reorder.filter=none");
    assert_int_equal(on.counts[FILTERED], 1023);
    assert_int_equal(on.counts[DISABLED], 31);
    assert_int_equal(on.counts[BY_END], 32);
    assert_int_equal(on.counters.l1_bypasses, 32 + 1);
    /* Each warp is answered, 31 of them without data, in 8 B; one gets a sector, and so does its atomic. */
    mechanism_result lines = run(&p, ON ",noc.replies=lines");
    assert_int_equal(on.counters.noc_packets_to_sm, 32 + 1);
    assert_int_equal(on.counters.noc_bytes_to_sm, 31 * 8 + 40 + 40);
    assert_int_equal(lines.counters.noc_packets_to_sm, 32 + 1);
    assert_int_equal(lines.counters.noc_bytes_to_sm, 31 * 8 + 40 + 40);
    /* Each warp executes the id, the index load, and its end. One warp executes three instructions more, two of them
     * with one thread and the third with none. */
    assert_int_equal(on.counters.warp_instructions, 32 * 3 + 3);
    assert_int_equal(on.counters.thread_instructions, 32 * 3 * 32 + 2);
    assert_int_equal(none.counts[FILTERED], 0);
    assert_int_equal(none.counters.thread_instructions, off.counters.thread_instructions);
    mechanism_result least = run(&p, ON ",reorder.filter=min"), sum = run(&p, ON ",reorder.filter=fadd");
    assert_memory_equal(&least, &on, sizeof on);
    assert_memory_equal(&sum, &on, sizeof on);
}

/* A launch in which a warp executes the index load twice, or which has no index load, runs as without the unit. */
static void launches_without_use_are_the_baseline(void **state) {
    (void)state;
    const plan twice = {.ctas = 4, .warps = 4, .elements = 500, .node = lines_apart, .twice = true};
    const plan once = {.ctas = 4, .warps = 4, .elements = 500, .node = lines_apart};
    mechanism_result off = run(&twice, SMALL), on = run(&twice, ON);
    assert_memory_equal(&off.counters, &on.counters, sizeof off.counters);
    assert_int_equal(on.counts[ELEMENTS], 0);
    mechanism_result elsewhere = run(&once, ON ",reorder.index_pc=4096");
    off = run(&once, SMALL);
    assert_memory_equal(&off.counters, &elsewhere.counters, sizeof off.counters);
    mechanism_changes_nothing("mechanism.partition=reorder,reorder.index_pc=1048576");
}

/* The same index load is the unit's in one launch, and nobody's in the next one. */
static void a_launch_without_use_after_one_with_it(void **state) {
    (void)state;
    const plan twice = {.ctas = 4, .warps = 4, .elements = 500, .node = lines_apart, .twice = true};
    const plan once = {.ctas = 4, .warps = 4, .elements = 500, .node = lines_apart, .next = &twice};
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = trace_of(&once);
    ws_timed *timed = mechanism_gpu(trace, ON);
    ws_timed_counters counters;
    for (uint32_t launch = 1; launch <= 2; launch++) {
        if (!ws_timed_run(timed, launch, &counters, &err)) fail_msg("%s", err.text);
        assert_int_equal(ws_timed_counts(timed, 0)[ELEMENTS], launch == 1 ? 500 : 0);
    }
    assert_int_equal(counters.warp_instructions, run(&twice, SMALL).counters.warp_instructions);
    ws_timed_free(timed);
    ws_trace_close(trace);
}

/* ---- ways around the ring, measured by the cycles that slower links add */

enum { PARTITIONS = 4, SLOWER = 50 };

static uint32_t partition_of(uint64_t address) {
    ws_config *config = mechanism_config(SMALL);
    const ws_l1_params *l1 = ws_config_get(config, &ws_l1_component);
    const ws_l2_params *l2 = ws_config_get(config, &ws_l2_component);
    ws_address_map map;
    ws_address_map_init(&map, l1, l2, ws_config_get(config, &ws_dram_component));
    uint32_t partition = ws_slice_of(&map, address / (uint64_t)l1->line_B) / (uint32_t)l2->slices_per_channel;
    ws_config_free(config);
    return partition;
}

/* Returns the first line from `from` on that lies in the partition. */
static uint64_t line_in(uint64_t from, uint32_t partition) {
    while (partition_of(from) != partition) from += 128;
    return from;
}

/* Returns the number of links from one partition to another, the shorter way around. */
static uint32_t links(uint32_t from, uint32_t to) {
    uint32_t up = (to + PARTITIONS - from) % PARTITIONS;
    return up < PARTITIONS - up ? up : PARTITIONS - up;
}

/* Returns the number of cycles that a launch takes longer if each link takes SLOWER more. */
static uint64_t slower(const plan *p, const char *settings) {
    char text[300];
    uint64_t cycles[2];
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, ON ",reorder.timeout=100000,reorder.hop_cycles=%d,%s", 1 + i * SLOWER,
                 settings);
        cycles[i] = run(p, text).counters.cycles;
    }
    return cycles[1] - cycles[0];
}

static uint32_t first_line(uint32_t element) {
    return (void)element, 0;
}

/* One element, whose entry lies in partition 0. If its secondary data lie in another partition than its index line,
 * they travel once around the ring before it goes there. */
static void secondary_data_come_around_the_ring(void **state) {
    (void)state;
    for (uint32_t of_index = 0; of_index < PARTITIONS; of_index++)
        for (uint32_t of_data = 0; of_data < PARTITIONS; of_data++) {
            const plan p = {.ctas = 1,
                            .warps = 1,
                            .elements = 1,
                            .node = first_line,
                            .weights = true,
                            .indices = line_in(INDICES, of_index),
                            .secondary = line_in(WEIGHTS, of_data)};
            uint64_t once = of_index == of_data ? 0 : PARTITIONS;
            assert_int_equal(slower(&p, "reorder.hash_sets=1"), SLOWER * (once + links(of_index, 0)));
        }
}

static uint32_t second_line;
static uint32_t two_lines(uint32_t element) {
    return element * second_line * 32;
}

/* Two elements, whose entries lie in partition 0 and in another. The answer needs both in one partition. */
static void elements_of_several_entries_come_together(void **state) {
    (void)state;
    for (uint32_t of_index = 0; of_index < PARTITIONS; of_index++)
        for (second_line = 1; second_line < PARTITIONS; second_line++) {
            const plan p = {.ctas = 1,
                            .warps = 1,
                            .elements = 2,
                            .node = two_lines,
                            .indices = line_in(INDICES, of_index)};
            uint32_t there = links(of_index, 0), other = links(of_index, second_line);
            uint32_t last = there > other ? there : other;
            assert_int_equal(slower(&p, "reorder.hash_sets=4,reorder.hash=linear"),
                             SLOWER * (last + links(0, second_line)));
        }
}

/* reorder.index_pc and reorder.access_pc name accesses in place of the trace. */
static void users_name_accesses(void **state) {
    (void)state;
    const plan p = {.ctas = 8, .warps = 4, .elements = 1024, .node = lines_apart, .marks = true};
    mechanism_result traced = run(&p, ON), loads = run(&p, ON ",reorder.index_pc=16,reorder.access_pc=32"),
                     marks = run(&p, ON ",reorder.index_pc=16,reorder.access_pc=48"),
                     both = run(&p, ON ",reorder.index_pc=16,reorder.access_pc=48,reorder.access_pc_2=32"),
                     third = run(&p, ON ",reorder.index_pc=16,reorder.access_pc=48,reorder.access_pc_3=32");
    assert_memory_equal(&traced, &loads, sizeof traced);
    assert_memory_equal(&traced, &both, sizeof traced);
    assert_memory_equal(&traced, &third, sizeof traced);
    assert_int_equal(marks.counts[ELEMENTS], 1024);
    assert_int_not_equal(marks.counters.cycles, traced.counters.cycles); /* even nodes have no marks */
}

/* ---- laws */

static uint64_t law_seed;
static uint32_t law_nodes;
static uint32_t law_node(uint32_t element) {
    uint64_t random = law_seed ^ (element * UINT64_C(0x9e3779b97f4a7c15));
    return random_below(&random, law_nodes);
}

static plan draw_plan(uint64_t *random) {
    plan p = {.ctas = 1 + random_below(random, 12),
              .warps = 1 + random_below(random, 6),
              .node = law_node,
              .weights = random_one_in(random, 2),
              .adds = random_one_in(random, 2),
              .marks = random_one_in(random, 2),
              .loops = random_one_in(random, 2),
              .barrier = random_one_in(random, 2),
              .without_registers = random_one_in(random, 4)};
    p.elements = 1 + random_below(random, p.ctas * p.warps * 32);
    law_nodes = 1 + random_below(random, random_one_in(random, 3) ? 40 : 5000);
    return p;
}

static const char *const surroundings[] = {
    "sm.scheduler=gto,core.dependences=one_in_flight,",
    "sm.scheduler=lrr,mechanism.front=mrpb,",
    "sm.scheduler=two_level,mechanism.front=warppool,",
    "sm.scheduler=swl,mechanism.cluster=icc,gpu.sms_per_cluster=2,",
};
enum { SURROUNDINGS = WS_COUNT(surroundings) };

/* Whatever mechanism stands beside it, the unit hands out each element once, and threads execute what they do in the
 * trace. */
static void what_threads_execute_is_conserved(void **state) {
    (void)state;
    uint64_t filtered = 0, late = 0, disabled = 0;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        uint64_t random = seed;
        law_seed = seed;
        const plan p = draw_plan(&random);
        ws_trace *trace = trace_of(&p);
        const char *gpu = mechanism_gpus[seed % MECHANISM_GPUS],
                   *beside = surroundings[seed / 3 % SURROUNDINGS];
        char settings[600];
        mechanism_result off = mechanism_run(trace, 1, gpu);
        snprintf(settings, sizeof settings, "%s,%smechanism.partition=none", gpu, beside);
        mechanism_result others = mechanism_run(trace, 1, settings);
        snprintf(settings, sizeof settings,
                 "%s,%smechanism.partition=reorder,reorder.hash_sets=%u,reorder.timeout=%u,reorder.filter=%s",
                 gpu, beside, 1u << random_below(&random, 8), random_below(&random, 400),
                 seed % 2 ? "none" : "auto");
        /* mechanism_run() returns the first mechanism's counts: the unit's, if no other mechanism is on. */
        mechanism_result on = mechanism_run(trace, 1, settings), again = mechanism_run(trace, 1, settings);
        assert_memory_equal(&on, &again, sizeof on);
        assert_int_equal(off.counters.thread_instructions, others.counters.thread_instructions);
        uint64_t weights = p.weights ? p.elements : 0;
        if (seed % 2 || !p.adds)
            assert_int_equal(on.counters.thread_instructions, off.counters.thread_instructions - weights);
        else
            assert_true(on.counters.thread_instructions <= off.counters.thread_instructions - weights);
        if (seed / 3 % SURROUNDINGS == 0) { /* the unit is the only mechanism */
            const uint64_t *c = on.counts;
            assert_int_equal(c[ELEMENTS], p.elements);
            assert_int_equal(c[REQUESTS], (p.elements + 31) / 32);
            assert_int_equal(c[BY_ENTRY] + c[BY_TIMEOUT] + c[BY_END], c[REQUESTS]);
            assert_int_equal(c[REPLIES], c[REQUESTS] + (p.weights ? c[REQUESTS] - c[DISABLED] : 0));
            assert_true((seed % 2 == 0 && p.adds) || c[FILTERED] == 0);
            filtered += c[FILTERED], late += c[BY_TIMEOUT], disabled += c[DISABLED];
        }
        ws_trace_close(trace);
    }
    assert_true(filtered > 100 && late > 10 && disabled > 2);
}

/* The instructions that a warp executes for its answer count as part of its life. */
static void add_issued(void *self, const ws_timed_warp_life *life) {
    *(uint64_t *)self += life->instructions;
}

static void lives_tell_of_answers(void **state) {
    (void)state;
    const plan p = {.ctas = 8, .warps = 4, .elements = 1000, .node = lines_apart};
    ws_trace *trace = trace_of(&p);
    uint64_t issued = 0;
    const ws_timed_taps taps = {.self = &issued, .warp_end = add_issued};
    mechanism_result r = mechanism_listen(trace, 1, ON, &taps);
    assert_int_equal(issued, r.counters.warp_instructions);
    ws_trace_close(trace);
}

/* Of two instructions with the same PC, the one that the trace has first goes first. */
static void equal_pcs_go_as_in_the_trace(void **state) {
    (void)state;
    const plan apart = {.ctas = 1, .warps = 1, .elements = 32, .node = lines_apart, .slow_pc = 0x2a};
    plan same = apart;
    same.slow_pc = 0x2c;
    assert_int_equal(run(&same, ON).counters.cycles, run(&apart, ON).counters.cycles);
}

/* With limit.ctas, the elements of the CTAs that run are handed out, and no others. */
static void limits_cut_the_array(void **state) {
    (void)state;
    const plan p = {.ctas = 12, .warps = 4, .elements = 1500, .node = lines_apart};
    for (int ctas = 1; ctas <= 12; ctas += 3) {
        char settings[200];
        snprintf(settings, sizeof settings, ON ",limit.ctas=%d", ctas);
        mechanism_result r = run(&p, settings);
        assert_int_equal(r.counts[ELEMENTS], ctas * 128 < 1500 ? ctas * 128 : 1500);
        assert_int_equal(r.counters.ctas, ctas);
    }
}

/* ---- parameters and cost */

static void each_parameter_matters(void **state) {
    (void)state;
    static const char *const changes[] = {
        "reorder.hash_sets=16",    "reorder.hash=linear",     "reorder.banks=1",
        "reorder.timeout=3",       "reorder.prefetches=1",    "reorder.queue_elements=1",
        "reorder.ring_elements=4", "reorder.ring_ways=1",     "reorder.hop_cycles=50",
        "reorder.filter=none",     "reorder.secondary=false", "reorder.index_pc=4096",
        "mechanism.partition=none"};
    law_seed = 1, law_nodes = 3000;
    const plan p = {.ctas = 40,
                    .warps = 8,
                    .elements = 10000,
                    .node = law_node,
                    .weights = true,
                    .adds = true,
                    .marks = true};
    ws_trace *trace = trace_of(&p);
    ws_timed_counters found = mechanism_run(trace, 1, ON ",reorder.timeout=100").counters;
    for (size_t i = 0; i < WS_COUNT(changes); i++) {
        char settings[300];
        snprintf(settings, sizeof settings, ON ",reorder.timeout=100,%s", changes[i]);
        mechanism_result other = mechanism_run(trace, 1, settings);
        if (memcmp(&other.counters, &found, sizeof found) == 0) fail_msg("%s changes nothing", changes[i]);
    }
    ws_trace_close(trace);
}

/* The cost that IRU tab. 1 gives: 2 + 1.7 + 1.2 + 2.8 + 80 KB per partition. */
static void the_cost_is_as_published(void **state) {
    (void)state;
    ws_cost costs[WS_ADDED_COSTS_MAX];
    assert_int_equal(
        mechanism_costs(
            "mechanism.partition=reorder,gpu.clusters=16,sm.warps=64,sm.threads=2048,dram.channels=4", costs),
        5);
    static const double kib[] = {2, 1.7, 1.2, 2.8, 80};
    double all = 0;
    for (int i = 0; i < 5; i++) {
        assert_true((double)costs[i].bits - kib[i] * 8192 <= 0.5 &&
                    kib[i] * 8192 - (double)costs[i].bits <= 0.5);
        assert_int_equal(costs[i].per, WS_PER_PARTITION);
        all += (double)costs[i].bits / 8192;
    }
    assert_true(all > 87.6999 && all < 87.7001);
    assert_int_equal(costs[4].bits, 256 * 32 * (24 + 32 + 24));
}

/* Numbers of requests and entries that do not divide evenly are rounded up; the cost of buffers grows with what they
 * hold. */
static void the_cost_of_other_sizes(void **state) {
    (void)state;
    ws_cost costs[WS_ADDED_COSTS_MAX];
    mechanism_costs("mechanism.partition=reorder,gpu.clusters=3,gpu.sms_per_cluster=3,sm.warps=48,"
                    "dram.channels=5,reorder.hash=linear,reorder.hash_sets=1001,reorder.prefetches=16,"
                    "reorder.queue_elements=15,reorder.banks=4,reorder.ring_ways=1,reorder.ring_elements=143",
                    costs);
    const uint64_t bits[] = {87 * 64, (uint64_t)(2 * 1.7 * 8192 + 0.5), (uint64_t)(1.2 * 8192 * 5 / 8),
                             (uint64_t)(2.8 * 8192 / 2 + 0.5), 201 * 32 * (24 + 32 + 24)};
    for (int i = 0; i < 5; i++) assert_int_equal(costs[i].bits, bits[i]);
}

/* ---- refusals */

static void refusals(void **state) {
    (void)state;
    law_nodes = 2;
    const plan p = {.ctas = 2,
                    .warps = 2,
                    .elements = 100,
                    .node = law_node,
                    .adds = true,
                    .marks = true,
                    .crooked = true};
    ws_trace *trace = trace_of(&p);
    assert_non_null(strstr(why_not(trace, ON ",reorder.filter=min"), "reorder.filter to none"));
    mechanism_run(trace, 1, ON ",reorder.filter=none");
    static const char *const alone[] = {ON ",reorder.access_pc=0", ON ",reorder.access_pc_2=8",
                                        ON ",reorder.access_pc_3=8"};
    for (int i = 0; i < 3; i++)
        assert_non_null(strstr(mechanism_refusal(trace, alone[i]), "reorder.index_pc: expected"));
    ws_config_free(mechanism_config(ON ",reorder.index_pc=0,reorder.access_pc=8"));
    assert_non_null(strstr(
        mechanism_refusal(trace, ON ",reorder.hash_sets=1000"),
        "reorder.hash_sets: expected a power of two of sets for xor and ipoly, or reorder.hash linear"));
    assert_non_null(
        strstr(mechanism_refusal(trace, ON ",mechanism.core=scalar"), "mechanism.core: expected none"));
    assert_non_null(strstr(mechanism_refusal(trace, ON ",core.dependences=one_in_flight,mechanism.core=ilp"),
                           "expected none"));
    mechanism_run(trace, 1, ON ",reorder.filter=none,mechanism.core=ccws");
    ws_trace_close(trace);
    generate_plan loads = generate_loads(1, 1, 1, NULL);
    loads.instruction.op = WS_MEMORY_NONE, loads.instruction.class_ = WS_CLASS_INT;
    loads.instruction.space = WS_SPACE_NONE, loads.instruction.width_B = 0;
    trace = generate_planned(&loads);
    assert_non_null(strstr(why_not(trace, ON), "give reorder.index_pc and reorder.access_pc"));
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_warp_gets_a_line),
        cmocka_unit_test(warps_and_lines_may_have_other_sizes),
        cmocka_unit_test(answers_leave_by_all_slices),
        cmocka_unit_test(weights_come_along),
        cmocka_unit_test(secondary_data_may_lie_across_lines),
        cmocka_unit_test(secondary_data_may_lie_in_three_lines),
        cmocka_unit_test(one_element_is_left),
        cmocka_unit_test(launches_without_use_are_the_baseline),
        cmocka_unit_test(a_launch_without_use_after_one_with_it),
        cmocka_unit_test(secondary_data_come_around_the_ring),
        cmocka_unit_test(elements_of_several_entries_come_together),
        cmocka_unit_test(users_name_accesses),
        cmocka_unit_test(what_threads_execute_is_conserved),
        cmocka_unit_test(lives_tell_of_answers),
        cmocka_unit_test(equal_pcs_go_as_in_the_trace),
        cmocka_unit_test(limits_cut_the_array),
        cmocka_unit_test(each_parameter_matters),
        cmocka_unit_test(the_cost_is_as_published),
        cmocka_unit_test(the_cost_of_other_sizes),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
