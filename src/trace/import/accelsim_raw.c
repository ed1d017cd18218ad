/* Body of a raw file: the instructions of all warps in the order in which they came from the GPU, each line led by CTA
 * and warp. They are regrouped warp by warp (interleaved.h) as Accel-Sim's post-traces-processing does it: CTAs in the
 * order of the grid, each with all warps of the block, including silent ones. The tracer prints an LDGSTS twice (its
 * write to shared memory, then its read of global memory); only the second is kept. */
#include "base/room.h"
#include "trace/import/accelsim.h"
#include "trace/import/accelsim_inst.h"
#include "trace/import/interleaved.h"

#include <stdlib.h>

typedef struct raw {
    ws_text *text;
    ws_writer *writer;
    const ws_kernel *kernel;
    ws_accelsim_shape shape;
    ws_accelsim_columns columns;
    ws_accelsim_insts *insts;
    ws_losses *losses;
    ws_spill *spill;
    uint64_t *copy_line; /* by static index: where an LDGSTS, printed twice, came first; 0 for others */
    size_t static_room;

    /* State of writing. */
    bool in_cta;
    uint64_t place;     /* of the current warp: CTA * warps + warp */
    uint32_t next_warp; /* warps of the CTA below this number have begun */
    bool half;          /* true after the first of two LDGSTS lines, which is left out */
    uint32_t half_id;   /* its static index */
    uint32_t half_mask;
} raw;

/* ---- reading */

static bool check_place(const raw *r, const ws_accelsim_inst *inst, ws_error *err) {
    const uint32_t *at = inst->position;
    ws_dim3 grid = r->kernel->grid;
    if (at[0] >= grid.x || at[1] >= grid.y || at[2] >= grid.z)
        return ws_text_fail_expected(r->text, r->text->at, "", err, "a CTA inside the grid of (%u,%u,%u)",
                                     grid.x, grid.y, grid.z);
    if (at[3] >= r->shape.warps)
        return ws_text_fail_expected(r->text, r->text->at, "", err, "CTA x, y, z and a warp below %u",
                                     r->shape.warps);
    uint32_t lanes = ws_accelsim_lanes(&r->shape, at[3]);
    if (inst->mask & ~lanes)
        return ws_text_fail_expected(r->text, ws_accelsim_insts_mask_at(r->insts),
                                     "the block dim has no more threads", err, "an active mask within %08x",
                                     lanes);
    return true;
}

/* Remembers which static instructions are printed twice. */
static bool note_pair(raw *r, const ws_accelsim_inst *inst, ws_error *err) {
    if (!WS_ZEROED_ROOM_FOR(r->copy_line, r->static_room, inst->static_id + 1)) return ws_no_memory(err);
    uint64_t *line = &r->copy_line[inst->static_id];
    if (inst->is_copy && !*line) *line = r->text->line;
    return true;
}

static bool put(raw *r, const ws_accelsim_inst *inst, ws_error *err) {
    if (inst->static_id == UINT32_MAX) return ws_no_memory(err);
    if (!note_pair(r, inst, err)) return false;
    const uint32_t *at = inst->position;
    ws_dim3 grid = r->kernel->grid;
    uint64_t cta = at[0] + (uint64_t)grid.x * (at[1] + (uint64_t)grid.y * at[2]);
    ws_interleaved_inst put = {
        .warp = {.place = cta * r->shape.warps + at[3]},
        .static_id = inst->static_id,
        .mask = inst->mask,
        .addresses = inst->has_addresses ? inst->addresses : NULL,
        .stored_value = inst->stores_one_value ? &inst->stored_value : NULL,
    };
    return ws_interleaved_put(r->spill, &put, err);
}

static bool read_line(raw *r, ws_error *err) {
    ws_accelsim_inst inst;
    if (!ws_accelsim_insts_read(r->insts, &inst, err) || !check_place(r, &inst, err) ||
        !ws_text_expect_whole(r->text, inst.line_end, err))
        return false;
    r->losses->clusters |= r->columns.position > WS_SASS_RANK && inst.position[WS_SASS_RANK] > 0;
    if (!inst.is_marker && !put(r, &inst, err)) return false;
    ws_text_advance(r->text, inst.line_end);
    return true;
}

