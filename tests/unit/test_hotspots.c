/* The analysis `hotspots`, and the taps that it listens to: equal to a twin that keeps a list of all events; laws;
 * known answers. */
#include "analysis/parts/sites.h"
#include "base/array.h"
#include "warpsweep/analysis.h"

#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/naive_hotspots.h"
#include "../support/random.h"
#include "../support/stream.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ws_analysis *analysis(void) {
    return ws_analysis_find("hotspots", NULL);
}

static ws_error err;

static void must(bool ok) {
    if (!ok) fail_msg("%s", err.text);
}

/* ---- a launch, heard by the analysis and by the twin */

typedef struct heard {
    told told;
    void *self;
} heard;

static void hear_issue(void *context, const ws_timed_issue *issue) {
    heard *h = context;
    told_taps(NULL).issue(&h->told, issue);
    analysis()->issue(h->self, issue);
}
static void hear_load_end(void *context, const ws_timed_load *load) {
    heard *h = context;
    told_taps(NULL).load_end(&h->told, load);
    analysis()->load_end(h->self, load);
}
static void hear_access(void *context, const ws_timed_access *access) {
    heard *h = context;
    told_taps(NULL).access(&h->told, access);
    analysis()->access(h->self, access);
}
static void hear_warp_end(void *context, const ws_timed_warp_life *life) {
    heard *h = context;
    told_taps(NULL).warp_end(&h->told, life);
    analysis()->warp_end(h->self, life);
}

typedef struct result {
    told told;
    ws_timed_counters counters;
    char *rows;
} result;

static result run(const ws_trace *trace, uint32_t launch, const char *settings) {
    ws_config *config = mechanism_config(settings);
    ws_timed *timed = ws_timed_new(trace, config, &err);
    must(timed != NULL);
    const void *none = NULL;
    ws_stream_info info = stream_info(trace, launch, config);
    heard h = {.self = analysis()->create(&none, 1, &info, &err)};
    must(h.self != NULL);
    ws_timed_tap(timed, &(ws_timed_taps){.self = &h,
                                         .access = hear_access,
                                         .issue = hear_issue,
                                         .load_end = hear_load_end,
                                         .warp_end = hear_warp_end});
    result r;
    must(ws_timed_run(timed, launch, &r.counters, &err));
    ws_rows *rows = ws_rows_new();
    must(analysis()->finish(h.self, 0, rows, &err));
    r.rows = rows_text(rows);
    r.told = h.told;
    ws_rows_free(rows);
    analysis()->destroy(h.self);
    ws_timed_free(timed);
    ws_config_free(config);
    return r;
}

static void free_result(result *r) {
    told_free(&r->told);
    free(r->rows);
}

/* ---- laws: the events that are told add up to the counters */

static void check_sums(const result *r, bool bypasses) {
    const told *t = &r->told;
    const ws_timed_counters *c = &r->counters;
    uint64_t lanes = 0, cycles = 0, lived = 0, of[WS_TIMED_STATUSES] = {0};
    for (size_t i = 0; i < t->issue_count; i++) lanes += t->issues[i].lanes;
    for (size_t i = 0; i < t->load_count; i++) cycles += t->loads[i].cycle - t->loads[i].issued;
    for (size_t i = 0; i < t->access_count; i++) of[t->accesses[i].status]++;
    for (size_t i = 0; i < t->life_count; i++) lived += t->lives[i].end - t->lives[i].start;
    assert_int_equal(t->issue_count, c->warp_instructions);
    assert_int_equal(lanes, c->thread_instructions);
    assert_int_equal(t->load_count, c->loads);
    assert_int_equal(cycles, c->load_cycles);
    assert_int_equal(lived, c->warp_cycles);
    assert_int_equal(of[WS_TIMED_HIT], c->l1_hits);
    assert_int_equal(of[WS_TIMED_PENDING_HIT], c->l1_pending_hits);
    assert_int_equal(of[WS_TIMED_MISS], c->l1_misses);
    assert_int_equal(of[WS_TIMED_SECTOR_MISS], c->l1_sector_misses);
    assert_true(bypasses ? of[WS_TIMED_BYPASS] > 0 : of[WS_TIMED_BYPASS] == 0);
}

