/* The fetch stage, which brings instructions to warps: in turns, and through an instruction cache. Equal to naive
 * twins, of one warp's misses and of the whole stage cycle by cycle. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "../support/naive_cache.h"
#include "../support/random.h"
#include "timed/sm/core.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LONGEST = 200, PC_B = 8 };
#define ALL UINT32_MAX

/* One SM that needs one cycle for everything behind a fetch, and an instruction cache of two sets of two lines. */
#define ONE_SM   "gpu.clusters=1,dram.channels=1,core.int_latency=1,core.fp_latency=1,core.pipeline_cycles=1"
#define TWO_SETS ONE_SM ",core.icache_B=512,core.icache_ways=2"

/* Writes `count` independent instructions at consecutive addresses from `from` on. */
static void straight(generate_inst *code, uint32_t from, unsigned count) {
    for (unsigned i = 0; i < count; i++)
        code[i] = (generate_inst){.pc = from + i * PC_B, .mask = ALL, .kind = 'i'};
    code[count] = (generate_inst){.kind = 0};
}

static ws_timed_counters play(const generate_inst *const *warps, const char *settings) {
    ws_trace *trace = generate_code("sass", warps);
    ws_timed_counters c = mechanism_run(trace, 1, settings).counters;
    ws_trace_close(trace);
    return c;
}

/* ---- in turns */

/* A buffer holds two instructions. A single warp, first served in cycle 1, issues in cycles 3, 4, 6, 7 ..; two warps or
 * more keep the fetch stage busy, which serves each of them equally often. */
static void fetches_take_turns(void **state) {
    (void)state;
    generate_inst code[LONGEST + 1];
    straight(code, 0, 60);
    const generate_inst *one[] = {code, NULL}, *six[] = {code, code, code, code, code, code, NULL};
    uint64_t alone = play(one, ONE_SM).cycles, together = play(six, ONE_SM).cycles;
    assert_int_equal(alone, 60 / 2 * 3 + 3);
    assert_in_range(together, 6 * 60 / 2, 6 * 60 / 2 + 6);
}

/* A barrier without active lanes holds nobody: both warps work at the same time. With one lane it holds its warp until
 * the other one has done all of its work. */
static void a_barrier_without_lanes_holds_nobody(void **state) {
    (void)state;
    generate_inst work[LONGEST + 1], barred[LONGEST + 2] = {{.kind = 'b'}};
    straight(work, 0, LONGEST);
    straight(barred + 1, PC_B, LONGEST);
    const generate_inst *warps[] = {barred, work, NULL}, *one[] = {barred, NULL};
    uint64_t alone = play(one, ONE_SM).cycles;
    assert_in_range(play(warps, ONE_SM).cycles, alone, alone + alone / 2);
    barred[0].mask = 1;
    assert_in_range(play(warps, ONE_SM).cycles, 2 * alone - 10, 2 * alone + 10);
}

/* ---- by class */

static void arithmetic_is_told_apart(void **state) {
    (void)state;
    static const char kinds[] = "iifutotljbtsiax";
    generate_inst code[sizeof kinds] = {{.kind = 0}};
    uint64_t arithmetic = 0;
    for (unsigned i = 0; kinds[i]; i++) {
        code[i] = (generate_inst){.pc = i * PC_B, .mask = ALL, .kind = kinds[i]};
        arithmetic += strchr("ifut", kinds[i]) != NULL;
    }
    const generate_inst *warps[] = {code, code, NULL};
    ws_timed_counters c = play(warps, ONE_SM);
    assert_int_equal(c.warp_instructions, 2 * strlen(kinds));
    assert_int_equal(c.arithmetic_instructions, 2 * arithmetic);
}

/* ---- the instruction cache */

