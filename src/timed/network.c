/* A crossbar: each cycle each output takes one packet from the inputs that ask for it, in turn, and each input gives
 * one. A packet of several flits holds both its ports for as many cycles. */
#include "timed/engine.h"

bool ws_network_init(ws_network *n, uint32_t inputs, uint32_t outputs, bool to_memory,
                     const ws_noc_params *params, uint32_t behind, uint32_t waiting) {
    *n = (ws_network){.inputs = inputs,
                      .outputs = outputs,
                      .to_memory = to_memory,
                      .flit_B = (uint32_t)params->flit_B,
                      .latency = (uint32_t)params->latency + behind,
                      .in_limit = (uint32_t)params->in_buffer,
                      .out_limit = (uint32_t)params->out_buffer + waiting};
    n->in = calloc(inputs, sizeof *n->in);
    n->out = calloc(outputs, sizeof *n->out);
    n->in_used = calloc((inputs + 63) / 64, sizeof *n->in_used);
    n->in_busy = calloc(inputs, sizeof *n->in_busy);
    n->out_busy = calloc(outputs, sizeof *n->out_busy);
    n->turn = calloc(outputs, sizeof *n->turn);
    n->best = calloc(outputs, sizeof *n->best);
    n->distance = calloc(outputs, sizeof *n->distance);
    return n->in && n->out && n->in_used && n->in_busy && n->out_busy && n->turn && n->best && n->distance;
}

void ws_network_free(ws_network *n) {
    for (uint32_t i = 0; n->in && i < n->inputs; i++) ws_queue_free(&n->in[i]);
    for (uint32_t o = 0; n->out && o < n->outputs; o++) ws_queue_free(&n->out[o]);
    free(n->in);
    free(n->out);
    free(n->in_used);
    free(n->in_busy);
    free(n->out_busy);
    free(n->turn);
    free(n->best);
    free(n->distance);
    *n = (ws_network){0};
}

/* Flits that carry a packet. To memory it is one packet; back, each of its sectors (an acknowledged write, 32 bytes of
 * data) is one. */
static uint32_t packets_of(const ws_network *n, const ws_packet *p) {
    return n->to_memory ? 1 : ws_sector_count(p->sectors);
}

static uint32_t packet_bytes(const ws_network *n, const ws_packet *p) {
    return n->to_memory ? 8 + p->data_B * 32u : p->kind == WS_PACKET_WRITE ? 8 : 8 + 32;
}

static uint32_t flits_of(const ws_network *n, const ws_packet *p) {
    uint32_t bytes = packet_bytes(n, p);
    return packets_of(n, p) * (n->flit_B ? (bytes + n->flit_B - 1) / n->flit_B : 1);
}

bool ws_network_has_room(const ws_engine *e, const ws_network *n, uint32_t input, uint32_t id) {
    const ws_queue *in = &n->in[input];
    return in->count == 0 || in->weight + flits_of(n, &e->packets.at[id]) <= n->in_limit;
}

bool ws_network_send(ws_engine *e, ws_network *n, uint32_t input, uint32_t id, uint64_t when) {
    if (!ws_network_has_room(e, n, input, id)) return false;
    ws_network_put(e, n, input, id, when);
    return true;
}

void ws_network_put(ws_engine *e, ws_network *n, uint32_t input, uint32_t id, uint64_t when) {
    if (!ws_queue_push(&n->in[input], id, flits_of(n, &e->packets.at[id]), when)) e->failed = true;
    n->in_used[input / 64] |= UINT64_C(1) << input % 64;
    n->waiting++;
    ws_wake_network(e, n, when);
}

uint32_t ws_network_take(ws_engine *e, ws_network *n, uint32_t output, uint64_t room_from) {
    if (n->waiting && n->out[output].count == n->out_limit) ws_wake_network(e, n, room_from);
    return ws_queue_pop(&n->out[output]);
}

/* ---- one cycle */

static void move(ws_engine *e, ws_network *n, uint32_t input, uint32_t output) {
    uint32_t flits = ws_queue_head(&n->in[input])->weight, id = ws_queue_pop(&n->in[input]);
    if (!n->in[input].count) n->in_used[input / 64] &= ~(UINT64_C(1) << input % 64);
    n->in_busy[input] = n->out_busy[output] = e->now + flits;
    n->turn[output] = input + 1 == n->inputs ? 0 : input + 1;
    n->waiting--;
    uint32_t packets = packets_of(n, &e->packets.at[id]);
    n->packets += packets;
    n->bytes += (uint64_t)packets * packet_bytes(n, &e->packets.at[id]);
    n->flits += flits;
    uint64_t when = e->now + flits + n->latency;
    if (!ws_queue_push(&n->out[output], id, 1, when)) e->failed = true;
    if (n->to_memory) {
        ws_wake_slice(e, output, when);
        ws_cluster_wake_for_room(e, input, e->now);
    } else {
        ws_cluster_wake_for_reply(e, output, when + 1);
        ws_wake_slice(e, input, e->now + 1);
    }
}

/* For each output that a packet asks for: the input that comes first from its turn on. Answers when an input that
 * cannot ask yet will. */
static uint64_t ask(const ws_engine *e, ws_network *n, uint64_t *asked) {
    uint64_t next = WS_NEVER;
    for (uint32_t w = 0; w < (n->inputs + 63) / 64; w++)
        for (uint64_t rest = n->in_used[w]; rest; rest &= rest - 1) {
            uint32_t input = w * 64 + (uint32_t)__builtin_ctzll(rest);
            const ws_queued *head = ws_queue_head(&n->in[input]);
            uint64_t when = head->when > n->in_busy[input] ? head->when : n->in_busy[input];
            if (when > e->now) {
                next = ws_earlier(next, when);
                continue;
            }
            const ws_packet *p = &e->packets.at[head->id];
            uint32_t output = n->to_memory ? p->slice : p->sm / e->sms_per_cluster, turn = n->turn[output];
            uint32_t distance = input >= turn ? input - turn : input + n->inputs - turn;
            uint64_t bit = UINT64_C(1) << output % 64;
            if (asked[output / 64] & bit && distance > n->distance[output]) continue;
            asked[output / 64] |= bit;
            n->best[output] = input;
            n->distance[output] = distance;
        }
    return next;
}

void ws_network_step(ws_engine *e, ws_network *n) {
    uint64_t asked[WS_PORTS_MAX / 64];
    for (uint32_t w = 0; w < (n->outputs + 63) / 64; w++) asked[w] = 0;
    uint64_t next = ask(e, n, asked);
    for (uint32_t w = 0; w < (n->outputs + 63) / 64; w++)
        for (uint64_t rest = asked[w]; rest; rest &= rest - 1) {
            uint32_t output = w * 64 + (uint32_t)__builtin_ctzll(rest);
            if (n->out_busy[output] > e->now) {
                next = ws_earlier(next, n->out_busy[output]);
            } else if (n->out[output].count < n->out_limit) {
                move(e, n, n->best[output], output);
                next = e->now + 1;
            }
        }
    ws_wake_network(e, n, next);
}
