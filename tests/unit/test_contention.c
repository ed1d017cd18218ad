/* The analysis `contention`: equal to naive caches whose ways have time stamps; laws of replacement policies. */
#include "analysis/parts/lrus.h"
#include "analysis/parts/tags.h"

#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/naive.h"
#include "../support/random.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ws_analysis *analysis(void) {
    return ws_analysis_find("contention", NULL);
}

static void set_text(ws_config *config, const char *name, const char *value) {
    char text[32];
    snprintf(text, sizeof text, "\"%s\"", value);
    config_set(config, name, text);
}

static const char *const indexes[] = {"linear", "fermi_hash", "xor", "ipoly"};

static naive_l1 random_l1(uint64_t *random) {
    static const char *const replacements[] = {"lru", "fifo", "plru", "random"};
    naive_l1 l1 = {.index = (int)random_below(random, 4),
                   .replacement = replacements[random_below(random, 4)],
                   .seed = random_below(random, 1000)};
    l1.sets = l1.index == WS_INDEX_FERMI_HASH ? 32
              : l1.index == WS_INDEX_LINEAR   ? 1 + random_below(random, 7)
                                              : 1u << random_below(random, 4);
    l1.ways = 1 + random_below(random, random_one_in(random, 2) ? 6 : 40);
    if (strcmp(l1.replacement, "plru") == 0) l1.ways = 1u << random_below(random, 7);
    uint32_t write = random_below(random, 3);
    l1.evict = write == 0, l1.allocate = write == 1;
    return l1;
}

static void random_streams_are_like_naive(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 240; seed++) {
        uint64_t random = seed;
        stream_shape shape = stream_random_shape(&random, 300, 3000);
        stream s = stream_random(seed, &shape);
        ws_order_counters counters = {.warp_instructions = 1000 + seed, .thread_instructions = 32000};
        bool counted = random_one_in(&random, 2), what_ifs = random_one_in(&random, 2);
        ws_stream_info info = {.sms = shape.sms,
                               .sms_per_cluster = 1,
                               .warps_per_cta = shape.warps_per_cta,
                               .line_B = 128,
                               .counters = counted ? &counters : NULL};
        naive_l1 l1 = random_l1(&random);
        ws_config *config = config_for(analysis());
        config_set_number(config, "contention.sets", l1.sets);
        config_set_number(config, "contention.ways", l1.ways);
        config_set_number(config, "contention.seed", (uint32_t)l1.seed);
        set_text(config, "contention.index", indexes[l1.index]);
        set_text(config, "contention.write", l1.evict ? "evict" : l1.allocate ? "allocate" : "ignore");
        set_text(config, "contention.replacement", l1.replacement);
        config_set(config, "contention.what_ifs", what_ifs ? "true" : "false");
        const void *params = ws_config_get(config, analysis()->component);

        naive_misses m = naive_contention(&s, shape.warps_per_cta, &l1, NULL, NULL);
        uint32_t size_B = l1.sets * l1.ways * 128;
        l1.index = WS_INDEX_LINEAR, l1.replacement = "lru", l1.ways *= l1.sets, l1.sets = 1;
        naive_misses fully = naive_contention(&s, shape.warps_per_cta, &l1, NULL, NULL);
        l1.ways = 400; /* room for all lines, as in the larger cache of contention.what_ifs */
        naive_misses larger = naive_contention(&s, shape.warps_per_cta, &l1, NULL, NULL);
        assert_true(larger.misses <= fully.misses); /* LRU: a larger cache holds what a smaller one does */
        assert_true(m.by_type[0] + m.by_type[1] + m.by_type[2] <= m.misses && m.misses <= m.accesses);
        char expected[512], what[128], instructions[128];
        snprintf(what, sizeof what, "%llu %llu", (unsigned long long)fully.misses,
                 (unsigned long long)larger.misses);
        snprintf(instructions, sizeof instructions, "%llu 32000", 1000ull + seed);
        snprintf(expected, sizeof expected, "0 0 %u %llu %llu %llu %llu %llu %s %s\n", size_B,
                 (unsigned long long)m.accesses, (unsigned long long)m.misses,
                 (unsigned long long)m.by_type[0], (unsigned long long)m.by_type[1],
                 (unsigned long long)m.by_type[2],
                 what_ifs ? what : "contention.what_ifs_is_off contention.what_ifs_is_off",
                 counted ? instructions
                         : "the_replay_did_not_count_instructions the_replay_did_not_count_instructions");
        char *got = stream_analyse(&s, analysis(), &params, 1, &info, WS_BATCH_MAX, &random);
        assert_string_equal(got, expected);
        free(got);
        ws_config_free(config);
        stream_free(&s);
    }
}

