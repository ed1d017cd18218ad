/* What the reorder unit knows of a launch, against its definition: which load reads the index array, which warps ask
 * for which of its elements, what they do with them, and which secondary array comes along. */
#include "../support/folder.h"
#include "../support/random.h"
#include "../support/trace.h"
#include "mechanism/parts/reorder_work.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { STATICS = 12, INDEX_LOADS = 3, CTAS = 4, WARPS = 3, INSTS = 40, LANES = 32, LINE_B = 128, NONE = -1 };

/* ---- a launch */

typedef struct inst {
    uint32_t id;
    uint32_t mask;
    uint64_t address[LANES]; /* per lane */
} inst;

typedef struct warp {
    uint32_t count;
    inst insts[INSTS];
} warp;

typedef struct launch {
    ws_static statics[STATICS];
    const char *opcode[STATICS];
    int64_t distance[STATICS];  /* of plain loads: from the address of the index */
    uint32_t load[INDEX_LOADS]; /* the instructions that load indices */
    warp warps[CTAS][WARPS];
} launch;

static bool asks_memory(const ws_static *s) {
    return s->op != WS_MEMORY_NONE;
}

static bool loads_indices(const launch *l, uint32_t id) {
    return id == l->load[0] || id == l->load[1] || id == l->load[2];
}

/* Draws the instructions: INDEX_LOADS load indices, some of them by indices; most of the others use loaded indices, and
 * some, plain loads, read at a fixed distance from the index. PCs do not ascend with the instructions' numbers. */
static void draw_statics(launch *l, uint64_t *random) {
    static const ws_memory_op ops[] = {WS_MEMORY_LOAD, WS_MEMORY_STORE, WS_MEMORY_REDUCTION, WS_MEMORY_LOAD};
    static const char *const opcodes[] = {"load", "store", "atomic_add", "load"};
    uint32_t first = random_below(random, STATICS), load = random_below(random, STATICS);
    for (uint32_t k = 0; k < INDEX_LOADS; k++) l->load[k] = (load + 5 * k) % STATICS;
    for (uint32_t i = 0; i < STATICS; i++) {
        ws_static *s = &l->statics[i];
        bool is_load = loads_indices(l, i), plain = !is_load && random_one_in(random, 3);
        unsigned kind = is_load || plain ? 0 : random_below(random, 4);
        *s = (ws_static){.pc = 16 * ((first + i * 5) % STATICS),
                         .class_ = WS_CLASS_MEM,
                         .op = (uint8_t)ops[kind],
                         .space = random_one_in(random, 12) ? WS_SPACE_SHARED : WS_SPACE_GLOBAL,
                         .width_B = random_one_in(random, 5) ? 8 : 4};
        l->opcode[i] = opcodes[kind];
        l->distance[i] = 4096 * (int64_t)(i + 1) - 8192; /* 0 for instruction 1 */
    }
    bool any = false; /* some instruction names an index load, as one has to */
    for (uint32_t i = 0; i < STATICS; i++) {
        ws_static *s = &l->statics[i];
        bool is_load = loads_indices(l, i);
        if (!is_load && any && random_one_in(random, 8)) {
            *s = (ws_static){.pc = s->pc, .class_ = WS_CLASS_INT, .space = WS_SPACE_NONE};
            l->opcode[i] = "add";
        } else if (random_one_in(random, is_load ? 4 : 2) || (i + 1 == STATICS && !any)) {
            any = true;
            s->index_count = (uint8_t)(1 + random_below(random, 2));
            for (unsigned k = 0; k < s->index_count; k++)
                s->index_pc[k] = l->statics[l->load[random_below(random, INDEX_LOADS)]].pc;
        }
    }
}

static void add(launch *l, warp *w, uint64_t *random, uint32_t id, uint32_t mask, const inst *index) {
    inst *i = &w->insts[w->count++];
    *i = (inst){.id = id, .mask = mask};
    for (unsigned lane = 0; lane < LANES; lane++) {
        i->address[lane] = 0x100000 + 4 * (uint64_t)random_below(random, 3000);
        if (index && !l->statics[id].index_count)
            i->address[lane] = index->address[lane] + (uint64_t)l->distance[id];
    }
    uint64_t aside = index && random_one_in(random, 60) ? 64 : 0; /* displaces the whole warp */
    for (unsigned lane = 0; lane < LANES; lane++) i->address[lane] += aside;
    if (index && mask && random_one_in(random, 60)) i->address[__builtin_ctz(mask)] += 4;
}

