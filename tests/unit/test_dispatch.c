/* CTA dispatch: the worked example of ICC Fig. 6, and laws that hold for every policy. */
#include "replay/dispatch.h"

#include "../support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { POLICIES = WS_DISPATCH_DISTRIBUTED_BLOCK + 1 };

/* Starts all CTAs that can start now, as "sm:cta,cta sm:cta ..": SMs ascending, CTAs counted from 1 as in the
 * figure. */
static const char *started(ws_dispatcher *d, uint32_t sms) {
    static char text[256];
    char of_sm[8][64] = {{0}};
    uint32_t sm, cta;
    while (ws_dispatcher_next(d, &sm, &cta)) {
        size_t used = strlen(of_sm[sm]);
        snprintf(of_sm[sm] + used, sizeof of_sm[sm] - used, "%s%u", used ? "," : "", cta + 1);
    }
    text[0] = 0;
    for (sm = 0; sm < sms; sm++)
        if (of_sm[sm][0]) {
            size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, "%s%u:%s", used ? " " : "", sm, of_sm[sm]);
        }
    return text;
}

static void example(enum ws_dispatch policy, const char *at_first, const char *after_cta_1,
                    const char *after_cta_2) {
    ws_gpu_params gpu = {.clusters = 2, .sms_per_cluster = 2, .dispatch = policy};
    ws_dispatcher *d = ws_dispatcher_new(&gpu, 2, 10, NULL);
    assert_non_null(d);
    assert_string_equal(started(d, 4), at_first);
    assert_string_equal(started(d, 4), "");
    ws_dispatcher_ended(d, 0); /* CTA 1 ran on the first SM */
    assert_string_equal(started(d, 4), after_cta_1);
    if (after_cta_2) {
        ws_dispatcher_ended(d, 0);
        assert_string_equal(started(d, 4), after_cta_2);
    }
    ws_dispatcher_free(d);
}

static void figure_6(void **state) {
    (void)state;
    example(WS_DISPATCH_TWO_LEVEL_RR, "0:1,5 1:3,7 2:2,6 3:4,8", "0:9", NULL);
    example(WS_DISPATCH_GLOBAL_RR, "0:1,5 1:2,6 2:3,7 3:4,8", "0:9", NULL);
    example(WS_DISPATCH_GREEDY, "0:1,3 1:2,4 2:5,7 3:6,8", "0:9", NULL);
    example(WS_DISPATCH_DISTRIBUTED, "0:1,3 1:2,4 2:6,8 3:7,9", "0:5", NULL);
    example(WS_DISPATCH_DISTRIBUTED_BLOCK, "0:1,2 1:3,4 2:6,7 3:8,9", "", "0:5");
}

static void pools_do_not_steal(void **state) {
    (void)state;
    /* 7 CTAs on 3 clusters: 3, 2 and 2; a cluster that is done stays idle. */
    ws_gpu_params gpu = {.clusters = 3, .sms_per_cluster = 1, .dispatch = WS_DISPATCH_DISTRIBUTED};
    ws_dispatcher *d = ws_dispatcher_new(&gpu, 1, 7, NULL);
    assert_string_equal(started(d, 3), "0:1 1:4 2:6");
    ws_dispatcher_ended(d, 2);
    assert_string_equal(started(d, 3), "2:7");
    ws_dispatcher_ended(d, 2);
    assert_string_equal(started(d, 3), "");
    ws_dispatcher_ended(d, 0);
    assert_string_equal(started(d, 3), "0:2");
    ws_dispatcher_free(d);
}

static void blocks_of_one_where_only_one_fits(void **state) {
    (void)state;
    ws_gpu_params gpu = {.clusters = 2, .sms_per_cluster = 2, .dispatch = WS_DISPATCH_DISTRIBUTED_BLOCK};
    ws_dispatcher *d = ws_dispatcher_new(&gpu, 1, 10, NULL);
    assert_string_equal(started(d, 4), "0:1 1:2 2:6 3:7");
    ws_dispatcher_ended(d, 1);
    assert_string_equal(started(d, 4), "1:3");
    ws_dispatcher_free(d);
}

/* In a launch that follows one of 1, 2, 3 or 4 CTAs, or runs beside it, round robin goes on behind the last of them,
 * over clusters and within each. */
static void round_robin_goes_on(void **state) {
    (void)state;
    static const char *const begins[][4] = {[WS_DISPATCH_TWO_LEVEL_RR] = {"2:1", "1:1", "3:1", "0:1"},
                                            [WS_DISPATCH_GLOBAL_RR] = {"1:1", "2:1", "3:1", "0:1"},
                                            [WS_DISPATCH_GREEDY] = {"1:1", "0:1", "0:1", "0:1"}};
    for (int policy = WS_DISPATCH_TWO_LEVEL_RR; policy <= WS_DISPATCH_GREEDY; policy++)
        for (uint32_t ctas = 1; ctas <= 4; ctas++) {
            ws_gpu_params gpu = {.clusters = 2, .sms_per_cluster = 2, .dispatch = policy};
            ws_dispatch_turns *turns = ws_dispatch_turns_new(&gpu);
            ws_dispatcher *earlier = ws_dispatcher_new(&gpu, 1, ctas, turns),
                          *d = ws_dispatcher_new(&gpu, 1, 1, turns);
            started(earlier, 4);
            assert_string_equal(started(d, 4), begins[policy][ctas - 1]);
            ws_dispatcher_free(earlier);
            ws_dispatcher_free(d);
            ws_dispatch_turns_free(turns);
        }
}

