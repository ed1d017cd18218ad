/* The analysis `iru`, the irregular accesses reorder unit: equal to a naive unit that looks at everything at each step;
 * laws of what it hands out; known answers. */
#include "analysis/parts/iru_core.h"

#include "../support/folder.h"
#include "../support/naive.h"
#include "../support/random.h"
#include "../support/trace.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ws_analysis *iru(void) {
    return ws_analysis_find("iru", NULL);
}

/* ---- random kernels with an index load */

enum { INDEX_PC = 0x10, LABELS = 0x200000, FLAGS = 0x400000, INDICES = 0x100000, OTHERS = 0x800000 };

typedef struct sites {
    uint32_t index, loads, bytes, store, atomic, other, count, add, skipped, wide, spill;
} sites;

static ws_static access_at(ws_writer *w, uint32_t pc, ws_memory_op op, uint8_t width, const char *opcode,
                           bool is_fed) {
    return (ws_static){.pc = pc,
                       .opcode = ws_writer_opcode(w, opcode, strlen(opcode)),
                       .class_ = WS_CLASS_MEM,
                       .op = (uint8_t)op,
                       .space = WS_SPACE_GLOBAL,
                       .width_B = width,
                       .index_count = is_fed,
                       .index_pc = {is_fed ? INDEX_PC : 0}};
}

/* `chained`: the index load reads where elements that it has loaded before say. `private`: so do loads from local
 * memory. */
static sites intern_sites(ws_writer *w, bool chained, bool private) {
    const ws_static index = access_at(w, INDEX_PC, WS_MEMORY_LOAD, 4, "load.i32", chained),
                    loads = access_at(w, 0x20, WS_MEMORY_LOAD, 4, "load.i32", true),
                    bytes = access_at(w, 0x28, WS_MEMORY_LOAD, 1, "load.i8", true),
                    store = access_at(w, 0x30, WS_MEMORY_STORE, 4, "store.i32", true),
                    atomic = access_at(w, 0x38, WS_MEMORY_ATOMIC, 4, "atomic_min.i32", true),
                    other = access_at(w, 0x40, WS_MEMORY_LOAD, 4, "load.f32", false),
                    count = access_at(w, 0x44, WS_MEMORY_REDUCTION, 4, "add.i32", false);
    const ws_static add = {.pc = 0x48, .opcode = ws_writer_opcode(w, "add", 3), .class_ = WS_CLASS_INT};
    ws_static skipped = access_at(w, 0x50, WS_MEMORY_LOAD, 4, "load.i32", true); /* not issued */
    skipped.class_ = WS_CLASS_META;
    ws_static wide = access_at(w, 0x58, WS_MEMORY_LOAD, 8, "load.f64", private);
    ws_static spill = access_at(w, 0x60, WS_MEMORY_STORE, 4, "store.f32", false);
    wide.space = spill.space = WS_SPACE_LOCAL;
    return (sites){ws_writer_static(w, &index), ws_writer_static(w, &loads),  ws_writer_static(w, &bytes),
                   ws_writer_static(w, &store), ws_writer_static(w, &atomic), ws_writer_static(w, &other),
                   ws_writer_static(w, &count), ws_writer_static(w, &add),    ws_writer_static(w, &skipped),
                   ws_writer_static(w, &wide),  ws_writer_static(w, &spill)};
}

typedef struct kernel_shape {
    uint32_t warp_size, ctas, warps, nodes;
    bool plain;   /* an index leads to the same place each time */
    bool in_step; /* warps read the array one after the other; else anywhere */
    bool chained; /* the index load uses elements, too */
    bool private; /* loads from local memory do */
} kernel_shape;

typedef struct maker {
    ws_writer *writer;
    sites sites;
    const kernel_shape *shape;
    uint64_t random, held[64]; /* per lane: its index */
    uint32_t position;
} maker;

static void emit(maker *m, uint32_t site, uint64_t mask, uint64_t base, unsigned width) {
    uint64_t addresses[64], count = 0;
    ws_error err = WS_NO_ERROR;
    for (uint64_t left = mask; left; left &= left - 1) {
        const uint64_t index = m->held[__builtin_ctzll(left)];
        addresses[count++] = base + width * (m->shape->plain ? index : index + random_below(&m->random, 3));
    }
    assert_true(ws_writer_inst(m->writer, site, mask, addresses, &err));
}

/* Loads indices from the array. An index follows from its place in the array, so that two loads of one place agree. */
static void emit_index_load(maker *m, uint64_t mask) {
    uint64_t addresses[64], count = 0;
    ws_error err = WS_NO_ERROR;
    for (uint64_t left = mask; left; left &= left - 1) {
        const uint32_t place = m->shape->in_step ? m->position++ : random_below(&m->random, 3000);
        uint64_t hash = place;
        addresses[count++] = INDICES + 4 * place;
        m->held[__builtin_ctzll(left)] = random_below(&hash, m->shape->nodes);
    }
    assert_true(ws_writer_inst(m->writer, m->sites.index, mask, addresses, &err));
}

