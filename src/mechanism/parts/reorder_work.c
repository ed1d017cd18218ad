#include "mechanism/parts/reorder_work.h"

#include "base/room.h"
#include "replay/iru_sizes.h"
#include "warpsweep/timed.h"

#include <stdlib.h>
#include <string.h>

/* Per static instruction: whether it may be the load of the secondary array. That is a load that every warp executes
 * once after its index load and with the same lanes, at a constant distance from the address that the index load
 * reads. */
typedef struct sibling {
    uint32_t warps; /* executions of the load so far, by as many warps unless `differs` */
    bool differs;   /* an execution does not fit the description */
    int64_t distance;
} sibling;

enum { SECONDARY_B = 4 }; /* IRU 4: a secondary array of 32 bits */

typedef struct gathering {
    reorder_work *work;
    const ws_trace *trace;
    const ws_static *statics;
    const reorder_choice *choice;
    uint32_t static_count;
    sibling *siblings;
    bool *may_load;  /* per static instruction: it may turn out to be the index load */
    uint64_t *lanes; /* per static instruction: the sum of active lanes over its executions in the launch */
    uint64_t *uses;  /* per static instruction: the number of elements that it uses */
    uint64_t *seen;  /* per static instruction: the lanes of the present warp that have executed it */
    size_t warp_room, element_room;
    bool again; /* a warp executes the index load more than once */
} gathering;

static void *zeroed(size_t count, size_t size) {
    return calloc(count + 1, size);
}

/* ---- choice of the index load */

static bool is_global_load(const ws_static *s) {
    return s->op == WS_MEMORY_LOAD && ws_static_is_global_or_local(s);
}

static bool names_accesses(const reorder_choice *c) {
    bool any = false;
    for (int i = 0; i < REORDER_ACCESS_PCS; i++) any |= c->access_pc[i] >= 0;
    return any;
}

/* True if the access's address follows from the index: the user names the access, or the trace says so. */
static bool is_fed(const reorder_choice *c, const ws_static *s, uint32_t index_pc) {
    if (!ws_static_is_global_or_local(s)) return false;
    bool fed = false;
    for (int i = 0; i < REORDER_ACCESS_PCS; i++) fed |= c->access_pc[i] == s->pc;
    for (uint32_t k = 0; k < s->index_count && !names_accesses(c); k++) fed |= s->index_pc[k] == index_pc;
    return fed;
}

/* Sets `may_load` for the load that the user names, or else for those that accesses of the trace name. */
static void mark_loads(gathering *g) {
    for (uint32_t i = 0; i < g->static_count; i++) {
        const ws_static *s = &g->statics[i];
        bool named = g->choice->index_pc == s->pc;
        for (uint32_t j = 0; j < g->static_count && g->choice->index_pc < 0 && !named; j++)
            for (uint32_t k = 0; k < g->statics[j].index_count; k++)
                named |= g->statics[j].index_pc[k] == s->pc;
        g->may_load[i] = named && is_global_load(s);
    }
}

/* Chooses the index load that the most lane accesses of the launch name; among equals the one with the lowest pc. */
static void choose_load(gathering *g) {
    const uint64_t *lanes = g->lanes;
    uint64_t most = 0;
    for (uint32_t i = 0; i < g->static_count; i++)
        for (uint32_t k = 0; lanes[i] && k < g->statics[i].index_count; k++) {
            uint32_t pc = g->statics[i].index_pc[k];
            uint64_t named = 0;
            for (uint32_t j = 0; j < g->static_count; j++)
                if (is_fed(g->choice, &g->statics[j], pc)) named += lanes[j];
            if (named < most || (named == most && pc >= g->work->index_pc)) continue;
            most = named;
            g->work->index_pc = pc;
        }
}

/* True if the launch executes the index load and an access that uses it. */
static bool is_there(const gathering *g) {
    const uint64_t *lanes = g->lanes;
    bool load = false, access = false;
    for (uint32_t i = 0; i < g->static_count; i++) {
        load |= lanes[i] && is_global_load(&g->statics[i]) && g->statics[i].pc == g->work->index_pc;
        access |= lanes[i] && is_fed(g->choice, &g->statics[i], g->work->index_pc);
    }
    return load && access;
}

/* ---- warps */

static bool *new_flags(uint32_t count) {
    return zeroed(count, sizeof(bool));
}

static void *copy_of(const void *items, size_t count, size_t size) {
    void *copy = malloc((count + 1) * size);
    if (copy && count) memcpy(copy, items, count * size);
    return copy;
}

/* Sets `path`: an instruction without active lanes belongs to the lanes that executed the one before it. */
static void follow_paths(reorder_warp *w) {
    uint64_t path = w->asks;
    for (uint32_t i = 0; i < w->inst_count; i++) {
        if (w->mask[i]) path = w->mask[i];
        w->path[i] = path;
    }
}