static void every_line_misses_once(void **state) {
    (void)state;
    generate_inst code[LONGEST + 1];
    straight(code, 0, 64); /* four lines, all that the cache holds */
    const generate_inst *warps[] = {code, code, code, NULL};
    ws_timed_counters none = play(warps, ONE_SM), all = play(warps, TWO_SETS);
    assert_int_equal(none.icache_accesses, 0);
    assert_int_equal(all.icache_accesses, 3 * 64 / 2);
    assert_int_equal(all.icache_misses, 3 * 4); /* each warp comes before the line does */
    assert_int_equal(all.noc_packets_to_memory, 4);
    assert_int_equal(all.l2_accesses, 4 * 4);
    const generate_inst *warp[] = {code, NULL};
    assert_int_equal(play(warp, TWO_SETS).icache_misses, 4);
}

/* A miss makes a warp wait for memory as a load does: with an L2 that is 50 cycles slower, code of one line takes 50
 * cycles longer and code of two lines 100. */
static void a_miss_waits_for_the_line(void **state) {
    (void)state;
    generate_inst one_line[LONGEST + 1], two_lines[LONGEST + 1];
    straight(one_line, 0, 16);
    straight(two_lines, 64, 16);
    const generate_inst *one[] = {one_line, NULL}, *two[] = {two_lines, NULL};
    uint64_t near_one = play(one, TWO_SETS ",l2.latency=100").cycles,
             near_two = play(two, TWO_SETS ",l2.latency=100").cycles,
             far_one = play(one, TWO_SETS ",l2.latency=150").cycles,
             far_two = play(two, TWO_SETS ",l2.latency=150").cycles;
    assert_int_equal(far_one - near_one, 50);
    assert_int_equal(far_two - near_two, 2 * 50);
}

/* core.icache_mshr_entries limits the number of lines on their way, core.icache_mshr_merges the number of warps that
 * wait for one. */
static void warps_wait_at_entries(void **state) {
    (void)state;
    generate_inst codes[4][LONGEST + 1];
    const generate_inst *apart[5] = {NULL}, *same[] = {codes[0], codes[0], codes[0], codes[0], NULL};
    for (unsigned w = 0; w < 4; w++) {
        straight(codes[w], w * 128, 2);
        apart[w] = codes[w];
    }
    uint64_t lines = play(apart, TWO_SETS ",core.icache_mshr_entries=4").cycles,
             line_by_line = play(apart, TWO_SETS ",core.icache_mshr_entries=1").cycles;
    assert_true(line_by_line > 3 * lines);
    ws_timed_counters merged = play(same, TWO_SETS ",core.icache_mshr_merges=4"),
                      single = play(same, TWO_SETS ",core.icache_mshr_merges=1");
    assert_int_equal(merged.icache_misses, 4);
    assert_int_equal(single.icache_misses, 1); /* the others come again, and hit */
    assert_int_equal(merged.noc_packets_to_memory, single.noc_packets_to_memory);
}

/* A later launch finds the lines that an earlier one has left in the caches of the SMs that had CTAs of it. With two
 * SMs it may still miss: each launch begins on the SM behind the one that got the last CTA. */
static void launches_keep_it(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = generate_random(2, 32);
    for (int sms = 1; sms <= 2; sms++) {
        char settings[200];
        snprintf(settings, sizeof settings, "gpu.clusters=%d,core.icache_B=65536", sms);
        ws_timed *timed = mechanism_gpu(trace, settings);
        ws_timed_counters first, second;
        assert_true(ws_timed_run(timed, 1, &first, &err) && ws_timed_run(timed, 1, &second, &err));
        assert_true(first.icache_misses > 0);
        assert_true(second.icache_misses < first.icache_misses);
        if (sms == 1) assert_int_equal(second.icache_misses, 0);
        ws_timed_free(timed);
    }
    ws_trace_close(trace);
}

/* ---- one warp's fetches against the definition: one after the other, through sets of lines with LRU replacement */

typedef struct naive_icache {
    uint32_t sets, ways, count[4];
    uint64_t line[4][8]; /* the least recently used first */
} naive_icache;

static bool naive_fetch(naive_icache *c, uint64_t line) {
    uint64_t *set = c->line[line % c->sets];
    uint32_t *count = &c->count[line % c->sets], at = 0;
    while (at < *count && set[at] != line) at++;
    bool miss = at == *count;
    if (miss && *count == c->ways) at = 0;
    if (miss && *count < c->ways) ++*count;
    for (; at + 1 < *count; at++) set[at] = set[at + 1];
    set[at] = line;
    return miss;
}