/* Returns the sum of a column of a table. Columns count from 0 behind the numbers of the point and the table. */
static uint64_t sum_of(const char *rows, int table, int column) {
    uint64_t sum = 0;
    for (const char *line = rows; *line; line = strchr(line, '\n') + 1) {
        const char *at = line;
        if (line[2] != '0' + table) continue;
        for (int i = 0; i < column + 2; i++) at = strchr(at, ' ') + 1;
        sum += strtoull(at, NULL, 10);
    }
    return sum;
}

enum { L1_ACCESSES = 9, L1_MERGED = 15 }; /* columns of table 2 */

static uint64_t accesses_of(const told *t, ws_memory_op op) {
    uint64_t count = 0;
    for (size_t i = 0; i < t->access_count; i++) {
        const ws_timed_access *a = &t->accesses[i];
        assert_true((a->op == WS_MEMORY_STORE) == (a->static_id == WS_NO_STATIC));
        count += a->op == op && a->status != WS_TIMED_BYPASS;
    }
    return count;
}

static void check_rows(const result *r) {
    enum { WARP_CYCLES = 1, END_CYCLES = 2, LOADS = 3, LOAD_CYCLES = 4, PC_CYCLES = 5 };
    assert_int_equal(sum_of(r->rows, 2, L1_ACCESSES), accesses_of(&r->told, WS_MEMORY_LOAD));
    assert_int_equal(sum_of(r->rows, 0, WARP_CYCLES),
                     sum_of(r->rows, 0, END_CYCLES) + sum_of(r->rows, 1, PC_CYCLES));
    assert_int_equal(sum_of(r->rows, 0, LOADS), sum_of(r->rows, 2, 3));
    assert_int_equal(sum_of(r->rows, 0, LOAD_CYCLES), sum_of(r->rows, 2, 4));
    assert_int_equal(sum_of(r->rows, 0, LOADS), sum_of(r->rows, 3, 1));
}

/* The first row of a load at or behind this one; at the end, an empty one. */
static const char *next_load(const char *rows) {
    while (*rows && rows[2] != '2') rows = strchr(rows, '\n') + 1;
    return rows;
}

static uint64_t value_of(const char *row, int column) {
    for (int i = 0; i < column + 2; i++) row = strchr(row, ' ') + 1;
    return strtoull(row, NULL, 10);
}

/* With WarpPool, accesses that each load makes without it are made or merged. Returns the number of those merged. */
static uint64_t compare_requests(const char *with, const char *without) {
    uint64_t merged = 0;
    for (with = next_load(with), without = next_load(without); *with && *without;) {
        assert_int_equal(value_of(with, 0), value_of(without, 0));
        assert_int_equal(value_of(with, L1_ACCESSES) + value_of(with, L1_MERGED),
                         value_of(without, L1_ACCESSES));
        merged += value_of(with, L1_MERGED);
        with = next_load(strchr(with, '\n') + 1);
        without = next_load(strchr(without, '\n') + 1);
    }
    assert_true(!*with && !*without);
    return merged;
}

static void merged_accesses_are_those_that_lack(void **state) {
    (void)state;
    uint64_t merged = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        ws_trace *trace = generate_random(seed, seed % 3 ? 32 : 64);
        for (int g = 0; g < MECHANISM_GPUS; g++) {
            char off[500], on[600];
            snprintf(off, sizeof off, "%s,l1.line_B=128,l1.latency=1,core.stall_on_use=63",
                     mechanism_gpus[g]);
            snprintf(on, sizeof on, "%s,mechanism.front=warppool", off);
            result with = run(trace, 1, on), without = run(trace, 1, off);
            merged += compare_requests(with.rows, without.rows);
            free_result(&with);
            free_result(&without);
        }
        ws_trace_close(trace);
    }
    assert_true(merged > 100);
}

