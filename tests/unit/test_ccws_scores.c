/* Lost-locality scores and victim tags by themselves: exact answers, and random streams of events compared with
 * naive twins, which evaluate every cycle. */
#include "mechanism/parts/ccws_scores.h"
#include "mechanism/parts/ccws_tags.h"

#include "../support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t bit(uint32_t slot) {
    return UINT64_C(1) << slot;
}
static uint64_t first(uint32_t count) {
    return count < 64 ? bit(count) - 1 : UINT64_MAX;
}

/* Returns the scores of `warps` warps, of which warp `slot` has hit once in so many instructions, in cycle 0. */
static ccws_scores one_hit(uint64_t base, double gain, double cap, uint32_t warps, uint32_t slot,
                           uint32_t instructions) {
    ccws_scores s;
    ccws_scores_init(&s, base, gain, cap);
    for (uint32_t i = 0; i < instructions; i++) ccws_scores_issued(&s, slot);
    assert_int_equal(ccws_scores_admit(&s, 0, first(warps), first(warps)), first(warps));
    ccws_scores_hit(&s, 0, slot, warps);
    return s;
}

/* ---- exact answers */

static void nobody_is_held_back_while_nobody_loses(void **state) {
    (void)state;
    ccws_scores s;
    ccws_scores_init(&s, 100, 8, 8);
    for (uint32_t n = 0; n <= 64; n++) {
        assert_int_equal(ccws_scores_admit(&s, n, first(n), first(n)), first(n));
        assert_true(s.next == UINT64_MAX);
    }
    assert_int_equal(s.cut_cycles, 0);
}

/* The score is gain x hits / instructions x (warps x base): 8 x 1 / 100 of 10 x 100 is 80, less than the base of
 * 100; 8 x 1 / 10 is 800. */
static void a_hit_sets_the_score(void **state) {
    (void)state;
    ccws_scores low = one_hit(100, 8, 8, 10, 3, 100), high = one_hit(100, 8, 8, 10, 3, 10);
    assert_int_equal(ccws_scores_of(&low, 0, 3), 100);
    assert_int_equal(ccws_scores_of(&high, 0, 3), 800);
    assert_int_equal(ccws_scores_of(&high, 0, 4), 100);
    assert_int_equal(ccws_scores_of(&high, 1, 3), 799);
    assert_int_equal(ccws_scores_of(&high, 700, 3), 100);
    assert_int_equal(ccws_scores_of(&high, 5000, 3), 100);
    ccws_scores added = one_hit(100, 8, 0, 10, 3, 10); /* without a cap the score is added to the base */
    assert_int_equal(ccws_scores_of(&added, 0, 3), 900);
    /* Two hits in 20 instructions are the same share; with a cap of 8 the second hit restores the first one's score. */
    for (int i = 0; i < 10; i++) ccws_scores_issued(&high, 3), ccws_scores_issued(&added, 3);
    ccws_scores_hit(&high, 0, 3, 10);
    ccws_scores_hit(&added, 0, 3, 10);
    assert_int_equal(ccws_scores_of(&high, 0, 3), 800);
    assert_int_equal(ccws_scores_of(&added, 0, 3), 1700);
    /* A later hit among more instructions lowers the score: 3 in 60 is half of that share. */
    for (int i = 0; i < 40; i++) ccws_scores_issued(&high, 3);
    ccws_scores_hit(&high, 0, 3, 10);
    assert_int_equal(ccws_scores_of(&high, 0, 3), 400);
}

/* Ten warps have a budget of 1000 points: the warp with 800 and two more with 100 each use it up. For each hundred
 * that the score falls one more warp is admitted, as soon as the sum falls below the budget: at 800 two others are
 * admitted, at 799 three. */
static void warps_come_back_as_the_score_falls(void **state) {
    (void)state;
    ccws_scores s = one_hit(100, 8, 8, 10, 9, 10);
    for (uint64_t now = 0; now <= 710; now++) {
        uint64_t score = now < 700 ? 800 - now : 100, others = (1000 - score + 99) / 100;
        uint64_t admitted = ccws_scores_admit(&s, now, first(10), first(10));
        assert_int_equal(admitted, now < 700 ? bit(9) | first((uint32_t)others) : first(10));
        if (now < 600) assert_int_equal(s.next, now / 100 * 100 + 1 + (now % 100 ? 100 : 0));
        if (now > 600) assert_true(s.next == UINT64_MAX);
    }
    /* 600 cycles and the one in which 200 + 8 x 100 still is 1000 */
    assert_int_equal(s.cut_cycles, 601);
}