static void one_warp_is_like_naive(void **state) {
    (void)state;
    uint64_t misses = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t r = seed;
        naive_icache naive = {.sets = 1u << random_below(&r, 3), .ways = 1 + random_below(&r, 4)};
        generate_inst code[LONGEST + 1];
        uint32_t count = 1 + random_below(&r, LONGEST), pc = 0, fetch_insts = 1 + random_below(&r, 4),
                 expected = 0, behind = 0;
        straight(code, 0, count);
        for (uint32_t i = 0; i < count; i++, pc += PC_B) {
            if (random_one_in(&r, 12)) pc = random_below(&r, 256) * PC_B;
            code[i].pc = pc;
            if (i % fetch_insts == 0)
                expected += naive_fetch(&naive, (UINT64_C(0xf0000000) + (i ? behind : pc)) / 128);
            behind = pc + 16;
        }
        char settings[300];
        snprintf(settings, sizeof settings,
                 ONE_SM ",core.icache_ways=%u,core.icache_B=%u,core.fetch_insts=%u", naive.ways,
                 naive.sets * naive.ways * 128, fetch_insts);
        const generate_inst *warps[] = {code, NULL};
        ws_timed_counters c = play(warps, settings);
        if (c.icache_misses != expected)
            fail_msg("seed %d, %s: %d misses, expected %u", (int)seed, settings, (int)c.icache_misses,
                     expected);
        assert_int_equal(c.icache_accesses, (count + fetch_insts - 1) / fetch_insts);
        misses += expected;
    }
    assert_true(misses > 100);
}

/* ---- the whole stage against its definition, cycle by cycle */

enum { CODES = 40, LINES_MAX = 64, CYCLES = 600, ALL_SECTORS = 15 };

typedef struct naive_miss {
    uint64_t line;
    uint8_t missing;
    bool sent;
    uint32_t arrived, count, served; /* arrived: 1 for the first line that came, then 2 ..; 0: not yet */
    unsigned warp[WS_SLOTS];
} naive_miss;

typedef struct fetched {
    unsigned warp;
    uint64_t when;
} fetched;

typedef struct scene {
    ws_engine engine;
    ws_core_params core;
    ws_sm_params sm_params;
    ws_l1_params l1;
    ws_l2_params l2;
    ws_dram_params dram;
    ws_cluster_slot port;
    void *cluster;
    ws_sm sm;
    ws_timed_static statics[CODES];
    ws_timed_inst insts[CODES];
    bool open; /* the port takes packets in this cycle */
    uint32_t sent_count;
    uint64_t sent[LINES_MAX]; /* lines that the port took in this cycle */

    naive_cache tags;
    naive_miss misses[LINES_MAX];
    uint32_t miss_count, arrivals;
    unsigned last;
    uint64_t hungry, leaving, accesses, all_misses, stayed; /* stayed: sum of `leaving` over cycles */
    uint32_t expected_count, expected_sent;
    fetched expected[16];
    uint64_t lines[LINES_MAX];
} scene;

static bool take_packet(void *self, ws_engine *e, ws_sm *s, uint32_t id) {
    (void)self;
    scene *c = (scene *)e; /* its first member */
    const ws_packet *p = &e->packets.at[id];
    if (!c->open) return false;
    assert_int_equal(p->load, WS_CODE);
    assert_int_equal(p->sm, s->index);
    assert_int_equal(p->kind, WS_PACKET_READ);
    assert_int_equal(p->sectors, ALL_SECTORS);
    assert_int_equal(p->slice, ws_slice_of(&e->map, p->line));
    c->sent[c->sent_count++] = p->line;
    ws_packet_free(&e->packets, id);
    return true;
}

