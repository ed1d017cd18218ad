/* The interface between the timed engine and the owner of the partition slot: SMs' requests to it, its reads of the L2,
 * its answers. */
#include "../support/sides.h"
#include "timed/network/cluster.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { SLICES = 3, SMS = 2, LATENCY = 20, PORT = 4, LOADS = 8 };

typedef struct scene {
    ws_engine engine;
    ws_gpu_params gpu;
    ws_noc_params noc;
    ws_l1_params l1;
    ws_l2_params l2;
    ws_dram_params dram;
    ws_sm sms[SMS];
    ws_slice slices[SLICES];
    ws_load loads[LOADS];
} scene;

/* Makes SMs that are each a cluster of their own, and slices that nobody empties. */
static scene *set_up(enum ws_replies packets) {
    scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->gpu = (ws_gpu_params){.clusters = SMS, .sms_per_cluster = 1};
    s->noc = (ws_noc_params){
        .replies = packets, .in_buffer = PORT, .out_buffer = 2, .latency = 5, .crossbar_speedup = 1};
    s->l1 = (ws_l1_params){.line_B = 128};
    s->l2 = (ws_l2_params){.slices_per_channel = 1,
                           .interleave_B = 256,
                           .size_B = 4096,
                           .ways = 4,
                           .line_B = 128,
                           .latency = LATENCY,
                           .queue = 3};
    s->dram = (ws_dram_params){
        .channels = SLICES, .banks = 1, .near_banks = 1, .bank_B = 128, .row_B = 128, .rows = 1};
    ws_engine *e = &s->engine;
    e->gpu = &s->gpu;
    e->noc = &s->noc;
    e->l1 = &s->l1;
    e->l2 = &s->l2;
    e->dram = &s->dram;
    e->sms = s->sms;
    e->sm_count = e->cluster_count = SMS;
    e->slice_count = e->channel_count = SLICES;
    e->sms_per_cluster = e->sms_per_port = ws_divisor_of(1);
    ws_address_map_init(&e->map, &s->l1, &s->l2, &s->dram);
    for (uint32_t i = 0; i < SMS; i++) s->sms[i].index = i;
    for (uint32_t i = 0; i < SLICES; i++) s->slices[i].index = i;
    e->slices = s->slices;
    s->sms[1].loads = s->loads;
    assert_true(ws_packets_init(&e->packets) && ws_agendas_init(e) &&
                ws_network_init(&e->requests, SMS, SLICES, true, &s->noc, 128) &&
                ws_network_init(&e->replies, SLICES, SMS, false, &s->noc, 128));
    sides_go_to(e, 100);
    return s;
}

static void tear_down(scene *s) {
    ws_network_free(&s->engine.requests);
    ws_network_free(&s->engine.replies);
    ws_agendas_free(&s->engine);
    ws_packets_free(&s->engine.packets);
    free(s);
}

static uint32_t next_place(scene *s) {
    uint32_t id = ws_packet_new(&s->engine.packets);
    ws_packet_free(&s->engine.packets, id);
    return id;
}

/* An SM's requests to the partition go to the slices in turn, beginning with the slice of the SM's number. A request
 * that finds the port full takes no packet and no turn. */
static void requests_go_to_slices_in_turn(void **state) {
    (void)state;
    scene *s = set_up(WS_REPLIES_SECTORS);
    ws_engine *e = &s->engine;
    for (uint32_t sm = 0; sm < SMS; sm++) {
        const ws_memory_inst inst = {.load = 5, .warp = 7 + (uint8_t)sm};
        for (uint32_t i = 0; i < PORT; i++) {
            assert_true(ws_sm_ask_partition(e, &s->sms[sm], &inst));
            const ws_packet *p = &e->packets.at[ws_queue_behind(&e->requests.in[sm].queue, i)->id];
            assert_int_equal(p->slice, (sm + i) % SLICES);
            assert_int_equal(p->sm, sm);
            assert_int_equal(p->warp, 7 + sm);
            assert_int_equal(p->load, 5);
            assert_int_equal(p->kind, WS_PACKET_READ);
            assert_true(p->special && p->bypasses);
            assert_int_equal(s->sms[sm].counters.bypasses, i + 1);
        }
        uint32_t free_place = next_place(s);
        assert_false(ws_sm_ask_partition(e, &s->sms[sm], &inst));
        assert_int_equal(next_place(s), free_place);
        assert_int_equal(s->sms[sm].counters.bypasses, PORT);
        ws_queue_pop(&e->requests.in[sm].queue);
        assert_true(ws_sm_ask_partition(e, &s->sms[sm], &inst)); /* its turn was not taken */
        assert_int_equal(e->packets.at[ws_queue_behind(&e->requests.in[sm].queue, PORT - 1)->id].slice,
                         (sm + PORT) % SLICES);
    }
    tear_down(s);
}

