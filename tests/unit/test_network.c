/* A network against its definition, flit by flit: in each step of a cycle each free output takes, of the packets that
 * may go there, the one whose input comes first from the output's turn on. The network has turns only in cycles that it
 * asks for, and those at its ports are told of what they wait for, of nothing else, and in time. */
#include "../support/random.h"
#include "base/array.h"
#include "timed/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { PORTS_MAX = 140, SHARE_MAX = 3, WAITING_MAX = 64, CYCLES = 600 };
enum { PARTS_MAX = PORTS_MAX + 2 + PORTS_MAX + PORTS_MAX * SHARE_MAX };

/* ---- the definition */

typedef struct waiting {
    uint32_t id, output, flits;
    uint32_t entered, passed; /* of its flits: have entered the input's buffer, have passed the crossbar */
    bool gone;                /* the first one has */
    uint64_t when;
} waiting;

typedef struct line_up {
    waiting at[WAITING_MAX];
    uint32_t count;
    uint64_t busy;    /* the port, up to this step, and while it gives or takes a packet's flits */
    uint32_t moving;  /* packets that it does that with */
    uint32_t unsent;  /* of an output: flits that have not left it */
    uint64_t crossed; /* of an output: flits that the buffer behind it has had time to take up */
} line_up;

typedef struct naive_network {
    uint32_t inputs, outputs, in_limit, out_limit, latency, speedup, turn[PORTS_MAX];
    uint32_t queue;    /* flits that may wait in front of an input's buffer, or 0 */
    uint32_t boundary; /* flits in the buffer behind an output, or 0 */
    /* At inputs: packets whose flits have not all come or gone; at outputs: those that have come, or will. */
    line_up in[PORTS_MAX], out[PORTS_MAX];
    uint32_t wanted[PORTS_MAX]; /* by input: flits of the smallest packet that has found no room, or 0 */
    bool input_speedup;
    bool lines; /* noc.replies */
    ws_network_counts moved;
    bool told[CYCLES + 128][PARTS_MAX]; /* by the number of its turn: who has one then */
} naive_network;

static waiting leave(line_up *l, uint32_t which) {
    waiting it = l->at[which];
    l->count--;
    for (uint32_t i = which; i < l->count; i++) l->at[i] = l->at[i + 1];
    return it;
}

static void join(line_up *l, waiting w) {
    assert_true(l->count < WAITING_MAX);
    l->at[l->count++] = w;
}

/* The first packet that has not begun to go, or NULL. */
static waiting *head_of(line_up *l) {
    for (uint32_t i = 0; i < l->count; i++)
        if (!l->at[i].gone) return &l->at[i];
    return NULL;
}

/* Of packets that have not begun to go. */
static uint32_t flits_in(const line_up *l) {
    uint32_t flits = 0;
    for (uint32_t i = 0; i < l->count; i++) flits += l->at[i].gone ? 0 : l->at[i].flits;
    return flits;
}

static uint32_t flits_in_front(const line_up *l) {
    uint32_t flits = 0;
    for (uint32_t i = 0; i < l->count; i++) flits += l->at[i].flits - l->at[i].entered;
    return flits;
}

