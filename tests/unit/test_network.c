/* A network against its definition: each cycle each free output takes, of the packets that may go there, a part of the
 * one whose input comes first from the output's turn on; parts are sectors. The network has turns only in cycles that
 * it asks for, and those at its ports are told of what they wait for, of nothing else, and in time. */
#include "../support/random.h"
#include "timed/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { PORTS_MAX = 140, SHARE_MAX = 3, WAITING_MAX = 32, CYCLES = 600 };
enum { PARTS_MAX = PORTS_MAX + 2 + PORTS_MAX + PORTS_MAX * SHARE_MAX };

/* ---- the definition */

typedef struct waiting {
    uint32_t id, output, weight, parts, flits; /* parts that are left, flits of each */
    uint64_t when;
} waiting;

typedef struct line_up {
    waiting at[WAITING_MAX];
    uint32_t count;
    uint64_t busy; /* the port, up to this cycle */
    uint64_t left; /* an input's last whole packet */
} line_up;

typedef struct naive_network {
    uint32_t inputs, outputs, in_limit, out_limit, latency, largest, turn[PORTS_MAX];
    line_up in[PORTS_MAX], out[PORTS_MAX];
    bool apart; /* sectors go one by one */
    bool input_speedup;
    ws_network_counts moved;
    bool told[CYCLES + 64][PARTS_MAX]; /* by the number of its turn: who has one then */
} naive_network;

static waiting leave(line_up *l) {
    waiting first = l->at[0];
    l->count--;
    for (uint32_t i = 0; i < l->count; i++) l->at[i] = l->at[i + 1];
    return first;
}

static void join(line_up *l, waiting w) {
    assert_true(l->count < WAITING_MAX);
    l->at[l->count++] = w;
}

static uint32_t flits_in(const line_up *l) {
    uint32_t flits = 0;
    for (uint32_t i = 0; i < l->count; i++) flits += l->at[i].weight;
    return flits;
}

/* Numbers of turns: slices, the two networks, clusters that are parts of their own, SMs. */
static uint32_t sm_part(const ws_engine *e, uint32_t sm) {
    return e->slice_count + 2 + e->cluster_parts + sm;
}

/* The first packet has come to an output port. Slices take nothing by themselves here. */
static void naive_arrives(naive_network *n, const ws_engine *e, bool to_memory, uint32_t output,
                          uint64_t when) {
    if (to_memory)
        n->told[when + (uint64_t)e->l2->latency + 1][output] = true; /* behind its delay */
    else
        n->told[when + 1][e->slice_count + 2 + output] = true; /* the cluster, or its only SM */
}

/* Something is about to leave an input port: SMs that the largest packet would have had to wait for, in this cycle; a
 * slice that waits behind a full queue of replies, in the next one. */
static void naive_makes_room(naive_network *n, const ws_engine *e, bool to_memory, uint32_t input) {
    uint32_t held = flits_in(&n->in[input]), sms = (uint32_t)e->sms_per_cluster.value;
    if (!to_memory && e->slices[input].blocked && held >= n->in_limit) n->told[e->now + 1][input] = true;
    for (uint32_t i = 0; to_memory && held + n->largest > n->in_limit && i < sms; i++)
        n->told[e->now][sm_part(e, input * sms + i)] = true;
}

static void naive_step(naive_network *n, const ws_engine *e, bool to_memory) {
    for (uint32_t o = 0; o < n->outputs; o++) {
        if (n->out[o].busy > e->now || n->out[o].count == n->out_limit) continue;
        for (uint32_t i = 0; i < n->inputs; i++) {
            uint32_t input = (n->turn[o] + i) % n->inputs;
            line_up *in = &n->in[input];
            bool free = in->busy <= e->now || (n->input_speedup && in->left == e->now);
            if (!in->count || !free || in->at[0].when > e->now || in->at[0].output != o) continue;
            waiting w = in->at[0];
            in->busy = n->out[o].busy = e->now + w.flits;
            n->turn[o] = (input + 1) % n->inputs;
            const ws_packet *p = &e->packets.at[w.id];
            uint64_t units = to_memory ? p->data_B : p->kind != WS_PACKET_WRITE;
            uint64_t packets = to_memory || n->apart ? 1 : (uint64_t)__builtin_popcount(p->sectors);
            n->moved.packets += packets;
            n->moved.bytes += packets * (8 + 32 * units);
            n->moved.flits += w.flits;
            if (--in->at[0].parts) break;
            naive_makes_room(n, e, to_memory, input);
            leave(in);
            in->left = e->now;
            if (n->input_speedup) in->busy = e->now + 1;
            w.when = e->now + w.flits + n->latency;
            join(&n->out[o], w);
            if (n->out[o].count == 1) naive_arrives(n, e, to_memory, o, w.when);
            break;
        }
    }
}

