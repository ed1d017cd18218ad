/* Data on their way from the L1 to their registers, step by step, where operand collectors read these: when an MSHR is
 * free, what joins data that wait, and what values that bypass the L1 hold up. */
#include "../support/lone_l1.h"
#include "base/array.h"
#include "timed/sm/collect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* All that data need of collectors is the ports of the registers' banks. */
static const ws_core_params core = {.collectors = 1, .register_banks = 4, .bank_reads = 1, .coalescers = 1};
static const ws_sm_params sm_params = {.schedulers = 2};
/* They write to bank 0, as seen by warp 0; the second one gets its result from memory. */
enum { RESULT, LOADED };
static ws_timed_static statics[] = {[RESULT] = {.writes = 0x1}, [LOADED] = {.writes = 0x1, .dst_count = 1}};
/* Replies come to the SM's inbox. */
static ws_engine engine = {
    .sm_params = &sm_params, .statics = {.at = statics}, .core = &core, .cluster_parts = 1};

typedef struct scene {
    ws_sm *sm;
    ws_l1_params l1;
    bool polled;      /* it has a turn in each cycle, not only when it asks for one */
    uint64_t next;    /* the cycle of the next one */
    uint64_t blocked; /* that in which a result holds up data, the first of `blocks` */
    uint64_t blocks;
    uint32_t asked[8]; /* by line: the packet that has gone to memory */
} scene;

/* One set; lines take turns among two banks. */
static void begin(scene *c, int64_t ways, int64_t mshrs, int64_t merges, bool polled) {
    *c = (scene){.l1 = {.size_B = 32 * ways,
                        .ways = ways,
                        .line_B = 32,
                        .latency = 1,
                        .banks = 2,
                        .bank_accesses = 1,
                        .mshr_entries = mshrs,
                        .mshr_merges = merges,
                        .miss_queue = 4},
                 .polled = polled,
                 .next = 101,
                 .blocks = 1};
    c->sm = lone_l1_begin(&engine, &c->l1);
    engine.tags_forget = true;
    ws_units_init(&engine);
    ws_collect_lay_out(&engine);
}

static void end(scene *c) {
    lone_l1_end(&engine, c->sm);
}

/* A load reads the line: the tags see it in that cycle, the next one. */
static uint32_t read_line(scene *c, uint64_t line) {
    uint32_t load = ws_load_new(&engine, c->sm, 0, RESULT, 5), id = ws_packet_new(&engine.packets);
    engine.packets.at[id] = (ws_packet){.line = line, .load = load, .sectors = 1, .kind = WS_PACKET_READ};
    assert_true(ws_l1_start(&engine, c->sm, id));
    c->next = engine.now + 1;
    return load;
}

static void answer(scene *c, uint64_t line) {
    assert_true(ws_queue_push(&c->sm->inbox, c->asked[line], 1, engine.now));
    c->next = engine.now + 1;
}

/* The next cycle. The network takes each miss at once. */
static void l1_cycle(scene *c) {
    if (++engine.now < c->next && !c->polled) return;
    if (engine.now - c->blocked < c->blocks) ws_collect_take_ports(&engine, c->sm, 0, RESULT);
    ws_l1_step(&engine, c->sm);
    while (c->sm->miss_queue.count) {
        uint32_t id = ws_queue_pop(&c->sm->miss_queue);
        c->asked[engine.packets.at[id].line] = id;
    }
    c->next = ws_l1_next(&engine, c->sm, false);
}

static bool has_data(const scene *c, uint32_t load) {
    return c->sm->loads[load].left < 5;
}

/* Three wait for line 1, whose data come at 110 and are written at 112, 113, 114. The only MSHR is free at 113. */
static void an_mshr_is_free_when_the_last_is_fetched(void **state) {
    (void)state;
    static const struct {
        bool polled;
        uint64_t blocked, free; /* free: when line 2 finds the MSHR free */
    } cases[] = {{true, 0, 113}, {false, 0, 113}, {true, 112, 114}, {true, 113, 114}, {true, 114, 113}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        scene c;
        begin(&c, 2, 1, 8, cases[i].polled);
        c.blocked = cases[i].blocked;
        uint32_t loads[3];
        for (unsigned k = 0; k < 3; k++, l1_cycle(&c)) loads[k] = read_line(&c, 1);
        read_line(&c, 2);
        while (engine.now < 109) l1_cycle(&c);
        answer(&c, 1);
        while (engine.now < 120) {
            l1_cycle(&c);
            assert_int_equal(c.asked[2] != 0, engine.now >= cases[i].free);
            for (unsigned k = 0; cases[i].polled && k < 3; k++) {
                bool waits = c.blocked && c.blocked <= 112 + k;
                assert_int_equal(has_data(&c, loads[k]), engine.now >= 112 + k + waits);
            }
        }
        assert_int_equal(c.sm->counters.fail_retries[WS_FAIL_MSHR_FULL], cases[i].free - 104);
        end(&c);
    }
}

