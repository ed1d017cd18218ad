#include "replay/branching.h"

#include "base/array.h"
#include "replay/straight_run.h"

#include <stdlib.h>
#include <string.h>

/* The pcs at which lanes continue after an instruction of llvm; a branch has two at most. */
typedef struct successors {
    uint32_t pc[2];
    uint8_t count;
    bool by_call; /* of a call or a return, which may have any number, without a condition */
} successors;

struct ws_branching {
    const ws_static *statics;
    bool predicated;
    ws_branch *branches;
    successors *successors; /* per static instruction; used without predicates only */
    uint32_t static_count;
};

/* Whether the opcode, up to its first modifier, is one of these. */
static bool is_one_of(const char *opcode, const char *const *names, size_t count) {
    size_t length = strcspn(opcode, ".:");
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i]) == length && memcmp(names[i], opcode, length) == 0) return true;
    return false;
}

bool ws_can_jump(const ws_static *s, const char *opcode) {
    static const char *const do_not[] = {"BMOV", "BSSY",   "BSYNC", "ENDCOLLECTIVE", "PBK",      "PCNT",
                                         "PRET", "RPCMOV", "SSY",   "SYNC",          "WARPSYNC", "YIELD"};
    return s->class_ == WS_CLASS_BRANCH && !is_one_of(opcode, do_not, WS_COUNT(do_not));
}

/* Calls and returns go where a register says, or pass registers on: these are no condition. */
static bool is_call_or_return(const char *opcode) {
    static const char *const names[] = {"CAL", "CALL", "JCAL", "RET", "call", "ret"};
    return is_one_of(opcode, names, WS_COUNT(names));
}

/* ---- where lanes continue: a warp's instructions are followed from the last to the first */

/* The lanes of a warp, grouped by the instruction that they execute next. */
typedef struct front {
    struct {
        uint64_t lanes;
        uint32_t pc;
    } group[WS_LANES_MAX];
    unsigned count;
} front;

/* Steps back before the instruction at `pc`: it is the next one of the lanes in `mask`. */
static void step_back(front *f, uint64_t mask, uint32_t pc) {
    unsigned kept = 0;
    if (!mask) return;
    for (unsigned i = 0; i < f->count; i++) {
        f->group[i].lanes &= ~mask;
        if (f->group[i].lanes) f->group[kept++] = f->group[i];
    }
    f->group[kept].lanes = mask;
    f->group[kept].pc = pc;
    f->count = kept + 1;
}

/* Returns the pcs at which these lanes continue, at most two different ones. */
static successors go_on(const front *f, uint64_t mask) {
    successors s = {.count = 0};
    for (unsigned i = 0; i < f->count && s.count < 2; i++)
        if (f->group[i].lanes & mask && !(s.count && s.pc[0] == f->group[i].pc))
            s.pc[s.count++] = f->group[i].pc;
    return s;
}

/* ---- masks of active lanes */

/* The pc to which a branch at `pc` falls through: the next instruction, unless its two known successors are both
 * elsewhere; then the nearest of them behind it. Where calls and returns go is never that. */
static uint32_t behind(const successors *s, uint32_t pc) {
    uint32_t next = pc + 1;
    if (s->by_call || s->count < 2 || s->pc[0] == next || s->pc[1] == next) return next;
    uint32_t low = s->pc[s->pc[1] < s->pc[0]], high = s->pc[s->pc[1] >= s->pc[0]];
    return low > pc ? low : high;
}

static enum ws_branch_outcome active_outcome(const ws_branching *b, uint32_t id, const successors *went) {
    if (went->count == 2) return WS_BRANCH_DIVERGENT;
    bool falls_through = went->count && went->pc[0] == behind(&b->successors[id], b->statics[id].pc);
    return falls_through ? WS_BRANCH_NOT_TAKEN : WS_BRANCH_TAKEN;
}

/* ---- masks of lanes whose predicate is true */

static void predicated_outcomes(const ws_branching *b, const ws_warp *w, uint8_t *outcomes) {
    ws_straight_run run = {0};
    for (uint32_t i = 0; i < w->inst_count; i++) {
        bool jumps = b->branches[w->static_id[i]].jumps;
        uint64_t mask = w->mask[i],
                 others = ws_straight_run_step(&run, &b->statics[w->static_id[i]], mask, jumps);
        enum ws_branch_outcome outcome = !mask    ? WS_BRANCH_NOT_TAKEN
                                         : others ? WS_BRANCH_DIVERGENT
                                                  : WS_BRANCH_TAKEN;
        outcomes[i] = (uint8_t)(jumps ? outcome : WS_BRANCH_NONE);
    }
}

/* ---- outcomes */

void ws_branching_outcomes(const ws_branching *b, const ws_warp *w, uint8_t *outcomes) {
    if (b->predicated) {
        predicated_outcomes(b, w, outcomes);
        return;
    }
    front f = {.count = 0};
    for (uint32_t i = w->inst_count; i-- > 0;) {
        uint32_t id = w->static_id[i];
        successors went = go_on(&f, b->branches[id].jumps ? w->mask[i] : 0);
        outcomes[i] = (uint8_t)(b->branches[id].jumps ? active_outcome(b, id, &went) : WS_BRANCH_NONE);
        step_back(&f, w->mask[i], b->statics[id].pc);
    }
}