static scene *set_up(uint64_t *random) {
    scene *c = calloc(1, sizeof *c);
    assert_non_null(c);
    ws_engine *e = &c->engine;
    uint32_t sets = 1u << random_below(random, 3), ways = 1 + random_below(random, 3);
    c->core = (ws_core_params){.fetches_per_cycle = 1 + random_below(random, 3),
                               .fetch_cycles = 1 + random_below(random, 4),
                               .icache_B = random_one_in(random, 6) ? 0 : sets * ways * 128,
                               .icache_ways = ways,
                               .icache_mshr_entries = 1 + random_below(random, 5),
                               .icache_mshr_merges = 1 + random_below(random, 6)};
    c->l1 = (ws_l1_params){.line_B = 128};
    c->l2 = (ws_l2_params){
        .slices_per_channel = 1, .interleave_B = 256, .size_B = 4096, .ways = 4, .line_B = 128};
    c->dram =
        (ws_dram_params){.channels = 3, .banks = 1, .near_banks = 1, .bank_B = 128, .row_B = 128, .rows = 1};
    c->port = (ws_cluster_slot){.offer = take_packet};
    e->core = &c->core, e->sm_params = &c->sm_params, e->l1 = &c->l1, e->l2 = &c->l2, e->dram = &c->dram;
    e->cluster_slot = &c->port, e->clusters = &c->cluster, e->cluster_parts = 1;
    e->sms_per_cluster = ws_divisor_of(1 << 20);
    e->sms = &c->sm, e->sm_count = 3, e->statics.at = c->statics;
    e->program_count = random_one_in(random, 2) ? 2 : 0;
    ws_address_map_init(&e->map, &c->l1, &c->l2, &c->dram);
    c->sm.index = 2, c->sm.line_sectors = ALL_SECTORS, c->sm.event_next = WS_NEVER;
    for (uint32_t i = 0; i < CODES; i++) {
        c->statics[i].pc = i * 48;
        c->insts[i].static_id = i;
    }
    for (unsigned w = 0; w < WS_SLOTS; w++) c->sm.warps[w].cta_of = (uint8_t)(w % 2);
    c->sm.launch_of[1] = 1;
    assert_true(ws_packets_init(&e->packets) && ws_icaches_init(e));
    c->tags = naive_cache_new(sets, ways, WS_REPLACE_LRU, 0, 0);
    return c;
}

/* Returns the place that the next packet will get. It is the same before and after a run that has freed all packets. */
static uint32_t free_place(scene *c) {
    uint32_t id = ws_packet_new(&c->engine.packets);
    ws_packet_free(&c->engine.packets, id);
    return id;
}

static void tear_down(scene *c) {
    ws_icaches_free(&c->engine);
    ws_packets_free(&c->engine.packets);
    free(c);
}

static uint64_t line_of(const scene *c, unsigned warp) {
    const ws_sm_warp *w = &c->sm.warps[warp];
    uint64_t address = UINT64_C(0xf0000000);
    if (w->inst == w->inst_first)
        address += c->statics[w->inst->static_id].pc;
    else /* what lies behind the last one that it issued */
        address += c->statics[(w->inst - 1)->static_id].pc + 16;
    if (c->engine.program_count && warp % 2) address += WS_PROGRAM_SPACE_B;
    return address / 128;
}

static naive_miss *naive_miss_of(scene *c, uint64_t line) {
    for (uint32_t i = 0; i < c->miss_count; i++)
        if (c->misses[i].line == line) return &c->misses[i];
    return NULL;
}

/* Does one fetch; returns the warp that it serves, or WS_NO_SLOT. Warps whose line has come are first, then hungry
 * ones, whose buffers are empty, in turn. Warps that have nothing more to do leave when the turn passes them on the way
 * to a hungry one, or all if none is hungry. */