static bool copy_tail(reorder_warp *w, const ws_warp *warp, uint32_t from) {
    uint32_t count = warp->inst_count - from, base = warp->address_at[from];
    w->inst_count = count;
    w->static_id = copy_of(warp->static_id + from, count, sizeof *w->static_id);
    w->mask = copy_of(warp->mask + from, count, sizeof *w->mask);
    w->path = malloc((count + 1) * sizeof *w->path);
    w->address_at = copy_of(warp->address_at + from, count, sizeof *w->address_at);
    w->address =
        copy_of(warp->addresses + base, warp->address_at[warp->inst_count] - base, sizeof *w->address);
    if (!w->static_id || !w->mask || !w->path || !w->address_at || !w->address) return false;
    for (uint32_t i = 0; i < count; i++) w->address_at[i] -= base;
    return true;
}

/* Updates the sibling record with instruction `i` of the warp, a global load after its index load. */
static void look_at_sibling(gathering *g, const reorder_warp *w, uint32_t i, const uint64_t *index_address) {
    sibling *s = &g->siblings[w->static_id[i]];
    const uint64_t *address = w->address + w->address_at[i];
    bool fits = w->mask[i] == w->asks && !g->seen[w->static_id[i]];
    if (s->warps == 0) s->distance = (int64_t)(address[0] - index_address[0]);
    unsigned lanes = (unsigned)__builtin_popcountll(w->mask[i]);
    for (unsigned k = 0; fits && k < lanes; k++)
        fits = (int64_t)(address[k] - index_address[k]) == s->distance;
    s->warps++;
    s->differs |= !fits;
}

/* Notes what the trace uses the warp's elements for. Per element, the first execution of each static instruction
 * counts. */
static void look_at_uses(gathering *g, const reorder_warp *w, const uint64_t *index_address) {
    const reorder_work *work = g->work;
    for (uint32_t i = 0; i < w->inst_count; i++) {
        uint32_t id = w->static_id[i];
        const ws_static *s = &g->statics[id];
        if (work->fed[id])
            g->uses[id] += (uint64_t)__builtin_popcountll(w->mask[i] & w->asks & ~g->seen[id]);
        else if (is_global_load(s) && w->mask[i])
            look_at_sibling(g, w, i, index_address);
        g->again |= is_global_load(s) && s->pc == work->index_pc && w->mask[i];
        g->seen[id] |= w->mask[i];
    }
    for (uint32_t i = 0; i < w->inst_count; i++) g->seen[w->static_id[i]] = 0;
}

/* Keeps the warp's instructions from the first load on that may turn out to be the index load. */
static bool read_warp(gathering *g, const ws_cta *cta, const ws_warp *warp) {
    reorder_work *work = g->work;
    uint32_t from = warp->inst_count;
    for (uint32_t i = warp->inst_count; i-- > 0;) {
        g->lanes[warp->static_id[i]] += (uint64_t)__builtin_popcountll(warp->mask[i]);
        if (warp->mask[i] && g->may_load[warp->static_id[i]]) from = i;
    }
    if (from == warp->inst_count) return true;
    if (!WS_ROOM_FOR(work->warps, g->warp_room, work->warp_count + 1)) return false;
    reorder_warp *w = &work->warps[work->warp_count++];
    *w = (reorder_warp){.cta = cta->ordinal, .id = warp->id};
    return copy_tail(w, warp, from);
}

static bool add_elements(gathering *g, uint32_t warp, const uint64_t *address) {
    reorder_work *work = g->work;
    uint64_t asks = work->warps[warp].asks;
    size_t count = work->element_count + (size_t)__builtin_popcountll(asks);
    bool ok = WS_ROOM_FOR(work->elements, g->element_room, count);
    for (; ok && asks; asks &= asks - 1)
        work->elements[work->element_count++] =
            (reorder_element){.address = *address++, .warp = warp, .lane = (uint8_t)__builtin_ctzll(asks)};
    return ok;
}

/* Drops the first `by` instructions, but for their addresses, which address_at skips. */
static void shorten(reorder_warp *w, uint32_t by) {
    uint32_t left = w->inst_count - by;
    memmove(w->static_id, w->static_id + by, left * sizeof *w->static_id);
    memmove(w->mask, w->mask + by, left * sizeof *w->mask);
    memmove(w->address_at, w->address_at + by, left * sizeof *w->address_at);
    w->inst_count = left;
}

/* Once the index load is known to be instruction `at` of the warp: its elements and its tail. False if out of
 * memory. */