/* Draws a warp. In an orderly launch neighbouring lanes load neighbouring indices, and nearly all do the same; in
 * others lanes may load any index, including those that others load. */
static void draw_warp(launch *l, warp *w, uint64_t *random, uint32_t number, bool orderly) {
    uint32_t all = (uint32_t)random_next(random) | 1, asks = random_one_in(random, 4) ? all : UINT32_MAX;
    w->count = 0;
    if (random_one_in(random, 2)) add(l, w, random, random_below(random, STATICS), all, NULL);
    uint32_t load = l->load[orderly ? 0 : random_below(random, INDEX_LOADS)];
    if (random_one_in(random, 3)) add(l, w, random, l->load[1], all, NULL);
    if (random_one_in(random, 9)) asks = 0; /* the warp loads no index */
    add(l, w, random, load, asks, NULL);
    inst *index = &w->insts[w->count - 1];
    for (unsigned lane = 0; lane < LANES; lane++)
        if (orderly || random_one_in(random, 2))
            index->address[lane] = 0x200000 + 4 * (uint64_t)(number * LANES + lane);
    for (uint32_t id = 0; id < STATICS; id++) {
        if (loads_indices(l, id) && !random_one_in(random, orderly ? 30 : 6)) continue;
        if (random_one_in(random, orderly ? 30 : 6)) continue;
        uint32_t mask = random_one_in(random, orderly ? 30 : 4) ? (uint32_t)random_next(random) & all : asks;
        add(l, w, random, id, mask, index);
        if (random_one_in(random, orderly ? 40 : 10)) add(l, w, random, id, mask, index);
        if (random_one_in(random, 10)) add(l, w, random, id, 0, index);
    }
    if (random_one_in(random, orderly ? 200 : 20)) add(l, w, random, load, asks, NULL);
}

static launch *draw(uint64_t *random) {
    launch *l = calloc(1, sizeof *l);
    assert_non_null(l);
    bool orderly = !random_one_in(random, 3);
    draw_statics(l, random);
    for (uint32_t c = 0; c < CTAS; c++)
        for (uint32_t w = 0; w < WARPS; w++) draw_warp(l, &l->warps[c][w], random, c * WARPS + w, orderly);
    return l;
}

static ws_trace *trace_of(launch *l) {
    ws_error err = WS_NO_ERROR;
    ws_writer *writer = ws_writer_new(folder_path("work.wst"), "test", "test", LANES, 0, &err);
    const ws_kernel kernel = {.name = "k", .grid = {CTAS, 1, 1}, .block = {WARPS * LANES, 1, 1}};
    for (uint32_t i = 0; i < STATICS; i++) {
        l->statics[i].opcode = ws_writer_opcode(writer, l->opcode[i], strlen(l->opcode[i]));
        assert_int_equal(ws_writer_static(writer, &l->statics[i]), i);
    }
    assert_true(ws_writer_kernel(writer, &kernel, &err));
    for (uint32_t c = 0; c < CTAS; c++) {
        assert_true(ws_writer_cta(writer, (ws_dim3){c, 0, 0}, &err));
        for (uint32_t w = 0; w < WARPS; w++) {
            assert_true(ws_writer_warp(writer, w, &err));
            for (uint32_t i = 0; i < l->warps[c][w].count; i++) {
                const inst *at = &l->warps[c][w].insts[i];
                uint64_t addresses[LANES];
                unsigned count = 0;
                for (unsigned lane = 0; lane < LANES; lane++)
                    if (at->mask >> lane & 1) addresses[count++] = at->address[lane];
                bool ok = ws_writer_inst(writer, at->id, at->mask, addresses, &err);
                if (!ok) fail_msg("%s", err.text);
            }
        }
    }
    if (!ws_writer_finish(writer, &err)) fail_msg("%s", err.text);
    ws_writer_free(writer);
    return trace_written("work.wst");
}