static unsigned naive_fetch_one(scene *c) {
    naive_miss *first = NULL;
    for (uint32_t i = 0; i < c->miss_count; i++)
        if (c->misses[i].arrived && (!first || c->misses[i].arrived < first->arrived)) first = &c->misses[i];
    if (first) {
        unsigned warp = first->warp[first->served++];
        if (first->served == first->count)
            memmove(first, first + 1, (size_t)(c->misses + --c->miss_count - first) * sizeof *first);
        return warp;
    }
    if (!c->hungry) {
        c->leaving = 0;
        return WS_NO_SLOT;
    }
    while (c->last = (c->last + 1) % WS_SLOTS, !(c->hungry >> c->last & 1))
        c->leaving &= ~(UINT64_C(1) << c->last);
    unsigned warp = c->last;
    if (!c->core.icache_B) {
        c->hungry &= ~(UINT64_C(1) << warp);
        return warp;
    }
    uint64_t line = line_of(c, warp);
    naive_way *way = naive_cache_find(&c->tags, line);
    if (!way) {
        naive_miss *m = naive_miss_of(c, line);
        if (!m && c->miss_count == (uint32_t)c->core.icache_mshr_entries) return WS_NO_SLOT;
        if (m && m->count == (uint32_t)c->core.icache_mshr_merges) return WS_NO_SLOT;
        if (!m) {
            m = &c->misses[c->miss_count++];
            *m = (naive_miss){.line = line, .missing = ALL_SECTORS};
        }
        m->warp[m->count++] = warp;
        c->all_misses++;
    } else {
        naive_cache_touch(&c->tags, way);
    }
    c->hungry &= ~(UINT64_C(1) << warp);
    c->accesses++;
    return way ? warp : WS_NO_SLOT;
}

/* Takes the stage's turn; returns whether there is something to do in the next cycle. */
static bool naive_step(scene *c) {
    uint64_t now = c->engine.now;
    for (int64_t i = 0; i < c->core.fetches_per_cycle; i++) {
        unsigned warp = naive_fetch_one(c);
        bool is_last = i + 1 == c->core.fetches_per_cycle;
        uint64_t cycles = (uint64_t)c->core.fetch_cycles - !is_last;
        if (warp != WS_NO_SLOT)
            c->expected[c->expected_count++] = (fetched){warp, now + (cycles ? cycles : 1)};
    }
    bool again = c->hungry || c->leaving;
    for (uint32_t i = 0; i < c->miss_count; i++) {
        naive_miss *m = &c->misses[i];
        if (!m->sent && c->open) {
            c->lines[c->expected_sent++] = m->line;
            m->sent = true;
        }
        again |= m->arrived || !m->sent;
    }
    return again;
}