static bool fits_in_front(const naive_network *n, uint32_t in_front, uint32_t flits) {
    return !n->queue || !in_front || in_front + flits <= n->queue;
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

/* Something has left an input port. Who waits for room is told if it fits now: SMs in this cycle, a slice in the next
 * one. */
static void naive_makes_room(naive_network *n, const ws_engine *e, bool to_memory, uint32_t input) {
    uint32_t held = flits_in(&n->in[input]), sms = (uint32_t)e->sms_per_cluster.value;
    if (!n->wanted[input] || (held && held + n->wanted[input] > n->in_limit)) return;
    n->wanted[input] = 0;
    if (!to_memory) n->told[e->now + 1][input] = true;
    for (uint32_t i = 0; to_memory && i < sms; i++) n->told[e->now][sm_part(e, input * sms + i)] = true;
}

static void naive_wants(naive_network *n, uint32_t input, uint32_t flits) {
    if (!n->wanted[input] || flits < n->wanted[input]) n->wanted[input] = flits;
}

/* The first packet with flits in front of the buffer lets one enter it. */
static void naive_enter(naive_network *n, const ws_engine *e, uint32_t input) {
    line_up *in = &n->in[input];
    for (uint32_t i = 0; i < in->count; i++) {
        waiting *w = &in->at[i];
        if (w->entered == w->flits) continue;
        w->entered += w->when <= e->now;
        break;
    }
}

/* So many flits find no room in front of the buffer: whoever waits is told once so many have entered it. */
static void naive_waits(naive_network *n, const ws_engine *e, uint32_t input, uint32_t flits) {
    uint32_t in_front = flits_in_front(&n->in[input]), cycles = 0, sms = (uint32_t)e->sms_per_cluster.value;
    while (!fits_in_front(n, in_front - cycles, flits)) cycles++;
    for (uint32_t i = 0; cycles && i < sms; i++) n->told[e->now + cycles][sm_part(e, input * sms + i)] = true;
}

/* A flit passes the crossbar. Behind a packet's last one the way of another has to be allocated, in a step for itself
 * where a cycle has several. */
static void naive_pass(naive_network *n, uint32_t input, waiting *w, uint64_t step) {
    line_up *ports[] = {&n->in[input], &n->out[w->output]};
    w->passed++;
    for (int i = 0; i < 2; i++) {
        ports[i]->moving += w->passed == 1;
        ports[i]->moving -= w->passed == w->flits;
        if (w->passed == w->flits) ports[i]->busy = step + (n->speedup > 1 ? 2 : 1);
    }
}

/* What the network has of a packet: to memory one, with the data that it carries; on its way back one of each line, or
 * of each sector. Acknowledged writes carry none. */
static uint64_t packets_of(const naive_network *n, bool to_memory, const ws_packet *p) {
    return to_memory || n->lines ? 1 : (uint64_t)__builtin_popcount(p->sectors);
}
static uint64_t data_of(const naive_network *n, bool to_memory, const ws_packet *p) {
    if (to_memory) return UINT64_C(32) * p->data_B;
    uint64_t sectors = n->lines ? (uint64_t)__builtin_popcount(p->sectors) : 1;
    return p->kind == WS_PACKET_WRITE ? 0 : 32 * sectors;
}

/* The input's packet begins to go. Its flits leave the output one in a cycle, behind those that are there. */
static void naive_go(naive_network *n, const ws_engine *e, bool to_memory, uint32_t input, waiting *w,
                     uint64_t step) {
    const ws_packet *p = &e->packets.at[w->id];
    uint64_t data = data_of(n, to_memory, p), packets = packets_of(n, to_memory, p);
    n->moved.packets += packets;
    n->moved.without_data += data == 0 ? packets : 0;
    n->moved.bytes += packets * (8 + data);
    n->moved.flits += w->flits;
    n->turn[w->output] = (input + 1) % n->inputs;
    w->gone = true;
    naive_makes_room(n, e, to_memory, input);
    naive_pass(n, input, w, step);
    line_up *out = &n->out[w->output];
    out->unsent += w->flits;
    waiting comes = {.id = w->id, .flits = w->flits, .when = e->now + out->unsent + n->latency};
    join(out, comes);
    if (out->count == 1) naive_arrives(n, e, to_memory, w->output, comes.when);
}

/* Behind an output flits cross to a buffer one in a cycle, which then count there; without it packets count. One that
 * is empty takes any packet. */
static bool fits_at_output(const naive_network *n, uint32_t output, uint32_t flits) {
    const line_up *out = &n->out[output];
    if (!n->boundary) return out->count < n->out_limit;
    uint32_t all = flits_in(out) + flits;
    return !out->count || all <= n->out_limit ||
           (all <= n->out_limit + n->boundary && all <= n->out_limit + out->crossed);
}

/* Of a packet that leaves the output, or the buffer behind it, which then takes up the next one. */
static uint32_t leave_output(naive_network *n, const ws_engine *e, uint32_t output) {
    line_up *out = &n->out[output];
    waiting w = leave(out, 0);
    if (out->crossed > n->boundary) out->crossed = n->boundary;
    out->crossed -= out->crossed < w.flits ? out->crossed : w.flits;
    if (!n->boundary || !out->count || out->crossed >= out->at[0].flits) return w.id;
    uint64_t when = e->now + out->at[0].flits - out->crossed;
    if (out->at[0].when < when) out->at[0].when = when;
    return w.id;
}

/* Whether the input's first packet may go to the output. Several steps in a cycle are for flits in the buffer. */
static bool may_go(naive_network *n, const ws_engine *e, uint32_t input, uint32_t output, uint64_t step) {
    const line_up *in = &n->in[input];
    const waiting *w = head_of(&n->in[input]);
    if (!w || w->output != output || w->when > e->now || (n->speedup > 1 && !w->entered)) return false;
    return n->input_speedup || (!in->moving && in->busy <= step);
}

static void naive_allocate(naive_network *n, const ws_engine *e, bool to_memory, uint64_t step) {
    for (uint32_t o = 0; o < n->outputs; o++) {
        const line_up *out = &n->out[o];
        if (out->moving || out->busy > step) continue;
        for (uint32_t i = 0; i < n->inputs; i++) {
            uint32_t input = (n->turn[o] + i) % n->inputs;
            if (!may_go(n, e, input, o, step)) continue;
            waiting *w = head_of(&n->in[input]);
            if (fits_at_output(n, o, w->flits)) naive_go(n, e, to_memory, input, w, step);
            break;
        }
    }
}

/* Of each packet on its way another flit passes, if it has entered the buffer, or does so in the next step. */
static void naive_pass_all(naive_network *n, uint64_t step) {
    bool last = step % n->speedup == n->speedup - 1;
    for (uint32_t input = 0; input < n->inputs; input++)
        for (uint32_t i = 0; i < n->in[input].count; i++) {
            waiting *w = &n->in[input].at[i];
            if (w->gone && w->passed < w->flits && (w->passed < w->entered + last || n->speedup == 1))
                naive_pass(n, input, w, step);
        }
}

static void naive_step(naive_network *n, const ws_engine *e, bool to_memory) {
    for (uint32_t i = 0; i < n->inputs; i++) naive_enter(n, e, i);
    for (uint32_t o = 0; o < n->outputs; o++) n->out[o].unsent -= n->out[o].unsent > 0;
    for (uint32_t k = 0; k < n->speedup; k++) {
        naive_pass_all(n, e->now * n->speedup + k);
        naive_allocate(n, e, to_memory, e->now * n->speedup + k);
    }
    for (uint32_t input = 0; input < n->inputs; input++)
        for (uint32_t i = 0; i < n->in[input].count;) {
            const waiting *w = &n->in[input].at[i];
            if (w->passed == w->flits && w->entered == w->flits)
                leave(&n->in[input], i);
            else
                i++;
        }
}

/* ---- both */

typedef struct scene {
    ws_engine engine;
    bool open; /* slices take what has come, else others take from the ports when they like */
    ws_network *real;
    naive_network naive;
    ws_noc_params noc;
    ws_l2_params l2;
} scene;

static uint32_t flits_of(const scene *s, const ws_packet *p) {
    uint64_t bytes = 8 + data_of(&s->naive, s->real->to_memory, p), flit_B = (uint64_t)s->noc.flit_B,
             flits = flit_B ? (bytes + flit_B - 1) / flit_B : 1;
    return (uint32_t)(packets_of(&s->naive, s->real->to_memory, p) * flits);
}

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
    if (!s->real->to_memory) n->in_limit += (uint32_t)s->l2.queue; /* a queue in front of the port */
}