/* ---- both */

typedef struct scene {
    ws_engine engine;
    ws_network *real;
    naive_network naive;
    ws_noc_params noc;
    ws_l2_params l2;
} scene;

static uint32_t flits_of(const scene *s, uint32_t units) {
    return s->noc.flit_B ? (uint32_t)((8 + 32 * units + s->noc.flit_B - 1) / s->noc.flit_B) : 1;
}

static void define(scene *s, uint32_t inputs, uint32_t outputs) {
    naive_network *n = &s->naive;
    n->inputs = inputs;
    n->outputs = outputs;
    n->latency = (uint32_t)s->noc.latency;
    n->apart = s->noc.sectors_apart;
    n->input_speedup = s->noc.input_speedup;
    n->in_limit = (uint32_t)s->noc.in_buffer;
    n->out_limit = (uint32_t)s->noc.out_buffer;
    n->largest = flits_of(s, (uint32_t)s->l2.line_B / 32);
    if (!s->real->to_memory) n->in_limit += (uint32_t)s->l2.queue; /* a queue in front of the port */
}

static void set_up(scene *s, uint64_t *random, bool to_memory) {
    uint32_t clusters = 1 + random_below(random, random_one_in(random, 2) ? 6 : PORTS_MAX),
             slices = 1 + random_below(random, random_one_in(random, 2) ? 3 : PORTS_MAX),
             share = 1 + random_below(random, SHARE_MAX);
    static const int64_t flits_B[] = {0, 32, 40};
    s->noc = (ws_noc_params){.flit_B = flits_B[random_below(random, 3)],
                             .latency = random_below(random, 4),
                             .in_buffer = 1 + random_below(random, 12),
                             .out_buffer = 1 + random_below(random, 3),
                             .sectors_apart = random_one_in(random, 2),
                             .input_speedup = random_one_in(random, 2)};
    s->l2 = (ws_l2_params){.line_B = random_one_in(random, 2) ? 128 : 256,
                           .latency = random_below(random, 4),
                           .queue = 1 + random_below(random, 4)};
    ws_engine *e = &s->engine;
    e->l2 = &s->l2;
    e->cluster_count = clusters;
    e->cluster_parts = share > 1 ? clusters : 0;
    e->sm_count = clusters * share;
    e->sms_per_cluster = ws_divisor_of(share);
    e->slice_count = slices;
    e->slices = calloc(slices, sizeof *e->slices);
    assert_true(e->slices && ws_packets_init(&e->packets) &&
                ws_agenda_init(&e->agenda, sm_part(e, e->sm_count)));
    for (uint32_t i = 0; i < slices; i++)
        e->slices[i].index = i, e->slices[i].in.weight = e->slices[i].sectors_in_front = UINT32_MAX / 2;
    s->real = to_memory ? &e->requests : &e->replies;
    uint32_t inputs = to_memory ? clusters : slices, outputs = to_memory ? slices : clusters;
    assert_true(ws_network_init(s->real, inputs, outputs, to_memory, &s->noc, &s->l2));
    define(s, inputs, outputs);
}

static void tear_down(scene *s) {
    ws_network_free(s->real);
    ws_agenda_free(&s->engine.agenda);
    ws_packets_free(&s->engine.packets);
    free(s->engine.slices);
}

/* An SM waits with a packet for which its port has no room, a slice whenever the port and its queue are full. */
static bool fits(scene *s, uint32_t input, uint32_t id, uint32_t flits) {
    ws_engine *e = &s->engine;
    uint32_t held = flits_in(&s->naive.in[input]);
    bool room = s->real->to_memory ? !held || held + flits <= s->naive.in_limit : held < s->naive.in_limit;
    if (s->real->to_memory)
        assert_int_equal(ws_network_has_room(e, s->real, input, id), room);
    else
        assert_int_equal(s->real->in[input].queue.weight <= s->real->in_tight, room);
    return room;
}

