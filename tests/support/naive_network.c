#include "naive_network.h"

#include "timed/turns.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static naive_waiting leave(naive_port *l, uint32_t which) {
    naive_waiting it = l->at[which];
    l->count--;
    for (uint32_t i = which; i < l->count; i++) l->at[i] = l->at[i + 1];
    return it;
}

static void join(naive_port *l, naive_waiting w) {
    assert_true(l->count < NAIVE_WAITING_MAX);
    l->at[l->count++] = w;
}

/* Returns the first packet that has not gone, or NULL. */
static naive_waiting *head_of(naive_port *l) {
    for (uint32_t i = 0; i < l->count; i++)
        if (!l->at[i].gone) return &l->at[i];
    return NULL;
}

/* Returns the number of flits of the packets that have not passed, unless their packet has gone as a whole. */
static uint32_t flits_in(const naive_port *l) {
    uint32_t flits = 0;
    for (uint32_t i = 0; i < l->count; i++) flits += l->at[i].gone ? 0 : l->at[i].flits - l->at[i].passed;
    return flits;
}

/* Returns the number of credits that come back after cycle `now`. */
static uint32_t coming(const naive_credits *c, uint64_t now) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->count; i++) count += c->at[i] > now;
    return count;
}

/* Returns the first cycle, `now` or later, in which no more than `flits` flits are at the input or have left it without
 * their credits having come back; WS_NEVER: not before another one leaves. */
static uint64_t few_from(const naive_port *in, uint32_t flits, uint64_t now) {
    if (flits_in(in) > flits) return WS_NEVER;
    while (flits_in(in) + coming(&in->credits, now) > flits) now++;
    return now;
}

static uint32_t flits_in_front(const naive_port *l) {
    uint32_t flits = 0;
    for (uint32_t i = 0; i < l->count; i++) flits += l->at[i].flits - l->at[i].entered;
    return flits;
}

static uint32_t flits_in_buffer(const naive_port *l) {
    uint32_t flits = 0;
    for (uint32_t i = 0; i < l->count; i++) flits += l->at[i].entered - l->at[i].passed;
    return flits;
}

static bool fits_in_front(const naive_network *n, uint32_t in_front, uint32_t flits) {
    return !in_front || in_front + flits <= n->queue;
}

/* The first packet with flits in front of the buffer. */
static naive_waiting *entering(naive_port *in) {
    naive_waiting *w = in->at;
    while (w < in->at + in->count && w->entered == w->flits) w++;
    return w < in->at + in->count ? w : NULL;
}

/* Lets one flit enter the input's buffer in cycle `now`: of the first packet that has flits in front of it, if it is
 * due, and if the buffer has a place for which the credit has come back. */
static void let_enter(const naive_network *n, naive_port *in, uint64_t now) {
    naive_waiting *w = entering(in);
    if (w && w->when <= now && flits_in_buffer(in) + coming(&in->places, now) < n->in_limit) w->entered++;
}

/* Returns the first cycle, `from` or later, in which a packet of `flits` flits fits in front of the buffer, as one flit
 * may enter in each of them; WS_NEVER: not before another one leaves. */
static uint64_t fits_from(const naive_network *n, const naive_port *port, uint32_t flits, uint64_t from) {
    static naive_port in;
    in = *port;
    for (uint64_t now = from;; now++) {
        let_enter(n, &in, now);
        if (fits_in_front(n, flits_in_front(&in), flits)) return now;
        if (flits_in_buffer(&in) >= n->in_limit) return WS_NEVER;
    }
}

uint32_t naive_sm_part(const ws_engine *e, uint32_t sm) {
    return e->slice_count + 2 + e->cluster_parts + sm;
}

/* Who takes what comes to a port on the way back: its cluster, or the port's only SM. */
static uint32_t behind_port(const ws_engine *e, uint32_t port) {
    uint32_t ports = e->port_count / e->cluster_count;
    return e->cluster_parts ? e->slice_count + 2 + port / ports : naive_sm_part(e, port);
}

/* Notes who is woken when a packet arrives at an output port that was empty. Slices take nothing by themselves here. */
static void naive_arrives(naive_network *n, const ws_engine *e, bool to_memory, uint32_t output,
                          uint64_t when) {
    if (to_memory)
        n->told[when + (uint64_t)e->l2->latency + 1][output] = true; /* behind its delay line */
    else
        n->told[when + 1][behind_port(e, output)] = true;
}

/* Number of flits that may be at an input before a packet of `flits` flits fits. An empty one takes any packet. */
static uint32_t level_for(const naive_network *n, uint32_t flits) {
    return flits < n->in_limit ? n->in_limit - flits : 0;
}

/* The SMs that share a port are woken in cycle `when`, each in the place that it has then. */
static void tell_sms(naive_network *n, const ws_engine *e, uint32_t port, uint64_t when) {
    uint32_t sms = (uint32_t)e->sms_per_port.value;
    for (uint32_t sm = port * sms; sm < (port + 1) * sms; sm++)
        n->told[when][naive_sm_part(e, e->cluster_parts ? ws_place_of_sm(e, sm, when) : sm)] = true;
}

