/* The branch predictor gshare (XI 4.4.3): known sequences; a naive twin that keeps the whole history; cost. */
#include "mechanism/parts/ilp_predictor.h"

#include "../support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Returns the number of mispredictions of a branch with these outcomes: T taken, N not taken. */
static unsigned mispredictions(ilp_gshare *g, uint32_t branch, const char *outcomes) {
    unsigned wrong = 0;
    for (; *outcomes; outcomes++) {
        bool taken = *outcomes == 'T';
        wrong += ilp_gshare_predicts_taken(g, branch) != taken;
        ilp_gshare_learn(g, branch, taken);
    }
    return wrong;
}

/* A gshare with one counter has no history. It is a two-bit counter that starts at 1, weakly not taken. */
static void counters_saturate(void **state) {
    (void)state;
    ilp_gshare g;
    assert_true(ilp_gshare_init(&g, 1));
    assert_int_equal(mispredictions(&g, 7, "TTTTTT"), 1); /* 1 -> 2: taken from the second on; stays at 3 */
    assert_int_equal(mispredictions(&g, 7, "NT"), 1);     /* one exception does not turn it */
    assert_int_equal(mispredictions(&g, 7, "NNNNN"), 2);  /* two do; stays at 0 */
    assert_int_equal(mispredictions(&g, 7, "TNT"), 2);
    ilp_gshare_free(&g);
}

/* A counter cannot predict a branch that alternates; with history, each history leads to one outcome. */
static void history_tells_apart(void **state) {
    (void)state;
    ilp_gshare none, nine;
    assert_true(ilp_gshare_init(&none, 1) && ilp_gshare_init(&nine, 512));
    char outcomes[201] = {0};
    for (int i = 0; i < 200; i++) outcomes[i] = i % 2 ? 'N' : 'T';
    assert_int_equal(mispredictions(&none, 3, outcomes), 200); /* from weakly not taken it is always behind */
    assert_true(mispredictions(&nine, 3, outcomes) <= 10);
    assert_int_equal(mispredictions(&nine, 3, outcomes), 0);
    ilp_gshare_free(&none);
    ilp_gshare_free(&nine);
}

/* Two branches with the same history use different counters if their numbers differ in the bits of the index. */
static void branches_have_counters_of_their_own(void **state) {
    (void)state;
    ilp_gshare g;
    assert_true(ilp_gshare_init(&g, 512));
    for (uint32_t i = 0; i < 20; i++) ilp_gshare_learn(&g, 0, true); /* history: all taken */
    assert_true(ilp_gshare_predicts_taken(&g, 0));
    assert_true(ilp_gshare_predicts_taken(&g, 512)); /* an alias */
    assert_false(ilp_gshare_predicts_taken(&g, 1));
    ilp_gshare_free(&g);
}

/* Predicts execution `now` by the definition: computes the index of every execution so far from all outcomes before it,
 * and the counter from the outcomes with the same index as now. */
enum { STEPS = 4000 };
static bool naive_prediction(const uint32_t *branches, const bool *taken, unsigned now, uint32_t entries) {
    uint32_t index[STEPS];
    for (unsigned i = 0; i <= now; i++) {
        uint32_t history = 0;
        for (unsigned age = 1; age <= i && UINT32_C(1) << (age - 1) < entries; age++)
            history += (uint32_t)taken[i - age] << (age - 1);
        index[i] = (branches[i] ^ history) % entries;
    }
    int counter = 1;
    for (unsigned i = 0; i < now; i++)
        if (index[i] == index[now]) counter += taken[i] ? counter < 3 : -(counter > 0);
    return counter >= 2;
}

static void gshare_is_the_naive_one(void **state) {
    (void)state;
    for (uint32_t entries = 1; entries <= 512; entries *= 8) {
        static uint32_t branches[STEPS];
        static bool taken[STEPS];
        uint64_t r = entries;
        ilp_gshare g;
        assert_true(ilp_gshare_init(&g, entries));
        for (unsigned i = 0; i < 600; i++) {
            branches[i] = (uint32_t)random_below(&r, 40);
            taken[i] = random_below(&r, 3) < 1 + branches[i] % 2;
            assert_int_equal(ilp_gshare_predicts_taken(&g, branches[i]),
                             naive_prediction(branches, taken, i, entries));
            ilp_gshare_learn(&g, branches[i], taken[i]);
        }
        ilp_gshare_free(&g);
    }
}

/* "1k-bit gshare predictor": 512 counters of two bits. */
static void cost_is_the_published(void **state) {
    (void)state;
    assert_int_equal(ilp_gshare_table_bits(512), 1024);
    assert_int_equal(ilp_gshare_history_bits(512), 9);
    assert_int_equal(ilp_gshare_history_bits(1), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_saturate),
        cmocka_unit_test(history_tells_apart),
        cmocka_unit_test(branches_have_counters_of_their_own),
        cmocka_unit_test(gshare_is_the_naive_one),
        cmocka_unit_test(cost_is_the_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
