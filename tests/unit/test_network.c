/* The networks against their naive twin. Also tests that a network has turns only in cycles that it asked for, and that
 * those who wait at its ports are woken in time, and for nothing else. */
#include "../support/naive_network.h"
#include "../support/random.h"
#include "../support/sides.h"
#include "base/array.h"
#include "timed/l1/l1.h"
#include "timed/memory/slice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

typedef struct scene {
    ws_engine engine;
    bool open; /* true: slices take packets as they arrive; false: the test takes them, in random cycles */
    uint32_t patience; /* how many cycles it waits on average */
    uint32_t places;   /* of the buffer between a reply port and its SM */
    bool held_up;      /* SMs that share a port take no replies */
    ws_network *real;
    naive_network naive;
    ws_noc_params noc;
    ws_l2_params l2;
} scene;

static void define(scene *s, uint32_t inputs, uint32_t outputs) {
    naive_network *n = &s->naive;
    n->inputs = inputs;
    n->outputs = outputs;
    n->latency = (uint32_t)s->noc.latency;
    n->speedup = (uint32_t)s->noc.crossbar_speedup;
    n->queue = (uint32_t)s->noc.injection_queue;
    n->input_speedup = s->noc.input_speedup;
    n->lines = s->noc.replies == WS_REPLIES_LINES;
    n->in_limit = (uint32_t)s->noc.in_buffer;
    n->out_limit = (uint32_t)s->noc.out_buffer;
    n->boundary = (uint32_t)s->noc.boundary_buffer;
    n->router = n->speedup > 1 || n->queue;
    n->place_latency = s->noc.credit_latency ? (uint32_t)s->noc.credit_latency : 1;
    if (s->noc.credit_latency) n->credit_latency = (uint32_t)s->noc.credit_latency + !s->real->to_memory;
}

/* As if values waited at the load/store unit of an SM with a port of its own, so that the cluster's buffer is full but
 * for a few places; of another, as if replies did. */
static void hold_up(const scene *s, ws_sm *sm) {
    if (s->engine.cluster_parts)
        sm->inbox.count = s->held_up ? WS_REPLIES_BEHIND : 0;
    else
        sm->ready[WS_FROM_PORT].count = WS_VALUES_IN_FRONT - s->places;
}

/* `ports`: those of a cluster; `share`: SMs that share one. */
static void build(scene *s, bool to_memory, uint32_t clusters, uint32_t ports, uint32_t share,
                  uint32_t slices) {
    ws_engine *e = &s->engine;
    e->l2 = &s->l2;
    e->cluster_count = clusters;
    e->cluster_parts = share > 1 ? clusters : 0;
    e->port_count = clusters * ports;
    e->sm_count = e->port_count * share;
    e->sms_per_cluster = ws_divisor_of(ports * share);
    e->sms_per_port = ws_divisor_of(share);
    e->slice_count = slices;
    assert_true((e->slices = calloc(slices, sizeof *e->slices)) &&
                (e->sms = calloc(e->sm_count, sizeof *e->sms)) &&
                (e->rested = calloc(clusters, sizeof *e->rested)) && ws_packets_init(&e->packets) &&
                ws_agendas_init(e));
    for (uint32_t i = 0; i < slices; i++) {
        e->slices[i] = (ws_slice){.index = i, .gate_closes = s->open ? WS_NEVER : 0};
        ws_queue_init(&e->slices[i].in);
    }
    for (uint32_t i = 0; i < e->sm_count; i++) hold_up(s, &e->sms[i]);
    s->real = to_memory ? &e->requests : &e->replies;
    uint32_t inputs = to_memory ? e->port_count : slices, outputs = to_memory ? slices : e->port_count;
    assert_true(ws_network_init(s->real, inputs, outputs, to_memory, &s->noc, s->l2.line_B));
    define(s, inputs, outputs);
    if (to_memory || !s->real->plain) return;
    s->naive.out_limit += share > 1 ? WS_VALUES_IN_FRONT - WS_VALUES_AT_UNIT : s->places;
    s->naive.leaves = share > 1 && !s->held_up;
}

