/* The ports of a network, as those see them who fill and empty them: room at inputs, packets that come, and room and
 * the boundary buffer at outputs. The room of an input port is the business of whoever fills it (cluster.c,
 * memory/slice.c), which is told when there is some. */
#include "base/inline.h"
#include "timed/memory/slice.h"
#include "timed/network/cluster.h"
#include "timed/network/crossbar.h"
#include "timed/network/entry.h"
#include "timed/turns.h"

#include <string.h>

enum { HEADER_B = 8 };

/* ws_queued.where holds the slice or cluster that a packet goes to. */
enum { SLICES_MAX = WS_CHANNELS_MAX * WS_CHANNEL_SLICES_MAX };
_Static_assert(SLICES_MAX - 1 <= WS_QUEUED_WHERE, "slices fit");
_Static_assert(WS_CLUSTERS_MAX - 1 <= WS_QUEUED_WHERE, "clusters fit");

/* Bytes of a packet with this many units of data, the size of a sector each. */
static uint32_t bytes_of(uint32_t units) {
    return HEADER_B + WS_TIMED_SECTOR_B * units;
}

static uint16_t flits_of(uint32_t units, uint32_t flit_B) {
    return flit_B ? (uint16_t)((bytes_of(units) + flit_B - 1) / flit_B) : 1;
}

/* A packet counts as one on the network to memory, and on the way back with noc.replies lines. Otherwise each of its
 * sectors (or an acknowledged write of as many bytes) is a packet, or all of it if it has none. */
static void set_forms(ws_network *n, const ws_noc_params *noc) {
    bool apart = !n->to_memory && noc->replies == WS_REPLIES_SECTORS;
    for (uint32_t f = 0; f < WS_NETWORK_FORMS; f++) {
        uint32_t sectors = f % WS_PACKET_UNITS, packets = apart && sectors ? sectors : 1,
                 units = f < WS_PACKET_UNITS ? sectors / packets : 0;
        n->forms[f] =
            (ws_network_form){.packets = (uint16_t)packets,
                              .units = (uint16_t)units,
                              .flits = (uint16_t)(packets * flits_of(units, (uint32_t)noc->flit_B))};
    }
}

uint32_t ws_network_largest(const ws_noc_params *noc, int64_t line_B) {
    uint32_t units = (uint32_t)line_B / WS_TIMED_SECTOR_B, flit_B = (uint32_t)noc->flit_B,
             line = flits_of(units, flit_B), sectors = units * flits_of(1, flit_B);
    return noc->replies == WS_REPLIES_SECTORS && sectors > line ? sectors : line;
}

static void set_limits(ws_network *n, const ws_noc_params *noc, int64_t line_B) {
    n->latency = (uint32_t)noc->latency;
    n->input_speedup = noc->input_speedup;
    n->speedup = (uint32_t)noc->crossbar_speedup;
    n->injection_queue = (uint32_t)noc->injection_queue;
    /* replies wait in a queue of the slice in front of the port, which moves up one cycle later */
    n->entry_latency = (uint32_t)noc->credit_latency;
    n->credit_latency = noc->credit_latency ? (uint32_t)noc->credit_latency + !n->to_memory : 0;
    n->in_limit = (uint32_t)noc->in_buffer;
    n->boundary = (uint32_t)noc->boundary_buffer;
    n->out_limit = (uint32_t)noc->out_buffer;
    n->widest = flits_of((uint32_t)line_B / WS_TIMED_SECTOR_B, (uint32_t)noc->flit_B);
    n->watches = n->boundary;
    n->router = n->speedup > 1 || n->injection_queue;
    n->plain = !n->router && !n->boundary && !n->credit_latency &&
               ws_network_largest(noc, line_B) < WS_NETWORK_STEPS;
    n->sure_limit = n->credit_latency || n->router ? 0 : n->in_limit;
}

static void *new_ports(size_t align, size_t size) {
    void *ports = aligned_alloc(align, size);
    return ports ? memset(ports, 0, size) : NULL;
}

