#include "mechanism/parts/mrpb_buffer.h"

#include "base/bits.h"

#include <stdlib.h>

bool mrpb_buffer_init(mrpb_buffer *b, uint32_t queues, uint32_t entries, enum mrpb_drain drain, bool flush,
                      uint32_t latency) {
    *b = (mrpb_buffer){
        .queue_count = queues, .entries = entries, .drain = drain, .flush = flush, .latency = latency};
    b->queues = calloc(queues, sizeof *b->queues);
    return b->queues != NULL;
}

void mrpb_buffer_free(mrpb_buffer *b) {
    for (uint32_t q = 0; b->queues && q < b->queue_count; q++) free(b->queues[q].at);
    free(b->queues);
    free(b->ripening);
    *b = (mrpb_buffer){0};
}

/* ---- arrival */

static bool push_item(mrpb_queue *q, uint32_t id) {
    if (q->count == q->room) {
        uint32_t room = q->room ? q->room * 2 : 8;
        uint32_t *at = malloc(room * sizeof *at);
        if (!at) return false;
        for (uint32_t i = 0; i < q->count; i++) at[i] = q->at[(q->first + i) & (q->room - 1)];
        free(q->at);
        q->at = at;
        q->first = 0;
        q->room = room;
    }
    q->at[(q->first + q->count++) & (q->room - 1)] = id;
    return true;
}

static bool push_ripening(mrpb_buffer *b, uint64_t ripe, uint32_t queue) {
    if (b->ripening_count == b->ripening_room) {
        uint32_t room = b->ripening_room ? b->ripening_room * 2 : 32;
        struct mrpb_ripening *at = malloc(room * sizeof *at);
        if (!at) return false;
        for (uint32_t i = 0; i < b->ripening_count; i++)
            at[i] = b->ripening[(b->ripening_first + i) & (b->ripening_room - 1)];
        free(b->ripening);
        b->ripening = at;
        b->ripening_first = 0;
        b->ripening_room = room;
    }
    b->ripening[(b->ripening_first + b->ripening_count++) & (b->ripening_room - 1)] =
        (struct mrpb_ripening){ripe, queue};
    return true;
}

enum mrpb_answer mrpb_buffer_offer(mrpb_buffer *b, uint64_t now, uint32_t queue, bool is_write, uint32_t id) {
    mrpb_queue *q = &b->queues[queue];
    if (is_write && b->flush) {
        if (q->count == 0) return MRPB_PASSED;
        b->urgent = queue + 1;
        return MRPB_STALLED;
    }
    if (b->entries && q->count >= b->entries) {
        if (b->flush) b->urgent = queue + 1;
        return MRPB_STALLED;
    }
    if (!push_item(q, id) || !push_ripening(b, now + b->latency, queue)) {
        b->failed = true;
        return MRPB_STALLED;
    }
    b->count++;
    return MRPB_QUEUED;
}

static void ripen(mrpb_buffer *b, uint64_t now) {
    for (; b->ripening_count; b->ripening_count--, b->ripening_first++) {
        const struct mrpb_ripening *next = &b->ripening[b->ripening_first & (b->ripening_room - 1)];
        if (next->ripe > now) return;
        b->queues[next->queue].ripe++;
        b->drainable |= ws_bit(next->queue);
    }
}

/* ---- drain */

static uint32_t next_in_turn(const mrpb_buffer *b) {
    uint64_t behind = b->turn == MRPB_QUEUES_MAX ? 0 : b->drainable >> b->turn << b->turn;
    return ws_lowest_bit(behind ? behind : b->drainable);
}

static uint32_t longest(const mrpb_buffer *b) {
    uint32_t best = ws_lowest_bit(b->drainable);
    for (uint64_t rest = b->drainable; rest; rest &= rest - 1)
        if (b->queues[ws_lowest_bit(rest)].ripe > b->queues[best].ripe) best = ws_lowest_bit(rest);
    return best;
}

uint32_t mrpb_buffer_choose(mrpb_buffer *b, uint64_t now) {
    uint32_t urgent = b->urgent;
    b->urgent = 0;
    ripen(b, now);
    if (!b->drainable) return UINT32_MAX;
    b->flushing = urgent && b->drainable & ws_bit(urgent - 1);
    if (b->flushing) return urgent - 1;
    if (b->greedy) return b->greedy - 1;
    switch (b->drain) {
    case MRPB_FIXED:
    case MRPB_GREEDY_FIXED:
        return ws_lowest_bit(b->drainable);
    case MRPB_ROUND_ROBIN:
    case MRPB_GREEDY_ROUND_ROBIN:
        return next_in_turn(b);
    case MRPB_LONGEST_FIRST:
    case MRPB_GREEDY_LONGEST_FIRST:
        break;
    }
    return longest(b);
}

uint32_t mrpb_buffer_head(const mrpb_buffer *b, uint32_t queue) {
    const mrpb_queue *q = &b->queues[queue];
    return q->at[q->first & (q->room - 1)];
}

void mrpb_buffer_take(mrpb_buffer *b, uint32_t queue) {
    mrpb_queue *q = &b->queues[queue];
    q->first++;
    q->count--;
    b->count--;
    if (--q->ripe == 0) b->drainable &= ~ws_bit(queue);
    if (!b->flushing) {
        b->turn = queue + 1;
        b->greedy = b->drain >= MRPB_GREEDY_FIXED ? queue + 1 : 0;
    }
    if (q->ripe == 0 && b->greedy == queue + 1) b->greedy = 0;
}

uint64_t mrpb_buffer_next(const mrpb_buffer *b) {
    return b->ripening_count ? b->ripening[b->ripening_first & (b->ripening_room - 1)].ripe : UINT64_MAX;
}

enum { HEADER_B = 8 };

uint64_t mrpb_buffer_bits(uint64_t queues, uint64_t entries, bool flush, uint64_t line_B) {
    return queues * entries * (HEADER_B + (flush ? 0 : line_B)) * 8;
}