static void build(scene *s, bool to_memory, uint32_t clusters, uint32_t share, uint32_t slices) {
    ws_engine *e = &s->engine;
    e->l2 = &s->l2;
    e->cluster_count = clusters;
    e->cluster_parts = share > 1 ? clusters : 0;
    e->sm_count = clusters * share;
    e->sms_per_cluster = ws_divisor_of(share);
    e->slice_count = slices;
    e->slices = calloc(slices, sizeof *e->slices);
    e->sms = calloc(e->sm_count, sizeof *e->sms);
    assert_true(e->slices && e->sms && ws_packets_init(&e->packets) &&
                ws_agenda_init(&e->agenda, sm_part(e, e->sm_count)));
    for (uint32_t i = 0; i < slices; i++) {
        e->slices[i].index = i;
        if (!s->open) e->slices[i].in.weight = e->slices[i].sectors_in_front = UINT32_MAX / 2;
    }
    s->real = to_memory ? &e->requests : &e->replies;
    uint32_t inputs = to_memory ? clusters : slices, outputs = to_memory ? slices : clusters;
    assert_true(ws_network_init(s->real, inputs, outputs, to_memory, &s->noc, &s->l2));
    define(s, inputs, outputs);
}

static void set_up(scene *s, uint64_t *random, bool to_memory) {
    uint32_t clusters = 1 + random_below(random, random_one_in(random, 2) ? 6 : PORTS_MAX),
             slices = 1 + random_below(random, random_one_in(random, 2) ? 3 : PORTS_MAX),
             share = 1 + random_below(random, SHARE_MAX);
    static const int64_t flits_B[] = {0, 16, 32, 40, 64};
    s->noc = (ws_noc_params){.flit_B = flits_B[random_below(random, 5)],
                             .replies = (int)random_below(random, 2),
                             .latency = random_below(random, 4),
                             .in_buffer = 1 + random_below(random, random_one_in(random, 2) ? 12 : 40),
                             .out_buffer = 1 + random_below(random, 3),
                             .crossbar_speedup = 1 + random_below(random, 3),
                             .injection_queue = random_one_in(random, 2) ? 1 + random_below(random, 24) : 0,
                             .input_speedup = random_one_in(random, 3)};
    if (s->noc.input_speedup) s->noc.crossbar_speedup = 1;
    if (random_one_in(random, 2)) {
        s->noc.boundary_buffer = 1 + random_below(random, 24);
        s->noc.out_buffer = 1 + random_below(random, 16);
    }
    s->open = to_memory && random_one_in(random, 2);
    s->noc.out_buffer += s->open; /* beside what a slice has not taken yet */
    s->l2 = (ws_l2_params){.line_B = random_one_in(random, 2) ? 128 : 256,
                           .latency = random_below(random, 4),
                           .queue = 1 + random_below(random, 4) + (s->open ? 8 : 0)};
    build(s, to_memory, clusters, share, slices);
}

