/* The networks against a naive model that moves one flit at a time. The model follows the definition: in each step of a
 * cycle, each free output takes, of the packets that wait for it at the heads of inputs, the one whose input comes
 * first, counted from the output's turn on. Also tests that the network has turns only in cycles that it asked for, and
 * that those who wait at its ports are woken in time, and for nothing else. */
#include "../support/random.h"
#include "base/array.h"
#include "timed/memory/slice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { PORTS_MAX = 140, SHARE_MAX = 3, WAITING_MAX = 64, FLITS_MAX = 256, CYCLES = 600 };
enum { PARTS_MAX = PORTS_MAX + 2 + PORTS_MAX + PORTS_MAX * SHARE_MAX };

/* ---- the definition */

typedef struct waiting {
    uint32_t id, output, flits;
    uint32_t entered, passed; /* number of its flits that have entered the input's buffer; have passed */
    bool holds;               /* the output is allocated to it */
    bool gone;                /* it has made room for the next one at its input */
    uint64_t when;
} waiting;

typedef struct line_up {
    waiting at[WAITING_MAX];
    uint32_t count;
    uint64_t busy;   /* first step in which the port is free again, once no packet is moving */
    uint32_t moving; /* number of packets that hold the port */
    /* inputs: cycles in which credits of flits that have left come back */
    uint64_t credit[FLITS_MAX], last_credit;
    uint32_t credits;
    /* outputs: cycle in which the last flit left; cycles from which on flits may cross to the buffer behind, of those
     * that have not; how many are in there; the cycle in which the last one crossed */
    uint64_t sent, come[FLITS_MAX], crossed_in;
    uint32_t coming, crossed;
} line_up;