/* ---- the definition */

typedef struct definition {
    const launch *launch;
    reorder_choice choice;
    uint32_t ctas;
    int index_pc; /* or NONE */
    bool on;
} definition;

static uint32_t lanes_of(uint32_t mask) {
    return (uint32_t)__builtin_popcount(mask);
}

static bool is_global(const ws_static *s) {
    return s->space == WS_SPACE_GLOBAL;
}

static bool is_fed(const definition *d, uint32_t id, uint32_t index_pc) {
    const ws_static *s = &d->launch->statics[id];
    const int64_t *named = d->choice.access_pc;
    bool fed = false;
    if (!asks_memory(s) || !is_global(s)) return false;
    if (named[0] >= 0 || named[1] >= 0 || named[2] >= 0)
        return named[0] == s->pc || named[1] == s->pc || named[2] == s->pc;
    for (unsigned k = 0; k < s->index_count; k++) fed |= s->index_pc[k] == index_pc;
    return fed;
}

/* Returns the number of lane accesses of an instruction in the launch. */
static uint64_t executions(const definition *d, uint32_t id) {
    uint64_t sum = 0;
    for (uint32_t c = 0; c < d->ctas; c++)
        for (uint32_t w = 0; w < WARPS; w++)
            for (uint32_t i = 0; i < d->launch->warps[c][w].count; i++)
                if (d->launch->warps[c][w].insts[i].id == id)
                    sum += lanes_of(d->launch->warps[c][w].insts[i].mask);
    return sum;
}

/* Returns the PC of the index load with the most lane accesses that use it, among those that executed instructions
 * name; of several the one with the lowest PC; or NONE. */
static int chosen_load(const definition *d) {
    int best = NONE;
    uint64_t most = 0;
    for (uint32_t pc = 0; pc < 16 * (STATICS + 1); pc++) {
        uint64_t uses = 0;
        bool named = false;
        for (uint32_t id = 0; id < STATICS; id++) {
            for (unsigned k = 0; k < d->launch->statics[id].index_count; k++)
                named |= d->launch->statics[id].index_pc[k] == pc && executions(d, id) > 0;
            if (is_fed(d, id, pc)) uses += executions(d, id);
        }
        if (!named || (best != NONE && uses <= most)) continue;
        best = (int)pc;
        most = uses;
    }
    return best;
}

static bool is_index_load(const definition *d, const inst *i) {
    const ws_static *s = &d->launch->statics[i->id];
    return i->mask && (int)s->pc == d->index_pc && s->op == WS_MEMORY_LOAD && is_global(s);
}

/* Returns the place in the warp of its first executed index load, or NONE. */
static int first_load(const definition *d, const warp *w) {
    for (uint32_t i = 0; i < w->count; i++)
        if (is_index_load(d, &w->insts[i])) return (int)i;
    return NONE;
}

/* Returns the lane's first execution of instruction `id` behind the index load, or NULL. */
static const inst *first_use(const warp *w, int load, uint32_t id, unsigned lane) {
    for (uint32_t i = (uint32_t)load + 1; i < w->count; i++)
        if (w->insts[i].id == id && w->insts[i].mask >> lane & 1) return &w->insts[i];
    return NULL;
}

/* Returns how many elements use instruction `id`. */
static uint64_t uses_of(const definition *d, uint32_t id) {
    uint64_t uses = 0;
    for (uint32_t c = 0; c < d->ctas && is_fed(d, id, (uint32_t)d->index_pc); c++)
        for (uint32_t w = 0; w < WARPS; w++) {
            const warp *at = &d->launch->warps[c][w];
            int load = first_load(d, at);
            for (unsigned lane = 0; lane < LANES && load != NONE; lane++)
                uses += at->insts[load].mask >> lane & 1 && first_use(at, load, id, lane);
        }
    return uses;
}

/* Returns the access that the most elements use; of several the first. */
static uint32_t key_of(const definition *d) {
    uint32_t key = 0;
    for (uint32_t id = 1; id < STATICS; id++)
        if (uses_of(d, id) > uses_of(d, key)) key = id;
    return key;
}

