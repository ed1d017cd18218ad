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
    n->wants = calloc(inputs, sizeof *n->wants);
    return n->in && n->out && n->in_flits && n->in_busy && n->out_busy && n->turn && n->wants;
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
    free(n->wants);
    *n = (ws_network){0};
}

uint32_t ws_network_flits(const ws_network *n, uint32_t bytes) {
    return n->flit_B ? (bytes + n->flit_B - 1) / n->flit_B : 1;
}

bool ws_network_has_room(const ws_network *n, uint32_t input, uint32_t flits) {
    return n->in_flits[input] + flits <= n->in_limit;
}

/* ---- one cycle */

/* The input whose head wants `output`, asked in turn from the one after the last that was served. */
static uint32_t choose_input(const ws_engine *e, const ws_network *n, uint32_t output,
                             const uint32_t *wants) {
    for (uint32_t i = 0; i < n->inputs; i++) {
        uint32_t input = (n->turn[output] + i) % n->inputs;
        if (wants[input] == output && n->in_busy[input] <= e->now) return input;
    }
    return UINT32_MAX;
}

static uint32_t bytes_of(const ws_packet *p, bool to_memory) {
    if (to_memory) return p->kind == WS_PACKET_READ ? 8 : 8 + p->data_B * 32u;
    return p->kind == WS_PACKET_WRITE ? 8 : 8 + 32;
}

static void move(ws_engine *e, ws_network *n, uint32_t input, uint32_t output, bool to_memory) {
    uint32_t id = ws_queue_pop(&n->in[input]);
    uint32_t flits = ws_network_flits(n, bytes_of(&e->packets.at[id], to_memory));
    n->in_flits[input] -= flits;
    n->in_busy[input] = n->out_busy[output] = e->now + flits;
    n->turn[output] = (input + 1) % n->inputs;
    n->waiting--;
    n->packets++;
    n->flits += flits;
    uint64_t when = e->now + flits + n->latency;
    if (!ws_queue_push(&n->out[output], id, when)) e->failed = true;
    ws_wake_at(to_memory ? &e->slices[output].wake : &e->sms[output].wake, when);
    ws_wake_at(to_memory ? &e->sms[input].wake : &e->slices[input].wake, e->now + 1);
}

void ws_network_step(ws_engine *e, ws_network *n, bool to_memory) {
    uint32_t *wants = n->wants;
    uint64_t asked[WS_PORTS_MAX / 64] = {0};
    for (uint32_t i = 0; i < n->inputs; i++) {
        const ws_queued *head = ws_queue_head(&n->in[i]);
        wants[i] = UINT32_MAX;
        if (!head || head->when > e->now || n->in_busy[i] > e->now) continue;
        const ws_packet *p = &e->packets.at[head->id];
        wants[i] = to_memory ? ws_slice_of(e, p->line) : p->sm;
        asked[wants[i] / 64] |= UINT64_C(1) << wants[i] % 64;
    }
    for (uint32_t w = 0; w < (n->outputs + 63) / 64; w++)
        for (uint64_t rest = asked[w]; rest; rest &= rest - 1) {
            uint32_t output = w * 64 + (uint32_t)__builtin_ctzll(rest);
            if (n->out_busy[output] > e->now || n->out[output].count >= n->out_limit) continue;
            uint32_t input = choose_input(e, n, output, wants);
            if (input != UINT32_MAX) move(e, n, input, output, to_memory);
        }
    n->wake = n->waiting ? e->now + 1 : WS_NEVER;
}