static void an_endless_score_leaves_one_warp(void **state) {
    (void)state;
    ccws_scores s = one_hit(100, 1e9, 0, 48, 17, 1);
    for (uint64_t now = 0; now < UINT64_C(1) << 34; now += UINT64_C(1) << 30)
        assert_int_equal(ccws_scores_admit(&s, now, first(48), first(48)), bit(17));
    uint64_t now = UINT64_C(1) << 34;
    /* While warp 17 cannot load, all others may, whether it is still active (it waits for others) or not. */
    assert_int_equal(ccws_scores_admit(&s, now, first(48), first(48) & ~bit(17)), first(48) & ~bit(17));
    assert_int_equal(ccws_scores_admit(&s, now, first(48), first(48)), bit(17));
    assert_int_equal(ccws_scores_admit(&s, now, first(48) & ~bit(17), first(48) & ~bit(17)),
                     first(48) & ~bit(17));
    /* The next warp in the slot starts without hits. */
    ccws_scores_ended(&s, now, 17);
    assert_int_equal(ccws_scores_admit(&s, now, first(48), first(48)), first(48));
    assert_int_equal(s.hits + s.instructions, 0);
}

static void equal_scores_go_by_slot(void **state) {
    (void)state;
    ccws_scores s = one_hit(100, 1e9, 10, 4, 2, 1);
    ccws_scores_issued(&s, 1);
    ccws_scores_hit(&s, 0, 1, 4); /* 2 hits in 2 instructions reach the cap of 10 x 400 again */
    assert_int_equal(ccws_scores_of(&s, 0, 1), ccws_scores_of(&s, 0, 2));
    assert_int_equal(ccws_scores_admit(&s, 0, first(4), first(4)), bit(1));
    assert_int_equal(ccws_scores_admit(&s, 0, first(4), first(4) & ~bit(1)), bit(2));
}

/* Expected: 48 warps x 16 tags of 48 - 7 - 1 bits and a valid bit; 48 scores of up to 8 x 4800, and two totals. */
static void bits_are_counted(void **state) {
    (void)state;
    assert_int_equal(ccws_tags_bits(48, 2, 8, 128), 48 * 16 * 41);
    assert_int_equal(ccws_scores_bits(48, 100, 8), 48 * 16 + 64);
    assert_int_equal(ccws_scores_bits(32, 1, 1), 32 * 6 + 64);
    assert_int_equal(ccws_scores_bits(1, 100, 0), 49 + 64);
}

/* ---- victim tags */

/* The naive tags hold, for each line, the time at which it was inserted. */
enum { SLOTS = 3, LINES = 40 };
typedef struct naive_tags {
    uint64_t came[SLOTS][LINES]; /* 0: the line is not in the tags */
} naive_tags;

static void naive_insert(naive_tags *t, uint32_t sets, uint32_t ways, uint32_t slot, uint64_t line,
                         uint64_t time) {
    if (t->came[slot][line]) return;
    uint32_t count = 0;
    uint64_t oldest = line;
    for (uint64_t other = line % sets; other < LINES; other += sets) {
        if (!t->came[slot][other]) continue;
        count++;
        if (oldest == line || t->came[slot][other] < t->came[slot][oldest]) oldest = other;
    }
    if (count == ways) t->came[slot][oldest] = 0;
    t->came[slot][line] = time;
}

static void tags_are_fifo(void **state) {
    (void)state;
    uint64_t random = 5;
    for (int round = 0; round < 200; round++) {
        uint32_t sets = 1u << random_below(&random, 4), ways = 1 + random_below(&random, 6);
        ccws_tags tags;
        naive_tags naive = {.came = {{0}}};
        assert_true(ccws_tags_init(&tags, SLOTS, sets, ways));
        for (uint64_t time = 1; time < 400; time++) {
            uint64_t line = random_below(&random, LINES);
            uint32_t slot = random_below(&random, SLOTS);
            if (random_one_in(&random, 10)) {
                ccws_tags_drop(&tags, line);
                for (uint32_t i = 0; i < SLOTS; i++) naive.came[i][line] = 0;
            } else {
                assert_int_equal(ccws_tags_insert(&tags, slot, line), !naive.came[slot][line]);
                naive_insert(&naive, sets, ways, slot, line, time);
            }
            for (uint64_t l = 0; l < LINES; l++)
                assert_int_equal(ccws_tags_find(&tags, slot, l), naive.came[slot][l] != 0);
        }
        ccws_tags_free(&tags);
    }
}

/* ---- against a twin that evaluates each cycle */

typedef struct naive {
    uint64_t base, score[CCWS_SLOTS], hits[CCWS_SLOTS], instructions[CCWS_SLOTS];
    double gain, cap;
    uint64_t cut_cycles, admitted_in_them;
} naive;