static bool settle_warp(gathering *g, uint32_t warp, uint32_t at) {
    reorder_warp *w = &g->work->warps[warp];
    const uint64_t *address = w->address + w->address_at[at];
    w->asks = w->mask[at];
    w->first = g->work->element_count;
    shorten(w, at + 1);
    follow_paths(w);
    if (!add_elements(g, warp, address)) return false;
    look_at_uses(g, w, address);
    return true;
}

static void free_warp(reorder_warp *w) {
    free(w->static_id), free(w->address_at), free(w->mask), free(w->path), free(w->address);
}

/* Settles all warps that execute the index load, and drops the others. */
static bool settle_warps(gathering *g) {
    reorder_work *work = g->work;
    uint32_t read = work->warp_count, kept = 0;
    bool ok = true;
    for (uint32_t i = 0; i < read; i++) {
        reorder_warp w = work->warps[i];
        uint32_t at = 0;
        while (at < w.inst_count && !(w.mask[at] && g->may_load[w.static_id[at]] &&
                                      g->statics[w.static_id[at]].pc == work->index_pc))
            at++;
        if (!ok || at == w.inst_count) {
            free_warp(&w);
            continue;
        }
        work->warps[kept] = w;
        ok = settle_warp(g, kept++, at);
    }
    work->warp_count = kept;
    return ok;
}

/* ---- elements */

/* The access by whose lines elements are collected: the one that uses the most elements; among equals the first. */
static uint32_t key_access(const gathering *g) {
    uint32_t key = 0;
    for (uint32_t i = 1; i < g->static_count; i++)
        if (g->uses[i] > g->uses[key]) key = i;
    return key;
}

static uint64_t target_of(const reorder_work *work, const reorder_element *e, uint32_t key) {
    const reorder_warp *w = &work->warps[e->warp];
    uint64_t bit = UINT64_C(1) << e->lane;
    for (uint32_t i = 0; i < w->inst_count; i++)
        if (w->static_id[i] == key && w->mask[i] & bit)
            return w->address[w->address_at[i] + (uint32_t)__builtin_popcountll(w->mask[i] & (bit - 1))];
    return WS_IRU_NO_TARGET;
}

static int by_place(const void *a, const void *b) {
    const reorder_element *x = a, *y = b;
    if (x->address != y->address) return x->address < y->address ? -1 : 1;
    if (x->warp != y->warp) return x->warp < y->warp ? -1 : 1;
    return x->lane < y->lane ? -1 : x->lane > y->lane;
}

static bool number_elements(gathering *g, uint32_t key) {
    reorder_work *work = g->work;
    qsort(work->elements, work->element_count, sizeof *work->elements, by_place);
    work->targets = zeroed(work->element_count, sizeof *work->targets);
    work->by_lane = zeroed(work->element_count, sizeof *work->by_lane);
    if (!work->targets || !work->by_lane) return false;
    for (uint32_t i = 0; i < work->element_count; i++) {
        const reorder_element *e = &work->elements[i];
        const reorder_warp *w = &work->warps[e->warp];
        uint64_t below = w->asks & ((UINT64_C(1) << e->lane) - 1);
        work->targets[i] = target_of(work, e, key);
        work->by_lane[w->first + (uint32_t)__builtin_popcountll(below)] = i;
    }
    return true;
}

static bool list_lines(gathering *g) {
    reorder_work *work = g->work;
    work->lines = zeroed(work->element_count, sizeof *work->lines);
    if (!work->lines) return false;
    for (uint32_t i = 0; i < work->element_count; i++) {
        uint64_t address = work->elements[i].address, line = address / g->choice->line_B;
        reorder_line *last = work->line_count ? &work->lines[work->line_count - 1] : NULL;
        if (!last || last->line != line) {
            last = &work->lines[work->line_count++];
            *last = (reorder_line){.line = line, .first = i};
        }
        last->count++;
        last->sectors |= (uint8_t)(1u << address % g->choice->line_B / WS_TIMED_SECTOR_B);
    }
    return true;
}

/* ---- the secondary array */

static void choose_secondary(gathering *g) {
    reorder_work *work = g->work;
    const ws_static *chosen = NULL;
    for (uint32_t i = 0; g->choice->secondary && i < g->static_count; i++) {
        const sibling *s = &g->siblings[i];
        if (s->differs || s->warps != work->warp_count || s->distance == 0) continue;
        if (g->statics[i].width_B > SECONDARY_B) continue;
        if (chosen && chosen->pc <= g->statics[i].pc) continue;
        chosen = &g->statics[i];
        work->secondary_distance = s->distance;
    }
    if (!chosen) return;
    work->has_secondary = true;
    work->secondary_B = chosen->width_B;
    work->dropped[chosen - g->statics] = true;
}

/* ---- all */