static void random_launches_are_like_naive(void **state) {
    (void)state;
    static const char *const mechanisms[] = {
        "",
        ",mechanism.front=warppool",
        ",mechanism.dispatch=warpman,warpman.spatial=on",
        ",mechanism.front=mrpb,mrpb.bypass=all_stalls,l1.size_B=1024,l1.index=linear",
        ",mechanism.fetch=coarse,coarse.dueling=false",
        ",core.dependences=one_in_flight,core.stall_on_use=3"};
    bool bypassed = false, merged = false;
    for (uint64_t seed = 1; seed <= 24; seed++) {
        ws_trace *trace = generate_random(seed, seed % 3 ? 32 : 64);
        const char *mechanism = mechanisms[seed % WS_COUNT(mechanisms)];
        for (int g = 0; g < MECHANISM_GPUS; g++) {
            char settings[500];
            snprintf(settings, sizeof settings, "%s,l1.line_B=128%s", mechanism_gpus[g], mechanism);
            result r = run(trace, 1 + seed % 2, settings);
            char *expected = naive_hotspots(&r.told, trace);
            assert_string_equal(r.rows, expected);
            bool bypasses = false;
            for (size_t i = 0; i < r.told.access_count; i++)
                bypasses |= r.told.accesses[i].status == WS_TIMED_BYPASS;
            check_sums(&r, bypasses);
            check_rows(&r);
            bypassed |= bypasses;
            merged |= sum_of(r.rows, 2, L1_MERGED) > 0;
            free(expected);
            free_result(&r);
        }
        ws_trace_close(trace);
    }
    assert_true(bypassed && merged);
}

/* Some warps execute one static instruction of a pc and opcode, some several, which differ in their registers. */
static void loads_that_share_a_pc_are_like_naive(void **state) {
    (void)state;
    enum { CTAS = 6, WARPS = 2 * CTAS, INSTS = 12 };
    uint64_t random = 5;
    for (int round = 0; round < 12; round++) {
        generate_inst code[WARPS][INSTS] = {{{0}}};
        const generate_inst *warps[WARPS + 1] = {NULL};
        for (int w = 0; w < WARPS; w++) {
            warps[w] = code[w];
            for (uint32_t i = 0; i < INSTS - 1 && (i == 0 || !random_one_in(&random, 8)); i++)
                code[w][i] = (generate_inst){.pc = 16 * random_below(&random, 3),
                                             .mask = UINT32_MAX,
                                             .kind = "lpgi"[random_below(&random, 4)],
                                             .dst = (uint16_t)(1 + random_below(&random, 3)),
                                             .a = (uint16_t)random_below(&random, 4),
                                             .line = random_below(&random, 30)};
        }
        ws_trace *trace = generate_coded_ctas("sass", CTAS, warps);
        for (int g = 0; g < MECHANISM_GPUS; g++) {
            result r = run(trace, 1, mechanism_gpus[g]);
            char *expected = naive_hotspots(&r.told, trace);
            assert_string_equal(r.rows, expected);
            check_rows(&r);
            free(expected);
            free_result(&r);
        }
        ws_trace_close(trace);
    }
}

/* ---- known answers */

#define ALL UINT32_MAX

/* One warp, whose instructions wait for each other through register 1: loads that miss, miss and hit, an addition, a
 * store. */
static const generate_inst code[] = {{0x00, ALL, 'l', .dst = 1, .line = 5},
                                     {0x10, ALL, 'l', .dst = 1, .line = 6},
                                     {0x20, ALL, 'l', .dst = 1, .line = 5},
                                     {0x30, 0xff, 'i', .dst = 2, .a = 1},
                                     {0x40, ALL, 's', .a = 2, .line = 7},
                                     {0x50, ALL, 'x', .dst = 0},
                                     {0}};

static const char one_sm[] = "gpu.clusters=1,dram.channels=2,l1.line_B=128,l1.index=linear,l1.size_B=4096";

static void each_access_names_its_load(void **state) {
    (void)state;
    const generate_inst *warps[] = {code, NULL};
    ws_trace *trace = generate_code("sass", warps);
    result r = run(trace, 1, one_sm);
    static const struct {
        uint32_t pc, line;
        enum ws_timed_status status;
    } expected[] = {{0x00, 5, WS_TIMED_MISS}, {0x10, 6, WS_TIMED_MISS}, {0x20, 5, WS_TIMED_HIT}};
    assert_int_equal(r.told.access_count, WS_COUNT(expected) + 1);
    uint64_t first = r.told.accesses[0].line - 5;
    for (size_t i = 0; i < WS_COUNT(expected); i++) {
        const ws_timed_access *a = &r.told.accesses[i];
        assert_int_equal(ws_trace_statics(trace)[a->static_id].pc, expected[i].pc);
        assert_int_equal(a->line - first, expected[i].line);
        assert_int_equal(a->status, expected[i].status);
    }
    assert_int_equal(r.told.accesses[WS_COUNT(expected)].op, WS_MEMORY_STORE);
    assert_int_equal(r.told.accesses[WS_COUNT(expected)].static_id, WS_NO_STATIC);
    free_result(&r);
    ws_trace_close(trace);
}