static double naive_share(const naive *n) {
    uint64_t hits = 0, instructions = 0;
    for (int w = 0; w < CCWS_SLOTS; w++) hits += n->hits[w], instructions += n->instructions[w];
    return (double)hits / (double)instructions;
}

static void naive_hit(naive *n, uint32_t slot, uint32_t active) {
    n->hits[slot]++;
    double share = naive_share(n), cutoff = (double)(active * n->base);
    uint64_t score = n->score[slot] + (uint64_t)(share * cutoff * n->gain);
    uint64_t cap = (uint64_t)(share * cutoff * n->cap);
    if (n->cap > 0 && score > cap) score = cap;
    n->score[slot] = score > n->base ? score : n->base;
}

static uint64_t naive_admitted(const naive *n, uint64_t active, uint64_t able) {
    uint64_t cutoff = n->base * (uint64_t)__builtin_popcountll(active), sum = 0, admitted = 0;
    while (admitted != able && sum < cutoff) {
        int best = -1;
        for (int w = 0; w < CCWS_SLOTS; w++)
            if (able & ~admitted & bit((uint32_t)w) && (best < 0 || n->score[w] > n->score[best])) best = w;
        admitted |= bit((uint32_t)best);
        sum += n->score[best];
    }
    return admitted;
}

static void naive_cycle_ends(naive *n, uint64_t active, uint64_t able) {
    uint64_t admitted = naive_admitted(n, active, able);
    n->cut_cycles += admitted != able;
    if (admitted != able) n->admitted_in_them += (uint64_t)__builtin_popcountll(admitted);
    for (int w = 0; w < CCWS_SLOTS; w++) n->score[w] -= n->score[w] > n->base;
}

static uint64_t some(uint64_t *random, uint32_t warps) {
    uint64_t set = random_next(random) & first(warps);
    return random_one_in(random, 2) ? set | (random_next(random) & first(warps)) : set;
}

static void compare_stream(uint64_t seed) {
    uint64_t random = seed, active = 0, able = 0;
    uint32_t warps = 1 + random_below(&random, 64), quiet = 1 + random_below(&random, 200);
    static const double factors[] = {0, 0.5, 2, 8, 8, 8, 100, 1e9};
    double gain = factors[random_below(&random, 8)], cap = factors[random_below(&random, 7)];
    uint64_t base = random_one_in(&random, 2) ? 100 : 1 + random_below(&random, 10);
    ccws_scores s;
    naive n = {.base = base, .gain = gain, .cap = cap};
    ccws_scores_init(&s, base, gain, cap);
    for (int w = 0; w < CCWS_SLOTS; w++) n.score[w] = base;
    for (uint64_t now = 0; now < 3000; now++) {
        uint32_t slot = random_below(&random, warps);
        bool event = random_one_in(&random, quiet);
        if (event) {
            uint32_t count = random_below(&random, 10);
            for (uint32_t i = 0; i <= count; i++) ccws_scores_issued(&s, slot), n.instructions[slot]++;
        }
        if (event && random_one_in(&random, 2)) {
            ccws_scores_hit(&s, now, slot, (uint32_t)__builtin_popcountll(active));
            naive_hit(&n, slot, (uint32_t)__builtin_popcountll(active));
        }
        if (event && random_one_in(&random, 6)) {
            ccws_scores_ended(&s, now, slot);
            n.score[slot] = base;
            n.hits[slot] = n.instructions[slot] = 0;
        }
        bool changes = random_one_in(&random, quiet);
        if (changes) {
            active = some(&random, warps);
            able = random_one_in(&random, 2) ? active : active & random_next(&random);
        }
        uint64_t expected = naive_admitted(&n, active, able);
        assert_int_equal(ccws_scores_of(&s, now, slot), n.score[slot]);
        if (now < s.next && !changes) assert_int_equal(s.admitted, expected);
        if (changes || random_one_in(&random, 4)) {
            assert_int_equal(ccws_scores_admit(&s, now, active, able), expected);
            assert_true(s.next > now);
            assert_true(!able || expected);
        }
        naive_cycle_ends(&n, active, able);
    }
    ccws_scores_admit(&s, 3000, active, able);
    assert_int_equal(s.cut_cycles, n.cut_cycles);
    assert_int_equal(s.admitted_in_them, n.admitted_in_them);
}

static void streams_are_those_of_the_twin(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) compare_stream(seed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_is_held_back_while_nobody_loses),
        cmocka_unit_test(a_hit_sets_the_score),
        cmocka_unit_test(warps_come_back_as_the_score_falls),
        cmocka_unit_test(an_endless_score_leaves_one_warp),
        cmocka_unit_test(equal_scores_go_by_slot),
        cmocka_unit_test(bits_are_counted),
        cmocka_unit_test(tags_are_fifo),
        cmocka_unit_test(streams_are_those_of_the_twin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
