/* A crossbar. In each cycle each output takes one packet from the inputs that ask for it, in round-robin order, and
 * each input gives one packet or, with noc.input_speedup, one to each of several outputs, from the lowest up. A packet
 * of several flits holds its output for as many cycles and, without input speedup, its input, too.
 *
 * With noc.crossbar_speedup it is a router (Booksim's iq_router): a cycle has several steps; in one step an output is
 * allocated to a packet, whether it has room or not, and in each of the next ones a flit of it may pass, if it has
 * entered the input and the output has room for it. Flits enter an input and leave an output one per cycle.
 *
 * The room of an input port is the business of whoever fills it (cluster.c, slice.c), which is told when there is
 * some. */
#include "timed/engine.h"

#include <string.h>

/* ws_queued.where holds the slice or cluster that a packet goes to. */
enum { SLICES_MAX = WS_CHANNELS_MAX * WS_CHANNEL_SLICES_MAX };
_Static_assert(SLICES_MAX - 1 <= WS_QUEUED_WHERE, "slices fit");
_Static_assert(WS_CLUSTERS_MAX - 1 <= WS_QUEUED_WHERE, "clusters fit");

/* Bytes of a packet with this many units of data. */
static uint32_t bytes_of(uint32_t units) {
    return 8 + 32 * units;
}

static uint16_t flits_of(uint32_t units, uint32_t flit_B) {
    return flit_B ? (uint16_t)((bytes_of(units) + flit_B - 1) / flit_B) : 1;
}

/* A packet counts as one on the network to memory, and on the way back with noc.replies lines. Otherwise each of its
 * sectors (or an acknowledged write of 32 bytes of data) is a packet. */
static void set_forms(ws_network *n, const ws_noc_params *noc) {
    bool apart = !n->to_memory && noc->replies == WS_REPLIES_SECTORS;
    for (uint32_t f = 0; f < WS_NETWORK_FORMS; f++) {
        uint32_t units = f % WS_PACKET_UNITS, packets = apart ? units : 1;
        if (f >= WS_PACKET_UNITS)
            units = 0;
        else if (apart)
            units = 1;
        n->forms[f] =
            (ws_network_form){.packets = (uint16_t)packets,
                              .units = (uint16_t)units,
                              .flits = (uint16_t)(packets * flits_of(units, (uint32_t)noc->flit_B))};
    }
}

uint32_t ws_network_largest(const ws_noc_params *noc, const ws_l2_params *l2) {
    uint32_t units = (uint32_t)l2->line_B / 32, flit_B = (uint32_t)noc->flit_B,
             line = flits_of(units, flit_B), sectors = units * flits_of(1, flit_B);
    return noc->replies == WS_REPLIES_SECTORS && sectors > line ? sectors : line;
}

static void set_limits(ws_network *n, const ws_noc_params *noc, const ws_l2_params *l2) {
    n->latency = (uint32_t)noc->latency;
    n->input_speedup = noc->input_speedup;
    n->speedup = (uint32_t)noc->crossbar_speedup;
    n->injection_queue = (uint32_t)noc->injection_queue;
    /* replies wait in a queue of the slice in front of the port, which moves up one cycle later */
    n->credit_latency = noc->credit_latency ? (uint32_t)noc->credit_latency + !n->to_memory : 0;
    n->in_limit = (uint32_t)noc->in_buffer;
    n->boundary = (uint32_t)noc->boundary_buffer;
    n->out_limit = (uint32_t)noc->out_buffer;
    n->widest = flits_of((uint32_t)l2->line_B / 32, (uint32_t)noc->flit_B);
}

static void *new_ports(size_t align, size_t size) {
    void *ports = aligned_alloc(align, size);
    return ports ? memset(ports, 0, size) : NULL;
}

bool ws_network_init(ws_network *n, uint32_t inputs, uint32_t outputs, bool to_memory,
                     const ws_noc_params *noc, const ws_l2_params *l2) {
    *n = (ws_network){.inputs = inputs, .outputs = outputs, .to_memory = to_memory};
    set_forms(n, noc);
    set_limits(n, noc, l2);
    n->in = new_ports(alignof(ws_network_input), inputs * sizeof *n->in);
    n->out = new_ports(alignof(ws_network_output), outputs * sizeof *n->out);
    for (uint32_t i = 0; n->in && i < inputs; i++) n->in[i].told = -1;
    n->words = ((inputs > outputs ? inputs : outputs) + 63) / 64;
    n->early = calloc(n->words, sizeof *n->early);
    n->wanting = calloc((size_t)outputs * n->words, sizeof *n->wanting);
    n->wanted = calloc(n->words, sizeof *n->wanted);
    return n->in && n->out && n->early && n->wanting && n->wanted;
}

