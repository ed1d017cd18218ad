/* WarpPool's inter-warp queues, selection and cost: the rules of WP 3.4, 3.5 and table 1; equal to a plain list of
 * tags. */
#include "mechanism/parts/warppool_queues.h"

#include "../support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NOTHING UINT32_MAX

static enum warppool_insert insert(warppool_queues *q, uint32_t queue, uint64_t line, uint8_t warp) {
    return warppool_queues_insert(q, queue, line, 1, false, 1,
                                  (warppool_request){.load = warp, .warp = warp});
}

static uint64_t take(warppool_queues *q, enum warppool_select policy) {
    uint32_t tag = warppool_queues_select(q, policy);
    if (tag == NOTHING) return NOTHING;
    warppool_queues_release(q, tag);
    return q->tags[tag].line;
}

/* WP 3.9: up to 4 requests per tag, the first included; a full tag matches no more. */
static void four_requests_share_a_tag(void **state) {
    (void)state;
    warppool_queues q;
    assert_true(warppool_queues_init(&q, 2, 2, 4));
    assert_int_equal(insert(&q, 1, 7, 0), WARPPOOL_NEW);
    for (uint8_t warp = 1; warp < 4; warp++) assert_int_equal(insert(&q, 1, 7, warp), WARPPOOL_MERGED);
    assert_int_equal(insert(&q, 1, 7, 4), WARPPOOL_NEW);
    assert_int_equal(q.tags[2].count, 4);
    assert_int_equal(q.tags[3].count, 1);
    warppool_queues_free(&q);
}

/* A queue has its own tags: when they are full it turns requests down, while other queues take them. */
static void a_full_queue_is_full_alone(void **state) {
    (void)state;
    warppool_queues q;
    assert_true(warppool_queues_init(&q, 2, 2, 4));
    assert_int_equal(insert(&q, 0, 1, 0), WARPPOOL_NEW);
    assert_int_equal(insert(&q, 0, 2, 0), WARPPOOL_NEW);
    assert_int_equal(insert(&q, 0, 3, 0), WARPPOOL_FULL);
    assert_int_equal(insert(&q, 0, 2, 1), WARPPOOL_MERGED); /* a match needs no free tag */
    assert_int_equal(insert(&q, 1, 3, 0), WARPPOOL_NEW);
    assert_int_equal(take(&q, WARPPOOL_OLDEST), 1);
    assert_int_equal(insert(&q, 0, 3, 0), WARPPOOL_NEW);
    warppool_queues_free(&q);
}

/* WP 3.5: oldest first drains in the order of insertion; a merge does not make a tag younger. */
static void oldest_drains_in_order_of_insertion(void **state) {
    (void)state;
    warppool_queues q;
    assert_true(warppool_queues_init(&q, 8, 2, 4));
    for (uint64_t line = 0; line < 8; line++) insert(&q, (uint32_t)(7 - line), line, (uint8_t)(9 - line));
    insert(&q, 7, 0, 40);
    for (uint64_t line = 0; line < 8; line++) assert_int_equal(take(&q, WARPPOOL_OLDEST), line);
    assert_int_equal(take(&q, WARPPOOL_OLDEST), NOTHING);
    warppool_queues_free(&q);
}

/* warp_id takes the tag with the lowest warp among its members, the oldest of several. A newer tag can overtake. */
static void warp_id_favours_the_lowest_warp(void **state) {
    (void)state;
    warppool_queues q;
    assert_true(warppool_queues_init(&q, 8, 2, 4));
    insert(&q, 0, 10, 5);
    insert(&q, 1, 11, 3);
    insert(&q, 2, 12, 3);
    insert(&q, 0, 10, 2); /* a member of warp 2 */
    insert(&q, 3, 13, 4);
    assert_int_equal(take(&q, WARPPOOL_WARP_ID), 10);
    insert(&q, 4, 14, 0);
    assert_int_equal(take(&q, WARPPOOL_WARP_ID), 14);
    assert_int_equal(take(&q, WARPPOOL_WARP_ID), 11);
    assert_int_equal(take(&q, WARPPOOL_WARP_ID), 12);
    assert_int_equal(take(&q, WARPPOOL_WARP_ID), 13);
    warppool_queues_free(&q);
}

/* The policy toggles after a quantum with more than 99 % misses, at its end and not before. */
static void adaptive_toggles_above_99_percent(void **state) {
    (void)state;
    warppool_adaptive a = warppool_adaptive_start(1000);
    assert_int_equal(warppool_adaptive_policy(&a, 999, 100, 100), WARPPOOL_OLDEST);
    assert_int_equal(warppool_adaptive_policy(&a, 1000, 1000, 991), WARPPOOL_WARP_ID); /* 99.1 % */
    assert_int_equal(warppool_adaptive_policy(&a, 1999, 2000, 1991), WARPPOOL_WARP_ID);
    assert_int_equal(warppool_adaptive_policy(&a, 2000, 2000, 1981), WARPPOOL_WARP_ID); /* 99.0 % */
    assert_int_equal(warppool_adaptive_policy(&a, 3000, 3000, 2981), WARPPOOL_OLDEST);  /* 100 % */
    assert_int_equal(warppool_adaptive_policy(&a, 9500, 3000, 2981), WARPPOOL_OLDEST);  /* no accesses */
    assert_int_equal(a.end, 10000);
    assert_int_equal(a.toggles, 2);
}