/* Returns the first cycle in which whoever fills the input finds that a packet of `flits` flits fits, if that is known:
 * this one at the earliest, for slices the next one. In this cycle, flits have `entered` already or not. */
static uint64_t room_from(const naive_network *n, const ws_engine *e, bool to_memory, uint32_t input,
                          uint32_t flits, bool entered) {
    const naive_port *in = &n->in[input];
    if (!n->queue) return few_from(in, level_for(n, flits), e->now + !to_memory);
    uint64_t from = e->now;
    if (!entered || !fits_in_front(n, flits_in_front(in), flits))
        from = fits_from(n, in, flits, e->now + entered);
    return from == WS_NEVER ? WS_NEVER : from + !to_memory;
}

/* Those who wait for room at the input are woken in the first cycle in which their packet fits, if that is known. */
static void naive_tells(naive_network *n, const ws_engine *e, bool to_memory, uint32_t input) {
    if (!n->wanted[input]) return;
    uint64_t when = room_from(n, e, to_memory, input, n->wanted[input], true);
    if (when == WS_NEVER) return;
    n->wanted[input] = 0;
    if (to_memory)
        tell_sms(n, e, input, when);
    else
        n->told[when][input] = true;
}

/* A packet of `flits` flits finds no room at the input. */
void naive_network_wants(naive_network *n, const ws_engine *e, bool to_memory, uint32_t input,
                         uint32_t flits) {
    uint32_t before = n->wanted[input];
    uint64_t when = n->queue ? room_from(n, e, to_memory, input, flits, to_memory)
                             : few_from(&n->in[input], level_for(n, flits), e->now);
    if (when == WS_NEVER) {
        if (!before || flits < before) n->wanted[input] = flits;
    } else if (to_memory)
        tell_sms(n, e, input, when);
    else
        n->told[when][input] = true;
}

/* Credits come back one per cycle. */
static void come_back(naive_credits *c, uint64_t when) {
    assert_true(c->count < NAIVE_FLITS_MAX);
    c->last++;
    if (c->last < when) c->last = when;
    c->at[c->count++] = c->last;
}

/* One flit leaves the input in cycle `when`. */
static void naive_credit(naive_network *n, naive_port *in, uint64_t when) {
    if (n->credit_latency) come_back(&in->credits, when + n->credit_latency);
    if (n->router) come_back(&in->places, when + n->place_latency);
}

/* Drops the credits that have come back. */
static void naive_drop(naive_credits *c, uint64_t now) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->at[i] > now) c->at[kept++] = c->at[i];
    c->count = kept;
}

/* One flit gets to the output, which it leaves in cycle `earliest` or later, one per cycle. */
static void naive_sends(naive_network *n, naive_port *out, uint64_t earliest) {
    out->sent++;
    if (out->sent < earliest) out->sent = earliest;
    assert_true(out->coming < NAIVE_FLITS_MAX);
    if (n->boundary) out->come[out->coming++] = out->sent + n->latency - 1;
}

