/* The analysis `stack_distance` and the stacks below it: equal to looking back access by access. */
#include "analysis/parts/stack.h"
#include "replay/set_index.h"

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

/* There are many stacks that see a few touches each, as those of a warp's sets: they are small. One that sees many
 * touches of few blocks stops growing at a chunk. */
static void few_touches_take_little_memory(void **state) {
    (void)state;
    ws_stack s = {0};
    uint32_t position[3] = {0}, distance;
    for (uint32_t i = 0; i < 10000; i++) {
        uint32_t block = i % 3;
        assert_true(ws_stack_touch(&s, position, &block, 1, &distance));
        assert_int_equal(distance, i < 3 ? WS_STACK_NEW : 2);
        assert_true(s.room <= (i < 64 ? 64 : i < 128 ? 128 : 512));
    }
    assert_int_equal(s.room, 512);
    ws_stack_free(&s);
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

/* Going round and round over K blocks: all K - 1 others lie between two touches of a block. The same again after the
 * stack has been cleared, also of positions beyond what is counted as one. */
static void cycles_have_one_distance(void **state) {
    (void)state;
    ws_stack_touch_fn *const ways[] = {ws_stack_touch_portable, ws_stack_touch_wide()};
    for (int w = 0; w < 2 && ways[w]; w++)
        for (uint32_t blocks = 1; blocks < 30000; blocks = blocks * 3 + 1) {
            ws_stack s = {0};
            uint32_t *position = calloc(blocks, sizeof *position), distance;
            for (uint32_t i = 0; i < 10 * blocks; i++) {
                uint32_t block = i % blocks, nth = i % (5 * blocks);
                if (nth == 0) ws_stack_clear(&s, position);
                assert_true(ways[w](&s, position, &block, 1, &distance));
                assert_int_equal(distance, nth < blocks ? WS_STACK_NEW : blocks - 1);
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

/* What the caches of a test have in common. */
typedef struct caches {
    naive_streams of;
    uint32_t block_B, sets;
    int index;
} caches;

static caches random_caches(uint64_t *random) {
    static const char *const levels[] = {"warp", "cta", "sm", "kernel"};
    caches c = {.of = {.level = levels[random_below(random, 4)],
                       .lanes = random_one_in(random, 2),
                       .loads = random_one_in(random, 2),
                       .line_B = 128},
                .index = (int)random_below(random, 4)};
    c.block_B = c.of.lanes ? 1u << random_below(random, 13) : 128u << random_below(random, 6);
    c.sets = c.index == WS_INDEX_FERMI_HASH ? 32
             : c.index == WS_INDEX_LINEAR   ? 1 + random_below(random, random_one_in(random, 3) ? 5000 : 7)
                                            : 1u << random_below(random, 5);
    return c;
}

static void set_text(ws_config *config, const char *name, const char *value) {
    char text[32];
    snprintf(text, sizeof text, "\"%s\"", value);
    config_set(config, name, text);
}

static ws_config *config_of(const caches *c, uint32_t way_count) {
    ws_config *config = config_for(analysis());
    config_set_number(config, "stack_distance.ways", way_count);
    config_set_number(config, "stack_distance.sets", c->sets);
    config_set_number(config, "stack_distance.neighbourhood_B",
                      c->block_B == c->of.line_B && c->sets % 2 ? 0 : c->block_B);
    set_text(config, "stack_distance.level", c->of.level);
    set_text(config, "stack_distance.index", ws_set_index_names[c->index]);
    set_text(config, "stack_distance.stream", c->of.lanes ? "lane_accesses" : "requests");
    set_text(config, "stack_distance.ops", c->of.loads ? "loads" : "all");
    return config;
}

static void random_streams_are_like_naive(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        uint64_t random = seed;
        caches c = random_caches(&random);
        stream_shape shape = stream_random_shape(&random, 500, c.of.lanes ? 300 : 1500);
        stream s = stream_random(seed, &shape);
        ws_stream_info info = {.sms = shape.sms,
                               .sms_per_cluster = 1,
                               .warps_per_cta = shape.warps_per_cta,
                               .line_B = c.of.line_B};
        ws_config *configs[POINTS];
        const void *params[POINTS];
        char *expected = NULL;
        size_t size;
        FILE *out = open_memstream(&expected, &size);
        uint64_t before = 0;
        for (uint32_t i = 0; i < POINTS; i++) {
            configs[i] = config_of(&c, ways[i]);
            params[i] = ws_config_get(configs[i], analysis()->component);
            naive_hits h = naive_stack(&s, &c.of, c.block_B, c.index, c.sets, ways[i]);
            assert_true(h.hits >= before);
            before = h.hits;
            fprintf(out, "%u 0 %llu %llu %llu %llu\n", i, (unsigned long long)c.block_B * c.sets * ways[i],
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

/* A reuse within w accesses has fewer than w distinct blocks in between: L(w, n) is at most the hit ratio of w blocks
 * of n bytes. */
static void locality_is_at_most_the_hit_ratio(void **state) {
    (void)state;
    static const char *const levels[] = {"warp", "cta", "sm", "kernel"};
    stream s = stream_random(9, &(stream_shape){3, 2, 2, 60, 4000});
    ws_stream_info info = {.sms = 3, .sms_per_cluster = 1, .warps_per_cta = 2, .line_B = 128};
    uint64_t more = 0;
    for (uint32_t i = 0; i < 64; i++) {
        caches c = {.of = {levels[i % 4], i / 4 % 2, false, 128}, .block_B = 128u << i / 16, .sets = 1};
        const ws_analysis *locality = ws_analysis_find("locality", NULL);
        uint32_t w = 2u << i / 8;
        ws_config *stack_config = config_of(&c, w), *locality_config = config_for(locality);
        config_set_number(locality_config, "locality.window", w);
        config_set_number(locality_config, "locality.neighbourhood_B", c.block_B);
        set_text(locality_config, "locality.level", c.of.level);
        set_text(locality_config, "locality.stream", c.of.lanes ? "lane_accesses" : "requests");
        const void *stack_params = ws_config_get(stack_config, analysis()->component),
                   *locality_params = ws_config_get(locality_config, locality->component);
        char *stack = stream_analyse(&s, analysis(), &stack_params, 1, &info, WS_BATCH_MAX, NULL),
             *reuse = stream_analyse(&s, locality, &locality_params, 1, &info, WS_BATCH_MAX, NULL);
        unsigned long long accesses, hits, reuse_accesses, reused;
        assert_int_equal(sscanf(stack, "0 0 %*u %llu %llu", &accesses, &hits), 2);
        assert_int_equal(sscanf(reuse, "0 0 %llu %llu", &reuse_accesses, &reused), 2);
        assert_int_equal(accesses, reuse_accesses);
        assert_true(reused <= hits);
        more += hits - reused;
        free(stack);
        free(reuse);
        ws_config_free(stack_config);
        ws_config_free(locality_config);
    }
    assert_true(more > 0);
    stream_free(&s);
}

/* One SM meets more lines than are indexes by themselves, each once. Another then goes round and round over some of the
 * first and some of the last ones and new ones. */
static void late_blocks_have_distances_like_early_ones(void **state) {
    (void)state;
    enum { MANY = 70000, EACH = 20, ROUND = 3 * EACH, ROUNDS = 5 };
    stream s = {0};
    for (uint32_t i = 0; i < MANY; i++) stream_add(&s, (record){.line = i, .op = WS_MEMORY_LOAD});
    for (uint32_t i = 0; i < ROUNDS * ROUND; i++) {
        uint32_t at = i % ROUND, line = at < EACH ? at : MANY - 2 * EACH + at;
        stream_add(&s, (record){.line = line, .sm = 1, .warp = 1, .cta = 1, .op = WS_MEMORY_LOAD});
    }
    s.line_count = MANY + EACH;
    s.line_address = malloc(s.line_count * sizeof *s.line_address);
    for (uint32_t i = 0; i < s.line_count; i++) s.line_address[i] = i;
    ws_stream_info info = {.sms = 2, .sms_per_cluster = 1, .warps_per_cta = 1, .line_B = 128};
    for (uint32_t sets = 1; sets <= 4; sets *= 2) {
        caches c = {.of = {"sm", false, false, 128}, .block_B = 128, .sets = sets};
        ws_config *configs[] = {config_of(&c, ROUND / sets - 1), config_of(&c, ROUND / sets)};
        const void *params[] = {ws_config_get(configs[0], analysis()->component),
                                ws_config_get(configs[1], analysis()->component)};
        char *got = stream_analyse(&s, analysis(), params, 2, &info, WS_BATCH_MAX, NULL), expected[200];
        snprintf(expected, sizeof expected, "0 0 %u %zu 0 %d\n1 0 %d %zu %d %d\n", 128 * (ROUND - sets),
                 s.count, MANY + ROUND, 128 * ROUND, s.count, (ROUNDS - 1) * ROUND, MANY + ROUND);
        assert_string_equal(got, expected);
        free(got);
        for (int i = 0; i < 2; i++) ws_config_free(configs[i]);
    }
    stream_free(&s);
}

static void blocks_smaller_than_a_request_are_unknown(void **state) {
    (void)state;
    stream s = stream_random(1, &(stream_shape){1, 1, 1, 10, 100});
    ws_stream_info info = {.sms = 1, .sms_per_cluster = 1, .warps_per_cta = 1, .line_B = 128};
    caches c = {.of = {"sm", false, false, 128}, .block_B = 64, .sets = 1};
    ws_config *config = config_of(&c, 4);
    const void *params = ws_config_get(config, analysis()->component);
    char *got = stream_analyse(&s, analysis(), &params, 1, &info, WS_BATCH_MAX, NULL), expected[256];
    static const char reason[] =
        "requests_are_whole_lines:_stack_distance.neighbourhood_B_is_below_coalesce.line_B";
    snprintf(expected, sizeof expected, "0 0 256 %zu %s %s\n", s.count, reason, reason);
    assert_string_equal(got, expected);
    free(got);
    ws_config_free(config);
    stream_free(&s);
}

static void blocks_must_be_powers_of_two(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_config *config = config_for(analysis());
    config_set_number(config, "stack_distance.neighbourhood_B", 96);
    assert_false(ws_config_validate(config, &err));
    assert_non_null(strstr(err.text, "stack_distance.neighbourhood_B: expected a power of two"));
    ws_config_free(config);
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
        cmocka_unit_test(stacks_count_distinct_blocks),
        cmocka_unit_test(few_touches_take_little_memory),
        cmocka_unit_test(portable_and_wide_agree),
        cmocka_unit_test(cycles_have_one_distance),
        cmocka_unit_test(random_streams_are_like_naive),
        cmocka_unit_test(locality_is_at_most_the_hit_ratio),
        cmocka_unit_test(late_blocks_have_distances_like_early_ones),
        cmocka_unit_test(blocks_smaller_than_a_request_are_unknown),
        cmocka_unit_test(blocks_must_be_powers_of_two),
        cmocka_unit_test(sets_must_suit_their_index),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