/* In a round, such as a cycle, round robin over clusters gives each cluster one CTA, and the next round goes on behind
 * the last one; under global_rr each SM takes what it has room for. */
static void a_cluster_gets_one_cta_in_a_round(void **state) {
    (void)state;
    ws_gpu_params gpu = {.clusters = 2, .sms_per_cluster = 2, .dispatch = WS_DISPATCH_TWO_LEVEL_RR};
    ws_dispatcher *d = ws_dispatcher_new(&gpu, 2, 10, NULL);
    static const char *const rounds[] = {"0:1 2:2", "1:3 3:4", "0:5 2:6", "1:7 3:8", ""};
    for (uint64_t round = 1; round <= 5; round++) {
        ws_dispatcher_begin_round(d, round);
        assert_string_equal(started(d, 4), rounds[round - 1]);
        assert_string_equal(started(d, 4), "");
        assert_int_equal(ws_dispatcher_rests(d), round < 4);
        ws_dispatcher_begin_round(d, round); /* the same */
        assert_string_equal(started(d, 4), "");
    }
    for (int i = 0; i < 2; i++) ws_dispatcher_ended(d, 0);
    ws_dispatcher_begin_round(d, 6);
    assert_string_equal(started(d, 4), "0:9");
    ws_dispatcher_ended(d, 2); /* whose turn comes before that of cluster 0 */
    ws_dispatcher_begin_round(d, 7);
    assert_string_equal(started(d, 4), "2:10");
    assert_false(ws_dispatcher_rests(d)); /* none is left */
    ws_dispatcher_free(d);

    gpu.dispatch = WS_DISPATCH_GLOBAL_RR;
    d = ws_dispatcher_new(&gpu, 2, 10, NULL);
    ws_dispatcher_begin_round(d, 1);
    assert_string_equal(started(d, 4), "0:1,5 1:2,6 2:3,7 3:4,8");
    assert_false(ws_dispatcher_rests(d));
    ws_dispatcher_free(d);
}

/* That is one of any launch, if they have their turns in common. */
static void launches_share_a_round(void **state) {
    (void)state;
    ws_gpu_params gpu = {.clusters = 2, .sms_per_cluster = 2, .dispatch = WS_DISPATCH_TWO_LEVEL_RR};
    ws_dispatch_turns *turns = ws_dispatch_turns_new(&gpu);
    ws_dispatcher *one = ws_dispatcher_new(&gpu, 1, 1, turns), *other = ws_dispatcher_new(&gpu, 1, 2, turns);
    ws_dispatcher_begin_round(one, 1);
    ws_dispatcher_begin_round(other, 1);
    assert_string_equal(started(one, 4), "0:1");
    assert_string_equal(started(other, 4), "2:1");
    assert_true(ws_dispatcher_rests(other));
    ws_dispatcher_begin_round(other, 2);
    assert_string_equal(started(other, 4), "1:2");
    ws_dispatcher_free(one);
    ws_dispatcher_free(other);
    ws_dispatch_turns_free(turns);
}

/* A cluster that had no room for the last CTA of one launch when its turn came gets none of the next launch in the same
 * round. */
static void a_round_passes_clusters_once(void **state) {
    (void)state;
    ws_gpu_params gpu = {.clusters = 3, .sms_per_cluster = 1, .dispatch = WS_DISPATCH_TWO_LEVEL_RR};
    ws_dispatch_turns *turns = ws_dispatch_turns_new(&gpu);
    ws_dispatcher *one = ws_dispatcher_new(&gpu, 1, 1, turns), *other = ws_dispatcher_new(&gpu, 1, 3, turns);
    ws_dispatcher_set_room(one, 0, 0);
    ws_dispatcher_begin_round(one, 1);
    assert_string_equal(started(one, 3), "1:1");
    ws_dispatcher_begin_round(other, 1);
    ws_dispatcher_set_room(other, 1, 0);
    assert_string_equal(started(other, 3), "2:1");
    assert_true(ws_dispatcher_rests(other)); /* cluster 0 has room */
    ws_dispatcher_begin_round(other, 2);
    assert_string_equal(started(other, 3), "0:2");
    assert_false(ws_dispatcher_rests(other)); /* none has any more */
    ws_dispatcher_free(one);
    ws_dispatcher_free(other);
    ws_dispatch_turns_free(turns);
}

