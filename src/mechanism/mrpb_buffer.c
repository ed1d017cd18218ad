#include "mechanism/mrpb_buffer.h"

#include <stdlib.h>

static uint64_t bit(uint32_t queue) {
    return UINT64_C(1) << queue;
}

bool mrpb_buffer_init(mrpb_buffer *b, uint32_t queues, uint32_t entries, enum mrpb_drain drain, bool flush,
                      uint32_t latency) {
    *b = (mrpb_buffer){
        .queue_count = queues, .entries = entries, .drain = drain, .flush = flush, .latency = latency};
    b->queues = calloc(queues, sizeof *b->queues);
    return b->queues != NULL;
}

void mrpb_buffer_free(mrpb_buffer *b) {
    for (uint32_t q = 0; b->queues && q < b->queue_count; q++) ws_queue_free(&b->queues[q].items);
    free(b->queues);
    ws_queue_free(&b->ripening);
    *b = (mrpb_buffer){0};
}

/* ---- arrival */

enum mrpb_answer mrpb_buffer_offer(mrpb_buffer *b, uint64_t now, uint32_t queue, bool is_write, uint32_t id) {
    mrpb_queue *q = &b->queues[queue];
    if (is_write && b->flush) {
        if (q->items.count == 0) return MRPB_PASSED;
        b->urgent = queue + 1;
        return MRPB_STALLED;
    }
    if (b->entries && q->items.count >= b->entries) {
        if (b->flush) b->urgent = queue + 1;
        return MRPB_STALLED;
    }
    if (!ws_queue_push(&q->items, id, 1, now) || !ws_queue_push(&b->ripening, queue, 1, now + b->latency)) {
        b->failed = true;
        return MRPB_STALLED;
    }
    b->count++;
    return MRPB_QUEUED;
}

static void ripen(mrpb_buffer *b, uint64_t now) {
    while (ws_queue_ready(&b->ripening, now)) {
        uint32_t queue = ws_queue_pop(&b->ripening);
        b->queues[queue].ripe++;
        b->drainable |= bit(queue);
    }
}

/* ---- drain */

static uint32_t lowest(uint64_t queues) {
    return (uint32_t)__builtin_ctzll(queues);
}

static uint32_t next_in_turn(const mrpb_buffer *b) {
    uint64_t behind = b->turn == MRPB_QUEUES_MAX ? 0 : b->drainable >> b->turn << b->turn;
    return lowest(behind ? behind : b->drainable);
}

static uint32_t longest(const mrpb_buffer *b) {
    uint32_t best = lowest(b->drainable);
    for (uint64_t rest = b->drainable; rest; rest &= rest - 1)
        if (b->queues[lowest(rest)].ripe > b->queues[best].ripe) best = lowest(rest);
    return best;
}

uint32_t mrpb_buffer_choose(mrpb_buffer *b, uint64_t now) {
    uint32_t urgent = b->urgent;
    b->urgent = 0;
    ripen(b, now);
    if (!b->drainable) return UINT32_MAX;
    b->flushing = urgent && b->drainable & bit(urgent - 1);
    if (b->flushing) return urgent - 1;
    if (b->greedy) return b->greedy - 1;
    switch (b->drain) {
    case MRPB_FIXED:
    case MRPB_GREEDY_FIXED:
        return lowest(b->drainable);
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
    return ws_queue_head(&b->queues[queue].items)->id;
}

void mrpb_buffer_take(mrpb_buffer *b, uint32_t queue) {
    mrpb_queue *q = &b->queues[queue];
    ws_queue_pop(&q->items);
    b->count--;
    if (--q->ripe == 0) b->drainable &= ~bit(queue);
    if (!b->flushing) {
        b->turn = queue + 1;
        b->greedy = b->drain >= MRPB_GREEDY_FIXED ? queue + 1 : 0;
    }
    if (q->ripe == 0 && b->greedy == queue + 1) b->greedy = 0;
}

uint64_t mrpb_buffer_next(const mrpb_buffer *b) {
    const ws_queued *next = ws_queue_head(&b->ripening);
    return next ? next->when : UINT64_MAX;
}

uint64_t mrpb_buffer_bits(uint64_t queues, uint64_t entries) {
    return queues * entries * 64;
}