static uint64_t draw_mask(maker *m) {
    const uint64_t all = m->shape->warp_size == 64 ? UINT64_MAX : UINT32_MAX;
    switch (random_below(&m->random, 4)) {
    case 0:
        return all;
    case 1:
        return all & (random_next(&m->random) | random_next(&m->random));
    case 2:
        return all & random_next(&m->random);
    default:
        return all & random_next(&m->random) & random_next(&m->random) & random_next(&m->random);
    }
}

static void emit_warp(maker *m) {
    ws_error err = WS_NO_ERROR;
    for (int lane = 0; lane < 64; lane++) m->held[lane] = (uint64_t)lane;
    for (uint32_t i = random_below(&m->random, 8); i > 0; i--) {
        switch (random_below(&m->random, 8)) {
        case 0:
        case 1:
        case 2:
            emit_index_load(m, draw_mask(m));
            emit(m, m->sites.loads, draw_mask(m), LABELS, 4);
            break;
        case 3:
            emit(m, m->sites.bytes, draw_mask(m), FLAGS, 1);
            break;
        case 4:
            emit(m, m->sites.store, draw_mask(m), LABELS, 4);
            break;
        case 5:
            emit(m, m->sites.atomic, draw_mask(m), LABELS, 4);
            break;
        case 6:
            emit(m, m->sites.other, draw_mask(m), OTHERS, 4);
            emit(m, m->sites.count, draw_mask(m), OTHERS, 4);
            emit(m, m->sites.skipped, draw_mask(m), LABELS, 4);
            emit(m, m->sites.wide, draw_mask(m), OTHERS, 8);
            emit(m, m->sites.spill, draw_mask(m), OTHERS, 8);
            break;
        default:
            assert_true(ws_writer_inst(m->writer, m->sites.add, draw_mask(m), NULL, &err));
        }
    }
}

static ws_trace *make_trace(uint64_t seed, const kernel_shape *shape) {
    ws_error err = WS_NO_ERROR;
    maker m = {.random = seed, .shape = shape};
    m.writer = ws_writer_new(folder_path("iru.wst"), "test", "test", shape->warp_size, 0, &err);
    m.sites = intern_sites(m.writer, shape->chained, shape->private);
    const ws_kernel kernel = {
        .name = "k", .grid = {shape->ctas, 1, 1}, .block = {shape->warps * shape->warp_size, 1, 1}};
    assert_true(ws_writer_kernel(m.writer, &kernel, &err));
    for (uint32_t c = 0; c < shape->ctas; c++) {
        assert_true(ws_writer_cta(m.writer, (ws_dim3){c, 0, 0}, &err));
        for (uint32_t w = 0; w < shape->warps; w++) {
            assert_true(ws_writer_warp(m.writer, w, &err));
            emit_warp(&m);
        }
    }
    if (!ws_writer_finish(m.writer, &err)) fail_msg("%s", err.text);
    ws_writer_free(m.writer);
    return trace_written("iru.wst");
}

/* ---- the analysis beside its twin */

/* Writes the cells of the analysis's first row that come after index_pc, filter, hash_b and hash_partitions. */
static void print_row(const naive_iru_row *n, char *text, size_t size) {
    const uint64_t cells[] = {n->requests,       n->disabled,       n->elements,        n->filtered,
                              n->untargeted,     n->unlinked,       n->instructions[0], n->instructions[1],
                              n->lanes[0],       n->lanes[1],       n->memory[0],       n->memory[1],
                              n->l1_accesses[0], n->l1_accesses[1], n->l1_misses[0],    n->l1_misses[1],
                              n->l2_accesses[0], n->l2_accesses[1], n->by_entry,        n->by_timeout,
                              n->by_end,         n->steps};
    size_t at = 0;
    for (size_t i = 0; i < WS_COUNT(cells); i++)
        at += (size_t)snprintf(text + at, size - at, " %llu", (unsigned long long)cells[i]);
}

static void draw_config(ws_config *config, uint64_t *random, bool *filter) {
    static const char *const hashes[] = {"\"linear\"", "\"xor\"", "\"ipoly\""};
    static const char *const filters[] = {"\"none\"", "\"min\"", "\"fadd\""};
    const uint32_t drawn = random_below(random, 3);
    *filter = drawn > 0;
    config_set(config, "iru.filter", filters[drawn]);
    config_set(config, "iru.hash", hashes[random_below(random, 3)]);
    config_set_number(config, "iru.hash_sets", 8u << random_below(random, 4));
    config_set_number(config, "iru.partitions", 1u << random_below(random, 4));
    config_set_number(config, "iru.interleave_B", 32u << random_below(random, 4));
    config_set_number(config, "iru.timeout", random_one_in(random, 4) ? 1000000 : random_below(random, 200));
    config_set_number(config, "iru.l1_sets", 1 + random_below(random, 8));
    config_set_number(config, "iru.l1_ways", 1 + random_below(random, 4));
    config_set_number(config, "coalesce.line_B", 32u << random_below(random, 3));
}