/* Line 51 waits in the L1 until the only MSHR entry has the data of line 50. Meanwhile two loads ask for line 9, the
 * one at 0x20 first: it has the access of both. */
static void a_merged_access_is_of_the_first(void **state) {
    (void)state;
    static const generate_inst first[] = {{0x00, ALL, 'l', .dst = 1, .line = 50},
                                          {0x08, ALL, 'l', .dst = 2, .line = 51},
                                          {0x10, ALL, 'b', .dst = 0},
                                          {0x20, ALL, 'l', .dst = 3, .line = 9},
                                          {0}};
    static const generate_inst second[] = {{0x10, ALL, 'b', .dst = 0},
                                           {0x28, ALL, 'i', .dst = 1},
                                           {0x30, ALL, 'i', .dst = 1, .a = 1},
                                           {0x38, ALL, 'l', .dst = 2, .a = 1, .line = 9},
                                           {0}};
    static const uint32_t pcs[] = {0x00, 0x08, 0x20};
    const generate_inst *warps[] = {first, second, NULL};
    ws_trace *trace = generate_code("sass", warps);
    char settings[300];
    snprintf(settings, sizeof settings, "%s,mechanism.front=warppool,l1.mshr_entries=1,l1.latency=1", one_sm);
    result r = run(trace, 1, settings);
    assert_int_equal(r.told.access_count, WS_COUNT(pcs));
    for (size_t i = 0; i < WS_COUNT(pcs); i++)
        assert_int_equal(ws_trace_statics(trace)[r.told.accesses[i].static_id].pc, pcs[i]);
    assert_int_equal(r.told.load_count, 4);
    for (size_t i = 0; i < r.told.load_count; i++) {
        const ws_timed_load *load = &r.told.loads[i];
        assert_int_equal(load->merged, ws_trace_statics(trace)[load->static_id].pc == 0x38);
    }
    free_result(&r);
    ws_trace_close(trace);
}

static uint64_t thirty_two_lines(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)inst;
    return UINT64_C(0x10000) + 128 * (32 * (uint64_t)warp + lane);
}

/* Each instruction behind a load waits for its data, and issues the same few cycles after they have come. With an L1
 * that is 17 cycles slower, each load takes 17 cycles longer. */
static void waiting_is_where_the_result_is_needed(void **state) {
    (void)state;
    const generate_inst *warps[] = {code, NULL};
    ws_trace *trace = generate_code("sass", warps);
    char settings[2][200];
    snprintf(settings[0], sizeof settings[0], "%s,l1.latency=30", one_sm);
    snprintf(settings[1], sizeof settings[1], "%s,l1.latency=47", one_sm);
    result fast = run(trace, 1, settings[0]), slow = run(trace, 1, settings[1]);
    assert_int_equal(fast.told.issue_count, WS_COUNT(code) - 1);
    for (size_t i = 0; i < WS_COUNT(code) - 1; i++) {
        const ws_timed_issue *issue = &fast.told.issues[i];
        assert_int_equal(ws_trace_statics(trace)[issue->static_id].pc, code[i].pc);
        assert_int_equal(issue->lanes, __builtin_popcountll(code[i].mask));
        assert_int_equal(issue->before, i ? issue[-1].cycle : fast.told.lives[0].start);
    }
    for (size_t i = 1; i <= 3; i++) {
        assert_int_equal(fast.told.issues[i].wait, WS_TIMED_WAIT_DATA);
        assert_int_equal(fast.told.issues[i].ready, fast.told.loads[i - 1].cycle);
    }
    uint64_t behind = fast.told.issues[1].cycle - fast.told.loads[0].cycle;
    assert_in_range(behind, 0, 2);
    for (size_t i = 0; i < 3; i++) {
        const ws_timed_load *load = &fast.told.loads[i], *late = &slow.told.loads[i];
        assert_int_equal(load->issued, fast.told.issues[i].cycle);
        assert_int_equal(load->cycle + behind, fast.told.issues[i + 1].cycle);
        assert_int_equal(late->cycle - late->issued, load->cycle - load->issued + 17);
    }
    free_result(&fast);
    free_result(&slow);
    ws_trace_close(trace);
}

