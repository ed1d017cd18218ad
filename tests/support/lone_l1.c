#include "lone_l1.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

ws_sm *lone_l1_begin(ws_engine *e, const ws_l1_params *l1) {
    const ws_l2_params l2 = {.slices_per_channel = 1, .interleave_B = 256, .line_B = l1->line_B};
    const ws_dram_params dram = {
        .channels = 1, .banks = 1, .near_banks = 1, .bank_B = 256, .row_B = 256, .rows = 1};
    ws_sm *sm = calloc(1, sizeof *sm);
    assert_non_null(sm);
    ws_sm_init_queues(sm);
    sm->replies = &sm->inbox;
    e->now = 100;
    e->l1 = l1;
    ws_l1_lay_out(e);
    e->schedulers = ws_divisor_of((uint64_t)e->sm_params->schedulers);
    e->sms_per_port = ws_divisor_of(1);
    e->replies.out = aligned_alloc(alignof(ws_network_output), sizeof *e->replies.out);
    assert_non_null(e->replies.out);
    ws_queue_init(&e->replies.out->queue);
    ws_address_map_init(&e->map, l1, &l2, &dram);
    assert_true(ws_packets_init(&e->packets) && ws_l1_init(e, sm));
    return sm;
}

void lone_l1_end(ws_engine *e, ws_sm *sm) {
    const ws_queued *last =
        sm->miss_queue.count ? ws_queue_behind(&sm->miss_queue, sm->miss_queue.count - 1) : NULL;
    uint32_t waits = last ? last->id : WS_NO_PACKET;
    ws_l1_free(e, sm);
    /* the packet that was freed last is the next to be taken */
    if (waits != WS_NO_PACKET) assert_int_equal(ws_packet_new(&e->packets), waits);
    ws_queue_free(&sm->inbox);
    ws_queue_free(&e->replies.out->queue);
    free(e->replies.out);
    ws_packets_free(&e->packets);
    free(sm->events);
    free(sm->loads);
    free(sm);
}