static void define(definition *d) {
    bool load = false, used = false, again = false;
    d->index_pc = d->choice.index_pc >= 0 ? (int)d->choice.index_pc : chosen_load(d);
    for (uint32_t c = 0; c < d->ctas; c++)
        for (uint32_t w = 0; w < WARPS; w++) {
            const warp *at = &d->launch->warps[c][w];
            int first = first_load(d, at);
            load |= first != NONE;
            for (uint32_t i = 0; first != NONE && i < at->count; i++)
                again |= (int)i > first && is_index_load(d, &at->insts[i]);
        }
    for (uint32_t id = 0; id < STATICS && d->index_pc != NONE; id++) used |= uses_of(d, id) > 0;
    d->on = load && used && !again;
}

/* True for a load of at most 4 bytes that each warp with an index load executes exactly once after it, with the same
 * lanes, and in all lanes at the same distance, other than 0, from the index. */
static bool is_secondary(const definition *d, uint32_t id, int64_t *distance) {
    const ws_static *s = &d->launch->statics[id];
    bool any = false;
    if (s->op != WS_MEMORY_LOAD || !is_global(s) || s->width_B > 4 || is_fed(d, id, (uint32_t)d->index_pc))
        return false;
    for (uint32_t c = 0; c < d->ctas; c++)
        for (uint32_t w = 0; w < WARPS; w++) {
            const warp *at = &d->launch->warps[c][w];
            int load = first_load(d, at), times = 0;
            for (uint32_t i = 0; load != NONE && i < at->count; i++) {
                const inst *x = &at->insts[i];
                if ((int)i <= load || x->id != id || !x->mask) continue;
                times++;
                if (x->mask != at->insts[load].mask) return false;
                for (unsigned lane = 0; lane < LANES; lane++) {
                    int64_t apart = (int64_t)(x->address[lane] - at->insts[load].address[lane]);
                    if (!(x->mask >> lane & 1)) continue;
                    if (any && apart != *distance) return false;
                    *distance = apart;
                    any = true;
                }
            }
            if (load != NONE && times != 1) return false;
        }
    return any && *distance != 0;
}

/* ---- comparison */

static void same_warp(const definition *d, const reorder_work *work, const reorder_warp *found, uint32_t cta,
                      uint32_t id) {
    const warp *w = &d->launch->warps[cta][id];
    uint32_t load = (uint32_t)first_load(d, w), path = w->insts[load].mask;
    assert_int_equal(found->cta, cta);
    assert_int_equal(found->id, id);
    assert_int_equal(found->asks, path);
    assert_int_equal(found->inst_count, w->count - load - 1);
    assert_ptr_equal(&work->warps[reorder_work_warp(work, cta, id)], found);
    for (uint32_t i = 0; i < found->inst_count; i++) {
        const inst *x = &w->insts[load + 1 + i];
        if (x->mask) path = x->mask;
        assert_int_equal(found->static_id[i], x->id);
        assert_int_equal(found->mask[i], x->mask);
        assert_int_equal(found->path[i], path);
        if (!asks_memory(&d->launch->statics[x->id])) continue;
        for (unsigned lane = 0, k = 0; lane < LANES; lane++)
            if (x->mask >> lane & 1)
                assert_int_equal(found->address[found->address_at[i] + k++], x->address[lane]);
    }
}

static void same_elements(const definition *d, const reorder_work *work, uint32_t key) {
    const reorder_element *before = NULL;
    for (uint32_t i = 0; i < work->element_count; i++) {
        const reorder_element *e = &work->elements[i];
        const reorder_warp *w = &work->warps[e->warp];
        const warp *at = &d->launch->warps[w->cta][w->id];
        int load = first_load(d, at);
        assert_true(w->asks >> e->lane & 1);
        assert_int_equal(e->address, at->insts[load].address[e->lane]);
        const inst *use = first_use(at, load, key, e->lane);
        assert_int_equal(work->targets[i], use ? use->address[e->lane] : WS_IRU_NO_TARGET);
        uint32_t nth = lanes_of((uint32_t)w->asks & ((1u << e->lane) - 1));
        assert_int_equal(work->by_lane[w->first + nth], i);
        if (before) {
            bool follows = before->address < e->address ||
                           (before->address == e->address &&
                            (before->warp < e->warp || (before->warp == e->warp && before->lane < e->lane)));
            assert_true(follows);
        }
        before = e;
    }
}

