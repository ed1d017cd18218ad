#include "mechanism/parts/scalar_unit.h"

#include "base/bits.h"
#include "mechanism/parts/cost.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 64 };

/* ---- life */

bool scalar_unit_init(scalar_unit *u, const ws_tokens *tokens, const ws_static *statics,
                      const scalar_options *options) {
    size_t words = ws_tokens_words(tokens);
    *u = (scalar_unit){.tokens = tokens, .statics = statics, .options = *options};
    u->irb.size = options->irb_entries;
    u->bits = calloc((size_t)SCALAR_WARPS * 3 * words, sizeof *u->bits);
    u->registers = calloc(SCALAR_WARPS * words * WORD, sizeof *u->registers);
    if (!u->bits || !u->registers) return false;
    for (size_t i = 0; i < SCALAR_WARPS; i++) {
        u->warps[i].tokens.uniform = u->bits + 3 * i * words;
        u->warps[i].known = u->bits + (3 * i + 1) * words;
        u->warps[i].single = u->bits + (3 * i + 2) * words;
        u->warps[i].registers = u->registers + i * words * WORD;
    }
    return true;
}

void scalar_unit_free(scalar_unit *u) {
    free(u->bits);
    free(u->registers);
}

void scalar_unit_start(scalar_unit *u, unsigned warp, const ws_flow *flow, const uint64_t *values) {
    scalar_warp *w = &u->warps[warp];
    size_t words = ws_tokens_words(u->tokens);
    w->flow = flow;
    w->values = values;
    ws_tokens_begin(u->tokens, &w->tokens);
    memset(w->known, 0, words * sizeof *w->known);
    memset(w->single, 0, words * sizeof *w->single);
    memset(w->registers, 0, words * WORD * sizeof *w->registers);
}

void scalar_unit_end(scalar_unit *u, unsigned warp) {
    for (size_t i = 0; i < ws_tokens_words(u->tokens); i++)
        u->used -= (uint32_t)__builtin_popcountll(u->warps[warp].known[i]);
}

/* ---- registers */

static bool has(const uint64_t *set, uint32_t reg) {
    return set[reg / WORD] >> reg % WORD & 1;
}

static void set_to(uint64_t *set, uint32_t reg, bool value) {
    uint64_t bit = UINT64_C(1) << reg % WORD, *word = &set[reg / WORD];
    *word = value ? *word | bit : *word & ~bit;
}

static void store(scalar_unit *u, scalar_warp *w, uint32_t reg, bool single) {
    set_to(w->single, reg, single);
    if (has(w->known, reg)) return; /* it keeps its place */
    set_to(w->known, reg, true);
    u->used++;
    if (u->used > u->counts.peak) u->counts.peak = u->used;
}

static void release(scalar_unit *u, scalar_warp *w, uint32_t reg) {
    if (!has(w->known, reg)) return;
    set_to(w->known, reg, false);
    set_to(w->single, reg, false);
    u->used--;
}

static bool have_places(const scalar_unit *u, const scalar_warp *w, const uint32_t *regs, unsigned count) {
    uint32_t more = 0;
    for (unsigned i = 0; i < count; i++) more += !has(w->known, regs[i]);
    return more <= u->options.registers - u->used;
}

/* ---- instructions */

static ws_token_inst inst_of(const ws_flow *flow) {
    return (ws_token_inst){.inst = flow->static_id,
                           .all_lanes = flow->all_lanes,
                           .no_lane = flow->no_lane,
                           .one_address = flow->one_address};
}

static void read_sources(scalar_unit *u, scalar_warp *w, uint32_t inst, uint64_t now) {
    uint32_t regs[WS_TOKEN_SOURCES];
    unsigned count = ws_tokens_read(u->tokens, inst, regs);
    for (unsigned i = 0; i < count; i++)
        scalar_live_read(&u->counts.live, &w->registers[regs[i]], has(w->known, regs[i]), now);
}

/* `single`: what is uniform is written to its place alone. */
static void write_destinations(scalar_unit *u, scalar_warp *w, const ws_token_inst *inst,
                               const uint32_t *regs, unsigned count, bool uniform, bool single,
                               uint64_t now) {
    for (unsigned i = 0; i < count; i++) {
        if (inst->all_lanes)
            scalar_live_write(&w->registers[regs[i]], now);
        else
            scalar_live_change(&w->registers[regs[i]], has(w->known, regs[i]), now);
        if (uniform)
            store(u, w, regs[i], single);
        else
            release(u, w, regs[i]);
    }
    ws_tokens_write(u->tokens, &w->tokens, inst, uniform);
}

/* Looks the instruction up in the reuse buffer; true if it has the result. The document does not say when a result
 * enters the buffer: here at once, so that it serves the very next execution. */
static bool reuse(scalar_unit *u, const scalar_warp *w, const ws_flow *flow) {
    const ws_static *s = &u->statics[flow->static_id];
    if (!u->options.irb_entries || s->source_values > WS_REUSE_SOURCES ||
        !ws_operands_are_uniform(s, flow->uniform))
        return false;
    u->counts.lookups++;
    return ws_reuse_access(&u->irb, s->pc / u->options.pc_step, s->opcode, w->values + flow->value_at,
                           ws_reuse_operands(s)) > 0;
}