/* ---- local memory */

/* Of two ways, A and B; the store to A stays and makes B the one that C evicts. Were it global, it would evict A, C
 * would take its way, and A the one of B. */
static void stores_to_local_memory_use_their_line(void **state) {
    (void)state;
    static const struct {
        char load, store;
        const char *expected;
    } cases[] = {{'p', 'q', "0 0 256 4 3 1 0 0 3 3 5 160\n"}, {'l', 's', "0 0 256 4 4 1 0 0 4 4 5 160\n"}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        enum { A = 8, B = 16, C = 24 };
        char load = cases[i].load;
        const generate_inst warp[] = {{.pc = 0, .mask = UINT32_MAX, .kind = load, .line = A},
                                      {.pc = 16, .mask = UINT32_MAX, .kind = load, .line = B},
                                      {.pc = 32, .mask = UINT32_MAX, .kind = cases[i].store, .line = A},
                                      {.pc = 48, .mask = UINT32_MAX, .kind = load, .line = C},
                                      {.pc = 64, .mask = UINT32_MAX, .kind = load, .line = A},
                                      {0}};
        ws_trace *trace = generate_code("llvm", (const generate_inst *const[]){warp, NULL});
        ws_config *config = config_for(analysis());
        config_set_number(config, "contention.sets", 1);
        config_set_number(config, "contention.ways", 2);
        stream s = stream_replayed(trace, 1, config, analysis());
        char *got = stream_rows(&s, analysis(), config, NULL);
        assert_string_equal(got, cases[i].expected);
        free(got);
        stream_free(&s);
        ws_config_free(config);
        ws_trace_close(trace);
    }
}

/* ---- caches */

static uint64_t misses_of(enum ws_tags_replacement replacement, uint32_t ways, uint32_t lines,
                          uint64_t seed) {
    ws_tags c;
    assert_true(ws_tags_init(&c, 1, ways, replacement, seed));
    uint64_t misses = 0;
    for (uint32_t i = 0; i < 100 * lines; i++) {
        uint32_t victim;
        misses += ws_tags_access(&c, 0, i % lines, 1, &victim) == WS_TAGS_MISS;
    }
    ws_tags_free(&c);
    return misses;
}

static void cycles_fit_or_thrash(void **state) {
    (void)state;
    for (uint32_t ways = 1; ways <= 64; ways *= 2)
        for (int r = WS_TAGS_LRU; r <= WS_TAGS_RANDOM; r++)
            assert_int_equal(misses_of((enum ws_tags_replacement)r, ways, ways, 5), ways);
    for (uint32_t ways = 1; ways <= 64; ways *= 2) { /* one line too many: LRU and FIFO miss always */
        assert_int_equal(misses_of(WS_TAGS_LRU, ways, ways + 1, 0), 100 * (ways + 1));
        assert_int_equal(misses_of(WS_TAGS_FIFO, ways, ways + 1, 0), 100 * (ways + 1));
    }
    uint64_t lucky = misses_of(WS_TAGS_RANDOM, 16, 17, 3);
    assert_true(lucky < 100 * 17);
    assert_int_equal(misses_of(WS_TAGS_RANDOM, 16, 17, 3), lucky);
    assert_int_not_equal(misses_of(WS_TAGS_RANDOM, 16, 17, 4), lucky);
}