static void same_lines(const reorder_work *work) {
    uint32_t element = 0;
    for (uint32_t i = 0; i < work->line_count; i++) {
        const reorder_line *l = &work->lines[i];
        uint8_t sectors = 0;
        assert_int_equal(l->first, element);
        assert_true(l->count > 0 && (i == 0 || l[-1].line < l->line));
        for (uint32_t k = 0; k < l->count; k++) {
            uint64_t address = work->elements[element++].address;
            assert_int_equal(address / LINE_B, l->line);
            sectors |= (uint8_t)(1 << address % LINE_B / 32);
        }
        assert_int_equal(l->sectors, sectors);
    }
    assert_int_equal(element, work->element_count);
}

static void same_secondary(const definition *d, const reorder_work *work) {
    int chosen = NONE;
    int64_t distance = 0;
    for (uint32_t id = 0; id < STATICS && d->choice.secondary; id++) {
        int64_t apart = 0;
        if (!is_secondary(d, id, &apart)) continue;
        if (chosen != NONE && d->launch->statics[chosen].pc < d->launch->statics[id].pc) continue;
        chosen = (int)id;
        distance = apart;
    }
    assert_int_equal(work->has_secondary, chosen != NONE);
    for (uint32_t id = 0; id < STATICS; id++) assert_int_equal(work->dropped[id], (int)id == chosen);
    if (chosen == NONE) return;
    assert_int_equal(work->secondary_distance, distance);
    assert_int_equal(work->secondary_B, d->launch->statics[chosen].width_B);
}

static void same(const definition *d, const reorder_work *work) {
    uint32_t asking = 0, elements = 0, key = key_of(d);
    assert_int_equal(work->index_pc, d->index_pc);
    for (uint32_t id = 0; id < STATICS; id++)
        assert_int_equal(work->fed[id], is_fed(d, id, (uint32_t)d->index_pc));
    for (uint32_t c = 0; c < d->ctas; c++)
        for (uint32_t w = 0; w < WARPS; w++) {
            const warp *at = &d->launch->warps[c][w];
            int load = first_load(d, at);
            if (load == NONE) continue;
            assert_true(asking < work->warp_count);
            assert_int_equal(work->warps[asking].first, elements);
            same_warp(d, work, &work->warps[asking++], c, w);
            elements += lanes_of(at->insts[load].mask);
        }
    assert_int_equal(work->warp_count, asking);
    assert_int_equal(work->element_count, elements);
    bool adds = strcmp(d->launch->opcode[key], "atomic_add") == 0;
    if (d->choice.filter != WS_IRU_FILTER_AUTO)
        assert_int_equal(work->filter, d->choice.filter);
    else
        assert_int_equal(work->filter, adds ? WS_IRU_FILTER_FADD : WS_IRU_FILTER_NONE);
    same_elements(d, work, key);
    same_lines(work);
    same_secondary(d, work);
}

static void like_its_definition(void **state) {
    (void)state;
    static const enum ws_iru_filter filters[] = {WS_IRU_FILTER_AUTO, WS_IRU_FILTER_NONE, WS_IRU_FILTER_MIN,
                                                 WS_IRU_FILTER_AUTO};
    uint32_t on = 0, off = 0, secondary = 0, no_target = 0;
    for (uint64_t seed = 1; seed <= 1000; seed++) {
        uint64_t random = seed;
        launch *l = draw(&random);
        ws_trace *trace = trace_of(l);
        ws_error err = WS_NO_ERROR;
        ws_reader *reader = ws_reader_new(trace, &err);
        definition d = {.launch = l,
                        .ctas = 1 + random_below(&random, CTAS),
                        .choice = {.index_pc = NONE,
                                   .access_pc = {NONE, NONE, NONE},
                                   .secondary = !random_one_in(&random, 4),
                                   .filter = filters[random_below(&random, 4)],
                                   .line_B = LINE_B}};
        if (random_one_in(&random, 2)) d.choice.index_pc = l->statics[l->load[random_below(&random, 2)]].pc;
        if (d.choice.index_pc >= 0 && !random_one_in(&random, 3))
            d.choice.access_pc[random_below(&random, 3)] = l->statics[random_below(&random, STATICS)].pc;
        define(&d);
        reorder_work work;
        bool ok = reorder_work_gather(&work, reader, trace, 1, d.ctas, &d.choice, &err);
        if (!ok) fail_msg("seed %d: %s", (int)seed, err.text);
        if (work.on != d.on) fail_msg("seed %d: on is %d", (int)seed, work.on);
        if (d.on) same(&d, &work);
        on += d.on, off += !d.on, secondary += d.on && work.has_secondary;
        for (uint32_t i = 0; d.on && i < work.element_count; i++)
            no_target += work.targets[i] == WS_IRU_NO_TARGET;
        reorder_work_free(&work);
        ws_reader_free(reader);
        ws_trace_close(trace);
        free(l);
    }
    assert_true(on > 100 && off > 50 && secondary > 30 && no_target > 100);
}

