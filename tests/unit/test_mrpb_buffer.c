/* The memory request prioritization buffer: its rules (MRPB 3) one by one; equal to a naive twin that goes through all
 * items for each question; cost. */
#include "mechanism/parts/mrpb_buffer.h"

#include "../support/random.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NOTHING UINT32_MAX

/* Drains the buffer in cycle `now`; returns the item that leaves, or NOTHING. */
static uint32_t drain(mrpb_buffer *b, uint64_t now) {
    uint32_t queue = mrpb_buffer_choose(b, now);
    if (queue == NOTHING) return NOTHING;
    uint32_t id = mrpb_buffer_head(b, queue);
    mrpb_buffer_take(b, queue);
    return id;
}

static void fill(mrpb_buffer *b, const uint32_t *queues, size_t count) {
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(mrpb_buffer_offer(b, 0, queues[i], false, i), MRPB_QUEUED);
}

/* ---- drain policies: items 0 .. 6 in these queues, drained until none is left */

static void policies_drain_in_their_order(void **state) {
    (void)state;
    static const uint32_t queues[] = {2, 1, 2, 0, 2, 1, 2};
    static const struct {
        enum mrpb_drain drain;
        uint32_t order[7];
    } cases[] = {
        {MRPB_FIXED, {3, 1, 5, 0, 2, 4, 6}},
        {MRPB_ROUND_ROBIN, {3, 1, 0, 5, 2, 4, 6}},
        {MRPB_LONGEST_FIRST, {0, 2, 1, 4, 3, 5, 6}},
        {MRPB_GREEDY_FIXED, {3, 1, 5, 0, 2, 4, 6}},
        {MRPB_GREEDY_ROUND_ROBIN, {3, 1, 5, 0, 2, 4, 6}},
        {MRPB_GREEDY_LONGEST_FIRST, {0, 2, 4, 6, 1, 5, 3}},
    };
    for (size_t c = 0; c < WS_COUNT(cases); c++) {
        mrpb_buffer b;
        assert_true(mrpb_buffer_init(&b, 3, 8, cases[c].drain, true, 0));
        fill(&b, queues, 7);
        for (int i = 0; i < 7; i++) assert_int_equal(drain(&b, 1), cases[c].order[i]);
        assert_int_equal(drain(&b, 1), NOTHING);
        mrpb_buffer_free(&b);
    }
}

/* A greedy policy empties the queue that it has begun with, even if an item has come for a queue of higher priority. */
static void greedy_empties_a_queue_first(void **state) {
    (void)state;
    for (int greedy = 0; greedy < 2; greedy++) {
        mrpb_buffer b;
        assert_true(mrpb_buffer_init(&b, 3, 8, greedy ? MRPB_GREEDY_FIXED : MRPB_FIXED, true, 0));
        fill(&b, (const uint32_t[]){2, 2}, 2);
        assert_int_equal(drain(&b, 1), 0);
        assert_int_equal(mrpb_buffer_offer(&b, 1, 0, false, 7), MRPB_QUEUED);
        assert_int_equal(drain(&b, 1), greedy ? 1 : 7);
        mrpb_buffer_free(&b);
    }
}

/* ---- flush */

/* A read that meets a full queue: one item of that queue leaves before any of a queue of higher priority. */
static void a_full_queue_drains_one_item(void **state) {
    (void)state;
    mrpb_buffer b;
    assert_true(mrpb_buffer_init(&b, 4, 2, MRPB_FIXED, true, 0));
    fill(&b, (const uint32_t[]){0, 3, 3}, 3);
    assert_int_equal(mrpb_buffer_offer(&b, 1, 3, false, 9), MRPB_STALLED);
    assert_int_equal(drain(&b, 1), 1);
    assert_int_equal(mrpb_buffer_offer(&b, 2, 3, false, 9), MRPB_QUEUED);
    assert_int_equal(drain(&b, 2), 0); /* the policy decides again */
    assert_int_equal(drain(&b, 3), 2);
    assert_int_equal(drain(&b, 4), 9);
    mrpb_buffer_free(&b);
}