typedef struct naive_network {
    uint32_t inputs, outputs, in_limit, out_limit, latency, speedup, turn[PORTS_MAX];
    uint32_t queue;    /* flits that may wait in front of an input's buffer, or 0 */
    uint32_t boundary; /* flits in the buffer behind an output, or 0 */
    uint32_t credit_latency;
    /* At inputs: packets of which flits have yet to come or go; at outputs: packets that have come, or are on their
     * way. */
    line_up in[PORTS_MAX], out[PORTS_MAX];
    uint32_t wanted[PORTS_MAX]; /* per input: flits of the smallest packet that found no room, or 0 */
    bool input_speedup;
    bool lines; /* noc.replies */
    ws_network_counts moved;
    bool told[CYCLES + 512][PARTS_MAX]; /* per cycle and part: true if the part has a turn */
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

/* Returns the first packet that has not gone, or NULL. */
static waiting *head_of(line_up *l) {
    for (uint32_t i = 0; i < l->count; i++)
        if (!l->at[i].gone) return &l->at[i];
    return NULL;
}

/* Returns the number of flits of the packets that have not passed, unless their packet has gone as a whole. */
static uint32_t flits_in(const line_up *l) {
    uint32_t flits = 0;
    for (uint32_t i = 0; i < l->count; i++) flits += l->at[i].gone ? 0 : l->at[i].flits - l->at[i].passed;
    return flits;
}

/* Returns the first cycle, `now` or later, in which no more than `flits` flits are at the input or have left it without
 * their credits having come back; WS_NEVER: not before another one leaves. */
static uint64_t few_from(const line_up *in, uint32_t flits, uint64_t now) {
    if (flits_in(in) > flits) return WS_NEVER;
    for (;; now++) {
        uint32_t held = flits_in(in);
        for (uint32_t i = 0; i < in->credits; i++) held += in->credit[i] > now;
        if (held <= flits) return now;
    }
}

static uint32_t flits_in_front(const line_up *l) {
    uint32_t flits = 0;
    for (uint32_t i = 0; i < l->count; i++) flits += l->at[i].flits - l->at[i].entered;
    return flits;
}

static bool fits_in_front(const naive_network *n, uint32_t in_front, uint32_t flits) {
    return !n->queue || !in_front || in_front + flits <= n->queue;
}

/* Parts are numbered in the order of their turns: slices, the two networks, clusters that have turns, SMs. */
static uint32_t sm_part(const ws_engine *e, uint32_t sm) {
    return e->slice_count + 2 + e->cluster_parts + sm;
}

/* Notes who is woken when a packet arrives at an output port that was empty. Slices take nothing by themselves here. */
static void naive_arrives(naive_network *n, const ws_engine *e, bool to_memory, uint32_t output,
                          uint64_t when) {
    if (to_memory)
        n->told[when + (uint64_t)e->l2->latency + 1][output] = true; /* behind its delay line */
    else
        n->told[when + 1][e->slice_count + 2 + output] = true; /* the cluster, or its only SM */
}

/* Number of flits that may be at an input before a packet of `flits` flits fits. An empty one takes any packet. */
static uint32_t level_for(const naive_network *n, uint32_t flits) {
    return flits < n->in_limit ? n->in_limit - flits : 0;
}

/* Those who wait for room at the input are woken in the first cycle in which their packet fits, if that is known: SMs
 * in this cycle at the earliest, a slice in the next one. */
static void naive_tells(naive_network *n, const ws_engine *e, bool to_memory, uint32_t input) {
    uint32_t sms = (uint32_t)e->sms_per_cluster.value;
    if (!n->wanted[input]) return;
    uint64_t when = few_from(&n->in[input], level_for(n, n->wanted[input]), e->now + !to_memory);
    if (when == WS_NEVER) return;
    n->wanted[input] = 0;
    if (!to_memory) n->told[when][input] = true;
    for (uint32_t i = 0; to_memory && i < sms; i++) n->told[when][sm_part(e, input * sms + i)] = true;
}

/* A packet of `flits` flits finds no room at the input. */
static void naive_wants(naive_network *n, const ws_engine *e, bool to_memory, uint32_t input,
                        uint32_t flits) {
    uint32_t before = n->wanted[input];
    if (few_from(&n->in[input], level_for(n, flits), e->now) == e->now) return;
    if (few_from(&n->in[input], level_for(n, flits), e->now) == WS_NEVER) {
        if (!before || flits < before) n->wanted[input] = flits;
        return;
    }
    n->wanted[input] = flits;
    naive_tells(n, e, to_memory, input);
    n->wanted[input] = before;
}

/* Lets one flit enter the input's buffer: of the first packet that has flits in front of it, if it is due. */
static void naive_enter(naive_network *n, const ws_engine *e, uint32_t input) {
    line_up *in = &n->in[input];
    for (uint32_t i = 0; i < in->count; i++) {
        waiting *w = &in->at[i];
        if (w->entered == w->flits) continue;
        w->entered += w->when <= e->now;
        break;
    }
}

/* A packet of `flits` flits found no room in front of the buffer. The cluster's SMs are woken in the first cycle in
 * which enough flits have entered the buffer, at one per cycle. */
static void naive_waits(naive_network *n, const ws_engine *e, uint32_t input, uint32_t flits) {
    uint32_t in_front = flits_in_front(&n->in[input]), cycles = 0, sms = (uint32_t)e->sms_per_cluster.value;
    while (!fits_in_front(n, in_front - cycles, flits)) cycles++;
    for (uint32_t i = 0; cycles && i < sms; i++) n->told[e->now + cycles][sm_part(e, input * sms + i)] = true;
}

/* One flit leaves the input in cycle `when`. Credits come back one per cycle. */
static void naive_credit(naive_network *n, line_up *in, uint64_t when) {
    if (!n->credit_latency) return;
    assert_true(in->credits < FLITS_MAX);
    in->last_credit++;
    if (in->last_credit < when + n->credit_latency) in->last_credit = when + n->credit_latency;
    in->credit[in->credits++] = in->last_credit;
}

/* Drops the credits that have come back. */
static void naive_drop(line_up *in, uint64_t now) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < in->credits; i++)
        if (in->credit[i] > now) in->credit[kept++] = in->credit[i];
    in->credits = kept;
}

/* One flit gets to the output, which it leaves in cycle `earliest` or later, one per cycle. */
static void naive_sends(naive_network *n, line_up *out, uint64_t earliest) {
    out->sent++;
    if (out->sent < earliest) out->sent = earliest;
    assert_true(out->coming < FLITS_MAX);
    if (n->boundary) out->come[out->coming++] = out->sent + n->latency - 1;
}