static void set_up(scene *s, uint64_t *random, bool to_memory) {
    uint32_t ports = 1 + random_below(random, 3),
             clusters = 1 + random_below(random, random_one_in(random, 2) ? 6 : NAIVE_PORTS_MAX / ports),
             slices = 1 + random_below(random, random_one_in(random, 2) ? 3 : NAIVE_PORTS_MAX),
             share = 1 + random_below(random, NAIVE_SHARE_MAX);
    static const int64_t flits_B[] = {0, 2, 16, 32, 40, 64};
    s->noc = (ws_noc_params){.flit_B = flits_B[random_below(random, WS_COUNT(flits_B))],
                             .replies = (int)random_below(random, 2),
                             .latency = random_below(random, 4),
                             .in_buffer = 1 + random_below(random, random_one_in(random, 2) ? 12 : 40),
                             .out_buffer = 1 + random_below(random, 3),
                             .crossbar_speedup = 1 + random_below(random, 3),
                             .injection_queue = random_one_in(random, 2) ? 1 + random_below(random, 24) : 0,
                             .credit_latency = random_one_in(random, 2) ? random_below(random, 6) : 0,
                             .input_speedup = random_one_in(random, 3)};
    if (s->noc.input_speedup) s->noc.crossbar_speedup = 1, s->noc.injection_queue = 0;
    if (s->noc.crossbar_speedup > 1) s->noc.latency++;
    s->open = to_memory && random_one_in(random, 2);
    s->patience = random_one_in(random, 2) ? 2 : 20;
    s->places = random_below(random, 3);
    s->held_up = random_one_in(random, 2);
    s->noc.out_buffer += s->open; /* in addition to what a slice has not taken yet */
    s->l2 = (ws_l2_params){.line_B = random_one_in(random, 2) ? 128 : 256,
                           .latency = random_below(random, 4),
                           .queue = 1 + random_below(random, 4) + (s->open ? 8 : 0)};
    if (random_one_in(random, 2)) {
        s->noc.boundary_buffer = ws_network_largest(&s->noc, s->l2.line_B) + random_below(random, 3) * 8;
        s->noc.out_buffer = 1 + s->open + random_below(random, 16);
    }
    build(s, to_memory, clusters, ports, share, slices);
}

static void tear_down(scene *s) {
    for (uint32_t i = 0; i < s->engine.slice_count; i++) ws_queue_free(&s->engine.slices[i].in);
    ws_network_free(s->real);
    ws_agendas_free(&s->engine);
    ws_packets_free(&s->engine.packets);
    free(s->engine.slices);
    free(s->engine.sms);
    free(s->engine.rested);
}

/* True if there is room for the packet; otherwise notes that its sender waits until it fits. */
static bool fits(scene *s, uint32_t input, uint32_t id, uint32_t flits) {
    ws_engine *e = &s->engine;
    bool to_memory = s->real->to_memory, room = naive_network_has_room(&s->naive, e, input, flits);
    assert_int_equal(ws_network_has_room(e, s->real, input, id), room);
    if (to_memory)
        assert_false(room ? ws_network_awaits_room(s->real, input, e->packets.at[id].data_B)
                          : ws_network_has_much_room(s->real, input));
    if (!room) naive_network_wants(&s->naive, e, to_memory, input, flits);
    return room;
}