/* Line 1 comes at 110 for three, and leaves the L1 behind a fence in the same cycle. It is read again: while its MSHR
 * has data to be fetched, and merges, that read joins them; afterwards it is asked for anew. */
static void a_read_joins_data_that_wait(void **state) {
    (void)state;
    static const struct {
        uint64_t again; /* at the tags */
        int64_t merges;
        bool joins;
    } cases[] = {{111, 4, true}, {112, 4, true}, {113, 4, false}, {111, 3, true}};
    for (size_t i = 0; i < 2 * WS_COUNT(cases); i++) {
        bool polled = i % 2, joins = cases[i / 2].joins;
        uint64_t again = cases[i / 2].again;
        scene c;
        begin(&c, 1, 2, cases[i / 2].merges, polled);
        for (unsigned k = 0; k < 3; k++, l1_cycle(&c)) read_line(&c, 1);
        while (engine.now < 109) l1_cycle(&c);
        answer(&c, 1);
        c.asked[1] = 0;
        for (uint32_t load = 0; engine.now < 125; l1_cycle(&c)) {
            if (engine.now == 110) ws_l1_pass_fence(&engine, c.sm);
            if (engine.now + 1 == again) load = read_line(&c, 1);
            assert_int_equal(c.sm->counters.probes[WS_PROBE_PENDING], 2);
            assert_int_equal(c.sm->counters.probes[WS_PROBE_MISS], 1 + (engine.now >= again));
            if (load && polled) assert_int_equal(has_data(&c, load), joins && engine.now >= 115);
            if (polled) assert_int_equal(c.sm->mshr.used, !joins || engine.now < 114);
        }
        assert_int_equal(c.asked[1] != 0, !joins);
        if (joins) { /* the way stays reserved, as its data came to the former one, until another line finds none */
            assert_int_equal(ws_cache_victim(&c.sm->l1, 2), WS_NO_WAY);
            read_line(&c, 2), l1_cycle(&c), l1_cycle(&c);
            assert_int_not_equal(c.asked[2], 0);
        }
        end(&c);
    }
}

/* A reply of that kind comes, to be taken in the next cycle or later. `load`: who gets the value. */
static void bring(scene *c, enum ws_packet_kind kind, uint32_t load) {
    uint32_t id = ws_packet_new(&engine.packets);
    engine.packets.at[id] = (ws_packet){.kind = kind, .load = load, .sectors = 1, .bypasses = true};
    assert_true(ws_queue_push(&c->sm->inbox, id, 1, engine.now));
    if (engine.now + 1 < c->next) c->next = engine.now + 1;
}

/* Values of three loads, and behind them an acknowledgement, come to the port from 101 on, one per cycle. The first
 * value is written at 103 unless a result holds it up; then the third one waits at the port until the second one is no
 * longer in its way, and the acknowledgement behind it. */
static void values_hold_up_what_comes_behind(void **state) {
    (void)state;
    static const struct {
        uint64_t blocked, acknowledged;
    } cases[] = {{0, 104}, {102, 104}, {103, 105}, {104, 104}};
    for (size_t i = 0; i < 2 * WS_COUNT(cases); i++) {
        scene c;
        begin(&c, 2, 1, 8, i % 2);
        c.blocked = cases[i / 2].blocked;
        c.sm->warps[0].writes = c.sm->warps[0].in_flight = 2;
        uint32_t loads[3];
        for (unsigned k = 0; k < 3; k++) loads[k] = ws_load_new(&engine, c.sm, 0, LOADED, 5);
        for (unsigned k = 0; k < 4; k++, l1_cycle(&c)) {
            bring(&c, k < 3 ? WS_PACKET_ATOMIC : WS_PACKET_WRITE, k < 3 ? loads[k] : 0);
            assert_int_equal(c.sm->warps[0].writes, 2);
        }
        for (; engine.now < 110; l1_cycle(&c))
            assert_int_equal(c.sm->warps[0].writes, engine.now < cases[i / 2].acknowledged ? 2 : 1);
        end(&c);
    }
}