/* With two ways the tree knows exactly which one is older. */
static void plru_of_two_ways_is_lru(void **state) {
    (void)state;
    uint64_t random = 9;
    ws_tags plru, lru;
    assert_true(ws_tags_init(&plru, 4, 2, WS_TAGS_PLRU, 0));
    assert_true(ws_tags_init(&lru, 4, 2, WS_TAGS_LRU, 0));
    for (int i = 0; i < 5000; i++) {
        uint32_t line = random_below(&random, 20), victim[2];
        assert_int_equal(ws_tags_access(&plru, line % 4, line, (uint32_t)i, &victim[0]),
                         ws_tags_access(&lru, line % 4, line, (uint32_t)i, &victim[1]));
        assert_int_equal(victim[0], victim[1]);
    }
    ws_tags_free(&plru);
    ws_tags_free(&lru);
}

/* Four ways used in order 0 1 2 3 0: the half of 2 and 3 is older, and in it 2. */
static void plru_follows_its_tree(void **state) {
    (void)state;
    ws_tags c;
    assert_true(ws_tags_init(&c, 1, 4, WS_TAGS_PLRU, 0));
    const uint32_t lines[] = {10, 11, 12, 13, 10, 14};
    uint32_t victim = WS_TAGS_NOBODY;
    for (uint32_t i = 0; i < 6; i++) ws_tags_access(&c, 0, lines[i], lines[i], &victim);
    assert_int_equal(victim, 12);
    ws_tags_free(&c);
}

/* What linked sets keep is for the lines that are present; what two caches of one list keep, for those that were.
 * High numbers are those of lines that come late in the kernel. */
static void memory_follows_the_lines_that_are_met(void **state) {
    (void)state;
    enum { LINES = 900 };
    ws_tags tags;
    ws_lrus lrus;
    assert_true(ws_tags_init(&tags, 1, 32, WS_TAGS_LRU, 0));
    ws_lrus_init(&lrus, (const uint32_t[WS_LRUS]){8, 1 << 30});
    for (uint32_t i = 0; i < LINES; i++) {
        uint32_t line = UINT32_C(4000000000) - 65536 * i, victim;
        unsigned missed;
        ws_tags_evict(&tags, 0, line);
        ws_lrus_evict(&lrus, line);
        assert_false(ws_tags_touch(&tags, 0, line));
        assert_int_equal(ws_tags_access(&tags, 0, line, i, &victim), WS_TAGS_MISS);
        assert_true(ws_tags_touch(&tags, 0, line));
        assert_true(ws_lrus_access(&lrus, line, &missed));
        if (i % 3 == 0) ws_tags_evict(&tags, 0, line);
    }
    assert_in_range(tags.node_room, 1, 2 * 32);
    assert_in_range(lrus.node_room, LINES, 2 * LINES);
    ws_tags_free(&tags);
    ws_lrus_free(&lrus);
}

/* ---- two caches of one list */

enum { NAIVE_LINES = 12 };
typedef struct naive_lru {
    uint32_t ways, count, line[NAIVE_LINES]; /* the newest first */
} naive_lru;

/* Takes the line out; false if it is not there. */
static bool naive_remove(naive_lru *c, uint32_t line) {
    uint32_t at = 0;
    while (at < c->count && c->line[at] != line) at++;
    if (at == c->count) return false;
    c->count--;
    memmove(c->line + at, c->line + at + 1, (c->count - at) * sizeof *c->line);
    return true;
}

static void naive_put(naive_lru *c, uint32_t line) {
    if (c->count == c->ways) c->count--;
    memmove(c->line + 1, c->line, c->count++ * sizeof *c->line);
    c->line[0] = line;
}