void ws_network_free(ws_network *n) {
    for (uint32_t i = 0; n->in && i < n->inputs; i++) {
        ws_queue_free(&n->in[i].queue);
        ws_queue_free(&n->in[i].credits);
    }
    for (uint32_t o = 0; n->out && o < n->outputs; o++) {
        ws_queue_free(&n->out[o].queue);
        ws_queue_free(&n->out[o].coming);
    }
    free(n->in);
    free(n->out);
    free(n->early);
    free(n->wanting);
    free(n->wanted);
    *n = (ws_network){0};
}

/* Index into `forms` for sectors that travel together. To memory it is the data that they carry; on the way back their
 * number, with acknowledged writes apart. */
static inline uint32_t form_of(const ws_network *n, const ws_packet *p) {
    if (n->to_memory) return p->data_B;
    return ws_sector_count(p->sectors) + (p->kind == WS_PACKET_WRITE ? WS_PACKET_UNITS : 0);
}

static uint32_t weight_of(const ws_network *n, const ws_packet *p) {
    return n->forms[form_of(n, p)].flits;
}

/* First cycle in which a packet of `flits` flits fits into the injection queue, from which one flit enters the input's
 * buffer in each cycle. Into an empty queue any packet fits. */
static uint64_t fits_from(const ws_network *n, uint32_t input, uint32_t flits) {
    uint64_t injected = n->in[input].injected, queue = n->injection_queue, ahead = queue + 1 - flits;
    if (flits > queue) ahead = 1;
    return queue && injected > ahead ? injected - ahead : 0;
}

/* Drops the credits that have come back. */
static void take_credits(const ws_engine *e, ws_network_input *in) {
    while (ws_queue_ready(&in->credits, e->now)) ws_queue_pop(&in->credits);
}

/* Sends back the credit of a flit that leaves now. One comes back per cycle. */
static void give_credit(ws_engine *e, const ws_network *n, ws_network_input *in) {
    take_credits(e, in);
    uint64_t when = e->now + n->credit_latency;
    in->last_credit = when > in->last_credit ? when : in->last_credit + 1;
    if (!ws_queue_push(&in->credits, 0, 1, in->last_credit)) e->failed = true;
}

uint64_t ws_network_level_from(const ws_engine *e, ws_network *n, uint32_t input, uint32_t flits) {
    ws_network_input *in = &n->in[input];
    if (in->queue.weight > flits) return WS_NEVER;
    if (!in->credits.count) return e->now;
    take_credits(e, in);
    uint32_t room = flits - in->queue.weight, awaited = in->credits.count;
    return awaited > room ? ws_queue_behind(&in->credits, awaited - room - 1)->when : e->now;
}

/* Number of flits that may be in the port before one of `weight` fits. An empty one takes any packet. */
static uint32_t level_for(const ws_network *n, uint32_t weight) {
    return weight < n->in_limit ? n->in_limit - weight : 0;
}

static bool has_room(const ws_engine *e, ws_network *n, uint32_t input, uint32_t weight) {
    return ws_network_level_from(e, n, input, level_for(n, weight)) <= e->now &&
           fits_from(n, input, weight) <= e->now;
}

bool ws_network_has_room_for(const ws_engine *e, ws_network *n, uint32_t input, uint32_t flits) {
    return flits <= n->in_limit && has_room(e, n, input, flits);
}

bool ws_network_has_room(const ws_engine *e, ws_network *n, uint32_t input, uint32_t id) {
    return has_room(e, n, input, weight_of(n, &e->packets.at[id]));
}

static void wake_sender(ws_engine *e, const ws_network *n, uint32_t input, uint64_t when) {
    if (n->to_memory)
        ws_cluster_wake_for_room(e, input, when);
    else
        ws_wake_slice(e, input, when);
}

