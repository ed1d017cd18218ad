/* The analysis `icl`, intra-cluster locality: equal to a twin that looks back over all earlier requests; known answers;
 * laws. */
#include "analysis/parts/icl_core.h"
#include "warpsweep/timed.h"

#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/naive.h"
#include "../support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ws_analysis *analysis(void) {
    return ws_analysis_find("icl", NULL);
}

/* ---- the twin */

enum { WINDOWS = 8, POINTS = 2 * WINDOWS };
static const uint32_t windows[WINDOWS] = {300, 1, 2, 16777216, 7, 40, 41, 2000}; /* in no order */
static const uint32_t reaches[] = {3, 20, 100, 16777216};

static uint64_t sum(naive_redundant n) {
    return n.data_same_sm + n.data_other_sm + n.line_same_sm + n.line_other_sm;
}

typedef struct shape {
    stream_shape stream;
    uint32_t sms_per_cluster, sets, ways;
    int write; /* evict, allocate, ignore */
} machine;

static machine random_machine(uint64_t *random) {
    static const uint32_t per_cluster[][2] = {{1, 1}, {2, 1}, {2, 2}, {4, 2}, {4, 4}, {3, 3}};
    const uint32_t *sms = per_cluster[random_below(random, 6)];
    return (machine){.stream = {.sms = sms[0],
                                .warps_per_cta = 1 + random_below(random, 4),
                                .ctas_per_sm = 1 + random_below(random, 4),
                                .lines = 1 + random_below(random, random_one_in(random, 3) ? 20 : 300),
                                .requests = random_below(random, 1500)},
                     .sms_per_cluster = sms[1],
                     .sets = 1 + random_below(random, 7),
                     .ways = 1 + random_below(random, random_one_in(random, 2) ? 2 : 20),
                     .write = (int)random_below(random, 3)};
}

static ws_config *config_of(const machine *m, uint32_t window, bool time) {
    static const char *const writes[] = {"\"evict\"", "\"allocate\"", "\"ignore\""};
    ws_config *config = config_for(analysis());
    config_set_number(config, "icl.window", window);
    config_set(config, "icl.clock", time ? "\"time\"" : "\"requests\"");
    config_set_number(config, "icl.sets", m->sets);
    config_set_number(config, "icl.ways", m->ways);
    config_set(config, "icl.write", writes[m->write]);
    return config;
}

static uint64_t loads_of(const stream *s) {
    uint64_t loads = 0;
    for (size_t i = 0; i < s->count; i++) loads += s->records[i].op == WS_MEMORY_LOAD;
    return loads;
}

static void random_streams_are_like_naive(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        uint64_t random = seed;
        machine m = random_machine(&random);
        stream s = stream_random(seed, &m.stream);
        ws_stream_info info = {.sms = m.stream.sms,
                               .sms_per_cluster = m.sms_per_cluster,
                               .warps_per_cta = m.stream.warps_per_cta,
                               .line_B = 128};
        bool *missed = calloc(s.count + 1, sizeof *missed);
        naive_l1 l1 = {.sets = m.sets,
                       .ways = m.ways,
                       .replacement = "lru",
                       .evict = m.write == 0,
                       .allocate = m.write == 1};
        naive_contention(&s, m.stream.warps_per_cta, &l1, missed, NULL);
        ws_config *configs[POINTS];
        const void *params[POINTS];
        char *expected = NULL;
        size_t size;
        FILE *out = open_memstream(&expected, &size);
        uint32_t most = reaches[random_below(&random, 4)]; /* the longest window */
        for (uint32_t i = 0; i < POINTS; i++) {
            bool time = i >= WINDOWS;
            uint32_t window = windows[i % WINDOWS] < most ? windows[i % WINDOWS] : most;
            configs[i] = config_of(&m, window, time);
            params[i] = ws_config_get(configs[i], analysis()->component);
            naive_redundant n = naive_icl(&s, missed, NULL, m.sms_per_cluster, time, window);
            fprintf(out, "%u 0 %s %llu %llu %llu %llu %llu %llu\n", i, time ? "steps" : "requests",
                    (unsigned long long)loads_of(&s), (unsigned long long)n.requests,
                    (unsigned long long)n.data_same_sm, (unsigned long long)n.data_other_sm,
                    (unsigned long long)n.line_same_sm, (unsigned long long)n.line_other_sm);
            assert_true(sum(n) <= n.requests);
            if (m.sms_per_cluster == 1) assert_int_equal(n.data_other_sm + n.line_other_sm, 0);
        }
        fclose(out);
        char *got = stream_analyse(&s, analysis(), params, POINTS, &info, WS_BATCH_MAX, &random);
        assert_string_equal(got, expected);
        free(got);
        free(expected);
        free(missed);
        for (int i = 0; i < POINTS; i++) ws_config_free(configs[i]);
        stream_free(&s);
    }
}