static void random_kernels_are_like_naive(void **state) {
    (void)state;
    uint64_t filtered = 0, troubles = 0, disabled = 0, unlinked = 0, late = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t random = seed;
        const kernel_shape shape = {.warp_size = random_one_in(&random, 3) ? 64 : 32,
                                    .ctas = 1 + random_below(&random, 6),
                                    .warps = 1 + random_below(&random, 4),
                                    .nodes = 1 + random_below(&random, random_one_in(&random, 3) ? 8 : 2000),
                                    .plain = !random_one_in(&random, 5),
                                    .in_step = random_one_in(&random, 2),
                                    .chained = random_one_in(&random, 4),
                                    .private = random_one_in(&random, 4)};
        ws_trace *trace = make_trace(seed, &shape);
        ws_config *config = config_for(iru());
        bool filter;
        draw_config(config, &random, &filter);
        config_set_number(config, "gpu.clusters", 1 + random_below(&random, 4));
        config_set_number(config, "sm.ctas", 1 + random_below(&random, 3)); /* slots get further warps */
        config_set_number(config, "iru.index_pc", INDEX_PC); /* its accesses are those that the trace names */
        stream s = stream_replayed(trace, 1, config, iru());
        uint32_t line_B = stream_info(trace, 1, config).line_B;
        naive_iru_row n = naive_iru(&s, trace, config, line_B, INDEX_PC, filter);
        char *got = stream_rows(&s, iru(), config, &random);
        char expected[1024];
        print_row(&n, expected, sizeof expected);
        *strchr(got, '\n') = '\0';
        if (n.trouble) {
            assert_non_null(strstr(got, "cannot_be_merged"));
        } else if (n.instructions[0] > 0) {
            const char *cells = got + 4; /* behind point and table */
            for (int skip = 0; skip < 4; skip++) cells = strchr(cells, ' ') + (skip < 3);
            assert_string_equal(cells, expected);
            assert_true(n.filtered < n.elements && n.disabled <= n.requests);
            if (!filter) {
                assert_int_equal(n.lanes[0], n.lanes[1]);
                assert_int_equal(n.disabled, 0);
            }
        }
        filtered += n.filtered, troubles += n.trouble, disabled += n.disabled, unlinked += n.unlinked;
        late += n.by_timeout;
        free(got);
        stream_free(&s);
        ws_config_free(config);
        ws_trace_close(trace);
    }
    assert_true(filtered > 200 && troubles > 1 && disabled > 5 && unlinked > 500 && late > 20);
}

/* ---- laws of the unit alone */

enum { WORK_MAX = 6000 };

/* Requests that together want as many elements as there are, each up to a warp's worth. */
typedef struct work {
    ws_iru_work view;
    uint64_t address[WORK_MAX], target[WORK_MAX];
    uint8_t lanes[WORK_MAX];
} work;

static void draw_work(work *w, uint64_t *random, uint32_t count, uint32_t targets) {
    uint32_t wanted = 0, requests = 0;
    for (uint32_t i = 0; i < count; i++) {
        w->address[i] = 0x1000 + 4 * (uint64_t)i;
        w->target[i] = random_one_in(random, 50) ? WS_IRU_NO_TARGET
                                                 : 0x10000 + 4 * (uint64_t)random_below(random, targets);
    }
    for (; wanted < count; requests++) {
        const uint32_t most = random_one_in(random, 3) ? 1 + random_below(random, 32) : 32;
        w->lanes[requests] = (uint8_t)(count - wanted < most ? count - wanted : most);
        wanted += w->lanes[requests];
    }
    w->view = (ws_iru_work){count, w->address, w->target, requests, w->lanes};
}

static void expect_laws(const work *w, const ws_iru_unit *unit, const ws_iru_replies *r) {
    const size_t count = w->view.element_count, requests = w->view.request_count;
    uint8_t *delivered = calloc(count + 1, 1);
    for (size_t i = 0; i < requests; i++) {
        const size_t given = r->first[i + 1] - r->first[i];
        assert_true(given <= w->lanes[i]);
        if (!unit->filter) assert_int_equal(given, w->lanes[i]);
        for (size_t k = r->first[i]; k < r->first[i + 1]; k++) delivered[r->element[k]]++;
    }
    /* Each element is delivered once, or not at all if it was merged into another one that is delivered and has the
     * same target. */
    uint64_t merged = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t into = r->merged_into[i];
        assert_int_equal(delivered[i], into == WS_IRU_NOBODY);
        if (into == WS_IRU_NOBODY) continue;
        merged++;
        assert_int_equal(r->merged_into[into], WS_IRU_NOBODY);
        assert_true(w->target[i] == w->target[into] && w->target[i] != WS_IRU_NO_TARGET);
    }
    assert_int_equal(r->first[requests] + merged, count);
    assert_true(unit->filter || merged == 0);
    assert_int_equal(r->by_entry + r->by_timeout + r->by_end, requests);
    assert_in_range(r->steps, count / unit->partitions, count);
    free(delivered);
}

/* Gives each element a value, which merging adds up or takes the minimum of: sums and minima by target are those of the
 * whole array. */