static void put(scene *s, uint64_t *random, uint32_t input) {
    ws_engine *e = &s->engine;
    bool to_memory = s->real->to_memory;
    uint32_t id = ws_packet_new(&e->packets), output = random_below(random, s->naive.outputs),
             share = (uint32_t)e->sms_per_port.value,
             sm = (to_memory ? input : output) * share + random_below(random, share),
             units = (uint32_t)s->l2.line_B / 32;
    e->packets.at[id] = (ws_packet){.slice = (uint16_t)(to_memory ? output : input),
                                    .sm = (uint16_t)sm,
                                    .sectors = (uint8_t)(1 + random_below(random, (1u << units) - 1)),
                                    .data_B = (uint8_t)random_below(random, units + 1),
                                    .kind = random_one_in(random, 3) ? WS_PACKET_WRITE : WS_PACKET_READ};
    uint32_t flits = naive_network_flits(&s->naive, to_memory, &e->packets.at[id], (uint64_t)s->noc.flit_B);
    /* With an injection queue, what SMs send is due in the next cycle. */
    bool at_once = to_memory && s->naive.queue;
    uint64_t when = e->now + 1 + (at_once ? 0 : random_below(random, random_one_in(random, 20) ? 100 : 3));
    bool room = fits(s, input, id, flits);
    assert_int_equal(ws_network_send(e, s->real, input, id, when), room);
    naive_waiting packet = {
        .id = id, .output = output, .flits = flits, .entered = s->naive.router ? 0 : flits, .when = when};
    if (room)
        naive_network_join(&s->naive, input, packet);
    else
        ws_packet_free(&e->packets, id);
}

static void take(scene *s, uint32_t output) {
    ws_engine *e = &s->engine;
    uint32_t id = ws_network_take(s->real, output, e->now, e->now);
    assert_int_equal(id, naive_network_leave(&s->naive, e, output));
    ws_packet_free(&e->packets, id);
}

/* Checks that the slice takes from its port `packet`, which has arrived there, or nothing if it is WS_NO_PACKET. */
static void slice_takes(scene *s, uint32_t slice, uint32_t packet) {
    ws_engine *e = &s->engine;
    ws_queue *in = &e->slices[slice].in;
    ws_slice_let_in(e, &e->slices[slice]);
    assert_int_equal(in->count, packet != WS_NO_PACKET);
    if (packet == WS_NO_PACKET) return;
    assert_int_equal(ws_queue_pop(in), packet);
    e->slices[slice].gate_closes = WS_NEVER; /* as long as nothing else is in the queue */
    ws_packet_free(&e->packets, packet);
}

static void compare(const scene *s) {
    for (uint32_t o = 0; o < s->naive.outputs; o++) {
        const naive_port *expected = &s->naive.out[o];
        assert_int_equal(s->real->out[o].queue.count, expected->count);
        for (uint32_t i = 0; i < expected->count; i++) {
            const ws_queued *found = ws_queue_behind(&s->real->out[o].queue, i);
            assert_int_equal(found->id, expected->at[i].id);
            if (!s->naive.boundary) assert_int_equal(found->when, expected->at[i].when);
        }
        if (s->naive.boundary)
            assert_int_equal(ws_queue_ready(&s->real->out[o].queue, s->engine.now + 1),
                             naive_network_may_be_taken(&s->naive, o, s->engine.now + 1));
    }
    ws_network_counts counts = ws_network_count(&s->engine, s->real);
    assert_memory_equal(&counts, &s->naive.moved, sizeof counts);
}

/* Marks the parts of the other side that are due in `due`, numbered as naive_network does, and gives the network its
 * turn; the other parts do nothing here. */
static void take_turns(scene *s, bool due[NAIVE_PARTS_MAX]) {
    ws_engine *e = &s->engine;
    ws_agenda_turns memory = ws_agenda_turns_now(&e->memory_agenda), sms = ws_agenda_turns_now(&e->sm_agenda);
    uint32_t part;
    while (ws_agenda_take(&memory, &part)) due[part] = true;
    if (s->real->next_turn == e->now) ws_network_step(e, s->real);
    while (ws_agenda_take(&sms, &part)) due[e->slice_count + 2 + part] = true;
}

/* Open slices take what has arrived by now. Before the network's turn (`first`) only those whose ports are not full,
 * since the network lets the others take in its turn; after it, these are checked. */
static void slices_take(scene *s, uint32_t taken[NAIVE_PORTS_MAX], bool first) {
    for (uint32_t o = 0; s->open && o < s->naive.outputs; o++) {
        bool full = ws_network_room_at(s->real, o, 1) > s->engine.now;
        if (first)
            taken[o] = naive_network_may_be_taken(&s->naive, o, s->engine.now)
                           ? naive_network_leave(&s->naive, &s->engine, o)
                           : WS_NO_PACKET;
        if (first && full) continue;
        slice_takes(s, o, taken[o]);
        taken[o] = WS_NO_PACKET;
    }
}