/* Which requests the accesses of a timed replay are parts of: `of[i]` is the first part of access i, itself if there is
 * none before it, and `last[]`, by first part, the last one. Merged loads (by first part) have no identity. */
typedef struct parts {
    size_t *of, *last;
    bool *merged;
} parts;

/* Makes accesses parts of one a little before them: of the same instruction, and for the same line. */
static parts random_parts(stream *s, uint64_t *random) {
    parts p = {calloc(s->count + 1, sizeof *p.of), calloc(s->count + 1, sizeof *p.last),
               calloc(s->count + 1, sizeof *p.merged)};
    uint32_t one_in = 1 + random_below(random, 4);
    for (size_t i = 0; i < s->count; i++) {
        size_t back = 1 + random_below(random, 6);
        p.of[i] = i;
        p.merged[i] = random_one_in(random, 10);
        if (back <= i && s->records[i - back].op == WS_MEMORY_LOAD && random_one_in(random, one_in)) {
            record *r = &s->records[i];
            p.of[i] = p.of[i - back];
            r->op = WS_MEMORY_LOAD;
            r->sm = s->records[p.of[i]].sm;
            r->line = s->records[p.of[i]].line;
        }
        p.last[p.of[i]] = i;
    }
    return p;
}

static void free_parts(parts *p) {
    free(p->of);
    free(p->last);
    free(p->merged);
}

static uint64_t reads_of(const stream *s, const parts *p) {
    uint64_t reads = 0;
    for (size_t i = 0; i < s->count; i++)
        reads += s->records[i].op == WS_MEMORY_LOAD && (p->of[i] == i || p->merged[p->of[i]]);
    return reads;
}

/* Plays a stream as accesses of a timed replay whose L1s answer at random, and returns the row of one point. `missed[]`
 * receives what belongs to the stream of misses, and `further[]` which of it are parts of requests that count already.
 * A warp's loads differ in their cycle of issue, as do those of other warps here. */
