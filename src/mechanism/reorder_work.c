#include "mechanism/reorder_work.h"

#include <stdlib.h>
#include <string.h>

/* What the choice of a secondary array goes by, per static instruction: a load that every warp makes once, behind its
 * index load and with the same lanes, always as far from what that reads. */
typedef struct sibling {
    uint32_t warps; /* that make it so */
    bool differs;
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
    uint64_t *uses; /* per static instruction: elements that it uses */
    uint64_t *seen; /* per static instruction: lanes of the warp at hand that have executed it */
    uint32_t warp_room, element_room;
    bool again; /* a warp executes the index load a second time */
} gathering;

static void *zeroed(size_t count, size_t size) {
    return calloc(count + 1, size);
}

/* Room for `more` items behind `count`. False without memory. */
static bool reserve(void **items, uint32_t count, uint32_t more, uint32_t *room, size_t size) {
    if (count + more <= *room) return true;
    uint32_t grown_room = *room ? *room * 2 : 1024;
    while (grown_room < count + more) grown_room *= 2;
    void *grown = realloc(*items, grown_room * size);
    if (!grown) return false;
    *items = grown;
    *room = grown_room;
    return true;
}

/* ---- which load */

static bool is_global_load(const ws_static *s) {
    return s->op == WS_MEMORY_LOAD && ws_static_is_global_or_local(s);
}

static bool names_accesses(const reorder_choice *c) {
    bool any = false;
    for (int i = 0; i < REORDER_ACCESS_PCS; i++) any |= c->access_pc[i] >= 0;
    return any;
}

/* Whether the index gives the place of the access. */
static bool is_fed(const reorder_choice *c, const ws_static *s, uint32_t index_pc) {
    if (!ws_static_is_global_or_local(s)) return false;
    bool fed = false;
    for (int i = 0; i < REORDER_ACCESS_PCS; i++) fed |= c->access_pc[i] == s->pc;
    for (uint32_t k = 0; k < s->index_count && !names_accesses(c); k++) fed |= s->index_pc[k] == index_pc;
    return fed;
}

/* Lane accesses of the launch by static instruction. */
static bool count_lanes(ws_reader *reader, uint32_t kernel, uint32_t ctas, uint64_t *lanes, ws_error *err) {
    for (uint32_t c = 0; c < ctas; c++) {
        ws_cta cta;
        if (!ws_reader_cta(reader, kernel, c, &cta, err)) return false;
        for (uint32_t w = 0; w < cta.warp_count; w++)
            for (uint32_t i = 0; i < cta.warps[w].inst_count; i++)
                lanes[cta.warps[w].static_id[i]] += (uint64_t)__builtin_popcountll(cta.warps[w].mask[i]);
    }
    return true;
}

/* Of the loads that accesses of the launch name, the one that most lane accesses name; of several the first. */
static void choose_load(gathering *g, const uint64_t *lanes) {
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
    g->work->on = most > 0;
}

/* Whether the launch executes it, and something that uses it. */
static bool is_there(const gathering *g, const uint64_t *lanes) {
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

/* Instructions without lanes belong to those that executed the last one. */
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
    follow_paths(w);
    return true;
}

/* A load that may be one of the secondary array. */
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

/* What becomes of the warp's elements in the trace: the first access of each static instruction counts. */
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

static bool add_warp(gathering *g, const ws_cta *cta, const ws_warp *warp, uint32_t at) {
    reorder_work *work = g->work;
    const uint64_t *address = warp->addresses + warp->address_at[at];
    uint32_t lanes = (uint32_t)__builtin_popcountll(warp->mask[at]);
    void *warps = work->warps, *elements = work->elements;
    bool ok = reserve(&warps, work->warp_count, 1, &g->warp_room, sizeof *work->warps);
    work->warps = warps;
    ok = ok && reserve(&elements, work->element_count, lanes, &g->element_room, sizeof *work->elements);
    work->elements = elements;
    if (!ok) return false;
    reorder_warp *w = &work->warps[work->warp_count++];
    *w = (reorder_warp){
        .cta = cta->ordinal, .id = warp->id, .asks = warp->mask[at], .first = work->element_count};
    uint32_t k = 0;
    for (uint64_t rest = w->asks; rest; rest &= rest - 1)
        work->elements[work->element_count++] = (reorder_element){
            .address = address[k++], .warp = work->warp_count - 1, .lane = (uint8_t)__builtin_ctzll(rest)};
    if (!copy_tail(w, warp, at + 1)) return false;
    look_at_uses(g, w, address);
    return true;
}