/* One flit crosses to the buffer behind the output, if none has in this cycle. */
static void naive_cross(const naive_network *n, line_up *out, uint64_t now) {
    if (!out->coming || out->come[0] > now || out->crossed_in == now || out->crossed == n->boundary) return;
    out->crossed_in = now;
    out->crossed++;
    out->coming--;
    for (uint32_t i = 0; i < out->coming; i++) out->come[i] = out->come[i + 1];
}

/* The number of packets that a ws_packet is in the network, and the bytes of data in each of them: towards memory one
 * packet with its data; on the way back one per line or one per sector (noc.replies). Acknowledgements of writes carry
 * no data. */
static uint64_t packets_of(const naive_network *n, bool to_memory, const ws_packet *p) {
    return to_memory || n->lines ? 1 : (uint64_t)__builtin_popcount(p->sectors);
}
static uint64_t data_of(const naive_network *n, bool to_memory, const ws_packet *p) {
    if (to_memory) return UINT64_C(32) * p->data_B;
    uint64_t sectors = n->lines ? (uint64_t)__builtin_popcount(p->sectors) : 1;
    return p->kind == WS_PACKET_WRITE ? 0 : 32 * sectors;
}

/* The output is allocated to the input's packet. */
static void naive_hold(naive_network *n, uint32_t input, waiting *w) {
    n->turn[w->output] = (input + 1) % n->inputs;
    w->holds = true;
    n->in[input].moving++;
    n->out[w->output].moving++;
}

/* The last flit of the input's packet has passed; its ports are free from step `free` on. */
static void naive_end(naive_network *n, uint32_t input, waiting *w, uint64_t free) {
    line_up *in = &n->in[input], *out = &n->out[w->output];
    w->holds = false;
    in->moving--;
    out->moving--;
    in->busy = out->busy = free;
}

/* The packet has gone: counts it, and has it arrive at the output. */
static void naive_go(naive_network *n, const ws_engine *e, bool to_memory, uint32_t input, waiting *w) {
    const ws_packet *p = &e->packets.at[w->id];
    uint64_t data = data_of(n, to_memory, p), packets = packets_of(n, to_memory, p);
    n->moved.packets += packets;
    n->moved.without_data += data == 0 ? packets : 0;
    n->moved.bytes += packets * (8 + data);
    n->moved.flits += w->flits;
    w->gone = true;
    line_up *out = &n->out[w->output];
    uint64_t when = out->sent + n->latency, crosses = out->crossed_in;
    for (uint32_t i = 0; !out->count && i < out->coming; i++) {
        crosses = crosses < e->now ? e->now : crosses + 1;
        if (crosses < out->come[i]) crosses = out->come[i];
        when = crosses + 1;
    }
    join(out, (waiting){.id = w->id, .flits = w->flits, .when = when});
    if (out->count == 1) naive_arrives(n, e, to_memory, w->output, when);
    naive_tells(n, e, to_memory, input);
}

/* True if the output has room for `flits` more flits. Without a boundary buffer the limit is a number of packets. With
 * one, flits that have crossed to it do not count. An empty output takes any packet. */
static bool fits_at_output(const naive_network *n, uint32_t output, uint32_t flits) {
    const line_up *out = &n->out[output];
    if (!n->boundary) return !out->count || out->count < n->out_limit;
    return !out->coming || out->coming + flits <= n->out_limit;
}

/* Takes the first packet from the output, or from the boundary buffer behind it, and returns its id. */
static uint32_t leave_output(naive_network *n, const ws_engine *e, uint32_t output) {
    line_up *out = &n->out[output];
    waiting w = leave(out, 0);
    if (!n->boundary) return w.id;
    out->crossed -= w.flits;
    naive_cross(n, out, e->now);
    return w.id;
}

/* True if the output's first packet may be taken: with a boundary buffer, once all of its flits have crossed to it in
 * earlier cycles. */
