#include "trace/import/gathered.h"

#include "base/room.h"
#include "trace/names.h"

#include <stdlib.h>
#include <string.h>

enum { WARP_SIZE = 32 };

bool ws_gathered_begin(ws_gathered *g, ws_writer *writer, const ws_import_options *options,
                       const ws_spill_options *spill, ws_error *err) {
    *g = (ws_gathered){.writer = writer, .kernels = options->kernels};
    g->spill = ws_spill_new(spill, err);
    return g->spill != NULL;
}

void ws_gathered_free(ws_gathered *g) {
    for (size_t i = 0; i < g->count; i++) free((char *)(uintptr_t)g->launches[i].kernel.name);
    free(g->launches);
    free(g->is_copy);
    ws_spill_free(g->spill);
    *g = (ws_gathered){0};
}

bool ws_gathered_launch_new(ws_gathered *g, const ws_kernel *kernel, ws_error *err) {
    if (!WS_ROOM_FOR(g->launches, g->room, g->count + 1)) return ws_no_memory(err);
    ws_gathered_launch *launch = &g->launches[g->count];
    char *name = strdup(kernel->name), *short_name = ws_short_name(kernel->name);
    bool good = name && short_name;
    if (good) {
        *launch = (ws_gathered_launch){.kernel = *kernel};
        launch->kernel.name = name;
        g->count++;
        launch->selected = !g->kernels || ws_selection_has(g->kernels, (uint32_t)g->count, name, short_name);
    } else {
        free(name);
    }
    free(short_name);
    return good || ws_no_memory(err);
}

bool ws_gathered_put(ws_gathered *g, size_t launch, uint64_t cta, uint32_t warp, uint32_t static_id,
                     uint64_t mask, const uint64_t *addresses, ws_error *err) {
    ws_gathered_launch *l = &g->launches[launch];
    if (static_id == UINT32_MAX) return ws_no_memory(err);
    l->inst_count++;
    if (cta >= l->cta_end) l->cta_end = cta + 1;
    if (warp >= l->warp_end) l->warp_end = warp + 1;
    if (!l->selected) return true;
    ws_interleaved_inst inst = {
        .warp = {.launch = (uint32_t)launch, .place = cta * WS_GATHERED_WARPS_MAX + warp},
        .static_id = static_id,
        .mask = mask,
        .addresses = addresses,
    };
    return ws_interleaved_put(g->spill, &inst, err);
}

bool ws_gathered_copy(ws_gathered *g, uint32_t static_id, ws_error *err) {
    if (static_id == UINT32_MAX || !WS_ZEROED_ROOM_FOR(g->is_copy, g->static_room, static_id + 1))
        return ws_no_memory(err);
    g->is_copy[static_id] = true;
    return true;
}

/* ---- writing */

static ws_dim3 cta_at(const ws_gathered *g, uint32_t launch, uint64_t place) {
    ws_dim3 grid = g->launches[launch].kernel.grid;
    uint64_t cta = place / WS_GATHERED_WARPS_MAX;
    return (ws_dim3){(uint32_t)(cta % grid.x), (uint32_t)(cta / grid.x % grid.y),
                     (uint32_t)(cta / grid.x / grid.y)};
}

/* Fails if a copy's first half came last in the current warp. */
static bool end_copy(const ws_gathered *g, ws_error *err) {
    if (!g->half) return true;
    ws_dim3 cta = cta_at(g, g->launch - 1, g->place);
    return ws_fail(err, WS_ERROR_TRACE,
                   "CTA %u,%u,%u: expected each LDGSTS of a warp twice in a row (shared, then global "
                   "address), found one alone; lines are missing",
                   cta.x, cta.y, cta.z);
}

/* Begins all selected launches below `end` that have not begun, and derives the grids and blocks that were not given:
 * such launches have an instruction at least. */
static bool begin_launches(ws_gathered *g, uint32_t end, ws_error *err) {
    while (g->launch < end) {
        ws_gathered_launch *l = &g->launches[g->launch++];
        if (!l->selected) continue;
        if (l->kernel.grid.x == 0) l->kernel.grid = (ws_dim3){(uint32_t)l->cta_end, 1, 1};
        if (l->kernel.block.x == 0) l->kernel.block = (ws_dim3){l->warp_end * WARP_SIZE, 1, 1};
        if (!ws_writer_kernel(g->writer, &l->kernel, err)) return false;
        g->place = UINT64_MAX;
    }
    return true;
}

static bool begin_warp(ws_gathered *g, ws_spill_key key, ws_error *err) {
    uint64_t cta = key.place / WS_GATHERED_WARPS_MAX;
    if (!end_copy(g, err) || !begin_launches(g, key.launch + 1, err)) return false;
    if (g->place == UINT64_MAX || cta != g->place / WS_GATHERED_WARPS_MAX) {
        if (!ws_writer_cta(g->writer, cta_at(g, key.launch, key.place), err)) return false;
        g->next_warp = 0;
    }
    g->place = key.place;
    uint32_t warp = g->rank_warps ? g->next_warp++ : (uint32_t)(key.place % WS_GATHERED_WARPS_MAX);
    return ws_writer_warp(g->writer, warp, err);
}

static bool write_inst(void *context, const ws_interleaved_inst *inst, ws_error *err) {
    ws_gathered *g = context;
    bool same = g->launch == inst->warp.launch + 1 && g->place == inst->warp.place;
    if (!same && !begin_warp(g, inst->warp, err)) return false;
    if (g->half && inst->static_id != g->half_id) return end_copy(g, err);
    if (inst->static_id < g->static_room && g->is_copy[inst->static_id]) {
        g->half = !g->half;
        g->half_id = inst->static_id;
        if (g->half) return true;
    }
    return ws_writer_inst(g->writer, inst->static_id, inst->mask, inst->addresses, err);
}

/* Says in which file and launch the error is, and what to do about it. */
static bool fail_within(const ws_gathered *g, const char *path, ws_error *err) {
    if (!err || err->code != WS_ERROR_TRACE) return false;
    const ws_error fault = *err;
    return ws_fail(err, fault.code, "%s: launch %u: %s%s", path, g->launch, fault.text,
                   g->hint ? g->hint : "");
}

bool ws_gathered_finish(ws_gathered *g, const char *path, ws_error *err) {
    size_t selected = 0;
    for (size_t i = 0; i < g->count; i++) selected += g->launches[i].selected;
    if (selected == 0)
        return ws_fail(err, WS_ERROR_USAGE,
                       "%s: expected at least one selected kernel, found none among %zu launches", path,
                       g->count);
    if (!ws_interleaved_read(g->spill, write_inst, g, err) || !end_copy(g, err) ||
        !begin_launches(g, (uint32_t)g->count, err))
        return fail_within(g, path, err);
    return ws_writer_finish(g->writer, err);
}