static char *play_timed(const stream *s, const machine *m, const parts *p, const ws_config *config,
                        bool before_merging, uint64_t *random, bool *missed, bool *further) {
    const ws_timed_counters counters = {0};
    ws_stream_info info = {
        .sms = m->stream.sms, .sms_per_cluster = m->sms_per_cluster, .line_B = 128, .timed = &counters};
    ws_error err = WS_NO_ERROR;
    const void *params = ws_config_get(config, analysis()->component);
    void *self = analysis()->create(&params, 1, &info, &err);
    assert_non_null(self);
    bool *left = calloc(s->count + 1, sizeof *left), keeps = random_one_in(random, 4); /* by first part */
    for (size_t i = 0; i < s->count; i++) {
        const record *r = &s->records[i];
        size_t of = p->of[i];
        enum ws_timed_status status = (enum ws_timed_status)random_below(random, WS_TIMED_STATUSES);
        ws_timed_access access = {.cycle = r->step,
                                  .line = s->line_address[r->line],
                                  .words = r->words,
                                  .sm = r->sm,
                                  .cluster = r->sm / m->sms_per_cluster,
                                  .cta = (uint32_t)of % 3,
                                  .warp = (uint32_t)of % 2,
                                  .op = (ws_memory_op)r->op,
                                  .status = status,
                                  .issued = p->merged[of] || r->op != WS_MEMORY_LOAD ? UINT64_MAX : of / 6};
        missed[i] = status == WS_TIMED_PENDING_HIT ? before_merging : status != WS_TIMED_HIT;
        further[i] = missed[i] && left[of] && !p->merged[of];
        left[of] |= missed[i];
        analysis()->access(self, &access);
        const ws_timed_load end = {
            .issued = access.issued, .sm = access.sm, .cta = access.cta, .warp = access.warp};
        if (r->op == WS_MEMORY_LOAD && p->last[of] == i && !keeps) analysis()->load_end(self, &end);
    }
    free(left);
    ws_rows *rows = ws_rows_new();
    assert_true(analysis()->finish(self, 0, rows, &err));
    char *text = rows_text(rows);
    ws_rows_free(rows);
    analysis()->destroy(self);
    return text;
}

/* In fidelity timed the replay says what misses, which misses merge, and which accesses are one request. */
static void timed_accesses_are_like_naive(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 120; seed++) {
        uint64_t random = seed;
        machine m = random_machine(&random);
        stream s = stream_random(seed, &m.stream);
        parts p = random_parts(&s, &random);
        bool *missed = calloc(s.count + 1, sizeof *missed), *further = calloc(s.count + 1, sizeof *further),
             before_merging = seed % 2, time = random_one_in(&random, 2);
        uint32_t window = reaches[random_below(&random, 4)];
        ws_config *config = config_of(&m, window, time);
        config_set(config, "icl.stream", before_merging ? "\"before_merging\"" : "\"after_merging\"");
        char *got = play_timed(&s, &m, &p, config, before_merging, &random, missed, further), expected[200];
        naive_redundant n = naive_icl(&s, missed, further, m.sms_per_cluster, time, window);
        snprintf(expected, sizeof expected, "0 0 %s %llu %llu %llu %llu %llu %llu\n",
                 time ? "cycles" : "requests", (unsigned long long)reads_of(&s, &p),
                 (unsigned long long)n.requests, (unsigned long long)n.data_same_sm,
                 (unsigned long long)n.data_other_sm, (unsigned long long)n.line_same_sm,
                 (unsigned long long)n.line_other_sm);
        assert_string_equal(got, expected);
        free(got);
        free(missed);
        free(further);
        free_parts(&p);
        ws_config_free(config);
        stream_free(&s);
    }
}

/* The order replay cannot tell a miss that merges from a hit. */
static void what_merges_is_unknown_in_order(void **state) {
    (void)state;
    machine m = {.stream = {1, 1, 1, 10, 100}, .sms_per_cluster = 1, .sets = 1, .ways = 4};
    stream s = stream_random(1, &m.stream);
    ws_stream_info info = {.sms = 1, .sms_per_cluster = 1, .warps_per_cta = 1, .line_B = 128};
    ws_config *config = config_of(&m, 100, true);
    config_set(config, "icl.stream", "\"before_merging\"");
    const void *params = ws_config_get(config, analysis()->component);
    char *got = stream_analyse(&s, analysis(), &params, 1, &info, WS_BATCH_MAX, NULL), expected[800];
    static const char reason[] = "order_cannot_tell_misses_that_merge_from_hits:_use_fidelity_timed";
    snprintf(expected, sizeof expected, "0 0 steps %llu %s %s %s %s %s\n", (unsigned long long)loads_of(&s),
             reason, reason, reason, reason, reason);
    assert_string_equal(got, expected);
    free(got);
    ws_config_free(config);
    stream_free(&s);
}

/* ---- known answers */