/* As many places as the buffer has flits, and one for the flit that comes next. */
static bool make_entries(ws_network *n) {
    uint64_t places = 1;
    while (places <= n->in_limit) places *= 2;
    n->entry_mask = places - 1;
    n->entry_times = calloc(n->inputs * places, sizeof *n->entry_times);
    return n->entry_times;
}

static void init_input(const ws_network *n, ws_network_input *in, uint32_t input) {
    in->told = -1;
    if (n->router) in->entry.times = n->entry_times + input * (n->entry_mask + 1);
    ws_queue_init(&in->queue);
    ws_queue_init(&in->credits);
}

/* Input 0 is asked first. */
static void init_output(const ws_network *n, ws_network_output *out) {
    out->last = n->words * 64 - 1;
    ws_queue_init(&out->queue);
    ws_queue_init(&out->coming);
}

bool ws_network_init(ws_network *n, uint32_t inputs, uint32_t outputs, bool to_memory,
                     const ws_noc_params *noc, int64_t line_B) {
    *n = (ws_network){.inputs = inputs, .outputs = outputs, .next_turn = WS_NEVER, .to_memory = to_memory};
    set_forms(n, noc);
    set_limits(n, noc, line_B);
    n->words = ((inputs > outputs ? inputs : outputs) + 63) / 64;
    if (n->router && !make_entries(n)) return false;
    n->in = new_ports(alignof(ws_network_input), inputs * sizeof *n->in);
    n->out = new_ports(alignof(ws_network_output), outputs * sizeof *n->out);
    for (uint32_t i = 0; n->in && i < inputs; i++) init_input(n, &n->in[i], i);
    for (uint32_t o = 0; n->out && o < outputs; o++) init_output(n, &n->out[o]);
    n->wheel = calloc((size_t)WS_NETWORK_STEPS * 2 * n->words, sizeof *n->wheel);
    n->wanting = calloc((size_t)outputs * n->words, sizeof *n->wanting);
    n->blocked = calloc(n->words, sizeof *n->blocked);
    return n->in && n->out && n->wheel && n->wanting && n->blocked;
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
    free(n->entry_times);
    free(n->wheel);
    free(n->wanting);
    free(n->blocked);
    *n = (ws_network){0};
}

/* Index into `forms` for sectors that travel together. To memory it is the data that they carry; on the way back their
 * number, with acknowledged writes apart. */
static inline uint32_t form_index(const ws_network *n, const ws_packet *p) {
    if (n->to_memory) return p->data_B;
    return ws_sector_count(p->sectors) + (p->kind == WS_PACKET_WRITE ? WS_PACKET_UNITS : 0);
}

static inline ws_network_form *form_of(ws_network *n, const ws_packet *p) {
    return &n->forms[form_index(n, p)];
}

/* Drops the credits that have come back. */
static void take_credits(const ws_engine *e, ws_network_input *in) {
    while (ws_queue_ready(&in->credits, e->now)) ws_queue_pop(&in->credits);
}

/* One credit comes back per cycle. */
void ws_network_give_credit(ws_engine *e, const ws_network *n, ws_network_input *in) {
    take_credits(e, in);
    uint64_t when = e->now + n->credit_latency;
    in->last_credit = when > in->last_credit ? when : in->last_credit + 1;
    if (!ws_queue_push(&in->credits, 0, 1, in->last_credit)) e->failed = true;
}

/* The next two functions are parts of the third, for GPUs that need them. */
static __attribute__((noinline)) uint64_t entered_from(const ws_engine *e, const ws_network *n,
                                                       const ws_network_input *in, uint32_t flits) {
    return ws_later(ws_entry_left_in_front(n, in, flits), e->now);
}

/* Returns the first cycle in which all but `room` of the credits have come back. */
static __attribute__((noinline)) uint64_t credited_from(const ws_engine *e, ws_network_input *in,
                                                        uint32_t room) {
    take_credits(e, in);
    uint32_t awaited = in->credits.count;
    return awaited > room ? ws_queue_behind(&in->credits, awaited - room - 1)->when : e->now;
}

/* Returns the first cycle in which whoever fills the input port knows that its level is at most `flits` flits
 * (ws_network_level_for), if none leaves it from now on; WS_NEVER: not before one leaves. */