static bool may_be_taken(const naive_network *n, uint32_t output, uint64_t now) {
    const line_up *out = &n->out[output];
    return out->count && out->at[0].when <= now &&
           (!n->boundary || out->crossed - (out->crossed_in == now) >= out->at[0].flits);
}

/* True if the input's first packet may begin to cross to the output in this step. Where a cycle has several steps, one
 * of its flits must have entered the buffer. */
static bool may_go(naive_network *n, const ws_engine *e, uint32_t input, uint32_t output, uint64_t step) {
    const line_up *in = &n->in[input];
    const waiting *w = head_of(&n->in[input]);
    if (!w || w->output != output || w->when > e->now || (n->speedup > 1 && !w->entered)) return false;
    return n->input_speedup || (!in->moving && in->busy <= step);
}

/* Where a cycle has one step, a packet goes as a whole if the output has room for it; its ports are busy for as many
 * cycles as it has flits. */
static void naive_move(naive_network *n, const ws_engine *e, bool to_memory, uint32_t input, waiting *w) {
    if (!fits_at_output(n, w->output, w->flits)) return;
    naive_hold(n, input, w);
    for (uint32_t i = 0; i < w->flits; i++) {
        naive_sends(n, &n->out[w->output], e->now + 1);
        naive_credit(n, &n->in[input], e->now + i);
    }
    w->passed = w->flits;
    naive_end(n, input, w, e->now + w->flits);
    naive_go(n, e, to_memory, input, w);
}

static void naive_allocate(naive_network *n, const ws_engine *e, bool to_memory, uint64_t step) {
    for (uint32_t o = 0; o < n->outputs; o++) {
        const line_up *out = &n->out[o];
        if (out->moving || out->busy > step) continue;
        for (uint32_t i = 0; i < n->inputs; i++) {
            uint32_t input = (n->turn[o] + i) % n->inputs;
            if (!may_go(n, e, input, o, step)) continue;
            if (n->speedup > 1)
                naive_hold(n, input, head_of(&n->in[input]));
            else
                naive_move(n, e, to_memory, input, head_of(&n->in[input]));
            break;
        }
    }
}

/* Where a cycle has several steps: passes one more flit of each packet that holds an output, if that flit has entered
 * the input's buffer and there is room for it. */
static void naive_pass_all(naive_network *n, const ws_engine *e, bool to_memory, uint64_t step) {
    for (uint32_t input = 0; input < n->inputs; input++) {
        waiting *w = head_of(&n->in[input]);
        if (!w || !w->holds || w->passed == w->entered || !fits_at_output(n, w->output, 1)) continue;
        w->passed++;
        naive_sends(n, &n->out[w->output], (step + 1) / n->speedup);
        naive_credit(n, &n->in[input], e->now);
        if (w->passed < w->flits) {
            naive_tells(n, e, to_memory, input);
            continue;
        }
        naive_end(n, input, w, step + 1);
        naive_go(n, e, to_memory, input, w);
    }
}

static void naive_step(naive_network *n, const ws_engine *e, bool to_memory) {
    for (uint32_t i = 0; i < n->inputs; i++) {
        naive_enter(n, e, i);
        naive_drop(&n->in[i], e->now);
    }
    for (uint32_t o = 0; o < n->outputs; o++) naive_cross(n, &n->out[o], e->now);
    for (uint32_t k = 0; k < n->speedup; k++) {
        uint64_t step = e->now * n->speedup + k;
        if (n->speedup > 1) naive_pass_all(n, e, to_memory, step);
        naive_allocate(n, e, to_memory, step);
    }
    for (uint32_t o = 0; o < n->outputs; o++) naive_cross(n, &n->out[o], e->now);
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
    bool open; /* true: slices take packets as they arrive; false: the test takes them, in random cycles */
    uint32_t patience; /* how many cycles it waits on average */
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
    if (s->noc.credit_latency) n->credit_latency = (uint32_t)s->noc.credit_latency + !s->real->to_memory;
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
    assert_true((e->slices = calloc(slices, sizeof *e->slices)) &&
                (e->sms = calloc(e->sm_count, sizeof *e->sms)) &&
                (e->rested = calloc(clusters, sizeof *e->rested)) && ws_packets_init(&e->packets) &&
                ws_agenda_init(&e->agenda, sm_part(e, e->sm_count)));
    for (uint32_t i = 0; i < slices; i++)
        e->slices[i] = (ws_slice){.index = i, .gate_closes = s->open ? WS_NEVER : 0};
    s->real = to_memory ? &e->requests : &e->replies;
    uint32_t inputs = to_memory ? clusters : slices, outputs = to_memory ? slices : clusters;
    assert_true(ws_network_init(s->real, inputs, outputs, to_memory, &s->noc, s->l2.line_B));
    define(s, inputs, outputs);
}