/* One flit crosses to the buffer behind the output, if none has in this cycle. */
static void naive_cross(const naive_network *n, naive_port *out, uint64_t now) {
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
static void naive_hold(naive_network *n, uint32_t input, naive_waiting *w) {
    n->turn[w->output] = (input + 1) % n->inputs;
    w->holds = true;
    n->in[input].moving++;
    n->out[w->output].moving++;
}

/* The last flit of the input's packet has passed; its ports are free from step `free` on. */
static void naive_end(naive_network *n, uint32_t input, naive_waiting *w, uint64_t free) {
    naive_port *in = &n->in[input], *out = &n->out[w->output];
    w->holds = false;
    in->moving--;
    out->moving--;
    in->busy = out->busy = free;
}

/* The packet has gone: counts it, and has it arrive at the output. */
static void naive_go(naive_network *n, const ws_engine *e, bool to_memory, uint32_t input, naive_waiting *w) {
    const ws_packet *p = &e->packets.at[w->id];
    uint64_t data = data_of(n, to_memory, p), packets = packets_of(n, to_memory, p);
    n->moved.packets += packets;
    n->moved.without_data += data == 0 ? packets : 0;
    n->moved.bytes += packets * (8 + data);
    n->moved.flits += w->flits;
    w->gone = true;
    naive_port *out = &n->out[w->output];
    uint64_t when = out->sent + n->latency, crosses = out->crossed_in;
    for (uint32_t i = 0; !out->count && i < out->coming; i++) {
        crosses = crosses < e->now ? e->now : crosses + 1;
        if (crosses < out->come[i]) crosses = out->come[i];
        when = crosses + 1;
    }
    join(out, (naive_waiting){.id = w->id, .flits = w->flits, .when = when});
    if (out->count == 1) naive_arrives(n, e, to_memory, w->output, when);
    naive_tells(n, e, to_memory, input);
}

/* True if the output has room for `flits` more flits. Without a boundary buffer the limit is a number of packets. With
 * one, flits that have crossed to it do not count. An empty output takes any packet. */
static bool fits_at_output(const naive_network *n, const ws_engine *e, uint32_t output, uint32_t flits) {
    const naive_port *out = &n->out[output];
    bool leaves = n->leaves && out->count && out->at[0].when + 1 <= e->now;
    if (!n->boundary) return !out->count || out->count - leaves < n->out_limit;
    return !out->coming || out->coming + flits <= n->out_limit;
}

/* Takes the first packet from the output, or from the boundary buffer behind it, and returns its id. */
uint32_t naive_network_leave(naive_network *n, const ws_engine *e, uint32_t output) {
    naive_port *out = &n->out[output];
    naive_waiting w = leave(out, 0);
    if (!n->boundary) return w.id;
    out->crossed -= w.flits;
    naive_cross(n, out, e->now);
    return w.id;
}

/* True if the output's first packet may be taken: with a boundary buffer, once all of its flits have crossed to it in
 * earlier cycles. */
bool naive_network_may_be_taken(const naive_network *n, uint32_t output, uint64_t now) {
    const naive_port *out = &n->out[output];
    return out->count && out->at[0].when <= now &&
           (!n->boundary || out->crossed - (out->crossed_in == now) >= out->at[0].flits);
}

/* True if the input's first packet may begin to cross to the output in this step. In a router, one of its flits must
 * have entered the buffer. */
static bool may_go(naive_network *n, const ws_engine *e, uint32_t input, uint32_t output, uint64_t step) {
    const naive_port *in = &n->in[input];
    const naive_waiting *w = head_of(&n->in[input]);
    if (!w || w->output != output || w->when > e->now || (n->router && !w->entered)) return false;
    return n->input_speedup || (!in->moving && in->busy <= step);
}

/* Where there is no router, a packet goes as a whole if the output has room for it; its ports are busy for as many
 * cycles as it has flits. */
static void naive_move(naive_network *n, const ws_engine *e, bool to_memory, uint32_t input,
                       naive_waiting *w) {
    if (!fits_at_output(n, e, w->output, w->flits)) return;
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
        const naive_port *out = &n->out[o];
        if (out->moving || out->busy > step) continue;
        for (uint32_t i = 0; i < n->inputs; i++) {
            uint32_t input = (n->turn[o] + i) % n->inputs;
            if (!may_go(n, e, input, o, step)) continue;
            if (n->router)
                naive_hold(n, input, head_of(&n->in[input]));
            else
                naive_move(n, e, to_memory, input, head_of(&n->in[input]));
            break;
        }
    }
}

/* In a router: passes one more flit of each packet that holds an output, if that flit has entered
 * the input's buffer and there is room for it. */
static void naive_pass_all(naive_network *n, const ws_engine *e, bool to_memory, uint64_t step) {
    for (uint32_t input = 0; input < n->inputs; input++) {
        naive_waiting *w = head_of(&n->in[input]);
        if (!w || !w->holds || w->passed == w->entered || !fits_at_output(n, e, w->output, 1)) continue;
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

void naive_network_step(naive_network *n, const ws_engine *e, bool to_memory) {
    for (uint32_t i = 0; i < n->inputs; i++) {
        naive_drop(&n->in[i].credits, e->now);
        naive_drop(&n->in[i].places, e->now);
        let_enter(n, &n->in[i], e->now);
    }
    for (uint32_t o = 0; o < n->outputs; o++) naive_cross(n, &n->out[o], e->now);
    for (uint32_t k = 0; k < n->speedup; k++) {
        uint64_t step = e->now * n->speedup + k;
        if (n->router) naive_pass_all(n, e, to_memory, step);
        naive_allocate(n, e, to_memory, step);
    }
    for (uint32_t o = 0; o < n->outputs; o++) naive_cross(n, &n->out[o], e->now);
    for (uint32_t input = 0; input < n->inputs; input++)
        for (uint32_t i = 0; i < n->in[input].count;) {
            const naive_waiting *w = &n->in[input].at[i];
            if (w->passed == w->flits && w->entered == w->flits)
                leave(&n->in[input], i);
            else
                i++;
        }
}

bool naive_network_has_room(const naive_network *n, const ws_engine *e, uint32_t input, uint32_t flits) {
    const naive_port *in = &n->in[input];
    return n->queue ? fits_in_front(n, flits_in_front(in), flits)
                    : few_from(in, level_for(n, flits), e->now) == e->now;
}

void naive_network_join(naive_network *n, uint32_t input, naive_waiting packet) {
    join(&n->in[input], packet);
}

uint32_t naive_network_flits(const naive_network *n, bool to_memory, const ws_packet *p, uint64_t flit_B) {
    uint64_t bytes = 8 + data_of(n, to_memory, p), flits = flit_B ? (bytes + flit_B - 1) / flit_B : 1;
    return (uint32_t)(packets_of(n, to_memory, p) * flits);
}