/* Makes a launch without warps, whose instructions are loads: 0 loads indices, 1 and 2 use them. */
static launch *three_loads(void) {
    launch *l = calloc(1, sizeof *l);
    assert_non_null(l);
    for (uint32_t i = 0; i < STATICS; i++) {
        l->statics[i] = (ws_static){.pc = 16 * (i + 1),
                                    .class_ = WS_CLASS_MEM,
                                    .op = WS_MEMORY_LOAD,
                                    .space = WS_SPACE_GLOBAL,
                                    .width_B = 4};
        l->opcode[i] = "load";
        if (i != 1 && i != 2) continue;
        l->statics[i].index_count = 1;
        l->statics[i].index_pc[0] = 16;
    }
    return l;
}

/* An element uses an access once, however often its lane executes that. Here 32 elements use the first access and 40
 * the second, which therefore gives the targets, though lanes execute it less often. */
static void elements_count_once_per_access(void **state) {
    (void)state;
    uint64_t random = 1;
    ws_error err = WS_NO_ERROR;
    launch *l = three_loads();
    warp *w = l->warps[0];
    for (int i = 0; i < 2; i++) add(l, &w[i], &random, 0, UINT32_MAX, NULL);
    for (int i = 0; i < 5; i++) add(l, &w[0], &random, 1, i % 2 ? 0xffff : 0xffff0000, NULL);
    add(l, &w[0], &random, 2, 0xff, NULL);
    add(l, &w[1], &random, 2, UINT32_MAX, NULL);
    ws_trace *trace = trace_of(l);
    ws_reader *reader = ws_reader_new(trace, &err);
    const reorder_choice choice = {.index_pc = NONE, .access_pc = {NONE, NONE, NONE}, .line_B = LINE_B};
    reorder_work work;
    assert_true(reorder_work_gather(&work, reader, trace, 1, CTAS, &choice, &err));
    assert_int_equal(work.element_count, 64);
    for (unsigned lane = 0; lane < LANES; lane++) {
        assert_int_equal(work.targets[work.by_lane[lane]],
                         lane < 8 ? w[0].insts[6].address[lane] : WS_IRU_NO_TARGET);
        assert_int_equal(work.targets[work.by_lane[LANES + lane]], w[1].insts[1].address[lane]);
    }
    reorder_work_free(&work);
    ws_reader_free(reader);
    ws_trace_close(trace);
    free(l);
}