static void expect_values(const work *w, const ws_iru_replies *r) {
    enum { TARGETS = 4096 };
    static uint64_t sum[2][TARGETS], least[2][TARGETS], at[WORK_MAX], low[WORK_MAX];
    memset(sum, 0, sizeof sum);
    memset(least, 0xff, sizeof least);
    const size_t count = w->view.element_count;
    for (size_t i = 0; i < count; i++) at[i] = low[i] = (i * 7919) % 1000;
    for (size_t i = 0; i < count; i++) {
        const uint32_t into = r->merged_into[i];
        if (into == WS_IRU_NOBODY) continue;
        at[into] += (i * 7919) % 1000;
        low[into] = low[into] < (i * 7919) % 1000 ? low[into] : (i * 7919) % 1000;
    }
    for (size_t i = 0; i < count; i++) {
        if (w->target[i] == WS_IRU_NO_TARGET) continue;
        const size_t t = (w->target[i] - 0x10000) / 4;
        const uint64_t value = (i * 7919) % 1000;
        assert_true(t < TARGETS);
        sum[0][t] += value;
        least[0][t] = least[0][t] < value ? least[0][t] : value;
        if (r->merged_into[i] != WS_IRU_NOBODY) continue;
        sum[1][t] += at[i];
        least[1][t] = least[1][t] < low[i] ? least[1][t] : low[i];
    }
    assert_memory_equal(sum[0], sum[1], sizeof sum[0]);
    assert_memory_equal(least[0], least[1], sizeof least[0]);
}

static void elements_are_handed_out_once(void **state) {
    (void)state;
    static work w;
    for (uint64_t seed = 1; seed <= 400; seed++) {
        uint64_t random = seed;
        draw_work(&w, &random, random_below(&random, WORK_MAX), 1 + random_below(&random, 4096));
        const ws_iru_unit unit = {.partitions = 1 + random_below(&random, 9),
                                  .interleave_B = 32u << random_below(&random, 5),
                                  .sets = 1u << random_below(&random, 11),
                                  .hash = random_one_in(&random, 2) ? WS_INDEX_XOR : WS_INDEX_LINEAR,
                                  .timeout =
                                      random_one_in(&random, 3) ? UINT64_MAX : random_below(&random, 300),
                                  .filter = random_one_in(&random, 2),
                                  .entry_elements = 32,
                                  .line_shift = 7};
        ws_iru_replies r, again;
        assert_true(ws_iru_reorder(&unit, &w.view, &r));
        expect_laws(&w, &unit, &r);
        expect_values(&w, &r);
        assert_true(ws_iru_reorder(&unit, &w.view, &again));
        assert_memory_equal(r.element, again.element, r.first[w.view.request_count] * sizeof *r.element);
        assert_memory_equal(r.first, again.first, (w.view.request_count + 1) * sizeof *r.first);
        ws_iru_replies_free(&r);
        ws_iru_replies_free(&again);
    }
}

/* ---- known answers */

static ws_iru_unit a_unit(void) {
    return (ws_iru_unit){.partitions = 4,
                         .interleave_B = 128,
                         .sets = 1024,
                         .hash = WS_INDEX_LINEAR,
                         .timeout = UINT64_MAX,
                         .entry_elements = 32,
                         .line_shift = 7};
}

/* Makes requests of 32 lanes, and elements whose targets are the words node(element). */
static void fill_work(work *w, uint32_t requests, uint32_t (*node)(uint32_t element)) {
    for (uint32_t i = 0; i < requests * 32; i++) {
        w->address[i] = 0x1000 + 4 * (uint64_t)i;
        w->target[i] = 4 * (uint64_t)node(i);
    }
    for (uint32_t i = 0; i < requests; i++) w->lanes[i] = 32;
    w->view = (ws_iru_work){(size_t)requests * 32, w->address, w->target, requests, w->lanes};
}

/* Returns the number of different lines that the elements of a reply lead to. */
static unsigned lines_of(const work *w, const ws_iru_replies *r, uint32_t request) {
    unsigned lines = 0;
    for (size_t i = r->first[request]; i < r->first[request + 1]; i++) {
        bool is_new = true;
        for (size_t k = r->first[request]; k < i; k++)
            is_new &= w->target[r->element[k]] / 128 != w->target[r->element[i]] / 128;
        lines += is_new;
    }
    return lines;
}

/* Element i leads to line i mod 32: in the order of the array each warp would ask for 32 lines, after collection for
 * one. */
static uint32_t own_line(uint32_t element) {
    return element % 32 * 32 + element / 32;
}
static void each_reply_is_a_line(void **state) {
    (void)state;
    static work w;
    fill_work(&w, 32, own_line);
    const ws_iru_unit unit = a_unit();
    ws_iru_replies r;
    assert_true(ws_iru_reorder(&unit, &w.view, &r));
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(lines_of(&w, &r, i), 1);
    assert_int_equal(r.by_entry, 32);
    assert_int_equal(r.steps, 1024 / 4);
    ws_iru_replies_free(&r);
}