static bool read_lines(raw *r, ws_error *err) {
    ws_text_state state;
    while ((state = ws_text_more(r->text, err)) == WS_TEXT_LINES) {
        if (*r->text->at == '\n')
            ws_text_advance(r->text, r->text->at);
        else if (!read_line(r, err))
            return false;
    }
    return state == WS_TEXT_END;
}

/* ---- writing */

/* Begins the CTA's warps below `end` that have not begun yet. */
static bool begin_warps(raw *r, uint32_t end, ws_error *err) {
    for (; r->next_warp < end; r->next_warp++)
        if (!ws_writer_warp(r->writer, r->next_warp, err)) return false;
    return true;
}

static bool end_warp(const raw *r, ws_error *err) {
    if (!r->half) return true;
    uint64_t cta = r->place / r->shape.warps;
    ws_dim3 grid = r->kernel->grid;
    return ws_fail(err, WS_ERROR_TRACE,
                   "CTA %llu,%llu,%llu warp %llu: expected each LDGSTS twice in a row (shared, then global "
                   "address), found one alone, of the instruction in line %llu; lines are missing",
                   (unsigned long long)(cta % grid.x), (unsigned long long)(cta / grid.x % grid.y),
                   (unsigned long long)(cta / grid.x / grid.y),
                   (unsigned long long)(r->place % r->shape.warps),
                   (unsigned long long)r->copy_line[r->half_id]);
}

static bool begin_warp(raw *r, uint64_t place, ws_error *err) {
    uint64_t cta = place / r->shape.warps;
    ws_dim3 grid = r->kernel->grid;
    if (!end_warp(r, err)) return false;
    if (!r->in_cta || cta != r->place / r->shape.warps) {
        ws_dim3 id = {(uint32_t)(cta % grid.x), (uint32_t)(cta / grid.x % grid.y),
                      (uint32_t)(cta / grid.x / grid.y)};
        if (r->in_cta && !begin_warps(r, r->shape.warps, err)) return false;
        if (!ws_writer_cta(r->writer, id, err)) return false;
        r->next_warp = 0;
    }
    r->in_cta = true;
    r->place = place;
    return begin_warps(r, (uint32_t)(place % r->shape.warps) + 1, err);
}

static bool write_inst(void *context, const ws_interleaved_inst *inst, ws_error *err) {
    raw *r = context;
    if ((!r->in_cta || inst->warp.place != r->place) && !begin_warp(r, inst->warp.place, err)) return false;
    if (r->half && (inst->static_id != r->half_id || inst->mask != r->half_mask)) return end_warp(r, err);
    if (r->copy_line[inst->static_id]) {
        r->half = !r->half;
        r->half_id = inst->static_id;
        r->half_mask = (uint32_t)inst->mask;
        if (r->half) return true;
    }
    return ws_writer_inst_values(r->writer, inst->static_id, inst->mask, inst->addresses,
                                 inst->stored_value != NULL, inst->stored_value, err);
}

static bool write_all(raw *r, ws_error *err) {
    if (!ws_interleaved_read(r->spill, write_inst, r, err) || !end_warp(r, err))
        return err && err->code == WS_ERROR_TRACE ? ws_fail_prefix(err, "%s", r->text->path) : false;
    if (!r->in_cta)
        return ws_text_fail_expected(r->text, NULL, "the file is cut short", err, "at least one instruction");
    return begin_warps(r, r->shape.warps, err);
}

bool ws_accelsim_read_raw(ws_text *text, const ws_accelsim_header *header, const ws_spill_options *spill,
                          ws_writer *writer, ws_losses *losses, ws_error *err) {
    raw r = {.text = text,
             .writer = writer,
             .kernel = &header->kernel,
             .shape = ws_accelsim_shape_of(&header->kernel),
             .columns = ws_accelsim_columns_of(header, true),
             .losses = losses};
    r.insts = ws_accelsim_insts_new(text, writer, r.kernel, r.columns, losses, err);
    r.spill = ws_spill_new(spill, err);
    bool good = r.insts && r.spill && read_lines(&r, err) && write_all(&r, err);
    ws_accelsim_insts_free(r.insts);
    ws_spill_free(r.spill);
    free(r.copy_line);
    return good;
}