static bool check_reach(const gathering *g, uint32_t key, ws_error *err) {
    const reorder_work *work = g->work;
    uint64_t first = UINT64_MAX, last = 0;
    for (uint32_t i = 0; i < work->element_count; i++) {
        if (work->targets[i] == WS_IRU_NO_TARGET) continue;
        first = work->targets[i] < first ? work->targets[i] : first;
        last = work->targets[i] > last ? work->targets[i] : last;
    }
    if (last < first || (last - first) / g->statics[key].width_B < 1 << WS_IRU_INDEX_BITS) return true;
    return ws_fail(err, WS_ERROR_TRACE,
                   "the accesses at %x span more elements than an index of 24 bits reaches (IRU 4)",
                   g->statics[key].pc);
}

static bool read_warps(gathering *g, ws_reader *reader, uint32_t kernel, uint32_t ctas, ws_error *err) {
    for (uint32_t c = 0; c < ctas; c++) {
        ws_cta cta;
        if (!ws_reader_cta(reader, kernel, c, &cta, err)) return false;
        for (uint32_t w = 0; w < cta.warp_count; w++)
            if (!read_warp(g, &cta, &cta.warps[w])) return ws_no_memory(err);
    }
    return true;
}

static void find_load(gathering *g) {
    g->work->index_pc = g->choice->index_pc < 0 ? UINT32_MAX : (uint32_t)g->choice->index_pc;
    if (g->choice->index_pc < 0) choose_load(g);
    g->work->on = is_there(g);
}

static bool gather(gathering *g, ws_reader *reader, uint32_t kernel, uint32_t ctas, ws_error *err) {
    reorder_work *work = g->work;
    mark_loads(g);
    if (!read_warps(g, reader, kernel, ctas, err)) return false;
    find_load(g);
    if (!work->on) return true;
    for (uint32_t i = 0; i < g->static_count; i++)
        work->fed[i] = is_fed(g->choice, &g->statics[i], work->index_pc);
    if (!settle_warps(g)) return ws_no_memory(err);
    uint32_t key = key_access(g);
    work->on = !g->again && g->uses[key]; /* an access may come before the index load only */
    if (!work->on) return true;
    const ws_static *s = &g->statics[key];
    work->filter = g->choice->filter != WS_IRU_FILTER_AUTO
                       ? g->choice->filter
                       : ws_iru_filter_of(s, ws_trace_opcode(g->trace, s->opcode));
    choose_secondary(g);
    if (!number_elements(g, key) || !list_lines(g)) return ws_no_memory(err);
    return check_reach(g, key, err);
}

bool reorder_work_gather(reorder_work *work, ws_reader *reader, const ws_trace *trace, uint32_t kernel,
                         uint32_t ctas, const reorder_choice *choice, ws_error *err) {
    const ws_trace_info *info = ws_trace_get_info(trace);
    gathering g = {.work = work,
                   .trace = trace,
                   .statics = ws_trace_statics(trace),
                   .choice = choice,
                   .static_count = info->static_count};
    *work = (reorder_work){0};
    if (choice->index_pc < 0 && !(info->features & WS_FEATURE_INDEX_FLOW))
        return ws_fail(err, WS_ERROR_TRACE,
                       "%s: expected a trace that names index loads, found one without; give "
                       "reorder.index_pc and reorder.access_pc",
                       ws_trace_path(trace));
    g.siblings = zeroed(g.static_count, sizeof *g.siblings);
    g.may_load = new_flags(g.static_count);
    g.lanes = zeroed(g.static_count, sizeof *g.lanes);
    g.uses = zeroed(g.static_count, sizeof *g.uses);
    g.seen = zeroed(g.static_count, sizeof *g.seen);
    work->dropped = new_flags(g.static_count);
    work->fed = new_flags(g.static_count);
    bool ok = g.siblings && g.may_load && g.lanes && g.uses && g.seen && work->dropped && work->fed;
    if (!ok) ws_no_memory(err);
    ok = ok && gather(&g, reader, kernel, ctas, err);
    free(g.may_load);
    free(g.lanes);
    free(g.siblings);
    free(g.uses);
    free(g.seen);
    return ok;
}

void reorder_work_free(reorder_work *work) {
    for (uint32_t i = 0; i < work->warp_count; i++) free_warp(&work->warps[i]);
    free(work->warps), free(work->elements), free(work->targets), free(work->by_lane);
    free(work->lines), free(work->dropped), free(work->fed);
    *work = (reorder_work){0};
}

/* Binary search: warps are sorted by CTA, and by id within a CTA. */
uint32_t reorder_work_warp(const reorder_work *work, uint32_t cta, uint32_t id) {
    uint32_t first = 0, end = work->warp_count;
    while (end - first > 1) {
        uint32_t middle = first + (end - first) / 2;
        const reorder_warp *w = &work->warps[middle];
        if (w->cta < cta || (w->cta == cta && w->id <= id))
            first = middle;
        else
            end = middle;
    }
    return first;
}