/* Fails unless these are the waits of the warp's instructions, in their order. */
static void expect_waits(const told *t, uint32_t warp, const enum ws_timed_wait *waits, size_t count) {
    size_t n = 0;
    for (size_t i = 0; i < t->issue_count; i++) {
        if (t->issues[i].warp != warp) continue;
        assert_true(n < count);
        assert_int_equal(t->issues[i].wait, waits[n++]);
    }
    assert_int_equal(n, count);
}

/* What instructions say that they have waited for. First, two warps and a barrier, to which the second warp comes late;
 * instructions are fetched two at a time. Then, warps whose loads of 32 lines each want the load/store unit at the same
 * time: they are ready when they have been fetched, and issue one after the other. */
static void what_is_waited_for(void **state) {
    (void)state;
    static const generate_inst early[] = {
        {0x00, ALL, 'b', .dst = 0}, {0x10, ALL, 'i', .dst = 2}, {0x20, ALL, 'i', .dst = 3}, {0}};
    static const generate_inst late[] = {{0x30, ALL, 'l', .dst = 1, .line = 5},
                                         {0x40, ALL, 'i', .dst = 4, .a = 1},
                                         {0x00, ALL, 'b', .dst = 0},
                                         {0x10, ALL, 'i', .dst = 2},
                                         {0}};
    const generate_inst *warps[] = {early, late, NULL};
    ws_trace *trace = generate_code("sass", warps);
    result r = run(trace, 1, one_sm);
    expect_waits(&r.told, 0,
                 (enum ws_timed_wait[]){WS_TIMED_WAIT_FETCH, WS_TIMED_WAIT_BARRIER, WS_TIMED_WAIT_FETCH}, 3);
    expect_waits(&r.told, 1,
                 (enum ws_timed_wait[]){WS_TIMED_WAIT_FETCH, WS_TIMED_WAIT_DATA, WS_TIMED_WAIT_FETCH,
                                        WS_TIMED_WAIT_ISSUE},
                 4);
    free_result(&r);
    ws_trace_close(trace);

    generate_plan plan = generate_loads(1, 4, 1, thirty_two_lines);
    trace = generate_planned(&plan);
    r = run(trace, 1, "gpu.clusters=1,dram.channels=2,core.memory_queue=1,sm.schedulers=1");
    uint64_t step = r.told.issues[1].cycle - r.told.issues[0].cycle;
    assert_in_range(step, 32, 36); /* the accesses of the load before */
    for (size_t i = 0; i < r.told.issue_count; i++) {
        const ws_timed_issue *issue = &r.told.issues[i];
        assert_int_equal(issue->wait, WS_TIMED_WAIT_FETCH);
        assert_int_equal(issue->cycle, r.told.issues[0].cycle + i * step);
        assert_true(issue->ready < r.told.issues[1].cycle);
    }
    free_result(&r);
    ws_trace_close(trace);
}

/* A tap that listens alone hears the same as together with others, in the order of time: while a tap listens, SMs do
 * not run ahead of each other. Each CTA reads lines of its own. */
static uint64_t spread(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return UINT64_C(0x10000) + 4096 * (uint64_t)cta + 512 * (uint64_t)warp + 128 * (uint64_t)(inst % 4) +
           4 * lane;
}