static void expect(const ws_icl *icl, enum ws_icl_clock clock, uint64_t window, ws_icl_counts expected) {
    ws_icl_counts got = ws_icl_redundant(icl, clock, window);
    assert_int_equal(got.data_same_sm, expected.data_same_sm);
    assert_int_equal(got.data_other_sm, expected.data_other_sm);
    assert_int_equal(got.line_same_sm, expected.line_same_sm);
    assert_int_equal(got.line_other_sm, expected.line_other_sm);
}

static void four_parts_are_told_apart(void **state) {
    (void)state;
    ws_icl *icl = ws_icl_new(2, 32);
    for (uint64_t w = 1; w <= 100; w++)
        assert_true(ws_icl_ask(icl, WS_ICL_TIME, w) && ws_icl_ask(icl, WS_ICL_REQUESTS, w));
    assert_true(ws_icl_request(icl, 0, 0, 10, 7, 0x1));
    assert_true(ws_icl_request(icl, 1, 2, 11, 7, 0x1)); /* another cluster */
    expect(icl, WS_ICL_TIME, 100, (ws_icl_counts){0});
    assert_true(ws_icl_request(icl, 0, 1, 20, 7, 0x2)); /* other words, 10 later */
    expect(icl, WS_ICL_TIME, 9, (ws_icl_counts){0});
    expect(icl, WS_ICL_TIME, 10, (ws_icl_counts){.line_other_sm = 1});
    expect(icl, WS_ICL_REQUESTS, 1, (ws_icl_counts){.line_other_sm = 1});
    /* The word was read 15 steps ago, the line 5 steps ago: line sharing in windows up to 14, data sharing from 15
     * on. */
    assert_true(ws_icl_request(icl, 0, 1, 25, 7, 0x1));
    expect(icl, WS_ICL_TIME, 9, (ws_icl_counts){.line_same_sm = 1});
    expect(icl, WS_ICL_TIME, 14, (ws_icl_counts){.line_other_sm = 1, .line_same_sm = 1});
    expect(icl, WS_ICL_TIME, 15, (ws_icl_counts){.line_other_sm = 1, .data_same_sm = 1});
    expect(icl, WS_ICL_REQUESTS, 1, (ws_icl_counts){.line_other_sm = 1, .line_same_sm = 1});
    expect(icl, WS_ICL_REQUESTS, 2, (ws_icl_counts){.line_other_sm = 1, .data_same_sm = 1});
    /* A redundant request, too, is one that later ones are compared with: the last was 4 steps ago. */
    assert_true(ws_icl_request(icl, 0, 0, 29, 7, 0x1));
    expect(icl, WS_ICL_TIME, 4, (ws_icl_counts){.data_other_sm = 1});
    ws_icl_free(icl);
}

/* All CTAs read the same lines, in the same order. */
static uint64_t shared(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp;
    return (uint64_t)inst * 128 + 4 * lane;
}
/* Neighbouring CTAs read different words of one line. */
static uint64_t neighbours(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)warp;
    return (uint64_t)inst * 4096 + cta * 4 + 0 * lane;
}
/* Nobody reads what another one reads. */
static uint64_t apart(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)warp;
    return ((uint64_t)cta * 64 + inst) * 128 + 4 * lane;
}

enum { CTAS = 12, INSTS = 40, CLUSTERS = 3, PER_CLUSTER = 4 };

/* Replays a kernel of as many one-warp CTAs as there are SMs, and reads the analysis's row: reads, requests, the four
 * parts. */