static void set_up(scene *s, uint64_t *random, bool to_memory) {
    uint32_t clusters = 1 + random_below(random, random_one_in(random, 2) ? 6 : PORTS_MAX),
             slices = 1 + random_below(random, random_one_in(random, 2) ? 3 : PORTS_MAX),
             share = 1 + random_below(random, SHARE_MAX);
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
    if (s->noc.input_speedup) s->noc.crossbar_speedup = 1;
    if (s->noc.crossbar_speedup > 1) s->noc.latency++;
    s->open = to_memory && random_one_in(random, 2);
    s->patience = random_one_in(random, 2) ? 2 : 20;
    s->noc.out_buffer += s->open; /* in addition to what a slice has not taken yet */
    s->l2 = (ws_l2_params){.line_B = random_one_in(random, 2) ? 128 : 256,
                           .latency = random_below(random, 4),
                           .queue = 1 + random_below(random, 4) + (s->open ? 8 : 0)};
    if (random_one_in(random, 2)) {
        s->noc.boundary_buffer = ws_network_largest(&s->noc, s->l2.line_B) + random_below(random, 3) * 8;
        s->noc.out_buffer = 1 + s->open + random_below(random, 16);
    }
    build(s, to_memory, clusters, share, slices);
}

static void tear_down(scene *s) {
    for (uint32_t i = 0; i < s->engine.slice_count; i++) ws_queue_free(&s->engine.slices[i].in);
    ws_network_free(s->real);
    ws_agenda_free(&s->engine.agenda);
    ws_packets_free(&s->engine.packets);
    free(s->engine.slices);
    free(s->engine.sms);
    free(s->engine.rested);
}

/* True if there is room for the packet; otherwise notes who waits: an SM until its packet fits into the port, a slice
 * until the port and its queue are no longer full. */
static bool fits(scene *s, uint32_t input, uint32_t id, uint32_t flits) {
    ws_engine *e = &s->engine;
    bool to_memory = s->real->to_memory;
    if (!to_memory) flits = 1;
    bool room = few_from(&s->naive.in[input], level_for(&s->naive, flits), e->now) == e->now;
    if (to_memory) {
        room &= fits_in_front(&s->naive, flits_in_front(&s->naive.in[input]), flits);
        assert_int_equal(ws_network_has_room(e, s->real, input, id), room);
    } else if (!room) {
        ws_network_await_level(e, s->real, input, s->naive.in_limit - 1);
    }
    if (!room) naive_wants(&s->naive, e, to_memory, input, flits);
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
    /* With an injection queue, what SMs send is due in the next cycle. */
    bool at_once = to_memory && s->naive.queue;
    uint64_t when = e->now + 1 + (at_once ? 0 : random_below(random, random_one_in(random, 20) ? 100 : 3));
    bool room = fits(s, input, id, flits), in_buffer = s->naive.speedup == 1 && !at_once;
    if (to_memory) {
        assert_int_equal(ws_network_send(e, s->real, input, id, when), room);
        if (!room) naive_waits(&s->naive, e, input, flits);
    } else if (room) {
        ws_network_put(e, s->real, input, id, when);
    }
    if (room)
        join(&s->naive.in[input],
             (waiting){
                 .id = id, .output = output, .flits = flits, .entered = in_buffer ? flits : 0, .when = when});
    else
        ws_packet_free(&e->packets, id);
}