static void put(scene *s, uint64_t *random, uint32_t input) {
    ws_engine *e = &s->engine;
    bool to_memory = s->real->to_memory;
    uint32_t id = ws_packet_new(&e->packets), output = random_below(random, s->naive.outputs),
             share = (uint32_t)e->sms_per_cluster.value,
             sm = (to_memory ? input : output) * share + random_below(random, share),
             units = (uint32_t)s->l2.line_B / 32;
    e->packets.at[id] = (ws_packet){.slice = (uint16_t)(to_memory ? output : input),
                                    .sm = (uint16_t)sm,
                                    .sectors = (uint8_t)(1 + random_below(random, (1u << units) - 1)),
                                    .data_B = (uint8_t)random_below(random, units + 1),
                                    .kind = random_one_in(random, 3) ? WS_PACKET_WRITE : WS_PACKET_READ};
    const ws_packet *p = &e->packets.at[id];
    uint32_t sectors = to_memory ? 1 : (uint32_t)__builtin_popcount(p->sectors),
             flits = flits_of(s, to_memory ? p->data_B : p->kind != WS_PACKET_WRITE),
             parts = s->noc.sectors_apart ? sectors : 1;
    flits *= sectors / parts;
    uint64_t when = e->now + 1 + random_below(random, 3);
    bool room = fits(s, input, id, parts * flits);
    if (to_memory)
        assert_int_equal(ws_network_send(e, s->real, input, id, when), room);
    else if (room)
        ws_network_put(e, s->real, input, id, when);
    /* A slice may wait for something else, too. */
    if (!to_memory) e->slices[input].blocked = !room || random_one_in(random, 20);
    if (room)
        join(&s->naive.in[input], (waiting){id, output, parts * flits, parts, flits, when});
    else
        ws_packet_free(&e->packets, id);
}

static void take(scene *s, uint32_t output) {
    ws_engine *e = &s->engine;
    uint32_t id = ws_network_take(e, s->real, output, e->now);
    assert_int_equal(id, leave(&s->naive.out[output]).id);
    ws_packet_free(&e->packets, id);
}

static void compare(const scene *s) {
    for (uint32_t o = 0; o < s->naive.outputs; o++) {
        const line_up *expected = &s->naive.out[o];
        assert_int_equal(s->real->out[o].queue.count, expected->count);
        for (uint32_t i = 0; i < expected->count; i++) {
            const ws_queued *found = ws_queue_behind(&s->real->out[o].queue, i);
            assert_int_equal(found->id, expected->at[i].id);
            assert_int_equal(found->when, expected->at[i].when);
        }
    }
    ws_network_counts counts = ws_network_count(&s->engine, s->real, s->engine.now + 1);
    assert_memory_equal(&counts, &s->naive.moved, sizeof counts);
}

/* Runs whatever part is due, of which only the network itself does something. */
static void take_turns(scene *s, bool due[PARTS_MAX]) {
    ws_engine *e = &s->engine;
    uint32_t word = 0, part, me = e->slice_count + !s->real->to_memory;
    while (ws_agenda_take(&e->agenda, &word, &part)) {
        due[part] = true;
        if (part == me) ws_network_step(e, s->real);
    }
    due[me] = false;
}

/* One cycle: somebody takes from outputs, the network has its turn if it is due, somebody fills inputs. Replies are
 * taken in the cycle after they have come. */
static void cycle(scene *s, uint64_t *random, bool busy) {
    ws_engine *e = &s->engine;
    naive_network *n = &s->naive;
    bool to_memory = s->real->to_memory, due[PARTS_MAX] = {false};
    for (uint32_t o = 0; o < n->outputs; o++)
        if (n->out[o].count && n->out[o].at[0].when + !to_memory <= e->now && random_one_in(random, 2))
            take(s, o);
    take_turns(s, due);
    naive_step(n, e, to_memory);
    compare(s);
    assert_memory_equal(due, n->told[e->now], sizeof due);
    for (uint32_t i = 0; busy && i < n->inputs; i++)
        if (random_one_in(random, 3)) put(s, random, i);
}

static void equal_to_its_definition(void **state) {
    (void)state;
    uint64_t random = 5;
    for (int round = 0; round < 60; round++) {
        scene *s = calloc(1, sizeof *s);
        assert_non_null(s);
        set_up(s, &random, round % 2);
        for (uint64_t now = 1; now < CYCLES; now++) {
            s->engine.now = s->engine.agenda.now = now;
            cycle(s, &random, now % 100 < 60); /* busy, and then what is left goes */
        }
        assert_false(s->engine.failed);
        tear_down(s);
        free(s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_to_its_definition)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