static void replay(uint64_t (*address)(uint32_t, uint32_t, uint32_t, uint32_t), const char *dispatch,
                   uint64_t row[6]) {
    generate_plan plan = generate_loads(CTAS, 1, INSTS, address);
    ws_trace *trace = generate_planned(&plan);
    ws_config *config = config_for(analysis());
    config_set_number(config, "gpu.clusters", CLUSTERS);
    config_set_number(config, "gpu.sms_per_cluster", PER_CLUSTER);
    config_set(config, "gpu.dispatch", dispatch);
    config_set_number(config, "sm.ctas", 1);
    config_set_number(config, "icl.window", 10000);
    stream s = stream_replayed(trace, 1, config, analysis());
    char *got = stream_rows(&s, analysis(), config, NULL), *cells = got;
    assert_true(strsep(&cells, " ") && strsep(&cells, " ")); /* point and table */
    assert_string_equal(strsep(&cells, " "), "steps");
    for (int i = 0; i < 6; i++) row[i] = strtoull(cells, &cells, 10);
    free(got);
    stream_free(&s);
    ws_config_free(config);
    ws_trace_close(trace);
}

enum { READS, REQUESTS, DATA_SAME, DATA_OTHER, LINE_SAME, LINE_OTHER };

static void what_all_read_is_redundant_but_once_per_cluster(void **state) {
    (void)state;
    static const char *const dispatches[] = {"\"two_level_rr\"", "\"global_rr\"", "\"greedy\"",
                                             "\"distributed\"", "\"distributed_block\""};
    uint64_t row[6];
    for (int i = 0; i < 5; i++) {
        replay(shared, dispatches[i], row);
        assert_int_equal(row[READS], CTAS * INSTS);
        assert_int_equal(row[REQUESTS], CTAS * INSTS);
        assert_int_equal(row[DATA_OTHER], (CTAS - CLUSTERS) * INSTS);
        assert_int_equal(row[DATA_SAME] + row[LINE_SAME] + row[LINE_OTHER], 0);

        replay(neighbours, dispatches[i], row);
        assert_int_equal(row[LINE_OTHER], (CTAS - CLUSTERS) * INSTS);
        assert_int_equal(row[DATA_SAME] + row[LINE_SAME] + row[DATA_OTHER], 0);

        replay(apart, dispatches[i], row);
        assert_int_equal(row[REQUESTS], CTAS * INSTS);
        assert_int_equal(row[DATA_SAME] + row[DATA_OTHER] + row[LINE_SAME] + row[LINE_OTHER], 0);
    }
}

/* ---- laws */

static void larger_windows_are_never_less_redundant(void **state) {
    (void)state;
    enum { STEPS = 40 };
    for (uint64_t seed = 1; seed <= 20; seed++) {
        uint64_t random = seed;
        ws_icl *icl = ws_icl_new(1, 32);
        for (uint64_t w = 1; w <= STEPS; w++)
            for (int clock = 0; clock < WS_ICL_CLOCKS; clock++)
                assert_true(ws_icl_ask(icl, (enum ws_icl_clock)clock, w * w));
        for (uint64_t time = 0; time < 5000; time += random_below(&random, 3))
            assert_true(ws_icl_request(icl, 0, random_below(&random, 4), time, random_below(&random, 900),
                                       UINT64_C(3) << random_below(&random, 31)));
        for (int clock = 0; clock < WS_ICL_CLOCKS; clock++) {
            uint64_t data = 0, all = 0;
            for (uint64_t w = 1; w <= STEPS; w++) {
                ws_icl_counts n = ws_icl_redundant(icl, (enum ws_icl_clock)clock, w * w);
                uint64_t data_now = n.data_same_sm + n.data_other_sm;
                uint64_t all_now = data_now + n.line_same_sm + n.line_other_sm;
                assert_true(data_now >= data && all_now >= all);
                data = data_now, all = all_now;
            }
            assert_true(data > 0 && all > data);
        }
        ws_icl_free(icl);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_streams_are_like_naive),
        cmocka_unit_test(timed_accesses_are_like_naive),
        cmocka_unit_test(what_merges_is_unknown_in_order),
        cmocka_unit_test(four_parts_are_told_apart),
        cmocka_unit_test(what_all_read_is_redundant_but_once_per_cluster),
        cmocka_unit_test(larger_windows_are_never_less_redundant),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