static void take(scene *s, uint32_t output) {
    ws_engine *e = &s->engine;
    uint32_t id = ws_network_take(e, s->real, output, e->now, e->now);
    assert_int_equal(id, leave_output(&s->naive, e, output));
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
        const line_up *expected = &s->naive.out[o];
        assert_int_equal(s->real->out[o].queue.count, expected->count);
        for (uint32_t i = 0; i < expected->count; i++) {
            const ws_queued *found = ws_queue_behind(&s->real->out[o].queue, i);
            assert_int_equal(found->id, expected->at[i].id);
            if (!s->naive.boundary) assert_int_equal(found->when, expected->at[i].when);
        }
        if (s->naive.boundary)
            assert_int_equal(ws_queue_ready(&s->real->out[o].queue, s->engine.now + 1),
                             may_be_taken(&s->naive, o, s->engine.now + 1));
    }
    ws_network_counts counts = ws_network_count(&s->engine, s->real);
    assert_memory_equal(&counts, &s->naive.moved, sizeof counts);
}

/* Marks the parts that are due in `due`, and gives the network its turn; the other parts do nothing here. */
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

/* Open slices take what has arrived by now. Before the network's turn (`first`) only those whose ports are not full,
 * since the network lets the others take in its turn; after it, these are checked. */
static void slices_take(scene *s, uint32_t taken[PORTS_MAX], bool first) {
    for (uint32_t o = 0; s->open && o < s->naive.outputs; o++) {
        bool full = ws_network_room_at(s->real, o, 1) > s->engine.now;
        if (first)
            taken[o] = may_be_taken(&s->naive, o, s->engine.now) ? leave_output(&s->naive, &s->engine, o)
                                                                 : WS_NO_PACKET;
        if (first && full) continue;
        slice_takes(s, o, taken[o]);
        taken[o] = WS_NO_PACKET;
    }
}

/* One cycle: outputs are emptied at random, the network has its turn if it is due, inputs are filled at random. Replies
 * are taken from the cycle after their arrival on. */
static void cycle(scene *s, uint64_t *random, bool busy) {
    ws_engine *e = &s->engine;
    naive_network *n = &s->naive;
    bool to_memory = s->real->to_memory, due[PARTS_MAX] = {false};
    uint32_t taken[PORTS_MAX];
    for (uint32_t o = 0; !s->open && o < n->outputs; o++)
        if (may_be_taken(n, o, e->now - !to_memory) && random_one_in(random, s->patience)) take(s, o);
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
    build(s, true, 2, 1, 1);
    for (uint64_t now = 1; now < 20; now++) {
        bool due[PARTS_MAX];
        s->engine.now = s->engine.agenda.now = now;
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
    build(s, true, 1, 1, 1);
    ws_queue *port = &s->real->out[0].queue;
    uint32_t sent = 0, taken = 0, flits = 16; /* that have come to the boundary buffer */
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
    build(s, true, 1, 1, 1);
    static const uint64_t room_in[] = {5, 6, 7, 8}; /* 2, 3, 4 and 5, and three cycles */
    uint32_t sent = 0;
    for (uint64_t now = 1; now < 12; now++) {
        bool due[PARTS_MAX] = {false};
        s->engine.now = s->engine.agenda.now = now;
        take_turns(s, due);
        if (now == 1)
            for (uint32_t i = 0; i < 5; i++) assert_int_equal(send_write(s, 0, 1), i < 4);
        if (now < 2) continue;
        bool room = send_write(s, 0, 1), expected = sent < 4 && now == room_in[sent];
        assert_int_equal(room, expected);
        sent += room;
        if (expected && sent == 1) assert_true(due[sm_part(&s->engine, 0)]); /* woken for it */
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
    build(s, true, 2, 1, 1);
    uint16_t sms[12];
    uint32_t taken = 0;
    for (uint64_t now = 1; now < 80; now++) {
        bool due[PARTS_MAX] = {false};
        s->engine.now = s->engine.agenda.now = now;
        const ws_queue *port = &s->real->out[0].queue;
        if (now >= 50 && ws_queue_ready(port, now)) {
            sms[taken++] = s->engine.packets.at[ws_queue_head(port)->id].sm;
            ws_packet_free(&s->engine.packets, ws_network_take(&s->engine, s->real, 0, now, now));
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
