/* Banks of an L1 that wait for each other: what one does lets another go on in the same cycle. */
#include "../support/lone_l1.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const ws_core_params core = {.coalescers = 1};
static const ws_sm_params sm_params = {.schedulers = 1};
static ws_timed_static statics[] = {{.writes = 0x1}};
static ws_engine engine = {
    .sm_params = &sm_params, .statics = {.at = statics}, .core = &core, .cluster_parts = 1};
static const ws_l1_params l1 = {.size_B = 64,
                                .ways = 1,
                                .line_B = 64,
                                .latency = 1,
                                .banks = 2,
                                .bank_accesses = 1,
                                .access = WS_ACCESS_SECTOR,
                                .write = WS_WRITE_THROUGH_LAZY,
                                .mshr_entries = 4,
                                .mshr_merges = 4,
                                .miss_queue = 8};

/* An access to a sector of the line, in the bank of that sector. */
static void start(ws_sm *s, enum ws_packet_kind kind, uint64_t line, uint8_t sectors) {
    uint32_t id = ws_packet_new(&engine.packets);
    engine.packets.at[id] = (ws_packet){.line = line, .sectors = sectors, .kind = (uint8_t)kind & 3};
    if (kind == WS_PACKET_READ) engine.packets.at[id].load = ws_load_new(&engine, s, 0, 0, 2);
    assert_true(ws_l1_start(&engine, s, id));
}

/* The network takes all misses at once. */
static void step(ws_sm *s) {
    engine.now++;
    ws_l1_step(&engine, s);
    while (s->miss_queue.count) ws_queue_pop(&s->miss_queue);
}

/* Line 1 has the only way while its data are on their way. Line 2 waits for it, until a write to what is on its way
 * makes line 1 a victim: in the same cycle if the write is in the bank that goes first, else in the next. */
static void a_write_lets_another_bank_have_its_way(void **state) {
    (void)state;
    for (unsigned writer = 0; writer < 2; writer++) {
        ws_sm *s = lone_l1_begin(&engine, &l1);
        uint8_t written = (uint8_t)(1 << writer), other = (uint8_t)(2 >> writer);
        start(s, WS_PACKET_READ, 1, written);
        step(s);
        start(s, WS_PACKET_READ, 2, other);
        step(s);
        step(s);
        assert_int_equal(s->l1.lines[0].line, 1);
        start(s, WS_PACKET_WRITE, 1, written);
        step(s);
        assert_int_equal(s->l1.lines[0].line, writer ? 1 : 2);
        step(s);
        assert_int_equal(s->l1.lines[0].line, 2);
        lone_l1_end(&engine, s);
    }
}

/* Data that come in a cycle make their way the newest, also one in a higher place than those used in an earlier cycle,
 * in which the banks have last served something. */
static void a_filled_way_is_newer_than_one_used_before(void **state) {
    (void)state;
    ws_l1_params two_ways = l1;
    two_ways.size_B = 128, two_ways.ways = 2, two_ways.banks = 1, two_ways.allocation = WS_ALLOCATE_ON_FILL;
    engine.tags_forget = true;
    ws_sm *s = lone_l1_begin(&engine, &two_ways);
    uint32_t asked[4];
    for (uint64_t line = 1; line < 4; line++) {
        start(s, WS_PACKET_READ, line, 1);
        engine.now++;
        ws_l1_step(&engine, s);
        asked[line] = ws_queue_pop(&s->miss_queue);
        if (line == 3) break;
        assert_true(ws_queue_push(&s->inbox, asked[line], 1, engine.now));
        engine.now++;
        ws_l1_step(&engine, s);
        assert_int_equal(s->l1.lines[line - 1].line, line);
    }
    start(s, WS_PACKET_READ, 1, 1); /* a hit */
    engine.now++;
    ws_l1_step(&engine, s);
    engine.now += 5;
    assert_true(ws_queue_push(&s->inbox, asked[3], 1, engine.now));
    engine.now++;
    ws_l1_step(&engine, s);
    assert_int_equal(s->l1.lines[1].line, 3);
    assert_int_equal(ws_cache_victim(&s->l1, 4), 0); /* line 1's */
    lone_l1_end(&engine, s);
    engine.tags_forget = false;
}

