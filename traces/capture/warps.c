#include "warps.h"

#include <stdlib.h>
#include <string.h>

static void *room_for_one_more(void *items, size_t item_bytes, size_t count, size_t *room) {
    if (count < *room) return items;
    *room = *room ? *room * 2 : 256;
    void *more = realloc(items, *room * item_bytes);
    if (!more) {
        fputs("capture: out of memory\n", stderr);
        abort();
    }
    return more;
}

void capture_lane_step(capture_lane *lane, uint32_t pc) {
    lane->pcs = room_for_one_more(lane->pcs, sizeof *lane->pcs, lane->pc_count, &lane->pc_room);
    lane->pcs[lane->pc_count++] = pc;
}

void capture_lane_value(capture_lane *lane, uint64_t value) {
    lane->values =
        room_for_one_more(lane->values, sizeof *lane->values, lane->value_count, &lane->value_room);
    lane->values[lane->value_count++] = value;
}

void capture_lane_access(capture_lane *lane, uint64_t address, ws_memory_op op, ws_space space,
                         uint32_t width_B) {
    lane->accesses =
        room_for_one_more(lane->accesses, sizeof *lane->accesses, lane->access_count, &lane->access_room);
    lane->accesses[lane->access_count++] = (capture_access){.address = address,
                                                            .step = (uint32_t)lane->pc_count,
                                                            .op = (uint8_t)op,
                                                            .space = (uint8_t)space,
                                                            .width_B = (uint8_t)width_B};
}

void capture_lane_clear(capture_lane *lane) {
    lane->pc_count = lane->access_count = lane->value_count = 0;
}

void capture_lane_free(capture_lane *lane) {
    free(lane->pcs);
    free(lane->accesses);
    free(lane->values);
    *lane = (capture_lane){0};
}

/* ---- re-forming */

/* Where a lane stands, and a checksum of what has been written for it. */
typedef struct progress {
    const capture_lane *lane;
    size_t next_pc, next_access, next_value;
    int depth;
    uint64_t written;
} progress;

typedef struct warp {
    ws_writer *writer;
    const capture_site *sites;
    progress lanes[CAPTURE_WARP_SIZE];
    unsigned lane_count;
} warp;

#define FOR_LANES(lane, mask)                                                                                \
    for (uint32_t rest_ = (mask), lane = 0; rest_ && (lane = (uint32_t)__builtin_ctz(rest_), true);          \
         rest_ &= rest_ - 1)

static uint64_t checksum(uint64_t sum, uint64_t item) {
    return (sum ^ item) * UINT64_C(0x9E3779B97F4A7C15) + 1;
}

static uint64_t lane_checksum(const capture_lane *lane) {
    uint64_t sum = 0;
    const capture_access *access = lane->accesses, *end = access + lane->access_count;
    for (size_t step = 0; step < lane->pc_count; step++) {
        for (; access < end && access->step == step; access++) sum = checksum(sum, access->address);
        sum = checksum(sum, lane->pcs[step]);
    }
    return sum;
}

static bool lane_ended(const progress *p) {
    return p->next_pc == p->lane->pc_count;
}

/* The lane's next access, when it belongs to the instruction that the lane is at. */
static const capture_access *pending_access(const progress *p) {
    if (p->next_access == p->lane->access_count) return NULL;
    const capture_access *access = &p->lane->accesses[p->next_access];
    return access->step == p->next_pc ? access : NULL;
}

static bool same_kind(const capture_access *a, const capture_access *b) {
    return a->op == b->op && a->space == b->space && a->width_B == b->width_B;
}

/* The lanes that go next: deepest call first, then the smallest pc. 0 when all have ended. */
static uint32_t next_lanes(const warp *w, uint32_t *pc) {
    uint32_t mask = 0;
    int depth = 0;
    for (unsigned i = 0; i < w->lane_count; i++) {
        const progress *p = &w->lanes[i];
        if (lane_ended(p)) continue;
        uint32_t lane_pc = p->lane->pcs[p->next_pc];
        if (!mask || p->depth > depth || (p->depth == depth && lane_pc < *pc)) {
            mask = 0;
            depth = p->depth;
            *pc = lane_pc;
        }
        if (p->depth == depth && lane_pc == *pc) mask |= 1u << i;
    }
    return mask;
}