/* A write empties its own queue, one item a cycle, and passes; other queues wait. */
static void a_write_empties_its_queue(void **state) {
    (void)state;
    mrpb_buffer b;
    assert_true(mrpb_buffer_init(&b, 4, 8, MRPB_FIXED, true, 0));
    fill(&b, (const uint32_t[]){0, 2, 2}, 3);
    assert_int_equal(mrpb_buffer_offer(&b, 1, 2, true, 9), MRPB_STALLED);
    assert_int_equal(drain(&b, 1), 1);
    assert_int_equal(mrpb_buffer_offer(&b, 2, 2, true, 9), MRPB_STALLED);
    assert_int_equal(drain(&b, 2), 2);
    assert_int_equal(mrpb_buffer_offer(&b, 3, 2, true, 9), MRPB_PASSED);
    assert_int_equal(b.count, 1);
    assert_int_equal(drain(&b, 4), 0);
    mrpb_buffer_free(&b);
}

/* Without flush writes queue like reads, and a full queue stalls while the policy goes on. */
static void without_flush_full_queues_stall(void **state) {
    (void)state;
    mrpb_buffer b;
    assert_true(mrpb_buffer_init(&b, 4, 2, MRPB_FIXED, false, 0));
    fill(&b, (const uint32_t[]){0, 3}, 2);
    assert_int_equal(mrpb_buffer_offer(&b, 1, 3, true, 8), MRPB_QUEUED);
    assert_int_equal(mrpb_buffer_offer(&b, 1, 3, false, 9), MRPB_STALLED);
    assert_int_equal(drain(&b, 1), 0);
    assert_int_equal(drain(&b, 2), 1);
    assert_int_equal(drain(&b, 3), 8);
    mrpb_buffer_free(&b);
}

/* ---- length and latency */

static void unlimited_queues_take_all(void **state) {
    (void)state;
    mrpb_buffer b;
    assert_true(mrpb_buffer_init(&b, 2, 0, MRPB_FIXED, false, 3));
    for (uint32_t i = 0; i < 1000; i++) assert_int_equal(mrpb_buffer_offer(&b, i, 1, false, i), MRPB_QUEUED);
    for (uint32_t i = 0; i < 1000; i++) assert_int_equal(drain(&b, 2000), i);
    mrpb_buffer_free(&b);
}

/* An item can be drained `latency` cycles after it was queued, and no earlier. */
static void latency_is_from_enqueue_to_dequeue(void **state) {
    (void)state;
    for (uint32_t latency = 3; latency <= 18; latency += 5) {
        mrpb_buffer b;
        assert_true(mrpb_buffer_init(&b, 2, 1, MRPB_FIXED, true, latency));
        assert_int_equal(mrpb_buffer_offer(&b, 100, 1, false, 7), MRPB_QUEUED);
        assert_int_equal(mrpb_buffer_next(&b), 100 + latency);
        assert_int_equal(mrpb_buffer_offer(&b, 101, 1, false, 8),
                         MRPB_STALLED); /* the first item takes the entry at once */
        assert_int_equal(drain(&b, 100 + latency - 1), NOTHING);
        assert_int_equal(drain(&b, 100 + latency), 7);
        mrpb_buffer_free(&b);
    }
}

/* ---- against a list of items */

typedef struct item {
    uint64_t ripe;
    uint32_t queue, id;
} item;

typedef struct list {
    item at[4096];
    size_t count;
    uint32_t last, emptying;
} list;

static uint32_t ripe_in(const list *l, uint32_t queue, uint64_t now) {
    uint32_t ripe = 0;
    for (size_t i = 0; i < l->count; i++) ripe += l->at[i].queue == queue && l->at[i].ripe <= now;
    return ripe;
}

static uint32_t length(const list *l, uint32_t queue) {
    return ripe_in(l, queue, UINT64_MAX);
}

/* Returns the queue to drain by the rules of mrpb_buffer.h: the urgent one if it has a ripe item, the one that a greedy
 * policy is emptying, or the policy's choice among those with ripe items. */
static uint32_t naive_choice(const list *l, const mrpb_buffer *b, uint32_t urgent, uint64_t now) {
    if (urgent != NOTHING && ripe_in(l, urgent, now)) return urgent;
    if (b->drain >= MRPB_GREEDY_FIXED && l->emptying != NOTHING) return l->emptying;
    uint32_t best = NOTHING;
    for (uint32_t i = 0; i < b->queue_count; i++) {
        bool in_turn = b->drain == MRPB_ROUND_ROBIN || b->drain == MRPB_GREEDY_ROUND_ROBIN;
        uint32_t queue = in_turn ? (l->last + 1 + i) % b->queue_count : i;
        if (!ripe_in(l, queue, now)) continue;
        bool longest = b->drain == MRPB_LONGEST_FIRST || b->drain == MRPB_GREEDY_LONGEST_FIRST;
        if (best == NOTHING || (longest && ripe_in(l, queue, now) > ripe_in(l, best, now))) best = queue;
    }
    return best;
}