static enum scalar_how how_of(scalar_unit *u, const scalar_warp *w, const ws_flow *flow, bool computes,
                              bool placed) {
    if (!computes) return SCALAR_VECTOR;
    u->counts.uniform++;
    u->counts.unplaced += !placed;
    if (!placed) return SCALAR_VECTOR;
    if (reuse(u, w, flow)) return SCALAR_REUSED;
    return u->options.converts ? SCALAR_CONVERTED : SCALAR_VECTOR;
}

/* Without conversion (XI 2.6.1: Inter) instructions execute for all lanes and write them all; only a result that is
 * reused is written to a single place (XI 2.4.3). */
static enum scalar_how execute(scalar_unit *u, scalar_warp *w, uint64_t now) {
    const ws_flow *flow = w->flow++;
    ws_token_inst inst = inst_of(flow);
    uint32_t regs[WS_TOKEN_DESTINATIONS];
    unsigned count = ws_tokens_written(u->tokens, &inst, regs);
    ws_token_effect effect = ws_tokens_look(u->tokens, &w->tokens, &inst);
    bool placed = have_places(u, w, regs, count);
    enum scalar_how how = how_of(u, w, flow, effect.computes, placed);
    read_sources(u, w, inst.inst, now);
    write_destinations(u, w, &inst, regs, count, effect.result && placed,
                       u->options.converts || how == SCALAR_REUSED, now);
    return how;
}

/* Follows instructions that are not issued, up to the next one that is. */
static void catch_up(scalar_unit *u, scalar_warp *w, uint64_t now) {
    while (!w->flow->issued) execute(u, w, now);
}

/* Number of registers that the warp's next instruction reads from their single place. */
static unsigned single_sources(const scalar_unit *u, const scalar_warp *w) {
    uint32_t regs[WS_TOKEN_SOURCES];
    unsigned count = ws_tokens_read(u->tokens, w->flow->static_id, regs), singles = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned first = 0;
        while (regs[first] != regs[i]) first++;
        singles += first == i && has(w->single, regs[i]);
    }
    return singles;
}

enum scalar_how scalar_unit_issue(scalar_unit *u, unsigned warp, uint32_t lanes, uint64_t now) {
    scalar_warp *w = &u->warps[warp];
    catch_up(u, w, now);
    unsigned singles = single_sources(u, w);
    enum scalar_how how = execute(u, w, now);
    /* one read is broadcast to all lanes */
    if (how == SCALAR_VECTOR && lanes) u->counts.spared_reads += (uint64_t)singles * (lanes - 1);
    u->counts.converted += how == SCALAR_CONVERTED;
    u->counts.reused += how == SCALAR_REUSED;
    return how;
}

static bool is_source(const scalar_unit *u, uint32_t inst, uint32_t reg) {
    uint32_t regs[WS_TOKEN_SOURCES];
    unsigned count = ws_tokens_read(u->tokens, inst, regs);
    for (unsigned i = 0; i < count; i++)
        if (regs[i] == reg) return true;
    return false;
}

/* Lists the registers that must be copied to all lanes before the warp's next instruction. */
static unsigned to_copy(const scalar_unit *u, const scalar_warp *w, uint32_t regs[WS_TOKEN_DESTINATIONS]) {
    if (w->flow->all_lanes) return 0;
    ws_token_inst inst = inst_of(w->flow);
    unsigned written = ws_tokens_written(u->tokens, &inst, regs), count = 0;
    for (unsigned i = 0; i < written; i++)
        if (has(w->single, regs[i]) &&
            (u->options.copy == SCALAR_COPY_ANY || is_source(u, inst.inst, regs[i])))
            regs[count++] = regs[i];
    return count;
}

bool scalar_unit_copies(scalar_unit *u, unsigned warp, uint64_t now) {
    scalar_warp *w = &u->warps[warp];
    uint32_t regs[WS_TOKEN_DESTINATIONS];
    catch_up(u, w, now);
    return to_copy(u, w, regs);
}

void scalar_unit_copy(scalar_unit *u, unsigned warp, uint64_t now) {
    scalar_warp *w = &u->warps[warp];
    uint32_t regs[WS_TOKEN_DESTINATIONS];
    unsigned count = to_copy(u, w, regs);
    for (unsigned i = 0; i < count; i++) {
        scalar_live_change(&w->registers[regs[i]], true, now);
        release(u, w, regs[i]);
    }
    u->counts.copies++;
}

/* ---- cost */

enum { REGISTER_BITS = 32, OPCODE_BITS = 8 };

uint64_t scalar_token_bits(uint64_t registers) {
    return registers / WS_COST_LANES;
}

uint64_t scalar_file_bits(uint64_t entries) {
    return entries * REGISTER_BITS;
}

uint64_t scalar_rename_bits(uint64_t registers, uint64_t entries) {
    return registers / WS_COST_LANES * ws_bits_for(entries);
}

uint64_t scalar_irb_bits(uint64_t entries, bool parity) {
    uint64_t operands = (WS_REUSE_SOURCES + 1) * REGISTER_BITS;
    return entries * (WS_REUSE_PC_BITS + operands + ws_bits_for(entries) + OPCODE_BITS + parity);
}