/* Writes an instruction of the lanes of `mask`, all at `pc`, with its operands. */
static bool write_with_operands(warp *w, uint32_t pc, const ws_static *fixed, uint32_t mask,
                                const uint64_t *addresses, ws_error *err) {
    const capture_site *site = &w->sites[pc];
    const unsigned count = fixed->result_values + fixed->source_values;
    uint64_t values[WS_OPERANDS_MAX];
    uint32_t uniform = 0;
    unsigned given = 0, varying = 0; /* of those that are uniform, of those that come with each step */
    for (unsigned i = 0; i < count; i++) {
        bool same = true;
        if (site->constants >> i & 1) {
            values[given] = site->constant[i];
        } else {
            const progress *first = &w->lanes[__builtin_ctz(mask)];
            values[given] = first->lane->values[first->next_value + varying];
            FOR_LANES(lane, mask) {
                const progress *p = &w->lanes[lane];
                same = same && p->lane->values[p->next_value + varying] == values[given];
            }
            varying++;
        }
        uniform |= (uint32_t)same << i;
        given += same;
    }
    return ws_writer_inst_values(w->writer, ws_writer_static(w->writer, fixed), mask, addresses, uniform,
                                 values, err);
}

/* Writes the next access of the first lane of `mask` that has one, together with every lane whose next access
 * is of the same kind. `*taking_part` are those lanes, 0 when no lane of `mask` has an access left. */
static bool write_access(warp *w, uint32_t pc, uint32_t mask, uint32_t *taking_part, ws_error *err) {
    const capture_access *first = NULL;
    uint64_t addresses[CAPTURE_WARP_SIZE];
    size_t count = 0;
    *taking_part = 0;
    FOR_LANES(lane, mask) {
        progress *p = &w->lanes[lane];
        const capture_access *access = pending_access(p);
        if (!access || (first && !same_kind(access, first))) continue;
        if (!first) first = access;
        *taking_part |= 1u << lane;
        addresses[count++] = access->address;
        p->written = checksum(p->written, access->address);
        p->next_access++;
    }
    if (!first) return true;
    ws_static site = w->sites[pc].fixed;
    site.op = first->op;
    site.space = first->space;
    site.width_B = site.text_width_B = first->width_B;
    return write_with_operands(w, pc, &site, *taking_part, addresses, err);
}

static bool write_instruction(warp *w, uint32_t pc, uint32_t mask, ws_error *err) {
    uint32_t without_access = mask, taking_part;
    do {
        if (!write_access(w, pc, mask, &taking_part, err)) return false;
        without_access &= ~taking_part;
    } while (taking_part);
    const capture_site *site = &w->sites[pc];
    if (without_access && !write_with_operands(w, pc, &site->fixed, without_access, NULL, err)) return false;
    FOR_LANES(lane, mask) {
        progress *p = &w->lanes[lane];
        p->written = checksum(p->written, pc);
        p->depth += site->depth_change;
        p->next_value += site->fixed.result_values + site->fixed.source_values -
                         (unsigned)__builtin_popcount(site->constants);
        p->next_pc++;
    }
    return true;
}

static bool write_warp(warp *w, uint32_t id, ws_error *err) {
    if (!ws_writer_warp(w->writer, id, err)) return false;
    uint32_t pc = 0;
    for (uint32_t mask; (mask = next_lanes(w, &pc));)
        if (!write_instruction(w, pc, mask, err)) return false;
    for (unsigned i = 0; i < w->lane_count; i++)
        if (w->lanes[i].written != lane_checksum(w->lanes[i].lane))
            return ws_fail(err, WS_ERROR_INTERNAL, "warp %u: the re-formed warp does not repeat lane %u", id,
                           i);
    return true;
}

bool capture_write_cta(ws_writer *writer, ws_dim3 id, const capture_site *sites, const capture_lane *lanes,
                       size_t lane_count, ws_error *err) {
    if (!ws_writer_cta(writer, id, err)) return false;
    for (size_t from = 0; from < lane_count; from += CAPTURE_WARP_SIZE) {
        warp w = {.writer = writer, .sites = sites};
        while (w.lane_count < CAPTURE_WARP_SIZE && from + w.lane_count < lane_count) {
            w.lanes[w.lane_count] = (progress){.lane = &lanes[from + w.lane_count]};
            w.lane_count++;
        }
        if (!write_warp(&w, (uint32_t)(from / CAPTURE_WARP_SIZE), err)) return false;
    }
    return true;
}