static inline uint64_t level_known_from(const ws_engine *e, ws_network *n, uint32_t input, uint32_t flits) {
    ws_network_input *in = &n->in[input];
    if (n->injection_queue) return entered_from(e, n, in, flits);
    if (in->queue.weight > flits) return WS_NEVER;
    return in->credits.count ? credited_from(e, in, flits - in->queue.weight) : e->now;
}

/* Not inlined, as nearly all packets surely find room. */
static __attribute__((noinline)) bool finds_room(const ws_engine *e, ws_network *n, uint32_t input,
                                                 uint32_t weight) {
    return level_known_from(e, n, input, ws_network_level_for(n, weight)) <= e->now;
}

static inline bool surely_has_room(const ws_network *n, uint32_t input, uint32_t weight) {
    return n->in[input].queue.weight + weight <= n->sure_limit;
}

static inline bool has_room(const ws_engine *e, ws_network *n, uint32_t input, uint32_t weight) {
    return surely_has_room(n, input, weight) || finds_room(e, n, input, weight);
}

bool ws_network_has_room_for(const ws_engine *e, ws_network *n, uint32_t input, uint32_t flits) {
    return flits <= (n->injection_queue ? n->injection_queue : n->in_limit) && has_room(e, n, input, flits);
}

bool ws_network_has_room(const ws_engine *e, ws_network *n, uint32_t input, uint32_t id) {
    return has_room(e, n, input, form_of(n, &e->packets.at[id])->flits);
}

static void wake_sender(ws_engine *e, const ws_network *n, uint32_t input, uint64_t when) {
    if (n->to_memory)
        ws_cluster_wake_for_room(e, input, when);
    else
        ws_wake_slice(e, input, when);
}

/* Has whoever fills the input told when its level is at most `flits` flits, which they know from cycle `known` on. */
static inline void await(ws_engine *e, ws_network *n, uint32_t input, uint32_t flits, uint64_t known) {
    ws_network_input *in = &n->in[input];
    if (known != WS_NEVER)
        wake_sender(e, n, input, known);
    else if ((int32_t)flits > in->told)
        in->told = (int32_t)flits;
}

void ws_network_await_level(ws_engine *e, ws_network *n, uint32_t input, uint32_t flits) {
    await(e, n, input, flits, level_known_from(e, n, input, flits));
}

void ws_network_tell_input(ws_engine *e, ws_network *n, uint32_t input) {
    uint64_t known = level_known_from(e, n, input, (uint32_t)n->in[input].told);
    if (known == WS_NEVER) return;
    n->in[input].told = -1;
    if (n->to_memory || known > e->now)
        wake_sender(e, n, input, known);
    else
        ws_slice_port_has_room(e, &e->slices[input]);
}

static __attribute__((noinline)) bool finds_or_awaits_room(ws_engine *e, ws_network *n, uint32_t input,
                                                           uint32_t weight) {
    uint32_t level = ws_network_level_for(n, weight);
    uint64_t known = level_known_from(e, n, input, level);
    if (known > e->now) await(e, n, input, level, known);
    return known <= e->now;
}

bool ws_network_admits_packet(ws_engine *e, ws_network *n, uint32_t input, uint32_t id) {
    uint32_t flits = form_of(n, &e->packets.at[id])->flits;
    return surely_has_room(n, input, flits) || finds_or_awaits_room(e, n, input, flits);
}

bool ws_network_admits(ws_engine *e, ws_network *n, uint32_t input, uint32_t units) {
    uint32_t flits = n->forms[units].flits;
    return surely_has_room(n, input, flits) || finds_or_awaits_room(e, n, input, flits);
}

