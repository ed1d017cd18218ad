#include "analysis/parts/uniform_token.h"

#include "replay/tokens.h"

#include <stdlib.h>

typedef struct warp_state {
    uint64_t warp; /* its number + 1; 0 = none yet */
    ws_token_warp tokens;
} warp_state;

struct uniform_token {
    const ws_static *statics;
    ws_tokens *tokens;
    uint64_t all_lanes;
    warp_state *warps;
    uint64_t *bits;
};

uniform_token *uniform_token_new(const ws_trace *trace, uint32_t sms) {
    uniform_token *t = calloc(1, sizeof *t);
    if (!t || !(t->tokens = ws_tokens_new(trace))) {
        uniform_token_free(t);
        return NULL;
    }
    size_t words = ws_tokens_words(t->tokens);
    t->statics = ws_trace_statics(trace);
    t->all_lanes = ws_trace_get_info(trace)->warp_size == 64 ? UINT64_MAX : UINT32_MAX;
    t->warps = calloc((size_t)sms * WS_SLOTS, sizeof *t->warps);
    t->bits = calloc((size_t)sms * WS_SLOTS * words, sizeof *t->bits);
    if (!t->warps || !t->bits) {
        uniform_token_free(t);
        return NULL;
    }
    for (size_t i = 0; i < (size_t)sms * WS_SLOTS; i++) t->warps[i].tokens.uniform = t->bits + i * words;
    return t;
}

void uniform_token_free(uniform_token *t) {
    if (!t) return;
    ws_tokens_free(t->tokens);
    free(t->warps);
    free(t->bits);
    free(t);
}

/* The tokens of the instruction's warp; they are set anew if the warp is new in its slot. */
static ws_token_warp *warp_of(const uniform_token *t, const ws_instructions *batch, size_t i) {
    warp_state *w = &t->warps[(size_t)batch->sm[i] * WS_SLOTS + batch->slot[i]];
    if (w->warp != batch->warp[i] + UINT64_C(1)) ws_tokens_begin(t->tokens, &w->tokens);
    w->warp = batch->warp[i] + UINT64_C(1);
    return &w->tokens;
}

bool uniform_token_sources(uniform_token *t, const ws_instructions *batch, size_t i) {
    return batch->mask[i] == t->all_lanes &&
           ws_tokens_sources(t->tokens, warp_of(t, batch, i), batch->inst[i]);
}

static bool one_address(const uint64_t *address, unsigned lanes) {
    for (unsigned i = 1; i < lanes; i++)
        if (address[i] != address[0]) return false;
    return true;
}

bool uniform_token_step(uniform_token *t, const ws_instructions *batch, size_t i) {
    ws_token_warp *w = warp_of(t, batch, i);
    ws_token_inst inst = {
        .inst = batch->inst[i], .all_lanes = batch->mask[i] == t->all_lanes, .no_lane = !batch->mask[i]};
    if (t->statics[batch->inst[i]].op == WS_MEMORY_LOAD)
        inst.one_address = one_address(batch->address[i], (unsigned)__builtin_popcountll(batch->mask[i]));
    ws_token_effect effect = ws_tokens_look(t->tokens, w, &inst);
    ws_tokens_write(t->tokens, w, &inst, effect.result);
    return effect.computes;
}