/* The same, of as many values as come until then, for a line of code. Three of them have room at the unit. */
static void values_hold_up_code_where_they_lack_room(void **state) {
    (void)state;
    static const struct {
        uint64_t comes, blocks, taken; /* blocks: cycles from 103 on */
    } cases[] = {{104, 0, 104}, {104, 1, 104}, {105, 9, 105}, {106, 7, 112}, {107, 7, 113}};
    for (size_t i = 0; i < 2 * WS_COUNT(cases); i++) {
        scene c;
        begin(&c, 2, 1, 8, i % 2);
        ws_icache icache = {.misses = {{.line = 9, .missing = 1}}, .miss_count = 1};
        assert_true(ws_cache_init(&icache.tags, 1, 1, WS_INDEX_LINEAR, WS_REPLACE_LRU, 0, 0));
        engine.icaches = &icache;
        c.blocked = 103, c.blocks = cases[i / 2].blocks;
        for (; engine.now + 1 < cases[i / 2].comes; l1_cycle(&c))
            bring(&c, WS_PACKET_ATOMIC, ws_load_new(&engine, c.sm, 0, LOADED, 5));
        bring(&c, WS_PACKET_READ, WS_CODE);
        engine.packets.at[ws_queue_behind(&c.sm->inbox, c.sm->inbox.count - 1)->id].line = 9;
        for (; engine.now < 120; l1_cycle(&c))
            assert_int_equal(icache.misses[0].arrived != 0, engine.now >= cases[i / 2].taken);
        ws_cache_free(&icache.tags);
        engine.icaches = NULL;
        end(&c);
    }
}

/* From 103 on the ports of the registers are busy: 35 values wait in front of the unit, behind the first, and the
 * others in the network, until there is room again. */
static void values_that_find_no_room_stay_in_the_network(void **state) {
    (void)state;
    enum { VALUES = 50, ROOM = 35 };
    for (int polled = 0; polled < 2; polled++) {
        scene c;
        begin(&c, 2, 1, 8, polled);
        c.blocked = 103, c.blocks = 60;
        for (unsigned k = 0; k < VALUES; k++, l1_cycle(&c))
            bring(&c, WS_PACKET_ATOMIC, ws_load_new(&engine, c.sm, 0, LOADED, 5));
        while (engine.now < 162) l1_cycle(&c);
        assert_int_equal(ws_returns_values(c.sm), ROOM);
        assert_int_equal(c.sm->inbox.count, VALUES - 1 - ROOM);
        while (engine.now < 163 + VALUES) l1_cycle(&c);
        assert_int_equal(c.sm->inbox.count, 0);
        end(&c);
    }
}

/* Data of line 1 come at 110 for three, values of an atomic at 111, which wait for one of the three only, and data of
 * line 2 at 112. */
static void values_take_turns_with_data_of_the_l1(void **state) {
    (void)state;
    scene c;
    begin(&c, 2, 2, 8, true);
    uint32_t reads[4], value = ws_load_new(&engine, c.sm, 0, LOADED, 5);
    for (unsigned k = 0; k < 4; k++, l1_cycle(&c)) reads[k] = read_line(&c, k < 3 ? 1 : 2);
    while (engine.now < 109) l1_cycle(&c);
    answer(&c, 1);
    l1_cycle(&c);
    bring(&c, WS_PACKET_ATOMIC, value);
    l1_cycle(&c);
    answer(&c, 2);
    for (; engine.now < 120; l1_cycle(&c)) {
        static const uint64_t written[] = {112, 114, 115, 116};
        for (unsigned k = 0; k < 4; k++) assert_int_equal(has_data(&c, reads[k]), engine.now >= written[k]);
        assert_int_equal(has_data(&c, value), engine.now >= 113);
    }
    end(&c);
}

/* Data of line 1 come at 110 for three, of line 2 at 111. Line 1 is read again behind a fence: that read joins the
 * three, in front of line 2. */
static void a_read_that_joins_follows_its_entry(void **state) {
    (void)state;
    scene c;
    begin(&c, 2, 2, 8, true);
    uint32_t reads[4];
    for (unsigned k = 0; k < 4; k++, l1_cycle(&c)) reads[k] = read_line(&c, k < 3 ? 1 : 2);
    while (engine.now < 109) l1_cycle(&c);
    answer(&c, 1);
    l1_cycle(&c);
    ws_l1_pass_fence(&engine, c.sm);
    answer(&c, 2);
    uint32_t again = read_line(&c, 1);
    for (; engine.now < 120; l1_cycle(&c)) {
        static const uint64_t written[] = {112, 113, 114, 116};
        for (unsigned k = 0; k < 4; k++) assert_int_equal(has_data(&c, reads[k]), engine.now >= written[k]);
        assert_int_equal(has_data(&c, again), engine.now >= 115);
    }
    end(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_take_turns_with_data_of_the_l1),
        cmocka_unit_test(a_read_that_joins_follows_its_entry),
        cmocka_unit_test(an_mshr_is_free_when_the_last_is_fetched),
        cmocka_unit_test(a_read_joins_data_that_wait),
        cmocka_unit_test(values_hold_up_what_comes_behind),
        cmocka_unit_test(values_hold_up_code_where_they_lack_room),
        cmocka_unit_test(values_that_find_no_room_stay_in_the_network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
