/* A crossbar: each cycle each output takes one packet from the inputs that ask for it, in turn, and each input gives
 * one. A packet of several flits holds both its ports for as many cycles. */
#include "timed/engine.h"

bool ws_network_init(ws_network *n, uint32_t inputs, uint32_t outputs, const ws_noc_params *params) {
    *n = (ws_network){.inputs = inputs,
                      .outputs = outputs,
                      .flit_B = (uint32_t)params->flit_B,
                      .latency = (uint32_t)params->latency,
                      .in_limit = (uint32_t)params->in_buffer,
                      .out_limit = (uint32_t)params->out_buffer,
                      .wake = WS_NEVER};
    n->in = calloc(inputs, sizeof *n->in);
    n->out = calloc(outputs, sizeof *n->out);
    n->in_flits = calloc(inputs, sizeof *n->in_flits);
    n->in_busy = calloc(inputs, sizeof *n->in_busy);
    n->out_busy = calloc(outputs, sizeof *n->out_busy);
    n->turn = calloc(outputs, sizeof *n->turn);
    n->best = calloc(outputs, sizeof *n->best);
    n->distance = calloc(outputs, sizeof *n->distance);
    return n->in && n->out && n->in_flits && n->in_busy && n->out_busy && n->turn && n->best && n->distance;
}

void ws_network_free(ws_network *n) {
    for (uint32_t i = 0; n->in && i < n->inputs; i++) ws_queue_free(&n->in[i]);
    for (uint32_t o = 0; n->out && o < n->outputs; o++) ws_queue_free(&n->out[o]);
    free(n->in);
    free(n->out);
    free(n->in_flits);
    free(n->in_busy);
    free(n->out_busy);
    free(n->turn);
    free(n->best);
    free(n->distance);
    *n = (ws_network){0};
}

uint32_t ws_network_flits(const ws_network *n, uint32_t bytes) {
    return n->flit_B ? (bytes + n->flit_B - 1) / n->flit_B : 1;
}

bool ws_network_has_room(const ws_network *n, uint32_t input, uint32_t flits) {
    return n->in_flits[input] + flits <= n->in_limit;
}

/* ---- one cycle */

static uint32_t bytes_of(const ws_packet *p, bool to_memory) {
    if (to_memory) return p->kind == WS_PACKET_READ ? 8 : 8 + p->data_B * 32u;
    return p->kind == WS_PACKET_WRITE ? 8 : 8 + 32;
}

static void move(ws_engine *e, ws_network *n, uint32_t input, uint32_t output, bool to_memory) {
    uint32_t id = ws_queue_pop(&n->in[input]);
    uint32_t flits = ws_network_flits(n, bytes_of(&e->packets.at[id], to_memory));
    n->in_flits[input] -= flits;
    n->in_busy[input] = n->out_busy[output] = e->now + flits;
    n->turn[output] = input + 1 == n->inputs ? 0 : input + 1;
    n->waiting--;
    n->packets++;
    n->flits += flits;
    uint64_t when = e->now + flits + n->latency;
    if (!ws_queue_push(&n->out[output], id, when)) e->failed = true;
    ws_wake_at(to_memory ? &e->slices[output].wake : &e->sms[output].wake, when);
    ws_wake_at(to_memory ? &e->sms[input].wake : &e->slices[input].wake, e->now + 1);
}

/* Each output is served the input that comes first from its turn on. */
void ws_network_step(ws_engine *e, ws_network *n, bool to_memory) {
    uint64_t asked[WS_PORTS_MAX / 64];
    for (uint32_t w = 0; w < (n->outputs + 63) / 64; w++) asked[w] = 0;
    for (uint32_t input = 0; input < n->inputs; input++) {
        if (!ws_queue_ready(&n->in[input], e->now) || n->in_busy[input] > e->now) continue;
        const ws_packet *p = &e->packets.at[ws_queue_head(&n->in[input])->id];
        uint32_t output = to_memory ? p->slice : p->sm, turn = n->turn[output];
        uint32_t distance = input >= turn ? input - turn : input + n->inputs - turn;
        uint64_t bit = UINT64_C(1) << output % 64;
        if (asked[output / 64] & bit && distance > n->distance[output]) continue;
        asked[output / 64] |= bit;
        n->best[output] = input;
        n->distance[output] = distance;
    }
    for (uint32_t w = 0; w < (n->outputs + 63) / 64; w++)
        for (uint64_t rest = asked[w]; rest; rest &= rest - 1) {
            uint32_t output = w * 64 + (uint32_t)__builtin_ctzll(rest);
            if (n->out_busy[output] <= e->now && n->out[output].count < n->out_limit)
                move(e, n, n->best[output], output, to_memory);
        }
    n->wake = n->waiting ? e->now + 1 : WS_NEVER;
}
