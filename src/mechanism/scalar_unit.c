#include "mechanism/scalar_unit.h"

#include <stdlib.h>

enum { WORD = 64 };

/* ---- life */

bool scalar_unit_init(scalar_unit *u, const ws_tokens *tokens, const ws_static *statics,
                      enum scalar_copy copy) {
    size_t words = ws_tokens_words(tokens);
    *u = (scalar_unit){.tokens = tokens, .statics = statics, .copy = copy};
    u->bits = calloc((size_t)SCALAR_WARPS * 2 * words, sizeof *u->bits);
    for (size_t i = 0; u->bits && i < SCALAR_WARPS; i++) {
        u->warps[i].tokens.uniform = u->bits + 2 * i * words;
        u->warps[i].stored = u->bits + (2 * i + 1) * words;
    }
    return u->bits;
}

void scalar_unit_free(scalar_unit *u) {
    free(u->bits);
}

/* ---- registers */

static bool is_stored(const scalar_warp *w, uint32_t reg) {
    return w->stored[reg / WORD] >> reg % WORD & 1;
}

static void store(scalar_warp *w, uint32_t reg, bool once) {
    uint64_t bit = UINT64_C(1) << reg % WORD;
    w->stored[reg / WORD] = once ? w->stored[reg / WORD] | bit : w->stored[reg / WORD] & ~bit;
}

static ws_token_inst inst_of(const ws_flow *flow) {
    return (ws_token_inst){
        .inst = flow->static_id, .all_lanes = flow->all_lanes, .one_address = flow->one_address};
}

static void write(scalar_unit *u, scalar_warp *w, const ws_token_inst *inst, bool uniform) {
    uint32_t regs[WS_TOKEN_DESTINATIONS];
    unsigned count = ws_tokens_destinations(u->tokens, inst->inst, regs);
    for (unsigned i = 0; i < count; i++) store(w, regs[i], uniform);
    ws_tokens_write(u->tokens, &w->tokens, inst, uniform);
}

/* ---- instructions */

static bool execute(scalar_unit *u, scalar_warp *w) {
    ws_token_inst inst = inst_of(w->flow++);
    ws_token_effect effect = ws_tokens_look(u->tokens, &w->tokens, &inst);
    write(u, w, &inst, effect.result);
    return effect.computes;
}

/* Follows what is not issued, up to the next instruction that is. */
static void catch_up(scalar_unit *u, scalar_warp *w) {
    while (!w->flow->issued) execute(u, w);
}

void scalar_unit_start(scalar_unit *u, unsigned warp, const ws_flow *flow) {
    scalar_warp *w = &u->warps[warp];
    w->flow = flow;
    ws_tokens_begin(u->tokens, &w->tokens);
    for (size_t i = 0; i < ws_tokens_words(u->tokens); i++) w->stored[i] = 0;
}

static bool is_source(const ws_static *s, uint32_t reg) {
    for (unsigned i = 0; i < s->src_count; i++)
        if (s->src[i] == reg) return true;
    return false;
}

bool scalar_unit_copies(scalar_unit *u, unsigned warp) {
    scalar_warp *w = &u->warps[warp];
    catch_up(u, w);
    if (w->flow->all_lanes) return false;
    uint32_t regs[WS_TOKEN_DESTINATIONS];
    unsigned count = ws_tokens_destinations(u->tokens, w->flow->static_id, regs);
    bool copies = false;
    for (unsigned i = 0; i < count; i++) {
        const ws_static *s = &u->statics[w->flow->static_id];
        if (!is_stored(w, regs[i]) || (u->copy == SCALAR_COPY_SOURCE && !is_source(s, regs[i]))) continue;
        store(w, regs[i], false);
        copies = true;
    }
    return copies;
}

bool scalar_unit_issue(scalar_unit *u, unsigned warp) {
    catch_up(u, &u->warps[warp]);
    return execute(u, &u->warps[warp]);
}