/* Lets some sectors arrive of a line that has been asked for. */
static void bring(scene *c, uint64_t *random) {
    if (!c->miss_count) return;
    naive_miss *m = &c->misses[random_below(random, c->miss_count)];
    uint8_t sectors = (uint8_t)(random_below(random, 16) & m->missing);
    if (!m->sent || !sectors) return;
    ws_icache_take(&c->engine, &c->sm, m->line, sectors);
    m->missing &= (uint8_t)~sectors;
    if (m->missing) return;
    naive_way *way = naive_cache_victim(&c->tags, m->line);
    naive_cache_replace(&c->tags, way, m->line);
    naive_cache_fill(&c->tags, way, ALL_SECTORS);
    m->arrived = ++c->arrivals;
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static bool is_expected(const scene *c, unsigned warp, uint64_t when) {
    for (uint32_t i = 0; i < c->expected_count; i++)
        if (c->expected[i].warp == warp && c->expected[i].when == when) return true;
    return false;
}

/* Compares what was fetched, sent and counted in this cycle; removes the events, so that the next cycle begins without
 * any. */
static void compare(scene *c) {
    uint32_t count = 0;
    for (uint64_t when = c->engine.now; when < c->engine.now + WS_FETCH_WHEEL; when++)
        for (uint64_t rest = c->sm.arriving[when % WS_FETCH_WHEEL]; rest; rest &= rest - 1, count++) {
            assert_true(is_expected(c, (unsigned)__builtin_ctzll(rest), when));
            assert_true(c->sm.wheel_used[when % WS_WHEEL / 64] >> when % 64 & 1);
            assert_true(c->sm.event_next <= when);
        }
    assert_int_equal(count, c->expected_count);
    memset(c->sm.arriving, 0, sizeof c->sm.arriving);
    memset(c->sm.wheel_used, 0, sizeof c->sm.wheel_used);
    c->sm.event_next = WS_NEVER;
    assert_int_equal(c->sent_count, c->expected_sent);
    qsort(c->sent, c->sent_count, sizeof *c->sent, by_value);
    qsort(c->lines, c->expected_sent, sizeof *c->lines, by_value);
    assert_memory_equal(c->sent, c->lines, c->sent_count * sizeof *c->sent);
    c->expected_count = c->sent_count = c->expected_sent = 0;
    assert_int_equal(c->sm.hungry, c->hungry);
    assert_int_equal(c->sm.leaving, c->leaving);
    assert_int_equal(c->sm.counters.icache_accesses, c->accesses);
    assert_int_equal(c->sm.counters.icache_misses, c->all_misses);
    assert_int_equal(ws_icache_of(&c->engine, &c->sm)->miss_count, c->miss_count);
}

/* Lets the buffers of some warps run empty, or some warps come to their end; only warps that are neither hungry nor
 * leaving nor waiting for a line. Their CTAs keep other warps, so that none ends. */
static void starve(scene *c, uint64_t *random, unsigned warps) {
    uint64_t waits = c->hungry | c->leaving;
    c->stayed += (uint64_t)__builtin_popcountll(c->leaving);
    for (uint32_t i = 0; i < c->miss_count; i++)
        for (uint32_t k = c->misses[i].served; k < c->misses[i].count; k++)
            waits |= UINT64_C(1) << c->misses[i].warp[k];
    for (unsigned w = WS_SLOTS - warps; w < WS_SLOTS; w++) {
        if (waits >> w & 1 || !random_one_in(random, 4)) continue;
        if (random_one_in(random, 5)) {
            c->leaving |= UINT64_C(1) << w;
            continue;
        }
        uint32_t at = random_below(random, CODES);
        c->sm.warps[w].inst = &c->insts[at];
        c->sm.warps[w].inst_first = random_one_in(random, 4) ? &c->insts[at] : c->insts;
        c->hungry |= UINT64_C(1) << w;
    }
    c->sm.hungry = c->hungry;
    c->sm.leaving = c->leaving;
    c->sm.cta_warps[0] = c->sm.cta_warps[1] = ~UINT64_C(0);
}

static void like_their_definition(void **state) {
    (void)state;
    uint64_t random = 9, misses = 0, accesses = 0, stayed = 0;
    for (int round = 0; round < 150; round++) {
        scene *c = set_up(&random);
        unsigned warps = 1 + random_below(&random, random_one_in(&random, 3) ? WS_SLOTS : 12);
        uint32_t place = free_place(c);
        for (uint64_t now = 1; now < CYCLES; now++) {
            c->engine.now = now;
            c->open = !random_one_in(&random, 3);
            if (random_one_in(&random, 2)) bring(c, &random);
            if (now % 200 < 150) starve(c, &random, warps);
            assert_int_equal(ws_instructions_step(&c->engine, &c->sm), naive_step(c));
            compare(c);
        }
        misses += c->all_misses, accesses += c->accesses, stayed += c->stayed;
        assert_false(c->engine.failed);
        assert_int_equal(free_place(c), place); /* no packet is left behind */
        tear_down(c);
    }
    assert_true(misses > 5000 && accesses > misses + 5000 && stayed > 5000);
}

static void refusals(void **state) {
    (void)state;
    ws_trace *trace = generate_random(1, 32);
    assert_non_null(
        strstr(mechanism_refusal(trace, "core.icache_B=1000"), "core.icache_B: expected a multiple of"));
    assert_non_null(
        strstr(mechanism_refusal(trace, "core.icache_B=1024,mechanism.cluster=icc,gpu.sms_per_cluster=2"),
               "core.icache_B: expected 0 with"));
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fetches_take_turns),        cmocka_unit_test(a_barrier_without_lanes_holds_nobody),
        cmocka_unit_test(arithmetic_is_told_apart),  cmocka_unit_test(every_line_misses_once),
        cmocka_unit_test(a_miss_waits_for_the_line), cmocka_unit_test(warps_wait_at_entries),
        cmocka_unit_test(launches_keep_it),          cmocka_unit_test(one_warp_is_like_naive),
        cmocka_unit_test(like_their_definition),     cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
