#include "analysis/parts/block_stream.h"

#include "base/room.h"
#include "base/wide.h"

#include <stdlib.h>
#include <string.h>

const char *const ws_stream_unit_names[] = {
    [WS_STREAM_REQUESTS] = "requests", [WS_STREAM_LANES] = "lane_accesses", NULL};

void ws_block_stream_init(ws_block_stream *s, enum ws_stream_unit unit, uint32_t block_B, uint32_t line_B) {
    memset(s, 0, sizeof *s);
    s->unit = unit;
    s->shift = (unsigned)__builtin_ctz(unit == WS_STREAM_LANES ? block_B : block_B / line_B);
}

void ws_block_stream_free(ws_block_stream *s) {
    ws_lines_free(&s->blocks);
    free(s->block_address);
    free(s->block_of);
}

static bool number_block(ws_block_stream *s, uint64_t address, uint32_t *number) {
    uint32_t known = s->blocks.count;
    if (!ws_lines_number(&s->blocks, address, number)) return false;
    if (s->blocks.count == known) return true;
    if (!WS_ROOM_FOR(s->block_address, s->block_room, (size_t)s->blocks.count)) return false;
    s->block_address[*number] = address;
    return true;
}

/* ---- requests */

static bool find_block(ws_block_stream *s, uint64_t line_address, uint32_t *block_of) {
    uint32_t number;
    if (!number_block(s, line_address >> s->shift, &number)) return false;
    *block_of = number + 1;
    return true;
}

static bool take_requests(ws_block_stream *s, const ws_requests *batch, ws_block_stream_take *take,
                          void *self) {
    size_t lines = (size_t)ws_largest(batch->line, batch->count) + 1;
    if (!WS_ZEROED_ROOM_FOR(s->block_of, s->line_room, lines)) return false;
    for (size_t i = 0; i < batch->count; i++) {
        uint32_t *block_of = &s->block_of[batch->line[i]];
        if (*block_of == 0 && !find_block(s, batch->line_address[batch->line[i]], block_of)) return false;
        s->block[i] = *block_of - 1;
    }
    ws_requests blocks = *batch;
    blocks.line = s->block;
    blocks.line_address = s->block_address;
    return take(self, &blocks);
}

/* ---- lane accesses */

static bool hand_on(const ws_block_stream *s, size_t count, ws_block_stream_take *take, void *self) {
    ws_requests lanes = {.count = count,
                         .line = s->block,
                         .warp = s->warp,
                         .cta = s->cta,
                         .sm = s->sm,
                         .slot = s->slot,
                         .op = s->op,
                         .inst = s->inst,
                         .line_address = s->block_address};
    return count == 0 || take(self, &lanes);
}

static bool put_lane(ws_block_stream *s, size_t at, const ws_requests *batch, size_t i, unsigned lane) {
    s->warp[at] = batch->warp[i];
    s->cta[at] = batch->cta[i];
    s->sm[at] = batch->sm[i];
    s->slot[at] = batch->slot[i];
    s->op[at] = batch->op[i];
    s->inst[at] = batch->inst[i];
    return number_block(s, batch->lane_address[i][lane] >> s->shift, &s->block[at]);
}

static bool take_lanes(ws_block_stream *s, const ws_requests *batch, ws_block_stream_take *take, void *self) {
    size_t count = 0;
    for (size_t i = 0; i < batch->count; i++) {
        if (batch->nth[i] != 0) continue;
        for (unsigned lane = 0; lane < batch->lanes[i]; lane++) {
            if (count == WS_BATCH_MAX) {
                if (!hand_on(s, count, take, self)) return false;
                count = 0;
            }
            if (!put_lane(s, count++, batch, i, lane)) return false;
        }
    }
    return hand_on(s, count, take, self);
}

bool ws_block_stream_batch(ws_block_stream *s, const ws_requests *batch, ws_block_stream_take *take,
                           void *self) {
    if (s->unit == WS_STREAM_LANES) return take_lanes(s, batch, take, self);
    if (s->shift > 0) return take_requests(s, batch, take, self);
    return take(self, batch);
}