static void tear_down(scene *s) {
    for (uint32_t i = 0; i < s->engine.slice_count; i++) ws_queue_free(&s->engine.slices[i].in);
    ws_network_free(s->real);
    ws_agenda_free(&s->engine.agenda);
    ws_packets_free(&s->engine.packets);
    free(s->engine.slices);
    free(s->engine.sms);
}

/* An SM waits with a packet for which its port has no room, a slice as long as the port and its queue are full. */
static bool fits(scene *s, uint32_t input, uint32_t id, uint32_t flits) {
    ws_engine *e = &s->engine;
    uint32_t held = flits_in(&s->naive.in[input]);
    bool room = s->real->to_memory ? (!held || held + flits <= s->naive.in_limit) &&
                                         fits_in_front(&s->naive, flits_in_front(&s->naive.in[input]), flits)
                                   : held < s->naive.in_limit;
    if (s->real->to_memory)
        assert_int_equal(ws_network_has_room(e, s->real, input, id), room);
    else if (!room)
        ws_network_await_level(s->real, input, s->naive.in_limit - 1);
    if (!room) naive_wants(&s->naive, input, s->real->to_memory ? flits : 1);
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
    uint32_t flits = flits_of(s, &e->packets.at[id]);
    /* What SMs send may go in the next cycle. */
    bool at_once = to_memory && s->naive.queue;
    uint64_t when = e->now + 1 + (at_once ? 0 : random_below(random, 3));
    bool room = fits(s, input, id, flits), in_buffer = s->naive.speedup == 1 && !at_once;
    if (to_memory) {
        assert_int_equal(ws_network_send(e, s->real, input, id, when), room);
        if (!room) naive_waits(&s->naive, e, input, flits);
    } else if (room) {
        ws_network_put(e, s->real, input, id, when);
    }
    if (room)
        join(&s->naive.in[input], (waiting){id, output, flits, in_buffer ? flits : 0, 0, false, when});
    else
        ws_packet_free(&e->packets, id);
}

static void take(scene *s, uint32_t output) {
    ws_engine *e = &s->engine;
    uint32_t id = ws_network_take(e, s->real, output, e->now, e->now);
    assert_int_equal(id, leave_output(&s->naive, e, output));
    ws_packet_free(&e->packets, id);
}

/* The slice takes the packet, which has come to its port, from there; or none has. */
static void slice_takes(scene *s, uint32_t slice, uint32_t packet) {
    ws_engine *e = &s->engine;
    ws_queue *in = &e->slices[slice].in;
    ws_slice_let_in(e, &e->slices[slice]);
    assert_int_equal(in->count, packet != WS_NO_PACKET);
    if (packet == WS_NO_PACKET) return;
    assert_int_equal(ws_queue_pop(in), packet);
    ws_packet_free(&e->packets, packet);
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
    ws_network_counts counts = ws_network_count(&s->engine, s->real);
    assert_memory_equal(&counts, &s->naive.moved, sizeof counts);
}

/* Runs whatever part is due, of which only the network itself does something. */
static void take_turns(scene *s, bool due[PARTS_MAX]) {
    ws_engine *e = &s->engine;
    ws_agenda_turns turns = ws_agenda_turns_now(&e->agenda);
    uint32_t part, me = e->slice_count + !s->real->to_memory;
    while (ws_agenda_take(&turns, &part)) {
        due[part] = true;
        if (part == me) ws_network_step(e, s->real);
    }
    due[me] = false;
}