/* ---- what a branch may do, learned from all its executions */

static void learn_successors(ws_branching *b, const ws_warp *w) {
    front f = {.count = 0};
    for (uint32_t i = w->inst_count; i-- > 0;) {
        uint32_t id = w->static_id[i];
        successors went = go_on(&f, b->branches[id].jumps ? w->mask[i] : 0), *known = &b->successors[id];
        for (unsigned k = 0; k < went.count; k++)
            if (known->count < 2 && !(known->count && known->pc[0] == went.pc[k]))
                known->pc[known->count++] = went.pc[k];
        step_back(&f, w->mask[i], b->statics[id].pc);
    }
}

static void conclude_successors(ws_branching *b) {
    for (uint32_t id = 0; id < b->static_count; id++) {
        ws_branch *branch = &b->branches[id];
        const successors *s = &b->successors[id];
        uint32_t fall = behind(s, b->statics[id].pc);
        branch->conditional |= s->count == 2 && !s->by_call;
        for (unsigned k = 0; k < s->count; k++)
            if (s->pc[k] != fall) branch->backward |= s->pc[k] <= b->statics[id].pc;
    }
}

/* The lanes in the mask of a predicated branch all jump to its target. It is the pc at which any of them continues. */
static void learn_targets(ws_branching *b, const ws_warp *w, uint8_t *outcomes) {
    front f = {.count = 0};
    predicated_outcomes(b, w, outcomes);
    for (uint32_t i = w->inst_count; i-- > 0;) {
        ws_branch *branch = &b->branches[w->static_id[i]];
        successors went = go_on(&f, branch->jumps ? w->mask[i] : 0);
        if (went.count) branch->backward |= went.pc[0] <= b->statics[w->static_id[i]].pc;
        if (branch->jumps && outcomes[i] != WS_BRANCH_TAKEN) branch->conditional = true;
        step_back(&f, w->mask[i], b->statics[w->static_id[i]].pc);
    }
}

static bool learn_warp(ws_branching *b, const ws_warp *w) {
    if (!b->predicated) {
        learn_successors(b, w);
        return true;
    }
    uint8_t *outcomes = malloc(w->inst_count + 1);
    if (outcomes) learn_targets(b, w, outcomes);
    free(outcomes);
    return outcomes != NULL;
}

static bool learn(ws_branching *b, ws_reader *reader, uint32_t kernel, uint32_t ctas, ws_error *err) {
    bool ok = true;
    for (uint32_t i = 0; ok && i < ctas; i++) {
        ws_cta cta;
        ok = ws_reader_cta(reader, kernel, i, &cta, err);
        for (uint32_t w = 0; ok && w < cta.warp_count; w++)
            ok = learn_warp(b, &cta.warps[w]) || ws_no_memory(err);
    }
    return ok;
}

/* ---- life */

/* The number of low bits that are 0 in all pcs: log2 of an instruction's size. */
static unsigned common_zeros(const ws_branching *b) {
    uint32_t any = 0;
    for (uint32_t i = 0; i < b->static_count; i++) any |= b->statics[i].pc;
    return any ? (unsigned)__builtin_ctz(any) : 0;
}

ws_branching *ws_branching_new(const ws_trace *trace, ws_reader *reader, uint32_t kernel, uint32_t ctas,
                               ws_error *err) {
    const ws_trace_info *info = ws_trace_get_info(trace);
    size_t count = (size_t)info->static_count + 1;
    ws_branching *b = calloc(1, sizeof *b);
    if (b) {
        b->statics = ws_trace_statics(trace);
        b->static_count = info->static_count;
        b->predicated = strcmp(info->isa, "llvm") != 0;
        b->branches = calloc(count, sizeof *b->branches);
        b->successors = calloc(count, sizeof *b->successors);
    }
    if (!b || !b->branches || !b->successors) {
        ws_no_memory(err);
        ws_branching_free(b);
        return NULL;
    }
    unsigned shift = common_zeros(b);
    for (uint32_t i = 0; i < b->static_count; i++) {
        const ws_static *s = &b->statics[i];
        b->branches[i].number = s->pc >> shift;
        const char *opcode = ws_trace_opcode(trace, s->opcode);
        b->successors[i].by_call = is_call_or_return(opcode);
        b->branches[i].jumps = ws_can_jump(s, opcode);
        b->branches[i].conditional = b->branches[i].jumps && !b->successors[i].by_call && s->src_count > 0;
    }
    if (!learn(b, reader, kernel, ctas, err)) {
        ws_branching_free(b);
        return NULL;
    }
    if (!b->predicated) conclude_successors(b);
    return b;
}

void ws_branching_free(ws_branching *b) {
    if (!b) return;
    free(b->branches);
    free(b->successors);
    free(b);
}

const ws_branch *ws_branching_of(const ws_branching *b) {
    return b->branches;
}