void ws_network_await_level(ws_engine *e, ws_network *n, uint32_t input, uint32_t flits) {
    ws_network_input *in = &n->in[input];
    uint64_t known = ws_network_level_from(e, n, input, flits);
    if (known != WS_NEVER)
        wake_sender(e, n, input, known);
    else if ((int32_t)flits > in->told)
        in->told = (int32_t)flits;
}

/* For a packet that finds no room: has its sender told when there is room in the buffer; if the injection queue is
 * full, too, wakes the cluster when that has room. */
static void await_room(ws_engine *e, ws_network *n, uint32_t input, uint32_t weight) {
    uint32_t level = level_for(n, weight);
    uint64_t fits = fits_from(n, input, weight);
    if (ws_network_level_from(e, n, input, level) > e->now) ws_network_await_level(e, n, input, level);
    if (n->to_memory && fits > e->now) ws_cluster_wake_for_room(e, input, fits);
}

void ws_network_await_room(ws_engine *e, ws_network *n, uint32_t input, uint32_t id) {
    await_room(e, n, input, weight_of(n, &e->packets.at[id]));
}

/* The cycle that a step belongs to. A crossbar nearly always has one step per cycle, and divisions are slow. */
static inline uint64_t cycle_of(const ws_network *n, uint64_t step) {
    return n->speedup == 1 ? step : step / n->speedup;
}

/* Add a member to a set of `words` words, and remove it. */
static inline void add(uint64_t *set, uint32_t words, uint32_t member) {
    set[words == 1 ? 0 : member / 64] |= UINT64_C(1) << member % 64;
}
static inline void drop(uint64_t *set, uint32_t words, uint32_t member) {
    set[words == 1 ? 0 : member / 64] &= ~(UINT64_C(1) << member % 64);
}

/* To be called when another packet has become the first of an input. */
static inline void note_head(ws_network *n, uint32_t input) {
    ws_network_input *in = &n->in[input];
    const ws_queued *head = ws_queue_head(&in->queue);
    uint64_t from = in->queue.when;
    if (n->speedup > 1 && in->entered > from) from = in->entered;
    in->entered = from + head->weight;
    in->when = from * n->speedup > in->busy ? from * n->speedup : in->busy;
    in->output = head->where;
    in->flits = head->weight;
    add(n->early, n->words, input);
}

ws_network_counts ws_network_count(const ws_engine *e, const ws_network *n) {
    uint64_t gone[WS_NETWORK_FORMS];
    memcpy(gone, n->come, sizeof gone);
    for (uint32_t i = 0; i < n->inputs; i++)
        for (uint32_t k = 0; k < n->in[i].queue.count; k++)
            gone[form_of(n, &e->packets.at[ws_queue_behind(&n->in[i].queue, k)->id])]--;
    ws_network_counts counts = {0};
    for (uint32_t f = 0; f < WS_NETWORK_FORMS; f++) {
        const ws_network_form *form = &n->forms[f];
        uint64_t packets = gone[f] * form->packets;
        counts.packets += packets;
        counts.flits += gone[f] * form->flits;
        counts.bytes += packets * bytes_of(form->units);
        if (!form->units) counts.without_data += packets;
    }
    return counts;
}

/* To be called when a packet has come to an empty input. Not inlined, so that the frequent case saves no registers. */
static __attribute__((noinline)) void lead(ws_engine *e, ws_network *n, uint32_t input) {
    note_head(n, input);
    ws_wake_network(e, n, cycle_of(n, n->in[input].when));
}

/* Appends a packet to an input's queue. It is counted here, as it is not looked at again before it leaves. */
static void put(ws_engine *e, ws_network *n, uint32_t input, uint32_t id, uint32_t weight, uint64_t when) {
    const ws_packet *p = &e->packets.at[id];
    uint32_t output = n->to_memory ? p->slice : (uint32_t)ws_quotient(p->sm, e->sms_per_cluster);
    n->come[form_of(n, p)]++;
    ws_network_input *in = &n->in[input];
    if (!ws_queue_push_to(&in->queue, id, weight, output, when)) {
        e->failed = true;
        return;
    }
    n->waiting++;
    in->injected = (in->injected > when ? in->injected : when) + weight;
    if (in->queue.count == 1) lead(e, n, input); /* else its turn comes once those before it have gone */
}

void ws_network_put(ws_engine *e, ws_network *n, uint32_t input, uint32_t id, uint64_t when) {
    put(e, n, input, id, weight_of(n, &e->packets.at[id]), when);
}