static uint32_t naive_drain(list *l, const mrpb_buffer *b, uint32_t urgent, uint64_t now) {
    uint32_t queue = naive_choice(l, b, urgent, now);
    if (queue == NOTHING) return NOTHING;
    size_t i = 0;
    while (l->at[i].queue != queue) i++;
    uint32_t id = l->at[i].id;
    memmove(l->at + i, l->at + i + 1, (--l->count - i) * sizeof *l->at);
    if (queue != urgent) l->last = l->emptying = queue; /* a flush leaves the policy where it was */
    if (l->emptying != NOTHING && !ripe_in(l, l->emptying, now)) l->emptying = NOTHING;
    return id;
}

/* Returns what the answer to the offer must be; *urgent receives the queue to be flushed, or NOTHING. */
static enum mrpb_answer naive_offer(list *l, const mrpb_buffer *b, item new_item, bool is_write,
                                    uint32_t *urgent) {
    uint32_t here = length(l, new_item.queue);
    *urgent = NOTHING;
    if (is_write && b->flush && here == 0) return MRPB_PASSED;
    if ((is_write && b->flush) || (b->entries && here >= b->entries)) {
        if (b->flush) *urgent = new_item.queue;
        return MRPB_STALLED;
    }
    l->at[l->count++] = new_item;
    return MRPB_QUEUED;
}

static void compare_one(uint64_t seed) {
    uint64_t random = seed;
    static const uint32_t lengths[] = {1, 4, 8, 0};
    uint32_t queues = 1 + random_below(&random, seed % 7 ? 6 : MRPB_QUEUES_MAX);
    mrpb_buffer b;
    assert_true(mrpb_buffer_init(&b, queues, lengths[random_below(&random, 4)],
                                 (enum mrpb_drain)random_below(&random, 6), random_one_in(&random, 2),
                                 random_below(&random, 19)));
    list *l = calloc(1, sizeof *l);
    l->last = queues - 1;
    l->emptying = NOTHING;
    uint32_t busy = 1 + random_below(&random, 3), queue = 0, next_id = 0;
    bool is_write = false, offered_again = false;
    for (uint64_t now = 0; now < 600 || b.count; now++) {
        uint32_t urgent = NOTHING;
        if (now < 600 && (offered_again || random_one_in(&random, busy))) {
            if (!offered_again) {
                queue = random_below(&random, queues);
                is_write = random_one_in(&random, 6);
            }
            item new_item = {now + b.latency, queue, next_id};
            enum mrpb_answer answer = mrpb_buffer_offer(&b, now, queue, is_write, next_id);
            assert_int_equal(answer, naive_offer(l, &b, new_item, is_write, &urgent));
            offered_again = answer == MRPB_STALLED;
            next_id += !offered_again;
            if (answer == MRPB_PASSED) continue; /* it takes this cycle's place at the cache */
        }
        if (random_one_in(&random, 4)) { /* the cache is busy */
            mrpb_buffer_choose(&b, now);
            continue;
        }
        assert_int_equal(drain(&b, now), naive_drain(l, &b, urgent, now));
        assert_int_equal(b.count, l->count);
    }
    free(l);
    mrpb_buffer_free(&b);
}

static void equals_a_list(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 400; seed++) compare_one(seed);
}

static void cost_is_less_than_3_KB(void **state) {
    (void)state;
    assert_int_equal(mrpb_buffer_bits(48, 8, true, 128), 3072 * 8);
    assert_int_equal(mrpb_buffer_bits(48, 8, false, 128), 48 * 8 * 136 * 8); /* MRPB 3.3: 136 bytes */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies_drain_in_their_order),
        cmocka_unit_test(greedy_empties_a_queue_first),
        cmocka_unit_test(a_full_queue_drains_one_item),
        cmocka_unit_test(a_write_empties_its_queue),
        cmocka_unit_test(without_flush_full_queues_stall),
        cmocka_unit_test(unlimited_queues_take_all),
        cmocka_unit_test(latency_is_from_enqueue_to_dequeue),
        cmocka_unit_test(equals_a_list),
        cmocka_unit_test(cost_is_less_than_3_KB),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