static void each_tap_alone_hears_the_same(void **state) {
    (void)state;
    generate_plan plan = generate_loads(8, 2, 60, spread);
    ws_trace *trace = generate_planned(&plan);
    told all = {0}, alone = {0};
    ws_timed_taps one[] = {{.self = &all}, {.self = &alone}, {.self = &alone}};
    one[0].issue = told_taps(NULL).issue, one[0].load_end = told_taps(NULL).load_end;
    one[0].access = told_taps(NULL).access;
    one[1].issue = told_taps(NULL).issue;
    one[2].load_end = told_taps(NULL).load_end;
    for (size_t i = 0; i < WS_COUNT(one); i++)
        mechanism_listen(trace, 1, "gpu.clusters=4,dram.channels=2", &one[i]);
    assert_int_equal(alone.issue_count, all.issue_count);
    assert_int_equal(alone.load_count, all.load_count);
    assert_memory_equal(alone.issues, all.issues, all.issue_count * sizeof *all.issues);
    assert_memory_equal(alone.loads, all.loads, all.load_count * sizeof *all.loads);
    for (size_t i = 1; i < all.issue_count; i++) assert_true(all.issues[i].cycle >= all.issues[i - 1].cycle);
    told_free(&all);
    told_free(&alone);
    ws_trace_close(trace);
}

/* Two static instructions of one pc and opcode, as of a generic load whose data lie now in one space, now in another,
 * are one load of their warp. */
static void a_warp_counts_once_for_its_load(void **state) {
    (void)state;
    enum { WARPS = 16, CYCLES_TO_DATA = 17, WARP_CYCLES = 18 }; /* columns of table 2 */
    static const generate_inst load[] = {{0x10, ALL, 'l', .dst = 1, .line = 5},
                                         {0x10, ALL, 'l', .dst = 2, .line = 6},
                                         {0x10, ALL, 'l', .dst = 1, .line = 7},
                                         {0x20, ALL, 'x', .dst = 0},
                                         {0}};
    ws_trace *trace = generate_code("sass", (const generate_inst *const[]){load, NULL});
    result r = run(trace, 1, one_sm);
    const char *row = next_load(r.rows);
    assert_int_equal(r.told.life_count, 1);
    assert_int_not_equal(r.told.loads[0].static_id, r.told.loads[1].static_id);
    assert_int_equal(value_of(row, WARPS), 1);
    assert_int_equal(value_of(row, CYCLES_TO_DATA), r.told.loads[0].cycle - r.told.lives[0].start);
    assert_int_equal(value_of(row, WARP_CYCLES), r.counters.warp_cycles);
    free_result(&r);
    ws_trace_close(trace);
}

/* A warp's first data are those of its launch: warp 0 of another launch is another one. */
static void launches_have_warps_of_their_own(void **state) {
    (void)state;
    static const generate_inst load[] = {{.pc = 16, .mask = 1, .kind = 'l', .dst = 1, .line = 1}, {0}};
    ws_trace *trace = generate_code("sass", (const generate_inst *const[]){load, NULL});
    ws_sites sites;
    assert_true(ws_sites_init(&sites, trace));
    for (uint32_t launch = 1; launch <= 3; launch++) {
        ws_sites_launch(&sites, 64 * launch, 2);
        for (uint32_t cta = 0; cta < 64 * launch; cta++)
            for (int again = 0; again < 2; again++)
                ws_sites_load_end(
                    &sites,
                    &(ws_timed_load){.cta = cta, .warp = 1, .warp_start = 5, .issued = 10, .cycle = 20});
    }
    assert_int_equal(sites.at[0].loads, 2 * 64 * (1 + 2 + 3));
    assert_int_equal(sites.receivers[0].warps, 64 * (1 + 2 + 3));
    assert_int_equal(sites.receivers[0].cycles_to_data, 15 * 64 * (1 + 2 + 3));
    ws_sites_free(&sites);
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merged_accesses_are_those_that_lack),
        cmocka_unit_test(a_merged_access_is_of_the_first),
        cmocka_unit_test(random_launches_are_like_naive),
        cmocka_unit_test(loads_that_share_a_pc_are_like_naive),
        cmocka_unit_test(a_warp_counts_once_for_its_load),
        cmocka_unit_test(each_access_names_its_load),
        cmocka_unit_test(waiting_is_where_the_result_is_needed),
        cmocka_unit_test(launches_have_warps_of_their_own),
        cmocka_unit_test(what_is_waited_for),
        cmocka_unit_test(each_tap_alone_hears_the_same),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