static void one_list_is_like_two_caches(void **state) {
    (void)state;
    uint64_t random = 3, missed_larger = 0, more = 0;
    for (int round = 0; round < 300; round++) {
        uint32_t ways[WS_LRUS] = {1 + random_below(&random, 5), 1 + random_below(&random, NAIVE_LINES)};
        naive_lru naive[WS_LRUS] = {{.ways = ways[0]}, {.ways = ways[1]}};
        uint32_t writes = random_below(&random, 4);
        ws_lrus lrus;
        ws_lrus_init(&lrus, ways);
        for (int i = 0; i < 300; i++) {
            uint32_t line = 1000 * random_below(&random, NAIVE_LINES + 3), deed = random_below(&random, 8);
            unsigned missed = 0, expected = 0;
            if (deed < writes / 2) {
                ws_lrus_evict(&lrus, line);
                for (int c = 0; c < WS_LRUS; c++) naive_remove(&naive[c], line);
            } else if (deed < writes) {
                ws_lrus_touch(&lrus, line);
                for (int c = 0; c < WS_LRUS; c++)
                    if (naive_remove(&naive[c], line)) naive_put(&naive[c], line);
            } else {
                assert_true(ws_lrus_access(&lrus, line, &missed));
                for (unsigned c = 0; c < WS_LRUS; c++) {
                    expected |= (unsigned)!naive_remove(&naive[c], line) << c;
                    naive_put(&naive[c], line);
                }
            }
            assert_int_equal(missed, expected);
            for (int c = 0; c < WS_LRUS; c++) assert_int_equal(lrus.cache[c].count, naive[c].count);
            missed_larger += missed >> 1;
            more += missed == 1;
        }
        ws_lrus_free(&lrus);
    }
    assert_true(missed_larger > 1000 && more > 1000);
}

static void shapes_that_do_not_work_are_refused(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_config *config = config_for(analysis());
    config_set(config, "contention.replacement", "\"plru\"");
    assert_true(ws_config_validate(config, &err));
    config_set(config, "contention.ways", "6");
    assert_false(ws_config_validate(config, &err));
    assert_non_null(strstr(err.text, "contention.ways: expected 1, 2, 4"));
    config_set(config, "contention.replacement", "\"lru\"");
    assert_true(ws_config_validate(config, &err));
    config_set(config, "contention.sets", "48");
    assert_true(ws_config_validate(config, &err));
    config_set(config, "contention.sets", "1024");
    config_set(config, "contention.ways", "1024"); /* as many lines as may be */
    assert_true(ws_config_validate(config, &err));
    config_set(config, "contention.sets", "1025");
    assert_false(ws_config_validate(config, &err));
    assert_non_null(
        strstr(err.text, "contention.ways: expected at most 1048576 lines in all sets, found 1049600"));
    config_set(config, "contention.sets", "48");
    config_set(config, "contention.replacement", "\"plru\"");
    config_set(config, "contention.ways", "64"); /* the largest tree */
    assert_true(ws_config_validate(config, &err));
    config_set(config, "contention.ways", "128");
    assert_false(ws_config_validate(config, &err));
    assert_non_null(
        strstr(err.text, "contention.ways: expected 1, 2, 4 .. 64 for replacement plru, found 128"));
    config_set(config, "contention.replacement", "\"lru\"");
    config_set(config, "contention.index", "\"fermi_hash\"");
    assert_false(ws_config_validate(config, &err));
    assert_non_null(
        strstr(err.text,
               "contention.sets: expected 32 or 64 sets for fermi_hash, or contention.index linear, found"));
    ws_config_free(config);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_streams_are_like_naive),
        cmocka_unit_test(stores_to_local_memory_use_their_line),
        cmocka_unit_test(cycles_fit_or_thrash),
        cmocka_unit_test(plru_of_two_ways_is_lru),
        cmocka_unit_test(plru_follows_its_tree),
        cmocka_unit_test(memory_follows_the_lines_that_are_met),
        cmocka_unit_test(one_list_is_like_two_caches),
        cmocka_unit_test(shapes_that_do_not_work_are_refused),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
