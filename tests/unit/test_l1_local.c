/* Local memory in an L1 that global writes pass: what is written there stays, and is written back when its line loses
 * its way. */
#include "../support/lone_l1.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static const ws_core_params core = {.coalescers = 1};
static const ws_sm_params sm_params = {.schedulers = 1};
static ws_timed_static statics[] = {{.writes = 0x1}};
/* Replies come to the SM's inbox. */
static ws_engine engine = {
    .sm_params = &sm_params, .statics = {.at = statics}, .core = &core, .cluster_parts = 1};
static ws_l1_params l1 = {.size_B = 64,
                          .ways = 1,
                          .line_B = 64,
                          .latency = 1,
                          .banks = 1,
                          .bank_accesses = 1,
                          .access = WS_ACCESS_SECTOR,
                          .write = WS_WRITE_EVICT,
                          .mshr_entries = 4,
                          .mshr_merges = 4,
                          .miss_queue = 4};
static ws_sm *sm;

/* One way, of two sectors. */
static void begin(enum ws_allocation allocation) {
    l1.allocation = (int)allocation;
    engine.tags_forget = allocation == WS_ALLOCATE_ON_FILL;
    sm = lone_l1_begin(&engine, &l1);
    sm->warps[0].in_flight = 100;
}

static void end(void) {
    lone_l1_end(&engine, sm);
}

/* The access comes to the tags in the next cycle. */
static void access_line(ws_packet p) {
    uint32_t id = ws_packet_new(&engine.packets);
    engine.packets.at[id] = p;
    if (p.kind == WS_PACKET_READ)
        engine.packets.at[id].load = ws_load_new(&engine, sm, 0, 0, 2);
    else
        sm->warps[0].writes += ws_sector_count(p.sectors), sm->warps[0].in_flight++;
    assert_true(ws_l1_start(&engine, sm, id));
    engine.now++;
    ws_l1_step(&engine, sm);
}

/* Returns what leaves the miss queue first, which must be there. */
static uint32_t leave(void) {
    assert_int_not_equal(sm->miss_queue.count, 0);
    return ws_queue_pop(&sm->miss_queue);
}

/* Reads a sector of local memory, which is there in the end. */
static void bring(uint64_t line) {
    access_line((ws_packet){.line = line, .sectors = 1, .kind = WS_PACKET_READ, .local = true});
    assert_true(ws_queue_push(&sm->inbox, leave(), 1, engine.now));
    engine.now++;
    ws_l1_step(&engine, sm);
    assert_int_equal(sm->l1.lines[0].valid, 1);
}

static ws_packet write_of(uint64_t line, uint8_t sectors, uint64_t words, bool local) {
    return (ws_packet){.line = line,
                       .sectors = sectors,
                       .words = words,
                       .data_B = 1,
                       .kind = WS_PACKET_WRITE,
                       .local = local};
}

static void what_hits_stays_until_its_line_is_evicted(void **state) {
    (void)state;
    begin(WS_ALLOCATE_ON_MISS);
    bring(1);
    access_line(write_of(1, 1, 0x3, true));
    access_line(write_of(1, 1, 0xc, true));
    assert_int_equal(sm->warps[0].writes, 0); /* acknowledged */
    assert_int_equal(sm->miss_queue.count, 0);
    assert_int_equal(sm->l1.dirty_lines, 1);

    access_line((ws_packet){.line = 2, .sectors = 2, .kind = WS_PACKET_READ});
    assert_int_equal(sm->miss_queue.count, 2); /* the read goes first */
    assert_int_equal(engine.packets.at[leave()].line, 2);
    const ws_packet *back = &engine.packets.at[leave()];
    assert_int_equal(back->kind, WS_PACKET_WRITE_BACK);
    assert_int_equal(back->line, 1);
    assert_int_equal(back->sectors, 1);
    assert_int_equal(back->words, 0xf);
    assert_int_equal(back->data_B, 1);
    assert_int_equal(sm->l1.dirty_lines, 0);
    end();
}

/* A line that gets another of its sectors loses nothing: what is written of it stays. */
static void a_line_that_gets_another_sector_stays(void **state) {
    (void)state;
    begin(WS_ALLOCATE_ON_MISS);
    bring(1);
    access_line(write_of(1, 1, 0x3, true));
    access_line((ws_packet){.line = 1, .sectors = 2, .kind = WS_PACKET_READ, .local = true});
    assert_int_equal(sm->miss_queue.count, 1);
    assert_int_equal(engine.packets.at[leave()].kind, WS_PACKET_READ);
    assert_int_equal(sm->l1.lines[0].dirty, 1);
    assert_int_equal(sm->l1.dirty_lines, 1);
    end();
}

/* A write that misses, of a sector that is absent or of global memory goes through and leaves nothing dirty. */
static void other_writes_go_through(void **state) {
    (void)state;
    const struct {
        ws_packet write;
        uint8_t valid; /* what is left of line 1 */
    } cases[] = {
        {write_of(2, 1, 0xff, true), 1}, {write_of(1, 2, 0xff00, true), 1}, {write_of(1, 1, 0xff, false), 0}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        begin(WS_ALLOCATE_ON_MISS);
        bring(1);
        access_line(cases[i].write);
        assert_int_equal(engine.packets.at[leave()].kind, WS_PACKET_WRITE);
        assert_int_equal(sm->warps[0].writes, 1);
        assert_int_equal(sm->l1.lines[0].valid, cases[i].valid);
        assert_int_equal(sm->l1.dirty_lines, 0);
        end();
    }
}

/* With on_fill data that arrive take the way, and nothing is written back. */
static void data_that_arrive_write_nothing_back(void **state) {
    (void)state;
    begin(WS_ALLOCATE_ON_FILL);
    bring(1);
    access_line(write_of(1, 1, 0xff, true));
    assert_int_equal(sm->l1.dirty_lines, 1);
    bring(2);
    assert_int_equal(sm->miss_queue.count, 0);
    assert_int_equal(sm->l1.lines[0].line, 2);
    assert_int_equal(sm->l1.dirty_lines, 0);
    end();
}

/* What is still to be written back goes with the L1, as lone_l1_end() checks. */
static void what_is_written_back_late_is_dropped(void **state) {
    (void)state;
    begin(WS_ALLOCATE_ON_MISS);
    bring(1);
    access_line(write_of(1, 1, 0x3, true));
    access_line((ws_packet){.line = 2, .sectors = 2, .kind = WS_PACKET_READ});
    leave();
    assert_int_equal(sm->miss_queue.count, 1);
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_hits_stays_until_its_line_is_evicted),
        cmocka_unit_test(a_line_that_gets_another_sector_stays),
        cmocka_unit_test(other_writes_go_through),
        cmocka_unit_test(data_that_arrive_write_nothing_back),
        cmocka_unit_test(what_is_written_back_late_is_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