/* With a timeout of 0, requests take what has come, and nothing is collected. */
static void no_patience_collects_nothing(void **state) {
    (void)state;
    static work w;
    fill_work(&w, 32, own_line);
    ws_iru_unit unit = a_unit();
    unit.timeout = 0;
    unit.partitions = 1;
    ws_iru_replies r;
    assert_true(ws_iru_reorder(&unit, &w.view, &r));
    for (uint32_t i = 0; i < 32; i++) assert_int_equal(lines_of(&w, &r, i), 32);
    assert_int_equal(r.by_timeout, 32);
    ws_iru_replies_free(&r);
}

/* All elements have one target: the first one stands for the others, and 31 of 32 warps have nothing to do. */
static uint32_t one_node(uint32_t element) {
    (void)element;
    return 5;
}
static void a_filter_leaves_one_of_a_kind(void **state) {
    (void)state;
    static work w;
    fill_work(&w, 32, one_node);
    ws_iru_unit unit = a_unit();
    unit.filter = true;
    ws_iru_replies r;
    assert_true(ws_iru_reorder(&unit, &w.view, &r));
    assert_int_equal(r.first[1], 1);
    assert_int_equal(r.first[32], 1);
    assert_int_equal(r.element[0], 0);
    for (uint32_t i = 1; i < 1024; i++) assert_int_equal(r.merged_into[i], 0);
    ws_iru_replies_free(&r);
}

/* Of 1024 entries, which have no tags, lines 0 and 1024 share one, so replies mix them; of 2048 they do not. */
static uint32_t two_lines(uint32_t element) {
    return element % 2 * 1024 * 32 + element / 2 % 32;
}
static void entries_mix_lines(void **state) {
    (void)state;
    static work w;
    fill_work(&w, 4, two_lines);
    ws_iru_unit unit = a_unit();
    for (int larger = 0; larger < 2; larger++, unit.sets *= 2) {
        ws_iru_replies r;
        assert_true(ws_iru_reorder(&unit, &w.view, &r));
        for (uint32_t i = 0; i < 4; i++) assert_int_equal(lines_of(&w, &r, i), larger ? 1 : 2);
        ws_iru_replies_free(&r);
    }
}

/* IRU Fig. 1 has two warps of 4 threads; here they have 32, each asking for 8 lines in turn. No entry is filled with 32
 * elements, so both requests are answered at the end, each from four entries. */
static uint32_t eight_lines(uint32_t element) {
    return element % 8 * 32 + element / 8;
}
static void what_is_left_is_merged(void **state) {
    (void)state;
    static work w;
    fill_work(&w, 2, eight_lines);
    const ws_iru_unit unit = a_unit();
    ws_iru_replies r;
    assert_true(ws_iru_reorder(&unit, &w.view, &r));
    assert_int_equal(r.by_end, 2); /* no entry was filled: 8 elements each */
    assert_int_equal(lines_of(&w, &r, 0), 4);
    assert_int_equal(lines_of(&w, &r, 1), 4);
    ws_iru_replies_free(&r);
}

/* ---- hardware, and what is refused */

/* IRU tab. 1: 80 KB of hash data, 87.7 KB with the buffers, in each of four partitions. */
static void storage_is_that_of_table_1(void **state) {
    (void)state;
    const kernel_shape shape = {.warp_size = 32, .ctas = 1, .warps = 1, .nodes = 8, .plain = true};
    ws_trace *trace = make_trace(1, &shape);
    ws_config *config = config_for(iru());
    stream s = stream_replayed(trace, 1, config, iru());
    uint64_t random = 1;
    char *got = stream_rows(&s, iru(), config, &random);
    char *bits = strstr(got, " 655360 4 "); /* 80 x 1024 x 8, in each of 4 */
    assert_non_null(bits);
    bool found = false;
    for (size_t i = 0; i < iru()->tables[0]->ratio_count; i++)
        if (strcmp(iru()->tables[0]->ratios[i].name, "partition_KiB") == 0) {
            assert_string_equal(iru()->tables[0]->ratios[i].sql, "hash_b / 8192.0 + 7.7");
            assert_true(655360 / 8192.0 + 7.7 == 87.7);
            found = true;
        }
    assert_true(found);
    free(got);
    stream_free(&s);
    ws_config_free(config);
    ws_trace_close(trace);
}

static void expect_refusal(const char *name, const char *value, const char *other, const char *other_value,
                           const char *message) {
    ws_error err = WS_NO_ERROR;
    ws_config *config = config_for(iru());
    config_set(config, name, value);
    if (other) config_set(config, other, other_value);
    assert_false(ws_config_validate(config, &err));
    assert_non_null(strstr(err.text, message));
    ws_config_free(config);
}

static void units_that_do_not_work_are_refused(void **state) {
    (void)state;
    expect_refusal("iru.hash_sets", "1000", NULL, NULL,
                   "iru.hash_sets: expected a power of two of sets for xor and ipoly, or iru.hash linear, "
                   "found 1000");
    expect_refusal("iru.partitions", "3", NULL, NULL,
                   "iru.hash_sets: expected a multiple of iru.partitions (3)");
    expect_refusal("iru.access_pc_2", "8", NULL, NULL,
                   "iru.index_pc: expected the index load of iru.access_pc");
    expect_refusal("iru.access_pc", "0", NULL, NULL,
                   "iru.index_pc: expected the index load of iru.access_pc");
}