static bool add_cta(gathering *g, const ws_cta *cta) {
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        const ws_warp *warp = &cta->warps[w];
        uint32_t at = 0;
        while (at < warp->inst_count &&
               !(warp->mask[at] && is_global_load(&g->statics[warp->static_id[at]]) &&
                 g->statics[warp->static_id[at]].pc == g->work->index_pc))
            at++;
        if (at < warp->inst_count && !add_warp(g, cta, warp, at)) return false;
    }
    return true;
}

/* ---- elements */

/* The access whose lines the unit collects: the one that most elements are used for, of several the first. */
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
        last->sectors |= (uint8_t)(1u << address % g->choice->line_B / 32);
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
    for (uint32_t c = 0; c < ctas && !g->again; c++) {
        ws_cta cta;
        if (!ws_reader_cta(reader, kernel, c, &cta, err)) return false;
        if (!add_cta(g, &cta)) return ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    }
    return true;
}

static bool find_load(gathering *g, ws_reader *reader, uint32_t kernel, uint32_t ctas, ws_error *err) {
    uint64_t *lanes = zeroed(g->static_count, sizeof *lanes);
    if (!lanes) return ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    bool ok = count_lanes(reader, kernel, ctas, lanes, err);
    g->work->index_pc = g->choice->index_pc < 0 ? UINT32_MAX : (uint32_t)g->choice->index_pc;
    if (ok && g->choice->index_pc < 0) choose_load(g, lanes);
    if (ok) g->work->on = is_there(g, lanes);
    free(lanes);
    return ok;
}

static bool gather(gathering *g, ws_reader *reader, uint32_t kernel, uint32_t ctas, ws_error *err) {
    reorder_work *work = g->work;
    if (!find_load(g, reader, kernel, ctas, err)) return false;
    if (!work->on) return true;
    for (uint32_t i = 0; i < g->static_count; i++)
        work->fed[i] = is_fed(g->choice, &g->statics[i], work->index_pc);
    if (!read_warps(g, reader, kernel, ctas, err)) return false;
    work->on = !g->again && work->element_count > 0;
    if (!work->on) return true;
    uint32_t key = key_access(g);
    const ws_static *s = &g->statics[key];
    work->filter = g->choice->filter != WS_IRU_FILTER_AUTO
                       ? g->choice->filter
                       : ws_iru_filter_of(s, ws_trace_opcode(g->trace, s->opcode));
    choose_secondary(g);
    if (!number_elements(g, key) || !list_lines(g)) return ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    return check_reach(g, key, err);
}

bool reorder_work_gather(reorder_work *work, const ws_trace *trace, uint32_t kernel, uint32_t ctas,
                         const reorder_choice *choice, ws_error *err) {
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
    g.uses = zeroed(g.static_count, sizeof *g.uses);
    g.seen = zeroed(g.static_count, sizeof *g.seen);
    work->dropped = new_flags(g.static_count);
    work->fed = new_flags(g.static_count);
    bool ok = g.siblings && g.uses && g.seen && work->dropped && work->fed;
    if (!ok) ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    ws_reader *reader = ok ? ws_reader_new(trace, err) : NULL;
    ok = reader && gather(&g, reader, kernel, ctas, err);
    ws_reader_free(reader);
    free(g.siblings);
    free(g.uses);
    free(g.seen);
    return ok;
}

void reorder_work_free(reorder_work *work) {
    for (uint32_t i = 0; i < work->warp_count; i++) {
        reorder_warp *w = &work->warps[i];
        free(w->static_id), free(w->address_at), free(w->mask), free(w->path), free(w->address);
    }
    free(work->warps), free(work->elements), free(work->targets), free(work->by_lane);
    free(work->lines), free(work->dropped), free(work->fed);
    *work = (reorder_work){0};
}

/* Warps stand in the order of CTAs, and of ids within each. */
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