/* An index of 24 bits (IRU 4) reaches 2^24 elements from the first one on; accesses that span more are refused. */
static void targets_lie_within_reach(void **state) {
    (void)state;
    launch *l = three_loads();
    for (int which = 0; which < 8; which++) {
        bool beyond = which & 1, downwards = which & 2;
        uint64_t random = 1, first = 0x123456780, width_B = which & 4 ? 8 : 4;
        uint64_t last = first + ((UINT64_C(1) << 24) - 1 + beyond) * width_B;
        ws_error err = WS_NO_ERROR;
        warp *w = &l->warps[1][2];
        w->count = 0;
        l->statics[1].width_B = (uint8_t)width_B;
        add(l, w, &random, 0, 0xf0, NULL);
        add(l, w, &random, 1, 0x70, NULL); /* one element is not used */
        for (unsigned lane = 0; lane < LANES; lane++) w->insts[0].address[lane] = 0x1000 + 4 * lane;
        w->insts[1].address[4] = downwards ? last : first;
        w->insts[1].address[5] = first + 64;
        w->insts[1].address[6] = downwards ? first : last;
        ws_trace *trace = trace_of(l);
        ws_reader *reader = ws_reader_new(trace, &err);
        const reorder_choice choice = {.index_pc = NONE, .access_pc = {NONE, NONE, NONE}, .line_B = LINE_B};
        reorder_work work;
        assert_int_equal(reorder_work_gather(&work, reader, trace, 1, CTAS, &choice, &err), !beyond);
        if (beyond) assert_non_null(strstr(err.text, "the accesses at 20 span more elements than"));
        reorder_work_free(&work);
        ws_reader_free(reader);
        ws_trace_close(trace);
    }
    free(l);
}

/* Without an element that is used behind the index load nothing is reordered, though the access is executed. */
static void what_comes_before_the_load_uses_nothing(void **state) {
    (void)state;
    uint64_t random = 1;
    ws_error err = WS_NO_ERROR;
    launch *l = three_loads();
    l->statics[0] = (ws_static){.pc = 64, .class_ = WS_CLASS_INT, .space = WS_SPACE_NONE};
    l->statics[3].pc = 16;
    warp *w = &l->warps[0][0];
    add(l, w, &random, 0, UINT32_MAX, NULL);
    add(l, w, &random, 1, UINT32_MAX, NULL); /* by what its lanes had of an earlier load */
    add(l, w, &random, 3, UINT32_MAX, NULL);
    add(l, w, &random, 0, UINT32_MAX, NULL);
    ws_trace *trace = trace_of(l);
    ws_reader *reader = ws_reader_new(trace, &err);
    const reorder_choice choice = {.index_pc = NONE, .access_pc = {NONE, NONE, NONE}, .line_B = LINE_B};
    reorder_work work;
    assert_true(reorder_work_gather(&work, reader, trace, 1, CTAS, &choice, &err));
    assert_false(work.on);
    reorder_work_free(&work);
    ws_reader_free(reader);
    ws_trace_close(trace);
    free(l);
}

/* In a trace that names no index loads, users name them. PC 0 is one like any other. */
static void users_name_loads(void **state) {
    (void)state;
    uint64_t random = 1;
    ws_error err = WS_NO_ERROR;
    for (int at_0 = 0; at_0 < 2; at_0++) { /* 1: the index load is at PC 0; 0: the access is */
        launch *l = three_loads();
        for (uint32_t i = 0; i < STATICS; i++) {
            l->statics[i].pc = 16 * ((i + !at_0) % 2 + i / 2 * 2);
            l->statics[i].index_count = 0;
        }
        add(l, &l->warps[0][0], &random, 0, 0xff, NULL);
        add(l, &l->warps[0][0], &random, 1, 0xff, NULL);
        ws_trace *trace = trace_of(l);
        ws_reader *reader = ws_reader_new(trace, &err);
        reorder_choice choice = {
            .index_pc = at_0 ? 0 : 16, .access_pc = {NONE, at_0 ? 16 : 0, NONE}, .line_B = LINE_B};
        reorder_work work;
        assert_true(reorder_work_gather(&work, reader, trace, 1, CTAS, &choice, &err));
        assert_true(work.on && work.fed[1] && !work.fed[0]);
        assert_int_equal(work.element_count, 8);
        reorder_work_free(&work);
        choice.index_pc = NONE;
        assert_false(reorder_work_gather(&work, reader, trace, 1, CTAS, &choice, &err));
        assert_non_null(strstr(err.text, "expected a trace that names index loads"));
        reorder_work_free(&work);
        ws_reader_free(reader);
        ws_trace_close(trace);
        free(l);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(like_its_definition), cmocka_unit_test(elements_count_once_per_access),
        cmocka_unit_test(targets_lie_within_reach), cmocka_unit_test(users_name_loads),
        cmocka_unit_test(what_comes_before_the_load_uses_nothing)};
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