/* Eight sets with an index of its own, which tells a set's bank from that of the line's lowest bits. */
static void banks_are_those_of_sets_or_sectors(void **state) {
    (void)state;
    for (int by = WS_BANK_BY_SECTOR; by <= WS_BANK_BY_SET; by++)
        for (int64_t banks = 1; banks <= 4; banks++) {
            ws_l1_params p = l1;
            p.size_B = 8 * p.line_B, p.banks = banks, p.index = WS_INDEX_XOR, p.bank_by = by;
            ws_sm *s = lone_l1_begin(&engine, &p);
            for (uint64_t line = 0; line < 200; line++)
                for (uint8_t sectors = 1; sectors < 4; sectors++) {
                    uint64_t set = (line ^ line / 8) % 8, first = 2 * line + (sectors == 2);
                    assert_int_equal(ws_l1_bank_of(&engine, s, line, sectors),
                                     (by == WS_BANK_BY_SET ? set : first) % (uint64_t)banks);
                }
            lone_l1_end(&engine, s);
        }
}

/* A bank accepts its number of accesses per cycle, until as many are in it as it accepts while one passes; and serves
 * as many. */
static void a_bank_takes_its_accesses_per_cycle(void **state) {
    (void)state;
    for (int64_t n = 1; n <= 3; n++) {
        ws_l1_params slow = l1;
        slow.latency = 3;
        slow.bank_accesses = n;
        ws_sm *s = lone_l1_begin(&engine, &slow);
        for (int cycle = 0; cycle < 3; cycle++, engine.now++) {
            for (int64_t in = 0; in < n; in++) start(s, WS_PACKET_READ, 1, 1);
            assert_null(ws_l1_bank_for(&engine, s, 1, 1));
            assert_ptr_equal(ws_l1_bank_for(&engine, s, 1, 2), &s->banks[1]);
        }
        assert_null(ws_l1_bank_for(&engine, s, 1, 1));
        assert_int_equal(ws_queue_head(&s->banks[0].queue)->when, engine.now); /* its cycle at the tags */
        ws_l1_step(&engine, s);
        assert_int_equal(s->banks[0].queue.count, 2 * n);
        assert_ptr_equal(ws_l1_bank_for(&engine, s, 1, 1), &s->banks[0]);
        while (s->miss_queue.count) ws_queue_pop(&s->miss_queue);
        lone_l1_end(&engine, s);
    }
}

/* The way that the line of a stalled head may take is known until data come to its set, or the head is tried again.
 * Four sets of two ways. */
static void a_heads_way_is_known_until_data_come_to_its_set(void **state) {
    (void)state;
    ws_l1_params sets = l1;
    sets.size_B = 8 * sets.line_B, sets.ways = 2;
    ws_sm *s = lone_l1_begin(&engine, &sets);
    for (uint32_t head = 0; head < 8; head++)
        for (uint32_t way = 0; way < 8; way++) {
            s->head_way = head;
            ws_l1_note_data(s, way);
            assert_int_equal(s->head_way, way / 2 == head / 2 ? WS_NO_WAY : head);
        }
    s->head_way = 1;
    s->banks_stalled = 1;
    ws_l1_try_again(s);
    assert_int_equal(s->head_way, WS_NO_WAY);
    assert_int_equal(s->banks_stalled, 0);
    lone_l1_end(&engine, s);
}

/* Without operand collectors, values that bypass the L1 have their turn in the cycle after the reply is taken, which is
 * the one after it comes. */
static void values_take_a_cycle_from_the_port(void **state) {
    (void)state;
    ws_sm *s = lone_l1_begin(&engine, &l1);
    uint32_t id = ws_packet_new(&engine.packets), load = ws_load_new(&engine, s, 0, 0, 1);
    engine.packets.at[id] = (ws_packet){.sectors = 1, .kind = WS_PACKET_ATOMIC, .bypasses = 1, .load = load};
    assert_true(ws_queue_push(&s->inbox, id, 1, engine.now));
    step(s);
    assert_int_equal(ws_queue_head(&s->ready[WS_FROM_L1])->id, load);
    assert_int_equal(ws_queue_head(&s->ready[WS_FROM_L1])->when, engine.now + 1);
    ws_queue_pop(&s->ready[WS_FROM_L1]);
    lone_l1_end(&engine, s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_write_lets_another_bank_have_its_way),
        cmocka_unit_test(a_filled_way_is_newer_than_one_used_before),
        cmocka_unit_test(banks_are_those_of_sets_or_sectors),
        cmocka_unit_test(a_bank_takes_its_accesses_per_cycle),
        cmocka_unit_test(a_heads_way_is_known_until_data_come_to_its_set),
        cmocka_unit_test(values_take_a_cycle_from_the_port),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