bool ws_network_send(ws_engine *e, ws_network *n, uint32_t input, uint32_t id, uint64_t when) {
    uint32_t weight = weight_of(n, &e->packets.at[id]);
    if (!has_room(e, n, input, weight)) {
        await_room(e, n, input, weight);
        return false;
    }
    put(e, n, input, id, weight, when);
    return true;
}

/* ---- the buffer behind an output port */

/* Another flit leaves the output: in the cycle after the one before it, or in cycle `sent` if that is later. */
static void send_flit(ws_engine *e, const ws_network *n, ws_network_output *out, uint64_t sent) {
    out->gone = out->gone + 1 > sent ? out->gone + 1 : sent;
    if (n->boundary && !ws_queue_push(&out->coming, 0, 1, out->gone + n->latency - 1)) e->failed = true;
}

/* Returns the cycle in which the flit crosses before which `ahead` others do, if there is room. */
static uint64_t crosses_in(const ws_network_output *out, uint32_t ahead) {
    uint64_t cycle = out->crossed_at;
    for (uint32_t k = 0; k <= ahead; k++) {
        uint64_t comes = ws_queue_behind(&out->coming, k)->when;
        cycle = comes > cycle ? comes : cycle + 1;
    }
    return cycle;
}

static uint64_t last_crosses_in(const ws_network_output *out) {
    return crosses_in(out, out->coming.count - 1);
}

/* Lets flits cross, one per cycle, up to and including cycle `until`. */
static void cross(const ws_network *n, ws_network_output *out, uint64_t until) {
    while (out->coming.count && out->crossed < n->boundary) {
        uint64_t cycle = crosses_in(out, 0);
        if (cycle > until) return;
        out->crossed_at = cycle;
        out->crossed++;
        ws_queue_pop(&out->coming);
    }
}

uint64_t ws_network_full_until(const ws_network *n, uint32_t output, uint32_t flits) {
    const ws_network_output *out = &n->out[output];
    if (!n->boundary) return out->queue.count < n->out_limit || !out->queue.count ? 0 : WS_NEVER;
    uint32_t wanted = out->coming.count + flits;
    if (wanted <= n->out_limit || !out->coming.count) return 0; /* an empty one takes any packet */
    uint32_t beyond = wanted - n->out_limit;
    if (beyond > out->coming.count) beyond = out->coming.count;
    return out->crossed + beyond > n->boundary ? WS_NEVER : crosses_in(out, beyond - 1);
}

/* Takes the first packet out of the boundary buffer, in which there is room from cycle `when` on. The next packet may
 * be taken once its last flit has crossed. */
static void leave_boundary(const ws_network *n, ws_network_output *out, uint64_t when) {
    cross(n, out, when - 1);
    out->crossed -= ws_queue_head(&out->queue)->weight;
    if (out->crossed_at < when - 1) out->crossed_at = when - 1;
    const ws_queued *next = ws_queue_behind(&out->queue, 1);
    if (next && next->weight > out->crossed)
        ws_queue_delay_second(&out->queue, crosses_in(out, next->weight - out->crossed - 1) + 1);
}

uint32_t ws_network_take(ws_engine *e, ws_network *n, uint32_t output, uint64_t when, uint64_t room_from) {
    /* a packet may wait for this room */
    bool was_full = n->boundary || n->out[output].queue.count == n->out_limit;
    if (n->waiting && was_full) ws_wake_network(e, n, room_from);
    if (n->boundary) leave_boundary(n, &n->out[output], when);
    return ws_queue_pop(&n->out[output].queue);
}

/* ---- one cycle: in each of its steps, as many as the crossbar's speedup, ports give and take a flit */

/* To be called when a packet has come to an empty output port. A slice that is still serving other requests looks at
 * its port by itself when it has done so. */
static void tell_output(ws_engine *e, const ws_network *n, uint32_t output, uint64_t when) {
    if (!n->to_memory)
        ws_cluster_wake_for_reply(e, output, when + 1);
    else if (!e->slices[output].in.count)
        ws_wake_slice(e, output, when + (uint64_t)e->l2->latency + 1);
}

/* Tells whoever waits for room at an input port that there is some, or will be. A slice has had its turn in this
 * cycle, so it gets one in the next. */