/* Clusters with pools of their own get a CTA each in a round; a block takes two rounds of its SM. */
static void pools_start_side_by_side(void **state) {
    (void)state;
    static const char *const rounds[][5] = {{"0:1 2:6", "1:2 3:7", "0:3 2:8", "1:4 3:9", ""},
                                            {"0:1 2:6", "0:2 2:7", "1:3 3:8", "1:4 3:9", ""}};
    for (int blocks = 0; blocks < 2; blocks++) {
        ws_gpu_params gpu = {.clusters = 2,
                             .sms_per_cluster = 2,
                             .dispatch = blocks ? WS_DISPATCH_DISTRIBUTED_BLOCK : WS_DISPATCH_DISTRIBUTED};
        ws_dispatcher *d = ws_dispatcher_new(&gpu, 2, 10, NULL);
        for (uint64_t round = 1; round <= 5; round++) {
            ws_dispatcher_begin_round(d, round);
            assert_string_equal(started(d, 4), rounds[blocks][round - 1]);
            assert_string_equal(started(d, 4), "");
            assert_int_equal(ws_dispatcher_rests(d), round < 4);
        }
        ws_dispatcher_free(d);
    }
}

/* In whatever order CTAs end, each starts once, no SM holds too many, and none waits while there is room for it. */
static void every_cta_starts_once(void **state) {
    (void)state;
    uint64_t random = 3;
    for (int round = 0; round < 400; round++) {
        ws_gpu_params gpu = {.clusters = 1 + random_below(&random, 4),
                             .sms_per_cluster = 1 + random_below(&random, 4),
                             .dispatch = (int)random_below(&random, POLICIES)};
        uint32_t slots = 1 + random_below(&random, 4), ctas = random_below(&random, 90);
        uint32_t sms = (uint32_t)(gpu.clusters * gpu.sms_per_cluster), resident[16] = {0}, sm, cta, total = 0;
        bool seen[90] = {false};
        ws_dispatcher *d = ws_dispatcher_new(&gpu, slots, ctas, NULL);
        assert_non_null(d);
        for (;;) {
            while (ws_dispatcher_next(d, &sm, &cta)) {
                assert_true(sm < sms && cta < ctas && !seen[cta]);
                seen[cta] = true;
                assert_true(++resident[sm] <= slots);
                total++;
            }
            uint32_t running = 0;
            for (uint32_t i = 0; i < sms; i++) running += resident[i];
            if (running == 0) break;
            do sm = random_below(&random, sms);
            while (resident[sm] == 0);
            resident[sm]--;
            ws_dispatcher_ended(d, sm);
        }
        assert_int_equal(total, ctas);
        ws_dispatcher_free(d);
    }
}

static void occupancy_names_its_limit(void **state) {
    (void)state;
    ws_sm_params sm = {.threads = 1536, .warps = 48, .ctas = 8, .registers = 32768, .shared_B = 49152};
    ws_kernel kernel = {.index = 1, .short_name = "k", .block = {256, 1, 1}};
    ws_occupancy o = ws_occupancy_of(&kernel, 32, &sm);
    assert_int_equal(o.ctas_per_sm, 6);
    assert_int_equal(o.warps_per_cta, 8);
    assert_string_equal(o.limit, "threads");
    kernel.block.x = 33; /* two warps, the second with one thread */
    o = ws_occupancy_of(&kernel, 32, &sm);
    assert_int_equal(o.warps_per_cta, 2);
    assert_int_equal(o.ctas_per_sm, 8);
    assert_string_equal(o.limit, "ctas");
    kernel.registers_per_thread = 100; /* 6400 for a CTA */
    o = ws_occupancy_of(&kernel, 32, &sm);
    assert_int_equal(o.ctas_per_sm, 5);
    assert_string_equal(o.limit, "registers");
    kernel.shared_B = 20000;
    o = ws_occupancy_of(&kernel, 32, &sm);
    assert_int_equal(o.ctas_per_sm, 2);
    assert_string_equal(o.limit, "shared_B");
    kernel.shared_B = 49153;
    o = ws_occupancy_of(&kernel, 32, &sm);
    assert_int_equal(o.ctas_per_sm, 0);
    assert_string_equal(o.limit, "shared_B");
    kernel = (ws_kernel){.index = 1, .short_name = "k", .block = {64, 1, 1}};
    sm.warps = 7;
    o = ws_occupancy_of(&kernel, 32, &sm);
    assert_int_equal(o.ctas_per_sm, 3);
    assert_string_equal(o.limit, "warps");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figure_6),
        cmocka_unit_test(pools_do_not_steal),
        cmocka_unit_test(blocks_of_one_where_only_one_fits),
        cmocka_unit_test(round_robin_goes_on),
        cmocka_unit_test(a_cluster_gets_one_cta_in_a_round),
        cmocka_unit_test(launches_share_a_round),
        cmocka_unit_test(a_round_passes_clusters_once),
        cmocka_unit_test(pools_start_side_by_side),
        cmocka_unit_test(every_cta_starts_once),
        cmocka_unit_test(occupancy_names_its_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