/* If the trace names no index loads, the user must: iru.index_pc and iru.access_pc. */
static void traces_without_index_loads(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_writer *w = ws_writer_new(folder_path("plain.wst"), "sass", "test", 32, 0, &err);
    const ws_static statics[] = {access_at(w, INDEX_PC, WS_MEMORY_LOAD, 4, "LDG", false),
                                 access_at(w, 0x20, WS_MEMORY_LOAD, 4, "LDG", false)};
    const ws_kernel kernel = {.name = "k", .grid = {32, 1, 1}, .block = {32, 1, 1}};
    assert_true(ws_writer_kernel(w, &kernel, &err));
    for (uint32_t c = 0; c < 32; c++) {
        uint64_t index[32], target[32];
        for (uint32_t lane = 0; lane < 32; lane++) {
            index[lane] = INDICES + 4 * (uint64_t)(32 * c + lane);
            target[lane] = LABELS + 4 * (uint64_t)own_line(32 * c + lane);
        }
        assert_true(ws_writer_cta(w, (ws_dim3){c, 0, 0}, &err) && ws_writer_warp(w, 0, &err));
        assert_true(ws_writer_inst(w, ws_writer_static(w, &statics[0]), UINT32_MAX, index, &err));
        assert_true(ws_writer_inst(w, ws_writer_static(w, &statics[1]), UINT32_MAX, target, &err));
    }
    assert_true(ws_writer_finish(w, &err));
    ws_writer_free(w);
    ws_trace *trace = ws_trace_open(folder_path("plain.wst"), &err);
    ws_config *config = config_for(iru());
    stream s = stream_replayed(trace, 1, config, iru());
    ws_stream_info info = stream_info(trace, 1, config);
    const void *params = ws_config_get(config, iru()->component);
    assert_null(iru()->create(&params, 1, &info, &err));
    assert_int_equal(err.code, WS_ERROR_TRACE);
    assert_non_null(strstr(err.text, "give iru.index_pc and iru.access_pc"));
    config_set(config, "iru.index_pc", "16");
    config_set(config, "iru.access_pc", "32");
    uint64_t random = 1;
    char *got = stream_rows(&s, iru(), config, &random);
    /* 32 loads of 32 lines each without the unit, of one line each with it; and the 32 lines of the array itself. */
    const char *expected = "0 0 16 none 655360 4 32 0 1024 0 0 0 32 32 1024 1024 1024 32 1056 32 ";
    assert_memory_equal(got, expected, strlen(expected));
    assert_non_null(strstr(got, "\n0 1 32 LDG 32 32 1024 1024 1024 32\n"));
    free(got);
    stream_free(&s);
    ws_config_free(config);
    ws_trace_close(trace);
}

/* ---- kernels by hand: 32 CTAs of a warp, lane l of CTA c with element 32 c + l */

typedef struct step {
    const ws_static *inst;
    uint64_t base;
    uint32_t (*word)(uint32_t element);
} step;

static uint32_t itself(uint32_t element) {
    return element;
}

/* Writes such a kernel, in which each warp takes these steps; they end with one without an instruction. */
static ws_trace *trace_of_steps(ws_writer *w, const step *steps) {
    ws_error err = WS_NO_ERROR;
    const ws_kernel kernel = {.name = "k", .grid = {32, 1, 1}, .block = {32, 1, 1}};
    assert_true(ws_writer_kernel(w, &kernel, &err));
    for (uint32_t c = 0; c < 32; c++) {
        assert_true(ws_writer_cta(w, (ws_dim3){c, 0, 0}, &err) && ws_writer_warp(w, 0, &err));
        for (const step *at = steps; at->inst; at++) {
            uint64_t addresses[32];
            for (uint32_t lane = 0; lane < 32; lane++)
                addresses[lane] = at->base + 4 * (uint64_t)at->word(32 * c + lane);
            assert_true(ws_writer_inst(w, ws_writer_static(w, at->inst), UINT32_MAX, addresses, &err));
        }
    }
    assert_true(ws_writer_finish(w, &err));
    ws_writer_free(w);
    return trace_written("steps.wst");
}

static ws_writer *steps_writer_of(const char *isa) {
    ws_error err = WS_NO_ERROR;
    return ws_writer_new(folder_path("steps.wst"), isa, "test", 32, 0, &err);
}

static ws_writer *steps_writer(void) {
    return steps_writer_of("llvm");
}

/* The rows of the kernel with the unit's defaults and this filter. */
static char *filtered_rows_of(ws_trace *trace, const char *filter) {
    ws_config *config = config_for(iru());
    config_set(config, "iru.filter", filter);
    config_set(config, "iru.timeout", "1000000");
    stream s = stream_replayed(trace, 1, config, iru());
    uint64_t random = 1;
    char *got = stream_rows(&s, iru(), config, &random);
    stream_free(&s);
    ws_config_free(config);
    ws_trace_close(trace);
    return got;
}

