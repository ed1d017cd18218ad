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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_write_lets_another_bank_have_its_way)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