static void tell_input(ws_engine *e, ws_network *n, uint32_t input) {
    uint64_t known = ws_network_level_from(e, n, input, (uint32_t)n->in[input].told);
    n->in[input].told = -1;
    wake_sender(e, n, input, known > e->now ? known : e->now + !n->to_memory);
}

/* The sets nearly always have one word. The functions below are therefore inlined into step(), which is compiled once
 * more with the constant `words` 1. */

/* Moves the input from `early` to the inputs that want its first packet's output. */
static inline void ask_output(ws_network *n, uint32_t words, uint32_t input) {
    uint32_t output = n->in[input].output;
    drop(n->early, words, input);
    add(&n->wanting[output * words], words, input);
    add(n->wanted, words, output);
}

/* Lets first packets that may go from now on ask for their outputs. Returns the step in which the next one may. */
static inline __attribute__((always_inline)) uint64_t ask(ws_network *n, uint32_t words) {
    uint64_t next = WS_NEVER;
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t rest = n->early[w]; rest; rest &= rest - 1) {
            uint32_t input = w * 64 + (uint32_t)__builtin_ctzll(rest);
            if (n->in[input].when > n->step)
                next = ws_earlier(next, n->in[input].when);
            else
                ask_output(n, words, input);
        }
    return next;
}

/* Returns the first input, from the output's turn on, that wants the output. */
static inline __attribute__((always_inline)) uint32_t choose(const ws_network *n, uint32_t words,
                                                             uint32_t output) {
    const uint64_t *wanting = &n->wanting[output * words];
    uint32_t turn = n->out[output].turn, w = words == 1 ? 0 : turn / 64;
    uint64_t rest = wanting[w] & ~UINT64_C(0) << turn % 64;
    if (words == 1) return (uint32_t)__builtin_ctzll(rest ? rest : *wanting);
    while (!rest) {
        if (++w == words) w = 0;
        rest = wanting[w];
    }
    return w * 64 + (uint32_t)__builtin_ctzll(rest);
}

/* Removes the input from those that want the output. Returns whether others want it. */
static inline __attribute__((always_inline)) bool leave(ws_network *n, uint32_t words, uint32_t input,
                                                        uint32_t output) {
    uint64_t *wanting = &n->wanting[output * words], left = 0;
    drop(wanting, words, input);
    for (uint32_t w = 0; w < words; w++) left |= wanting[w];
    n->wanted[words == 1 ? 0 : output / 64] ^= (uint64_t)!left << output % 64;
    return left;
}

/* Moves the input's first packet to the output, where it arrives in cycle `when`. */
static inline __attribute__((always_inline)) void arrive(ws_engine *e, ws_network *n, uint32_t input,
                                                         uint32_t output, uint64_t when) {
    ws_queue *out = &n->out[output].queue;
    uint32_t id = ws_queue_pop(&n->in[input].queue);
    n->waiting--;
    if (!n->to_memory && ws_sm_foresees(e, output, id, when + 1)) return;
    if (n->boundary && !out->count) when = last_crosses_in(&n->out[output]) + 1;
    if (!ws_queue_push(out, id, n->boundary ? n->in[input].flits : 1, when)) e->failed = true;
    if (out->count == 1) tell_output(e, n, output, when);
}

/* Looks at the input's next packet, now its first. Returns the step in which it may go; WS_NEVER: in this one, to an
 * output whose turn is still to come. */
static inline __attribute__((always_inline)) uint64_t go_on(const ws_engine *e, ws_network *n, uint32_t words,
                                                            uint32_t input, uint32_t output) {
    const ws_network_input *in = &n->in[input];
    note_head(n, input);
    if (!n->input_speedup || in->output <= output || in->queue.when > e->now) return in->when;
    ask_output(n, words, input);
    return WS_NEVER;
}

/* To be called when the input's first packet has gone: it arrives at the output, and both ports are free from step
 * `busy` on. Returns the step in which another packet may use one of them. */