static char *rows_of(ws_trace *trace) {
    return filtered_rows_of(trace, "\"none\"");
}

/* Two accesses use as many elements: the unit collects by the lines of the first in the trace. Those of the second,
 * which were one line for each warp, are then spread over 32. */
static void of_equal_accesses_the_first_counts(void **state) {
    (void)state;
    ws_writer *w = steps_writer();
    const ws_static index = access_at(w, INDEX_PC, WS_MEMORY_LOAD, 4, "load", false),
                    first = access_at(w, 0x20, WS_MEMORY_LOAD, 4, "first", true),
                    second = access_at(w, 0x30, WS_MEMORY_LOAD, 4, "second", true);
    char *got = rows_of(trace_of_steps(
        w, (const step[]){
               {&index, INDICES, itself}, {&first, LABELS, own_line}, {&second, OTHERS, itself}, {0}}));
    assert_non_null(strstr(got, "\n0 1 32 first 32 32 1024 1024 1024 32\n"));
    assert_non_null(strstr(got, "\n0 1 48 second 32 32 1024 1024 32 1024\n"));
    free(got);
}

/* Of two index loads whose elements as many accesses use, the unit serves the one that is used first. */
static void of_equal_index_loads_the_first_counts(void **state) {
    (void)state;
    ws_writer *w = steps_writer();
    const ws_static one = access_at(w, INDEX_PC, WS_MEMORY_LOAD, 4, "load", false),
                    two = access_at(w, INDEX_PC + 8, WS_MEMORY_LOAD, 4, "load", false),
                    of_one = access_at(w, 0x20, WS_MEMORY_LOAD, 4, "load", true);
    ws_static of_two = access_at(w, 0x30, WS_MEMORY_LOAD, 4, "load", true);
    of_two.index_pc[0] = INDEX_PC + 8;
    char *got = rows_of(trace_of_steps(w, (const step[]){{&one, INDICES, itself},
                                                         {&two, FLAGS, itself},
                                                         {&of_one, LABELS, own_line},
                                                         {&of_two, OTHERS, own_line},
                                                         {0}}));
    assert_memory_equal(got, "0 0 16 none ", 12);
    assert_non_null(strstr(got, "\n0 1 32 load 32 32 1024 1024 1024 32\n"));
    free(got);
}

/* All elements are merged into one. Behind the index load only one thread is left to access the line that each has of
 * its own (IRU Fig. 11); what they do before it they all do. */
static uint32_t line_apart(uint32_t element) {
    return element * 32;
}
static void threads_without_an_element_do_nothing(void **state) {
    (void)state;
    ws_writer *w = steps_writer();
    const ws_static early = access_at(w, 0x8, WS_MEMORY_LOAD, 4, "load", false),
                    index = access_at(w, INDEX_PC, WS_MEMORY_LOAD, 4, "load", false),
                    load = access_at(w, 0x20, WS_MEMORY_LOAD, 4, "load", false),
                    add = access_at(w, 0x30, WS_MEMORY_REDUCTION, 4, "RED.ADD", true),
                    store = access_at(w, 0x40, WS_MEMORY_STORE, 4, "store", false),
                    count = access_at(w, 0x50, WS_MEMORY_REDUCTION, 4, "RED.ADD", false);
    char *got = filtered_rows_of(trace_of_steps(w, (const step[]){{&early, FLAGS, itself},
                                                                  {&index, INDICES, itself},
                                                                  {&load, OTHERS, line_apart},
                                                                  {&add, LABELS, one_node},
                                                                  {&store, OTHERS, line_apart},
                                                                  {&count, OTHERS, line_apart},
                                                                  {0}}),
                                 "\"auto\"");
    /* L1: 32 lines early; without the unit 32 of the array and 1024 each of loads and stores, with it one each. L2: the
     * array in either case, what counts as the loads do, and 32 requests of each warp at the one node, or 1. */
    const char *expected =
        "0 0 16 fadd 655360 4 32 31 1024 1023 0 0 32 1 1024 1 1024 1 2112 34 1088 33 4160 68 ";
    if (strncmp(got, expected, strlen(expected)) != 0) fail_msg("%s", got);
    free(got);
}

/* 16 bytes of local memory are four words, each beside those of other threads: a warp asks for 128 lines. They fall
 * into two sets, so that of the last words four are there when the warp stores to these; what hits stays. */
