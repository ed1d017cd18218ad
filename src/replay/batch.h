/* Batches under construction: order.c fills their arrays, and taps see them as ws_requests and ws_instructions. */
#ifndef WS_REPLAY_BATCH_H
#define WS_REPLAY_BATCH_H

#include "replay/prepared.h"

typedef struct ws_batch {
    size_t count;
    uint32_t line[WS_BATCH_MAX], warp[WS_BATCH_MAX], cta[WS_BATCH_MAX], inst[WS_BATCH_MAX];
    uint64_t words[WS_BATCH_MAX], step[WS_BATCH_MAX];
    uint16_t sm[WS_BATCH_MAX], bytes[WS_BATCH_MAX], nth[WS_BATCH_MAX], of[WS_BATCH_MAX];
    uint8_t slot[WS_BATCH_MAX], op[WS_BATCH_MAX], sectors[WS_BATCH_MAX], lanes[WS_BATCH_MAX];
    bool local[WS_BATCH_MAX];
    const uint64_t *lane_address[WS_BATCH_MAX]; /* filled with WS_WANT_LANES only */
} ws_batch;

/* Where and when an instruction runs. */
typedef struct ws_issuer {
    uint64_t step;
    uint32_t warp, cta;
    uint16_t sm;
    uint8_t slot;
} ws_issuer;

static inline bool ws_batch_has_room(const ws_batch *b, unsigned requests) {
    return b->count + requests <= WS_BATCH_MAX;
}

/* Appends the requests of the instruction that closes `run`; there must be room for them. */
static inline void ws_batch_add(ws_batch *b, ws_issuer issuer, const ws_run *run,
                                const ws_request *requests) {
    size_t at = b->count;
    for (unsigned i = 0; i < run->requests; i++, at++) {
        b->line[at] = requests[i].line;
        b->words[at] = requests[i].words;
        b->bytes[at] = requests[i].bytes;
        b->sectors[at] = requests[i].sectors;
        b->step[at] = issuer.step;
        b->warp[at] = issuer.warp;
        b->cta[at] = issuer.cta;
        b->sm[at] = issuer.sm;
        b->slot[at] = issuer.slot;
        b->op[at] = run->op;
        b->local[at] = run->local;
        b->inst[at] = run->inst;
        b->nth[at] = (uint16_t)i;
        b->of[at] = run->requests;
        b->lanes[at] = run->lanes;
    }
    b->count = at;
}

/* Adds the lanes' addresses of the instruction whose requests were added last. */
static inline void ws_batch_add_lanes(ws_batch *b, const ws_run *run, const uint64_t *addresses) {
    for (unsigned i = 1; i <= run->requests; i++) b->lane_address[b->count - i] = addresses;
}

static inline ws_requests ws_batch_view(const ws_batch *b, const uint64_t *line_address, bool lanes) {
    return (ws_requests){.count = b->count,
                         .line = b->line,
                         .warp = b->warp,
                         .cta = b->cta,
                         .sm = b->sm,
                         .slot = b->slot,
                         .op = b->op,
                         .local = b->local,
                         .inst = b->inst,
                         .words = b->words,
                         .bytes = b->bytes,
                         .sectors = b->sectors,
                         .nth = b->nth,
                         .of = b->of,
                         .lanes = b->lanes,
                         .step = b->step,
                         .line_address = line_address,
                         .lane_address = lanes ? b->lane_address : NULL};
}

/* ---- instructions */

typedef struct ws_inst_batch {
    size_t count;
    uint64_t mask[WS_BATCH_MAX];
    uint32_t inst[WS_BATCH_MAX], warp[WS_BATCH_MAX], cta[WS_BATCH_MAX];
    uint16_t sm[WS_BATCH_MAX], uniform[WS_BATCH_MAX];
    uint8_t slot[WS_BATCH_MAX];
    bool issued[WS_BATCH_MAX];
    const uint64_t *address[WS_BATCH_MAX], *values[WS_BATCH_MAX];
} ws_inst_batch;

/* Appends an instruction; there must be room. `addresses` and `values` point to its own; they are undefined where they
 * are not kept. */
static inline void ws_inst_batch_add(ws_inst_batch *b, ws_issuer issuer, const ws_inst *inst,
                                     const uint64_t *addresses, const uint64_t *values) {
    size_t at = b->count++;
    b->mask[at] = inst->mask;
    b->inst[at] = inst->inst;
    b->warp[at] = issuer.warp;
    b->cta[at] = issuer.cta;
    b->sm[at] = issuer.sm;
    b->slot[at] = issuer.slot;
    b->uniform[at] = inst->uniform;
    b->issued[at] = inst->flags & WS_INST_ISSUED;
    b->address[at] = addresses;
    b->values[at] = values;
}

static inline ws_instructions ws_inst_batch_view(const ws_inst_batch *b, uint32_t keeps) {
    bool values = keeps & WS_WANT_VALUES;
    return (ws_instructions){.count = b->count,
                             .inst = b->inst,
                             .mask = b->mask,
                             .issued = b->issued,
                             .warp = b->warp,
                             .cta = b->cta,
                             .sm = b->sm,
                             .slot = b->slot,
                             .address = keeps & WS_WANT_ADDRESSES ? b->address : NULL,
                             .uniform = values ? b->uniform : NULL,
                             .values = values ? b->values : NULL};
}

#endif