/* ---- against a list of tags in the order of insertion */

typedef struct naive_tag {
    uint32_t queue;
    uint64_t line;
    uint8_t warps[WARPPOOL_MERGES_MAX];
    uint32_t count;
} naive_tag;

static enum warppool_insert naive_insert(naive_tag *tags, size_t *count, const warppool_queues *q,
                                         uint32_t queue, uint64_t line, uint8_t warp) {
    uint32_t here = 0;
    for (size_t i = 0; i < *count; i++) {
        here += tags[i].queue == queue;
        if (tags[i].queue == queue && tags[i].line == line && tags[i].count < q->merges) {
            tags[i].warps[tags[i].count++] = warp;
            return WARPPOOL_MERGED;
        }
    }
    if (here == q->tags_each) return WARPPOOL_FULL;
    tags[(*count)++] = (naive_tag){queue, line, {warp}, 1};
    return WARPPOOL_NEW;
}

static naive_tag naive_take(naive_tag *tags, size_t *count, enum warppool_select policy) {
    size_t best = 0;
    unsigned best_warp = 256;
    for (size_t i = 0; i < *count && policy == WARPPOOL_WARP_ID; i++)
        for (uint32_t k = 0; k < tags[i].count; k++)
            if (tags[i].warps[k] < best_warp) best_warp = tags[i].warps[k], best = i;
    naive_tag taken = tags[best];
    memmove(tags + best, tags + best + 1, (--*count - best) * sizeof *tags);
    return taken;
}

static void equals_a_list(void **state) {
    (void)state;
    uint64_t merges = 0, full = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t random = seed;
        warppool_queues q;
        assert_true(warppool_queues_init(&q, 1 + random_below(&random, 6), 1 + random_below(&random, 4),
                                         1 + random_below(&random, 5)));
        naive_tag tags[64];
        size_t count = 0;
        for (int i = 0; i < 500; i++) {
            if (random_one_in(&random, 2)) {
                uint64_t line = random_below(&random, 20);
                uint8_t warp = (uint8_t)random_below(&random, 48);
                uint32_t queue = (uint32_t)(line % q.queue_count);
                enum warppool_insert answer = insert(&q, queue, line, warp);
                assert_int_equal(answer, naive_insert(tags, &count, &q, queue, line, warp));
                merges += answer == WARPPOOL_MERGED;
                full += answer == WARPPOOL_FULL;
            } else if (count) {
                enum warppool_select policy = random_one_in(&random, 2) ? WARPPOOL_OLDEST : WARPPOOL_WARP_ID;
                naive_tag expected = naive_take(tags, &count, policy);
                uint32_t tag = warppool_queues_select(&q, policy);
                assert_int_equal(q.tags[tag].line, expected.line);
                assert_int_equal(q.tags[tag].count, expected.count);
                for (uint32_t k = 0; k < expected.count; k++)
                    assert_int_equal(q.tags[tag].slot[k].warp, expected.warps[k]);
                warppool_queues_release(&q, tag);
            } else {
                assert_int_equal(warppool_queues_select(&q, WARPPOOL_OLDEST), NOTHING);
            }
        }
        warppool_queues_free(&q);
    }
    assert_true(merges > 1000 && full > 1000);
}

/* The cost that WP tab. 1 gives. */
static void cost_is_the_published(void **state) {
    (void)state;
    uint64_t bits[] = {warppool_instruction_queue_bits(128), warppool_coalescer_bits(2),
                       warppool_inter_warp_bits(64, 4), warppool_map_table_bits(8),
                       warppool_mshr_metadata_bits(1024)},
             bytes[] = {592, 512, 992, 321, 2944}, total = 0;
    for (int i = 0; i < 5; i++) {
        assert_int_equal(bits[i], bytes[i] * 8);
        total += bytes[i];
    }
    assert_int_equal(warppool_inter_warp_bits(1, 4), 124);
    assert_int_equal(total, 5361);
    assert_int_equal(total * 100 / 1024, 523); /* 5.23 KB */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_requests_share_a_tag),
        cmocka_unit_test(a_full_queue_is_full_alone),
        cmocka_unit_test(oldest_drains_in_order_of_insertion),
        cmocka_unit_test(warp_id_favours_the_lowest_warp),
        cmocka_unit_test(adaptive_toggles_above_99_percent),
        cmocka_unit_test(equals_a_list),
        cmocka_unit_test(cost_is_the_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