/* One cycle: outputs are emptied at random, the network has its turn if it is due, inputs are filled at random, those
 * of slices before that. Replies are taken from the cycle after their arrival on. */
static void cycle(scene *s, uint64_t *random, bool busy) {
    ws_engine *e = &s->engine;
    naive_network *n = &s->naive;
    bool to_memory = s->real->to_memory, due[NAIVE_PARTS_MAX] = {false};
    uint32_t taken[NAIVE_PORTS_MAX];
    for (uint32_t i = 0; !to_memory && busy && i < n->inputs; i++)
        if (random_one_in(random, 3)) put(s, random, i);
    for (uint32_t o = 0; !s->open && o < n->outputs; o++)
        if (naive_network_may_be_taken(n, o, e->now - !to_memory) && random_one_in(random, s->patience))
            take(s, o);
    slices_take(s, taken, true);
    take_turns(s, due);
    slices_take(s, taken, false);
    naive_network_step(n, e, to_memory);
    compare(s);
    assert_memory_equal(due, n->told[e->now], sizeof due);
    for (uint32_t i = 0; to_memory && busy && i < n->inputs; i++)
        if (random_one_in(random, 3)) put(s, random, i);
}

static void equal_to_its_definition(void **state) {
    (void)state;
    uint64_t random = 5;
    for (int round = 0; round < 120; round++) {
        scene *s = calloc(1, sizeof *s);
        assert_non_null(s);
        set_up(s, &random, round % 2);
        for (uint64_t now = 1; now < NAIVE_CYCLES; now++) {
            sides_go_to(&s->engine, now);
            cycle(s, &random, now % 100 < 60); /* busy for a while; then the rest drains */
        }
        assert_false(s->engine.failed);
        tear_down(s);
        free(s);
    }
}

/* The size of replies, by hand: each packet has 8 B and 32 B per sector. With noc.replies = sectors, each sector is a
 * packet of its own. */
static void replies_by_hand(void **state) {
    (void)state;
    static const struct {
        int64_t flit_B;
        uint32_t sectors, apart, together; /* flits */
    } cases[] = {{0, 4, 4, 1},  {8, 4, 20, 17}, {16, 4, 12, 9}, {16, 1, 3, 3}, {32, 2, 4, 3}, {32, 4, 8, 5},
                 {40, 1, 1, 1}, {40, 2, 2, 2},  {40, 3, 3, 3},  {40, 4, 4, 4}, {40, 8, 8, 7}, {64, 3, 3, 2},
                 {64, 4, 4, 3}, {128, 4, 4, 2}, {136, 4, 4, 1}, {256, 8, 8, 2}};
    for (size_t i = 0; i < WS_COUNT(cases); i++)
        for (int lines = 0; lines < 2; lines++)
            for (int writes = 0; writes < 2; writes++) {
                scene *s = calloc(1, sizeof *s);
                assert_non_null(s);
                s->noc = (ws_noc_params){.flit_B = cases[i].flit_B,
                                         .replies = lines ? WS_REPLIES_LINES : WS_REPLIES_SECTORS,
                                         .in_buffer = 64,
                                         .out_buffer = 64,
                                         .crossbar_speedup = 1};
                s->l2 = (ws_l2_params){.line_B = 256, .queue = 8};
                build(s, false, 1, 1, 1, 1);
                ws_engine *e = &s->engine;
                uint32_t id = ws_packet_new(&e->packets), sectors = cases[i].sectors;
                e->packets.at[id] = (ws_packet){.sectors = (uint8_t)((1u << sectors) - 1),
                                                .kind = writes ? WS_PACKET_WRITE : WS_PACKET_READ};
                sides_go_to(e, 1);
                ws_network_put(e, s->real, 0, id, 1);
                ws_network_step(e, s->real);
                ws_network_counts c = ws_network_count(e, s->real);
                uint32_t packets = lines ? 1 : sectors, flits = lines ? cases[i].together : cases[i].apart;
                if (writes) flits = packets; /* of 8 B each */
                assert_int_equal(c.packets, packets);
                assert_int_equal(c.flits, flits);
                assert_int_equal(c.bytes, 8 * packets + (writes ? 0 : 32 * sectors));
                assert_int_equal(c.without_data, writes ? packets : 0);
                assert_int_equal(s->real->out[0].queue.when, 1 + flits);
                tear_down(s);
                free(s);
            }
}