static void local_memory_has_words_and_stays(void **state) {
    (void)state;
    ws_writer *w = steps_writer_of("test");
    const ws_static index = access_at(w, INDEX_PC, WS_MEMORY_LOAD, 4, "load", false),
                    load = access_at(w, 0x20, WS_MEMORY_LOAD, 4, "load", true);
    ws_static words = access_at(w, 0x30, WS_MEMORY_LOAD, 16, "load", false),
              spill = access_at(w, 0x40, WS_MEMORY_STORE, 4, "store", false);
    words.space = spill.space = WS_SPACE_LOCAL;
    char *got = rows_of(trace_of_steps(w, (const step[]){{&index, INDICES, itself},
                                                         {&load, LABELS, itself},
                                                         {&words, OTHERS, line_apart},
                                                         {&spill, OTHERS + 12, line_apart},
                                                         {0}}));
    /* 162 requests of each warp without the unit, 161 with it, which fetches the array's 32 lines. */
    const char *expected =
        "0 0 16 none 655360 4 32 0 1024 0 0 0 32 32 1024 1024 32 32 5184 5152 4160 4128 5056 5056 ";
    if (strncmp(got, expected, strlen(expected)) != 0) fail_msg("%s", got);
    free(got);
}

/* Static instructions that differ in their registers alone are one access, with one row. */
static void accesses_of_one_address_share_a_row(void **state) {
    (void)state;
    ws_writer *w = steps_writer();
    const ws_static index = access_at(w, INDEX_PC, WS_MEMORY_LOAD, 4, "load", false),
                    first = access_at(w, 0x20, WS_MEMORY_LOAD, 4, "load", true);
    ws_static same = first, other = access_at(w, 0x20, WS_MEMORY_LOAD, 4, "other", true);
    same.dst_count = 1, same.dst[0] = 7;
    char *got = rows_of(trace_of_steps(w, (const step[]){{&index, INDICES, itself},
                                                         {&first, LABELS, own_line},
                                                         {&same, LABELS, own_line},
                                                         {&other, LABELS, own_line},
                                                         {0}}));
    const char *rows = strchr(got, '\n');
    assert_string_equal(rows, "\n0 1 32 load 64 64 2048 2048 2048 64\n"
                              "0 1 32 other 32 32 1024 1024 1024 32\n");
    free(got);
}

static uint32_t far_end; /* the word of the last element */
static uint32_t to_the_far_end(uint32_t element) {
    return element == 1023 ? far_end : element;
}
/* An index has 24 bits: it reaches 2^24 words, the first of them included. */
static void indices_reach_24_bits(void **state) {
    (void)state;
    for (int beyond = 0; beyond < 2; beyond++) {
        ws_writer *w = steps_writer();
        const ws_static index = access_at(w, INDEX_PC, WS_MEMORY_LOAD, 4, "load", false),
                        load = access_at(w, 0x20, WS_MEMORY_LOAD, 4, "load", true);
        far_end = (1u << 24) - 1 + (uint32_t)beyond;
        char *got = rows_of(trace_of_steps(
            w, (const step[]){{&index, INDICES, itself}, {&load, LABELS, to_the_far_end}, {0}}));
        assert_int_equal(strstr(got, "than_an_index_of_24_bits_reaches") != NULL, beyond);
        free(got);
    }
}

static void filters_follow_from_opcodes(void **state) {
    (void)state;
    static const struct {
        const char *opcode;
        ws_memory_op op;
        enum ws_iru_filter filter;
    } known[] = {{"ATOMG.E.MIN.S32.STRONG.GPU", WS_MEMORY_ATOMIC, WS_IRU_FILTER_MIN},
                 {"call:atomic_min.i32", WS_MEMORY_ATOMIC, WS_IRU_FILTER_MIN},
                 {"RED.E.ADD.F32.FTZ.RN", WS_MEMORY_REDUCTION, WS_IRU_FILTER_FADD},
                 {"call:atomic_add.i32", WS_MEMORY_ATOMIC, WS_IRU_FILTER_FADD},
                 {"ATOMG.E.EXCH", WS_MEMORY_ATOMIC, WS_IRU_FILTER_NONE},
                 {"load.min", WS_MEMORY_LOAD, WS_IRU_FILTER_NONE},
                 {"store.add", WS_MEMORY_STORE, WS_IRU_FILTER_NONE}};
    for (size_t i = 0; i < WS_COUNT(known); i++) {
        const ws_static access = {.class_ = WS_CLASS_MEM, .op = known[i].op};
        assert_int_equal(ws_iru_filter_of(&access, known[i].opcode), known[i].filter);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_kernels_are_like_naive),
        cmocka_unit_test(elements_are_handed_out_once),
        cmocka_unit_test(each_reply_is_a_line),
        cmocka_unit_test(no_patience_collects_nothing),
        cmocka_unit_test(a_filter_leaves_one_of_a_kind),
        cmocka_unit_test(entries_mix_lines),
        cmocka_unit_test(what_is_left_is_merged),
        cmocka_unit_test(storage_is_that_of_table_1),
        cmocka_unit_test(units_that_do_not_work_are_refused),
        cmocka_unit_test(traces_without_index_loads),
        cmocka_unit_test(of_equal_accesses_the_first_counts),
        cmocka_unit_test(of_equal_index_loads_the_first_counts),
        cmocka_unit_test(threads_without_an_element_do_nothing),
        cmocka_unit_test(local_memory_has_words_and_stays),
        cmocka_unit_test(accesses_of_one_address_share_a_row),
        cmocka_unit_test(indices_reach_24_bits),
        cmocka_unit_test(filters_follow_from_opcodes),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