/* Open slices take what has come by now. `first`: all but those whose ports are full, whom the network asks itself. */
static void slices_take(scene *s, uint32_t taken[PORTS_MAX], bool first) {
    for (uint32_t o = 0; s->open && o < s->naive.outputs; o++) {
        line_up *port = &s->naive.out[o];
        bool full = ws_network_room_at(s->real, o, 1) > s->engine.now;
        if (first)
            taken[o] = port->count && port->at[0].when <= s->engine.now
                           ? leave_output(&s->naive, &s->engine, o)
                           : WS_NO_PACKET;
        if (first && full) continue;
        slice_takes(s, o, taken[o]);
        taken[o] = WS_NO_PACKET;
    }
}

/* One cycle: somebody takes from outputs, the network has its turn if it is due, somebody fills inputs. Replies are
 * taken in the cycle after they have come. */
static void cycle(scene *s, uint64_t *random, bool busy) {
    ws_engine *e = &s->engine;
    naive_network *n = &s->naive;
    bool to_memory = s->real->to_memory, due[PARTS_MAX] = {false};
    uint32_t taken[PORTS_MAX];
    for (uint32_t o = 0; o < n->outputs; o++) n->out[o].crossed++;
    for (uint32_t o = 0; !s->open && o < n->outputs; o++)
        if (n->out[o].count && n->out[o].at[0].when + !to_memory <= e->now && random_one_in(random, 2))
            take(s, o);
    slices_take(s, taken, true);
    take_turns(s, due);
    slices_take(s, taken, false);
    naive_step(n, e, to_memory);
    compare(s);
    assert_memory_equal(due, n->told[e->now], sizeof due);
    for (uint32_t i = 0; busy && i < n->inputs; i++)
        if (random_one_in(random, 3)) put(s, random, i);
}

static void equal_to_its_definition(void **state) {
    (void)state;
    uint64_t random = 5;
    for (int round = 0; round < 120; round++) {
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

/* What replies take of a port, by hand: 8 B and 32 B of each sector; sectors apart are as many packets. */
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
                build(s, false, 1, 1, 1);
                ws_engine *e = &s->engine;
                uint32_t id = ws_packet_new(&e->packets), sectors = cases[i].sectors;
                e->packets.at[id] = (ws_packet){.sectors = (uint8_t)((1u << sectors) - 1),
                                                .kind = writes ? WS_PACKET_WRITE : WS_PACKET_READ};
                e->now = e->agenda.now = 1;
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

/* By hand, with two steps in a cycle: five flits from each of two inputs to one output, two behind those of the first.
 * They enter the first one's buffer in cycles 2 to 6, and 7 to 8. */
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
    build(s, true, 2, 1, 1);
    for (uint64_t now = 1; now < 20; now++) {
        bool due[PARTS_MAX];
        s->engine.now = s->engine.agenda.now = now;
        take_turns(s, due);
        if (now == 1) assert_true(send_write(s, 0, 4) && send_write(s, 1, 4) && !send_write(s, 0, 1));
        if (now == 2) assert_true(send_write(s, 0, 1));
    }
    /* The first goes in cycle 2. Its last flit passes in step 11, ahead of cycle 6, so that the second goes in step 13,
     * when one flit of the first has not left the output; its last flit passes in step 17, and the third goes in step
     * 19, of cycle 9, when three have not. */
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

/* A buffer of 16 flits behind that of an output of 8, and packets of four flits: nobody takes any for a while, and then
 * whatever may be taken, one in a cycle. */
static void packets_cross_a_boundary(void **state) {
    (void)state;
    scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->noc = (ws_noc_params){
        .flit_B = 40, .in_buffer = 200, .out_buffer = 8, .boundary_buffer = 16, .crossbar_speedup = 1};
    s->l2 = (ws_l2_params){.line_B = 128, .queue = 8};
    build(s, true, 1, 1, 1);
    ws_queue *port = &s->real->out[0].queue;
    uint32_t sent = 0, taken = 0, flits = 16; /* of the boundary buffer */
    for (uint64_t now = 1; now < 300; now++) {
        bool due[PARTS_MAX];
        s->engine.now = s->engine.agenda.now = now;
        if (now == 100) assert_int_equal(port->count, (16 + 8) / 4);
        if (now >= 100 && taken < 20) {
            assert_int_equal(ws_queue_ready(port, now), flits >= 4);
            if (flits >= 4) {
                ws_packet_free(&s->engine.packets, ws_network_take(&s->engine, s->real, 0, now, now));
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(equal_to_its_definition),
                                       cmocka_unit_test(replies_by_hand), cmocka_unit_test(some_flits),
                                       cmocka_unit_test(packets_cross_a_boundary)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