ws_network_counts ws_network_count(const ws_engine *e, const ws_network *n) {
    uint64_t gone[WS_NETWORK_FORMS];
    for (uint32_t f = 0; f < WS_NETWORK_FORMS; f++) gone[f] = n->forms[f].come;
    for (uint32_t i = 0; i < n->inputs; i++)
        for (uint32_t k = 0; k < n->in[i].queue.count; k++)
            gone[form_index(n, &e->packets.at[ws_queue_behind(&n->in[i].queue, k)->id])]--;
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

/* What a packet is to the network. */
typedef struct passage {
    ws_network_form *form;
    uint32_t output;
} passage;

WS_INLINE passage passage_of(const ws_engine *e, ws_network *n, uint32_t id) {
    const ws_packet *p = &e->packets.at[id];
    return (passage){.form = form_of(n, p), .output = n->to_memory ? p->slice : ws_port_of(e, p->sm)};
}

/* A packet is counted here, as it is not looked at again before it leaves. */
void ws_network_put(ws_engine *e, ws_network *n, uint32_t input, uint32_t id, uint64_t when) {
    ws_network_input *in = &n->in[input];
    passage pass = passage_of(e, n, id);
    pass.form->come++;
    if (!ws_queue_push_to(&in->queue, id, pass.form->flits, pass.output, when)) {
        e->failed = true;
        return;
    }
    if (n->router) ws_entry_put(n, in, pass.form->flits);
    if (in->queue.count == 1) ws_crossbar_lead(e, n, input);
}

/* The next two functions are not inlined, so that most packets, for which nothing is called, cost the host few saved
 * registers. */
static __attribute__((noinline)) bool put_first(ws_engine *e, ws_network *n, uint32_t input, uint32_t id,
                                                uint64_t when) {
    ws_network_put(e, n, input, id, when);
    return true;
}

/* For a packet that is not sure to find room, and those of routers. */
static __attribute__((noinline)) bool offer_in_doubt(ws_engine *e, ws_network *n, uint32_t input, uint32_t id,
                                                     uint64_t when, bool awaits) {
    uint32_t flits = passage_of(e, n, id).form->flits;
    bool room = awaits ? finds_or_awaits_room(e, n, input, flits) : finds_room(e, n, input, flits);
    if (room) ws_network_put(e, n, input, id, when);
    return room;
}

/* Hands a packet to an input if that has room; if not, and with `awaits`, whoever fills it is told when it may. */
WS_INLINE bool offer(ws_engine *e, ws_network *n, uint32_t input, uint32_t id, uint64_t when, bool awaits) {
    ws_queue *queue = &n->in[input].queue;
    passage pass = passage_of(e, n, id);
    if (queue->weight + pass.form->flits > n->sure_limit)
        return offer_in_doubt(e, n, input, id, when, awaits);
    if (!queue->count || ws_queue_is_full(queue)) return put_first(e, n, input, id, when);
    pass.form->come++;
    ws_queue_add(queue, (ws_queued){when, id, (uint16_t)pass.output, pass.form->flits});
    return true;
}

bool ws_network_offer(ws_engine *e, ws_network *n, uint32_t input, uint32_t id, uint64_t when) {
    return offer(e, n, input, id, when, false);
}

bool ws_network_send(ws_engine *e, ws_network *n, uint32_t input, uint32_t id, uint64_t when) {
    return offer(e, n, input, id, when, true);
}

/* ---- the buffer behind an output port */

void ws_network_send_flit(ws_engine *e, const ws_network *n, ws_network_output *out, uint64_t sent) {
    out->gone = out->gone + 1 > sent ? out->gone + 1 : sent;
    uint64_t comes = out->gone + n->latency - 1;
    if (comes < e->now) comes = e->now; /* without latency, in one of the first steps of a cycle */
    if (n->boundary && !ws_queue_push(&out->coming, 0, 1, comes)) e->failed = true;
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

uint64_t ws_network_last_crosses_in(const ws_network_output *out) {
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

void ws_network_note_room(ws_network *n, uint32_t output, uint64_t from) {
    if (n->blocked[output / 64] >> output % 64 & 1) ws_wake_network(n, from);
}

uint32_t ws_network_take_watched(ws_network *n, uint32_t output, uint64_t when, uint64_t room_from) {
    ws_network_note_room(n, output, room_from);
    if (n->boundary) leave_boundary(n, &n->out[output], when);
    return ws_queue_pop(&n->out[output].queue);
}