static inline __attribute__((always_inline)) uint64_t end(ws_engine *e, ws_network *n, uint32_t words,
                                                          uint32_t input, uint32_t output, uint64_t busy) {
    ws_network_input *in = &n->in[input];
    ws_network_output *out = &n->out[output];
    bool others = leave(n, words, input, output);
    uint64_t next = others ? busy : WS_NEVER;
    in->busy = n->input_speedup ? n->step + 1 : busy;
    out->busy = busy;
    out->turn = input + 1 == n->inputs ? 0 : input + 1;
    arrive(e, n, input, output, out->gone + n->latency);
    if (in->queue.count) next = ws_earlier(next, go_on(e, n, words, input, output));
    if ((int32_t)in->queue.weight <= in->told) tell_input(e, n, input);
    return next;
}

/* Returns the step from which the output has room for a packet of `flits` flits; WS_NEVER: whoever takes a packet from
 * it says so (ws_network_take). */
static inline uint64_t room_from(ws_engine *e, const ws_network *n, uint32_t output, uint32_t flits) {
    uint64_t room = ws_network_room_at(n, output, flits);
    if (room > e->now && n->to_memory) room = ws_slice_room_from(e, &e->slices[output], flits);
    if (room <= e->now) return n->step;
    return room == WS_NEVER ? WS_NEVER : room * n->speedup;
}

/* The following functions return the step in which there is next something to do for the output or the input. */

/* The input's first packet goes to the output as a whole, if there is room. */
static inline __attribute__((always_inline)) uint64_t move(ws_engine *e, ws_network *n, uint32_t words,
                                                           uint32_t input, uint32_t output) {
    ws_network_input *in = &n->in[input];
    uint64_t from = room_from(e, n, output, in->flits);
    if (from > n->step) return from;
    ws_network_output *out = &n->out[output];
    if (n->boundary)
        for (uint32_t i = 0; i < in->flits; i++) send_flit(e, n, out, e->now + 1);
    else
        out->gone = (out->gone > e->now ? out->gone : e->now) + in->flits;
    for (uint32_t i = 0; n->credit_latency && i < in->flits; i++) give_credit(e, n, in);
    return end(e, n, words, input, output, n->step + in->flits);
}

/* With noc.crossbar_speedup: the input's first packet gets hold of the output. */
static inline uint64_t hold(ws_network *n, uint32_t input, uint32_t output) {
    ws_network_output *out = &n->out[output];
    out->held = true;
    out->holder = input;
    return out->busy = n->step + 1;
}

/* The next flit of the packet that holds the output goes there, if it has entered the input's buffer and there is
 * room. */
static __attribute__((noinline)) uint64_t pass_flit(ws_engine *e, ws_network *n, uint32_t output) {
    ws_network_output *out = &n->out[output];
    ws_network_input *in = &n->in[out->holder];
    uint64_t entered = in->entered - in->flits + out->came, from = entered * n->speedup;
    if (from <= n->step) from = room_from(e, n, output, 1);
    if (from > n->step) return from;
    send_flit(e, n, out, cycle_of(n, n->step + 1));
    if (n->credit_latency) give_credit(e, n, in);
    ws_queue_lighten(&in->queue);
    if (++out->came == in->flits) {
        out->held = false;
        out->came = 0;
        return end(e, n, n->words, out->holder, output, n->step + 1);
    }
    if ((int32_t)in->queue.weight <= in->told) tell_input(e, n, out->holder);
    return out->busy = n->step + 1;
}

static inline __attribute__((always_inline)) uint64_t step(ws_engine *e, ws_network *n, uint32_t words) {
    uint64_t next = ask(n, words);
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t later = ~UINT64_C(0), rest; (rest = n->wanted[w] & later) != 0;) {
            uint32_t output = w * 64 + (uint32_t)__builtin_ctzll(rest);
            later = ~UINT64_C(1) << output % 64;
            if (n->out[output].busy > n->step) {
                next = ws_earlier(next, n->out[output].busy);
                continue;
            }
            uint64_t at = n->out[output].held ? pass_flit(e, n, output)
                          : n->speedup > 1    ? hold(n, choose(n, words, output), output)
                                              : move(e, n, words, choose(n, words, output), output);
            next = ws_earlier(next, at);
        }
    return next;
}

void ws_network_step(ws_engine *e, ws_network *n) {
    uint64_t next = WS_NEVER, end = (e->now + 1) * n->speedup;
    for (n->step = end - n->speedup; n->step < end; n->step++)
        next = n->words == 1 ? step(e, n, 1) : step(e, n, n->words);
    ws_wake_network(e, n, next == WS_NEVER ? next : cycle_of(n, next));
}