static bool send_write(scene *s, uint16_t sm, uint8_t units) {
    ws_engine *e = &s->engine;
    uint32_t id = ws_packet_new(&e->packets);
    e->packets.at[id] = (ws_packet){.sm = sm, .data_B = units, .kind = WS_PACKET_WRITE};
    bool room = ws_network_has_room(e, s->real, sm, id);
    assert_int_equal(ws_network_send(e, s->real, sm, id, e->now + 1), room);
    if (!room) ws_packet_free(&e->packets, id);
    return room;
}

/* By hand, with two steps in a cycle: two inputs send five flits each (8 + 4 x 32 B in flits of 32 B) to the same
 * output, and then the first input sends two more. Flits enter the first input's buffer in cycles 2 to 6, and in 7 and
 * 8. */
static void some_flits(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->noc = (ws_noc_params){.flit_B = 32,
                             .latency = 3,
                             .in_buffer = 64,
                             .out_buffer = 64,
                             .crossbar_speedup = 2,
                             .injection_queue = 6};
    s->l2 = (ws_l2_params){.line_B = 128, .queue = 8};
    build(s, true, 2, 1, 1, 1);
    for (uint64_t now = 1; now < 20; now++) {
        bool due[NAIVE_PARTS_MAX];
        sides_go_to(&s->engine, now);
        take_turns(s, due);
        if (now == 1) assert_true(send_write(s, 0, 4) && send_write(s, 1, 4) && !send_write(s, 0, 1));
        if (now == 2) assert_true(send_write(s, 0, 1));
    }
    /* The first packet begins to cross in cycle 2. Its last flit passes in step 11, just ahead of cycle 6, in which it
     * enters the buffer. So the second begins in step 13 (cycle 6), when one flit of the first has not left the output;
     * its last flit passes in step 17. The third begins in step 19 (cycle 9), when three flits have not left. */
    static const uint64_t expected[] = {2 + 5 + 3, 6 + 1 + 5 + 3, 9 + 3 + 2 + 3};
    static const uint16_t sms[] = {0, 1, 0};
    assert_int_equal(s->real->out[0].queue.count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        const ws_queued *found = ws_queue_behind(&s->real->out[0].queue, i);
        assert_int_equal(s->engine.packets.at[found->id].sm, sms[i]);
        assert_int_equal(found->when, expected[i]);
    }
    tear_down(s);
    free(s);
}

/* An output buffer of 8 flits with a boundary buffer of 16 behind it, and packets of four flits. Nobody takes any until
 * cycle 100; from then on whatever is available is taken, at most one packet per cycle. */
static void packets_cross_a_boundary(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->noc = (ws_noc_params){
        .flit_B = 40, .in_buffer = 200, .out_buffer = 8, .boundary_buffer = 16, .crossbar_speedup = 1};
    s->l2 = (ws_l2_params){.line_B = 128, .queue = 8};
    build(s, true, 1, 1, 1, 1);
    ws_queue *port = &s->real->out[0].queue;
    uint32_t sent = 0, taken = 0, flits = 16; /* that have come to the boundary buffer */
    for (uint64_t now = 1; now < 300; now++) {
        bool due[NAIVE_PARTS_MAX];
        sides_go_to(&s->engine, now);
        if (now == 100) assert_int_equal(port->count, (16 + 8) / 4);
        if (now >= 100 && taken < 20) {
            assert_int_equal(ws_queue_ready(port, now), flits >= 4);
            if (flits >= 4) {
                ws_packet_free(&s->engine.packets, ws_network_take(s->real, 0, now, now));
                flits -= 4;
                taken++;
            }
            flits += flits < 16;
        }
        take_turns(s, due);
        if (sent < 40 && send_write(s, 0, 4)) sent++;
    }
    assert_int_equal(taken, 20);
    tear_down(s);
    free(s);
}

