/* The analysis `stack_distance` and the stacks below it: equal to looking back request by request. */
#include "analysis/stack.h"

#include "../support/folder.h"
#include "../support/naive.h"
#include "../support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- stacks */

static void stacks_count_distinct_blocks(void **state) {
    (void)state;
    enum { BLOCKS = 300, TOUCHES = 6000 };
    ws_stack_touch_fn *const ways[] = {ws_stack_touch_portable, ws_stack_touch_wide()};
    for (int w = 0; w < 2 && ways[w]; w++) {
        uint64_t random = 7;
        ws_stack s = {0};
        uint32_t position[BLOCKS] = {0}, order[BLOCKS], count = 0; /* the newest first */
        for (int i = 0; i < TOUCHES; i++) {
            uint32_t block = random_below(&random, random_one_in(&random, 2) ? BLOCKS : 9), distance, at = 0;
            assert_true(ways[w](&s, position, &block, 1, &distance));
            while (at < count && order[at] != block) at++;
            assert_int_equal(distance, at < count ? at : WS_STACK_NEW);
            if (at == count) count++;
            memmove(order + 1, order, at * sizeof *order);
            order[0] = block;
            if (i % 2500 == 2499) {
                ws_stack_clear(&s, position);
                count = 0;
            }
        }
        ws_stack_free(&s);
    }
}

static void portable_and_wide_agree(void **state) {
    (void)state;
    enum { BLOCKS = 400000, TOUCHES = 1200000, BATCH = 1000 };
    ws_stack_touch_fn *wide = ws_stack_touch_wide();
    if (!wide) skip();
    uint64_t random = 11;
    ws_stack s[2] = {{0}, {0}};
    uint32_t *position[2] = {calloc(BLOCKS, sizeof(uint32_t)), calloc(BLOCKS, sizeof(uint32_t))};
    static uint32_t block[BATCH], distance[2][BATCH];
    uint64_t far = 0;
    for (int i = 0; i < TOUCHES; i += BATCH) {
        for (int k = 0; k < BATCH; k++)
            block[k] = random_one_in(&random, 3) ? random_below(&random, 50) : random_below(&random, BLOCKS);
        assert_true(ws_stack_touch_portable(&s[0], position[0], block, BATCH, distance[0]));
        assert_true(wide(&s[1], position[1], block, BATCH, distance[1]));
        assert_memory_equal(distance[0], distance[1], sizeof distance[0]);
        for (int k = 0; k < BATCH; k++) far += distance[0][k] != WS_STACK_NEW && distance[0][k] > 100000;
    }
    assert_true(far > 1000);
    for (int i = 0; i < 2; i++) {
        ws_stack_free(&s[i]);
        free(position[i]);
    }
}

/* Going round and round over K blocks: all K - 1 others lie between two touches of a block. */
static void cycles_have_one_distance(void **state) {
    (void)state;
    for (uint32_t blocks = 1; blocks < 3000; blocks = blocks * 3 + 1) {
        ws_stack s = {0};
        uint32_t *position = calloc(blocks, sizeof *position), distance;
        for (uint32_t i = 0; i < 5 * blocks; i++) {
            uint32_t block = i % blocks;
            assert_true(ws_stack_touch(&s, position, &block, 1, &distance));
            assert_int_equal(distance, i < blocks ? WS_STACK_NEW : blocks - 1);
        }
        ws_stack_free(&s);
        free(position);
    }
}

/* ---- the analysis */

enum { POINTS = 8 };
static const uint32_t ways[POINTS] = {1, 2, 3, 4, 8, 16, 100, 5000};

static const ws_analysis *analysis(void) {
    return ws_analysis_find("stack_distance", NULL);
}

static void random_streams_are_like_naive(void **state) {
    (void)state;
    static const char *const levels[] = {"warp", "cta", "sm", "kernel"};
    static const char *const indexes[] = {"\"linear\"", "\"fermi_hash\"", "\"xor\"", "\"ipoly\""};
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t random = seed;
        stream_shape shape = stream_random_shape(&random, 500, 1500);
        stream s = stream_random(seed, &shape);
        ws_stream_info info = {
            .sms = shape.sms, .sms_per_cluster = 1, .warps_per_cta = shape.warps_per_cta, .line_B = 128};
        const char *level = levels[random_below(&random, 4)];
        bool loads = random_one_in(&random, 2);
        int index = (int)random_below(&random, 4);
        uint32_t sets = index == WS_INDEX_FERMI_HASH ? 32
                        : index == WS_INDEX_LINEAR   ? 1 + random_below(&random, 7)
                                                     : 1u << random_below(&random, 5);
        ws_config *configs[POINTS];
        const void *params[POINTS];
        char *expected = NULL, text[32];
        size_t size;
        FILE *out = open_memstream(&expected, &size);
        uint64_t before = 0;
        for (uint32_t i = 0; i < POINTS; i++) {
            configs[i] = config_for(analysis());
            snprintf(text, sizeof text, "%u", ways[i]);
            config_set(configs[i], "stack_distance.ways", text);
            snprintf(text, sizeof text, "%u", sets);
            config_set(configs[i], "stack_distance.sets", text);
            snprintf(text, sizeof text, "\"%s\"", level);
            config_set(configs[i], "stack_distance.level", text);
            config_set(configs[i], "stack_distance.index", indexes[index]);
            config_set(configs[i], "stack_distance.ops", loads ? "\"loads\"" : "\"all\"");
            params[i] = ws_config_get(configs[i], analysis()->component);
            naive_hits h = naive_stack(&s, level, loads, index, sets, ways[i]);
            assert_true(h.hits >= before);
            before = h.hits;
            fprintf(out, "%u 0 %llu %llu %llu %llu\n", i, 128ull * sets * ways[i],
                    (unsigned long long)h.accesses, (unsigned long long)h.hits, (unsigned long long)h.cold);
            if (i == POINTS - 1) assert_int_equal(h.hits + h.cold, h.accesses);
        }
        fclose(out);
        char *got = stream_analyse(&s, analysis(), params, POINTS, &info, WS_BATCH_MAX, &random);
        assert_string_equal(got, expected);
        free(got);
        free(expected);
        for (int i = 0; i < POINTS; i++) ws_config_free(configs[i]);
        stream_free(&s);
    }
}

static void sets_must_suit_their_index(void **state) {
    (void)state;
    static const char *const refused[][2] = {{"\"fermi_hash\"", "16"}, {"\"xor\"", "48"}, {"\"ipoly\"", "3"}};
    for (int i = 0; i < 3; i++) {
        ws_error err = WS_NO_ERROR;
        ws_config *config = config_for(analysis());
        config_set(config, "stack_distance.index", refused[i][0]);
        config_set(config, "stack_distance.sets", refused[i][1]);
        assert_false(ws_config_validate(config, &err));
        assert_non_null(strstr(err.text, "stack_distance.sets: expected"));
        ws_config_free(config);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stacks_count_distinct_blocks), cmocka_unit_test(portable_and_wide_agree),
        cmocka_unit_test(cycles_have_one_distance),     cmocka_unit_test(random_streams_are_like_naive),
        cmocka_unit_test(sets_must_suit_their_index),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