/* A read by the slot's owner waits as long for the tags as a request that leaves the network's port in this cycle, and
 * it takes a place in the same queue. */
static void reads_wait_like_requests_behind_the_port(void **state) {
    (void)state;
    scene *s = set_up(WS_REPLIES_SECTORS);
    ws_engine *e = &s->engine;
    const uint64_t line = 11;
    uint32_t slice = ws_slice_of(&e->map, line), places = 0;
    const ws_queue *in = &e->requests.out[slice].queue;
    uint32_t limit =
        2; /* the port's buffer: the queue in front of the tags is too small for the gate to open */
    while (ws_partition_read(e, line, 6, 40 + places)) {
        const ws_queued *queued = ws_queue_behind(in, places++);
        const ws_packet *p = &e->packets.at[queued->id];
        assert_int_equal(queued->when, 100);
        assert_int_equal(queued->weight, 1);
        assert_int_equal(p->line, line);
        assert_int_equal(p->sectors, 6);
        assert_int_equal(p->load, 39 + places);
        assert_int_equal(p->sm, WS_NO_SM);
        assert_int_equal(p->slice, slice);
        assert_int_equal(p->kind, WS_PACKET_READ);
        assert_true(p->special);
        assert_int_equal(in->weight, places);
        if (places > limit) break;
    }
    assert_int_equal(places, limit);
    assert_false(e->failed);
    /* The slice has been woken for the cycle in which the first read reaches its tags. */
    uint32_t part;
    sides_go_to(e, 100 + LATENCY + 1);
    ws_agenda_turns turns = ws_agenda_turns_now(&e->memory_agenda);
    assert_true(ws_agenda_take(&turns, &part));
    assert_int_equal(part, SLICES + slice);
    tear_down(s);
}

/* Each reply is one ws_packet. In the network it is as many packets as it has sectors, or one (noc.replies). The load
 * waits for all sectors. */
static void check_answers(enum ws_replies packets) {
    scene *s = set_up(packets);
    ws_engine *e = &s->engine;
    ws_timed_warp tail = {0};
    for (uint32_t replies = 1; replies <= 2; replies++)
        for (uint32_t sectors = 1; sectors <= 4; sectors++) {
            uint32_t id = ws_packet_new(&e->packets);
            e->packets.at[id] = (ws_packet){.load = 3,
                                            .sm = 1,
                                            .slice = 2,
                                            .kind = WS_PACKET_READ,
                                            .special = true,
                                            .bypasses = true,
                                            .warp = 9};
            s->sms[1].warps[9].tail = NULL;
            uint32_t slice = replies % SLICES;
            ws_queue *out = &e->replies.in[slice].queue;
            ws_partition_answer(e, id, slice, replies, sectors, &tail, 123);
            assert_ptr_equal(s->sms[1].warps[9].tail, &tail);
            assert_int_equal(s->loads[3].left, replies * sectors);
            assert_int_equal(out->count, replies);
            assert_int_equal(out->weight, replies * (packets == WS_REPLIES_LINES ? 1 : sectors));
            for (uint32_t i = 0; i < replies; i++) {
                const ws_queued *queued = ws_queue_behind(out, 0);
                const ws_packet *p = &e->packets.at[queued->id];
                assert_int_equal(queued->when, 123);
                assert_int_equal(p->sectors, (1u << sectors) - 1);
                assert_false(p->special);
                assert_true(p->bypasses);
                assert_int_equal(p->load, 3);
                assert_int_equal(p->sm, 1);
                ws_packet_free(&e->packets, ws_queue_pop(out));
            }
        }
    tear_down(s);
}

static void answers_are_replies_and_a_tail(void **state) {
    (void)state;
    check_answers(WS_REPLIES_SECTORS);
    check_answers(WS_REPLIES_LINES);
}

/* An answer needs room in the buffer of the port, not in the slice's queue in front of it. */
static void answers_need_room_at_the_port(void **state) {
    (void)state;
    scene *s = set_up(WS_REPLIES_SECTORS);
    ws_engine *e = &s->engine;
    for (uint32_t weight = 0; weight <= PORT + 3; weight++) {
        assert_int_equal(ws_partition_can_answer(e, 1), weight < PORT);
        assert_true(ws_partition_can_answer(e, 0));
        uint32_t id = ws_packet_new(&e->packets);
        e->packets.at[id] = (ws_packet){.sm = 0, .kind = WS_PACKET_READ, .sectors = 1};
        ws_network_put(e, &e->replies, 1, id, e->now);
    }
    tear_down(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_go_to_slices_in_turn),
        cmocka_unit_test(reads_wait_like_requests_behind_the_port),
        cmocka_unit_test(answers_are_replies_and_a_tail),
        cmocka_unit_test(answers_need_room_at_the_port),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