/* By hand, with two steps in a cycle: of four packets of one flit that are due in cycle 2, the first gets the output in
 * step 4 and passes in step 5, still in cycle 2; the second gets it in step 6 and passes in step 7, and so on. Each
 * credit comes back three cycles later, and whoever fills the port of four flits knows of the room from then on. */
static void credits_come_back(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->noc = (ws_noc_params){.flit_B = 40,
                             .latency = 3,
                             .in_buffer = 4,
                             .out_buffer = 64,
                             .boundary_buffer = 16,
                             .crossbar_speedup = 2,
                             .credit_latency = 3};
    s->l2 = (ws_l2_params){.line_B = 128, .queue = 8};
    build(s, true, 1, 1, 1, 1);
    static const uint64_t room_in[] = {5, 6, 7, 8}; /* 2, 3, 4 and 5, and three cycles */
    uint32_t sent = 0;
    for (uint64_t now = 1; now < 12; now++) {
        bool due[NAIVE_PARTS_MAX] = {false};
        sides_go_to(&s->engine, now);
        take_turns(s, due);
        if (now == 1)
            for (uint32_t i = 0; i < 5; i++) assert_int_equal(send_write(s, 0, 1), i < 4);
        if (now < 2) continue;
        bool room = send_write(s, 0, 1), expected = sent < 4 && now == room_in[sent];
        assert_int_equal(room, expected);
        sent += room;
        if (expected && sent == 1) assert_true(due[naive_sm_part(&s->engine, 0)]); /* woken for it */
        if (sent == 4) break;
    }
    assert_int_equal(sent, 4);
    tear_down(s);
    free(s);
}

/* By hand, with two steps in a cycle: an output of four flits, of which the boundary buffer takes none any more because
 * nobody takes from it. Another packet of the first input gets hold of the full output, and so goes first when there is
 * room, although it is the second input's turn, which by then has a packet, too. */
static void outputs_are_allocated_before_there_is_room(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->noc = (ws_noc_params){.flit_B = 40,
                             .latency = 3,
                             .in_buffer = 64,
                             .out_buffer = 4,
                             .boundary_buffer = 4,
                             .crossbar_speedup = 2};
    s->l2 = (ws_l2_params){.line_B = 128, .queue = 8};
    build(s, true, 2, 1, 1, 1);
    uint16_t sms[12];
    uint32_t taken = 0;
    for (uint64_t now = 1; now < 80; now++) {
        bool due[NAIVE_PARTS_MAX] = {false};
        sides_go_to(&s->engine, now);
        const ws_queue *port = &s->real->out[0].queue;
        if (now >= 50 && ws_queue_ready(port, now)) {
            sms[taken++] = s->engine.packets.at[ws_queue_head(port)->id].sm;
            ws_packet_free(&s->engine.packets, ws_network_take(s->real, 0, now, now));
        }
        take_turns(s, due);
        if (now == 1)
            for (uint32_t i = 0; i < 8; i++) assert_true(send_write(s, 0, 1));
        if (now == 30) assert_int_equal(port->count, 8); /* four flits, and four behind */
        if (now == 30) assert_true(send_write(s, 0, 1));
        if (now == 40) assert_true(send_write(s, 1, 1));
    }
    assert_int_equal(taken, 10);
    for (uint32_t i = 0; i < 10; i++) assert_int_equal(sms[i], i == 9);
    tear_down(s);
    free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_to_its_definition),
                                       cmocka_unit_test(replies_by_hand),
                                       cmocka_unit_test(some_flits),
                                       cmocka_unit_test(packets_cross_a_boundary),
                                       cmocka_unit_test(credits_come_back),
                                       cmocka_unit_test(outputs_are_allocated_before_there_is_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
