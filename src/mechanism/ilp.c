/* Instruction-level parallelism (XI 4.4), in the slot `core`: results are bypassed to the next instruction, a
 * scoreboard that the SM's warps share lets a warp have several instructions in flight (parts/ilp_scoreboard.h), and
 * branches are predicted (parts/ilp_predictor.h). It is compared with a core whose warps have one instruction in flight
 * (core.dependences). */
#include "base/array.h"
#include "base/bits.h"
#include "mechanism/parts/cost.h"
#include "mechanism/parts/ilp_predictor.h"
#include "mechanism/parts/ilp_scoreboard.h"
#include "timed/sm/core.h"

#include <stdlib.h>
#include <string.h>

/* ---- parameters and results */

enum prediction { PREDICTION_NONE, PREDICTION_STATIC, PREDICTION_GSHARE, PREDICTION_PERFECT };

typedef struct ilp_params {
    int64_t scoreboard_entries;
    bool bypass;
    int prediction;
    int64_t gshare_entries, sms, registers;
    bool steering;
    int64_t steering_warps, steering_threads;
} ilp_params;

static const char *const prediction_names[] = {[PREDICTION_NONE] = "none",
                                               [PREDICTION_STATIC] = "static",
                                               [PREDICTION_GSHARE] = "gshare",
                                               [PREDICTION_PERFECT] = "perfect",
                                               NULL};

static const ws_param params[] = {
    WS_INT(
        ilp_params, scoreboard_entries, "ilp.scoreboard_entries", "entries", 8, 0, ILP_ENTRIES_MAX,
        "Entries of the scoreboard that an SM's warps share (XI 4.4.2: 8). An instruction holds one for each "
        "register that it writes, at least one, until it commits. An operand of several registers (SASS) "
        "counts as the one that the trace names; predicates of SASS are not in the trace, so nothing waits "
        "for one whose instruction has an entry. 0: none, a warp has one instruction in flight, and issues "
        "the next one when the result can be bypassed or the branch is predicted."),
    WS_BOOL(
        ilp_params, bypass, "ilp.bypass", true,
        "Whether results of integer and single-precision instructions can be read as they leave the unit, "
        "core.pipeline_cycles before they are written, or two cycles with operand collectors (XI 4.4.1). "
        "Data from memory never can, nor can a predicate of SASS, which is not in the trace: an instruction "
        "without another result is never bypassed."),
    WS_CHOICE(
        ilp_params, prediction, "ilp.prediction", PREDICTION_STATIC, prediction_names,
        "How branches are predicted (XI 4.4.3). none: a warp waits until they are resolved. static: backward "
        "branches taken, forward ones not. gshare: by a table of two-bit counters. perfect: never wrong. "
        "With prediction, an unconditional jump costs nothing, nor does a call or a return, and for a "
        "divergent branch either prediction is right; after a misprediction the warp goes on once the branch "
        "is resolved. Instructions on the wrong path are not in the trace and take no time."),
    WS_INT(ilp_params, gshare_entries, "ilp.gshare_entries", "entries", 512, 1, 65536,
           "Counters of an SM's gshare, a power of two (XI 4.4.4: 1 kb). A branch's is that of its pc, "
           "counted in instructions, XOR as many bits of history. They begin weakly not taken and learn as "
           "branches issue, from one that diverges what was predicted."),
    WS_INT(ilp_params, sms, "ilp.sms", "SMs", 0, 0, 1 << 20,
           "SMs that have the mechanism, those with the lowest numbers; the others have one instruction of a "
           "warp in flight (XI 4.5). 0: all."),
    WS_INT(ilp_params, registers, "ilp.registers", "registers", 0, 0, 1 << 24,
           "Registers of an SM that has the mechanism, at most sm.registers (XI 4.5: 8,192 where the others "
           "have 16,384). 0: sm.registers."),
    WS_BOOL(ilp_params, steering, "ilp.steering", false,
            "Whether launches are steered (XI 4.5): those with few threads go to the SMs that have the "
            "mechanism (ilp.sms), the others to those that do not."),
    WS_INT(ilp_params, steering_warps, "ilp.steering_warps", "warps", 16, 0, 1024,
           "A launch has few threads if an SM holds fewer of its warps at once than this (XI 4.5: 16)."),
    WS_INT(ilp_params, steering_threads, "ilp.steering_threads", "threads", 32768, 0, INT64_C(1) << 40,
           "A launch also has few threads if it has at most this many in all (XI 4.5: 32,768)."),
};

static const ws_need needs[] = {
    {.param = "ilp.gshare_entries", .of = "ilp.prediction", .value = "gshare"},
    {.param = "ilp.steering_warps", .of = "ilp.steering", .value = "false", .other_than = true},
    {.param = "ilp.steering_threads", .of = "ilp.steering", .value = "false", .other_than = true},
};

const ws_component ws_ilp_component = {.name = "ilp",
                                       .summary = "Bypassing, a shared scoreboard, branch prediction",
                                       .source = "XI 4.4",
                                       .params = params,
                                       .param_count = WS_COUNT(params),
                                       .struct_size = sizeof(ilp_params),
                                       .needs = needs,
                                       .need_count = WS_COUNT(needs)};

enum { BOARDED, ALONE, BYPASSED, BRANCHES, DIVERGENT, MISPREDICTED, ENTRY_CYCLES, PEAK, SM_CYCLES, COUNTS };
#define INSTRUCTIONS(name, help)                                                                             \
    { name, WS_TYPE_INT, "warp instructions", WS_ADDS_SUM, help }
static const ws_column columns[] = {
    [BOARDED] = INSTRUCTIONS("boarded", "Instructions that were issued with an entry of the scoreboard."),
    [ALONE] = INSTRUCTIONS(
        "alone", "Instructions that were issued without an entry of the scoreboard, while none of their warp "
                 "was in flight but one whose result could be bypassed, or a predicted branch."),
    [BYPASSED] = INSTRUCTIONS("bypassed", "Instructions whose result could be read before it was written."),
    [BRANCHES] = INSTRUCTIONS(
        "branches",
        "Conditional branches on SMs that have the mechanism (ilp.sms); in traces without conditions, "
        "branches that have gone different ways in the launch. 0 without prediction."),
    [DIVERGENT] = INSTRUCTIONS("divergent", "Conditional branches whose lanes went different ways."),
    [MISPREDICTED] = INSTRUCTIONS("mispredicted", "Conditional branches that were mispredicted."),
    [ENTRY_CYCLES] = {"entry_cycles", WS_TYPE_INT, "entry cycles", WS_ADDS_SUM,
                      "Sum over cycles and SMs of the entries in use."},
    [PEAK] = {"peak_entries", WS_TYPE_INT, "entries", WS_ADDS_MAX, "The most entries in use in one SM."},
    [SM_CYCLES] = {"ilp_sm_cycles", WS_TYPE_INT, "SM cycles", WS_ADDS_SUM,
                   "Cycles times the SMs that have the mechanism (ilp.sms)."},
};
WS_HAS_ROOM_FOR(columns);
static const ws_ratio ratios[] = {
    {"accuracy", "", "1.0 - 1.0 * mispredicted / nullif(branches - divergent, 0)",
     "Share of correctly predicted branches among the conditional branches that do not diverge (XI Fig. "
     "47)."},
};
const ws_table ws_ilp_table = {
    "ilp_counters", "Instruction-level parallelism", columns, WS_COUNT(columns), ratios, WS_COUNT(ratios)};

/* ---- hardware cost */

enum { TAGS, DATA, SCHEDULER, GSHARE, HISTORY };
static const ws_structure structures[] = {
    [TAGS] = {"scoreboard tags", "ilp.scoreboard_entries x (the number of a vector register and a no-match "
                                 "bit); vector registers: ilp.registers, or sm.registers, over 32 (XI "
                                 "4.4.2). Per SM; with ilp.sms, per GPU: for those SMs together."},
    [DATA] = {"scoreboard data",
              "ilp.scoreboard_entries x (a completion bit, two masks of 32 bits, 32 x 32 bits of a result, "
              "the next entry's number) (XI 4.4.2). Per SM; with ilp.sms, per GPU: for those SMs together."},
    [SCHEDULER] = {"scheduler fields",
                   "sm.warps x (the numbers of the first and the last entry, of ilp.scoreboard_entries, and "
                   "2 bits: in board, in store); nothing without a board (XI 4.4.4). Per SM; with ilp.sms, "
                   "per GPU: for those SMs together."},
    [GSHARE] = {"gshare table", "ilp.gshare_entries x 2 bits; nothing without ilp.prediction gshare (XI "
                                "4.4.3). Per SM; with ilp.sms, per GPU: for those SMs together."},
    [HISTORY] = {"branch history",
                 "The bits of a number of ilp.gshare_entries; nothing without ilp.prediction gshare (XI "
                 "4.4.3). Per SM; with ilp.sms, per GPU: for those SMs together."},
};

static size_t cost(const ws_config *config, ws_cost costs[WS_COSTS_MAX]) {
    const ilp_params *p = ws_config_get(config, &ws_ilp_component);
    const ws_sm_params *sm = ws_config_get(config, &ws_sm_component);
    uint64_t entries = (uint64_t)p->scoreboard_entries, counters = (uint64_t)p->gshare_entries;
    uint64_t vector_registers = (uint64_t)(p->registers ? p->registers : sm->registers) / WS_COST_LANES;
    bool gshare = p->prediction == PREDICTION_GSHARE;
    costs[0] = (ws_cost){&structures[TAGS], WS_PER_SM, ilp_tag_bits(entries, vector_registers)};
    costs[1] = (ws_cost){&structures[DATA], WS_PER_SM, ilp_data_bits(entries, WS_COST_LANES)};
    costs[2] = (ws_cost){&structures[SCHEDULER], WS_PER_SM, ilp_scheduler_bits(entries, (uint64_t)sm->warps)};
    costs[3] = (ws_cost){&structures[GSHARE], WS_PER_SM, gshare ? ilp_gshare_table_bits(counters) : 0};
    costs[4] = (ws_cost){&structures[HISTORY], WS_PER_SM, gshare ? ilp_gshare_history_bits(counters) : 0};
    for (int i = 0; p->sms && i < 5; i++) costs[i].per = WS_PER_GPU, costs[i].bits *= (uint64_t)p->sms;
    return 5;
}

static bool check(const ws_config *config, ws_error *err) {
    const ilp_params *p = ws_config_get(config, &ws_ilp_component);
    const ws_core_params *core = ws_config_get(config, &ws_core_component);
    const ws_gpu_params *gpu = ws_config_get(config, &ws_gpu_component);
    const ws_sm_params *sm = ws_config_get(config, &ws_sm_component);
    if (p->sms > gpu->clusters * gpu->sms_per_cluster)
        return ws_fail(err, WS_ERROR_SPEC, "ilp.sms: expected at most the GPU's %lld SMs, found %lld",
                       (long long)(gpu->clusters * gpu->sms_per_cluster), (long long)p->sms);
    if (p->steering && (p->sms == 0 || p->sms == gpu->clusters * gpu->sms_per_cluster))
        return ws_fail(
            err, WS_ERROR_SPEC,
            "ilp.sms: expected some but not all of the GPU's %lld SMs with ilp.steering, found %lld",
            (long long)(gpu->clusters * gpu->sms_per_cluster), (long long)p->sms);
    if (p->steering && core->first_launch_sms)
        return ws_fail(err, WS_ERROR_SPEC, "core.first_launch_sms: expected 0 with ilp.steering, found %lld",
                       (long long)core->first_launch_sms);
    if (p->registers > sm->registers)
        return ws_fail(err, WS_ERROR_SPEC, "ilp.registers: expected at most sm.registers = %lld, found %lld",
                       (long long)sm->registers, (long long)p->registers);
    if (p->registers && gpu->dispatch == WS_DISPATCH_DISTRIBUTED_BLOCK)
        return ws_fail(
            err, WS_ERROR_SPEC,
            "ilp.registers: expected 0 with gpu.dispatch distributed_block, for which SMs are alike");
    if (core->dependences != WS_DEPENDENCES_ONE_IN_FLIGHT)
        return ws_fail(err, WS_ERROR_SPEC,
                       "core.dependences: expected one_in_flight with mechanism.core ilp, found registers");
    return !(p->gshare_entries & (p->gshare_entries - 1)) ||
           ws_fail(err, WS_ERROR_SPEC, "ilp.gshare_entries: expected a power of two, found %lld",
                   (long long)p->gshare_entries);
}

/* ---- the slot */

typedef struct ilp {
    bool bypass;
    enum prediction prediction;
    ilp_scoreboard board;
    ilp_gshare gshare;
    const ws_timed_warp *warp[WS_SLOTS];
    uint64_t unresolved;            /* set of warps that wait for a branch to be resolved .. */
    uint8_t branch[WS_SLOTS];       /* .. and its name, see NOT_AWAITED */
    uint64_t committing;            /* set of warps whose next commit is scheduled as an event */
    uint64_t last_commit[WS_SLOTS]; /* cycle of the warp's last commit + 1 */
    uint64_t accounted;             /* ENTRY_CYCLES includes the cycles before this one */
    uint64_t counts[COUNTS];
} ilp;

/* An instruction in flight carries its name as its tag (ilp_scoreboard_issue()), or this if its completion need not be
told to the scoreboard. */
enum { NOT_AWAITED = 254 };
/* The tag of an event of the slot: a commit; smaller values are the name of an instruction whose result can be read. */
enum { EVENT_COMMIT = 256 };

static bool takes(const void *p, const ws_trace *trace, ws_error *err) {
    (void)p;
    return ws_trace_get_info(trace)->features & WS_FEATURE_REGISTERS ||
           ws_fail(err, WS_ERROR_TRACE,
                   "%s: expected registers, found none: mechanism.core ilp tells by them which instructions "
                   "depend on each other",
                   ws_trace_path(trace));
}

static bool wants_branches(const void *params_) {
    const ilp_params *p = params_;
    return p->prediction != PREDICTION_NONE;
}

static bool is_on(const ilp_params *p, uint32_t sm) {
    return p->sms == 0 || sm < p->sms;
}

static bool steers(const void *params_) {
    const ilp_params *p = params_;
    return p->steering;
}

static bool is_for(const void *params_, uint32_t warps_on_sm, uint64_t threads, uint32_t sm) {
    const ilp_params *p = params_;
    bool few = warps_on_sm < (uint64_t)p->steering_warps || threads <= (uint64_t)p->steering_threads;
    return few == is_on(p, sm);
}

static bool fewer_registers(const void *params_, int64_t others) {
    const ilp_params *p = params_;
    return p->registers && p->registers < others;
}

static int64_t registers(const void *params_, int64_t others, uint32_t sm) {
    const ilp_params *p = params_;
    return p->registers && is_on(p, sm) ? p->registers : others;
}

static void destroy(void *self) {
    ilp *c = self;
    if (c) ilp_gshare_free(&c->gshare);
    free(c);
}

/* On an SM without the mechanism the instance has no entries, bypasses nothing and predicts nothing. */
static void *create(const ws_engine *e, uint32_t sm, const void *params_) {
    const ilp_params *p = params_;
    bool has_it = is_on(p, sm);
    ilp *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->bypass = has_it && p->bypass;
    c->prediction = has_it ? (enum prediction)p->prediction : PREDICTION_NONE;
    c->accounted = e->now;
    ilp_scoreboard_init(&c->board, has_it ? (uint8_t)p->scoreboard_entries : 0);
    if (c->prediction != PREDICTION_GSHARE || ilp_gshare_init(&c->gshare, (uint32_t)p->gshare_entries))
        return c;
    destroy(c);
    return NULL;
}

static void warp_started(void *self, const ws_engine *e, const ws_sm *s, unsigned warp,
                         const ws_timed_warp *content) {
    (void)e, (void)s;
    ((ilp *)self)->warp[warp] = content;
}

/* ---- what may be issued */

static enum ilp_kind kind_of(const ws_timed_static *t) {
    if (t->op == WS_MEMORY_NONE) return ILP_ALU;
    return t->op == WS_MEMORY_LOAD ? ILP_LOAD : ILP_STORE;
}

static ilp_inst inst_of(const ilp *c, const ws_engine *e, unsigned warp, const ws_timed_inst *inst) {
    const ws_timed_static *t = &e->statics.at[inst->static_id];
    return (ilp_inst){.regs = t->regs,
                      .dst_count = t->dst_count,
                      .reg_count = t->reg_count,
                      .kind = kind_of(t),
                      .mask = c->warp[warp]->masks[inst - c->warp[warp]->insts]};
}

static bool waits(const void *self, const ws_engine *e, const ws_sm *s, unsigned warp) {
    const ilp *c = self;
    if (c->unresolved & ws_bit(warp)) return true;
    ilp_inst inst = inst_of(c, e, warp, s->warps[warp].inst);
    enum ilp_wait wait = ilp_scoreboard_wait(&c->board, warp, &inst);
    return wait != ILP_READY && wait != ILP_WAITS_ENTRY;
}

static bool waits_for_all(const void *self, const ws_engine *e, const ws_sm *s, unsigned warp) {
    const ilp *c = self;
    if (c->unresolved & ws_bit(warp)) return false;
    ilp_inst inst = inst_of(c, e, warp, s->warps[warp].inst);
    enum ilp_wait wait = ilp_scoreboard_wait(&c->board, warp, &inst);
    return wait == ILP_WAITS_ALONE || wait == ILP_WAITS_MEMORY;
}

/* Free entries are checked here and not in waits(): other warps' instructions take and free them, too. */
static uint64_t admits(void *self, const ws_engine *e, const ws_sm *s, uint64_t warps) {
    const ilp *c = self;
    uint64_t admitted = 0;
    for (; warps; warps &= warps - 1) {
        unsigned warp = ws_lowest_bit(warps);
        if (ilp_scoreboard_admits(&c->board, warp, e->statics.at[s->warps[warp].inst->static_id].dst_count))
            admitted |= ws_bit(warp);
    }
    return admitted;
}

/* ---- branches */

static bool predicts_taken(const ilp *c, const ws_branch *branch) {
    return c->prediction == PREDICTION_GSHARE ? ilp_gshare_predicts_taken(&c->gshare, branch->number)
                                              : branch->backward;
}

/* Predicts the branch and trains the predictor. Returns false if the warp must wait until the branch is resolved. */
static bool predicts(ilp *c, const ws_branch *branch, enum ws_branch_outcome outcome) {
    if (c->prediction == PREDICTION_NONE) return false;
    if (!branch->conditional) return true;
    bool diverges = outcome == WS_BRANCH_DIVERGENT, taken = predicts_taken(c, branch);
    bool right = diverges || c->prediction == PREDICTION_PERFECT || taken == (outcome == WS_BRANCH_TAKEN);
    if (c->prediction == PREDICTION_GSHARE)
        ilp_gshare_learn(&c->gshare, branch->number, right ? taken : !taken);
    c->counts[BRANCHES]++;
    c->counts[DIVERGENT] += diverges;
    c->counts[MISPREDICTED] += !right;
    return right;
}

/* Returns the branch's tag. If it goes as predicted and has no entry, nothing waits for its completion: its warp may
 * issue at once. */
static uint8_t issue_branch(ilp *c, const ws_engine *e, const ws_sm *s, unsigned warp,
                            const ws_timed_inst *inst, uint8_t name) {
    uint32_t at = (uint32_t)(inst - c->warp[warp]->insts);
    const uint8_t *outcomes = c->warp[warp]->branches;
    enum ws_branch_outcome outcome = outcomes ? (enum ws_branch_outcome)outcomes[at] : WS_BRANCH_NONE;
    const ws_branch *branches = ws_launch_of(e, s, warp)->branches;
    bool right = predicts(c, branches ? &branches[inst->static_id] : NULL, outcome);
    if (!right) {
        c->unresolved |= ws_bit(warp);
        c->branch[warp] = name;
        return name;
    }
    if (name != ILP_NONE) return name;
    ilp_scoreboard_readable(&c->board, warp, ILP_NONE);
    return NOT_AWAITED;
}

/* ---- issue, results, commit */

static void account(ilp *c, const ws_engine *e) {
    c->counts[ENTRY_CYCLES] += c->board.used * (e->now - c->accounted);
    c->accounted = e->now;
}

/* An instruction with an entry keeps its warp from ending until it has committed. */
static void issued(void *self, ws_engine *e, ws_sm *s, unsigned warp, const ws_timed_inst *inst,
                   ws_issue *how) {
    ilp *c = self;
    account(c, e);
    ilp_inst i = inst_of(c, e, warp, inst);
    uint8_t name = ilp_scoreboard_issue(&c->board, warp, &i);
    c->counts[name == ILP_NONE ? ALONE : BOARDED]++;
    if (c->board.used > c->counts[PEAK]) c->counts[PEAK] = c->board.used;
    if (name != ILP_NONE) s->warps[warp].in_flight++;
    how->tag = e->statics.at[inst->static_id].jumps ? issue_branch(c, e, s, warp, inst, name) : name;
}

/* With bypassing, an instruction that reads an arithmetic result can issue as the result leaves the unit. With operand
 * collectors, too: the unit that will need it is some cycles away, but a collector takes operands as it finds them, so
 * they must be there when it reads. */
static void executes(void *self, ws_engine *e, ws_sm *s, unsigned warp, uint32_t static_id, uint64_t written,
                     ws_issue *how) {
    ilp *c = self;
    const ws_timed_static *t = &e->statics.at[static_id];
    if (!c->bypass || !t->dst_count || !t->plain_alu) return;
    c->counts[BYPASSED]++;
    ws_sm_schedule(
        e, s, written - ws_write_back_cycles(e),
        (ws_event){.static_id = static_id, .kind = WS_EVENT_CORE, .warp = (uint8_t)warp, .tag = how->tag});
    if (how->tag == ILP_NONE) how->tag = NOT_AWAITED;
}

/* Commits the warp's oldest instruction if it is complete, at most one per cycle; if the next one is complete, too,
 * schedules its commit for the next cycle. */
static void commit(ilp *c, ws_engine *e, ws_sm *s, unsigned warp) {
    if (c->committing & ws_bit(warp)) return;
    bool now = c->last_commit[warp] != e->now + 1;
    if (now) {
        if (!ilp_scoreboard_commit(&c->board, warp)) return;
        c->last_commit[warp] = e->now + 1;
        ws_sm_settle(e, s, warp, 1);
    }
    if (!ilp_scoreboard_can_commit(&c->board, warp)) return;
    c->committing |= ws_bit(warp);
    ws_sm_schedule(e, s, e->now + 1,
                   (ws_event){.kind = WS_EVENT_CORE, .warp = (uint8_t)warp, .tag = EVENT_COMMIT});
}

static void event(void *self, ws_engine *e, ws_sm *s, unsigned warp, uint16_t what) {
    ilp *c = self;
    account(c, e);
    if (what == EVENT_COMMIT) {
        c->committing &= ~ws_bit(warp);
        commit(c, e, s, warp);
    } else {
        ilp_scoreboard_readable(&c->board, warp, (uint8_t)what);
    }
    ws_sm_look(e, s, warp);
}

static void completed(void *self, ws_engine *e, ws_sm *s, unsigned warp, uint32_t static_id, uint8_t name) {
    (void)static_id;
    ilp *c = self;
    account(c, e);
    if (c->unresolved & ws_bit(warp) && c->branch[warp] == name) c->unresolved &= ~ws_bit(warp);
    if (name != NOT_AWAITED) ilp_scoreboard_complete(&c->board, warp, name);
    commit(c, e, s, warp);
    ws_sm_look(e, s, warp);
}

static void count(void *self, const ws_engine *e, uint64_t *counts) {
    ilp *c = self;
    account(c, e);
    memcpy(counts, c->counts, sizeof c->counts);
}

static void elapsed(const void *params_, uint32_t sm, uint64_t cycles, uint64_t *counts) {
    counts[SM_CYCLES] = is_on(params_, sm) ? cycles : 0;
}

static const ws_core_slot core = {.takes = takes,
                                  .wants_masks = true,
                                  .steers = steers,
                                  .is_for = is_for,
                                  .fewer_registers = fewer_registers,
                                  .registers = registers,
                                  .registers_parameter = "ilp.registers",
                                  .wants_branches = wants_branches,
                                  .create = create,
                                  .destroy = destroy,
                                  .warp_started = warp_started,
                                  .waits = waits,
                                  .waits_for_all = waits_for_all,
                                  .admits = admits,
                                  .issued = issued,
                                  .executes = executes,
                                  .completed = completed,
                                  .event = event,
                                  .count = count,
                                  .elapsed = elapsed};

const ws_mechanism ws_mechanism_ilp = {.name = "ilp",
                                       .summary = "Bypassing, a shared scoreboard, branch prediction",
                                       .source = "XI 4.4",
                                       .version = 6,
                                       .component = &ws_ilp_component,
                                       .table = &ws_ilp_table,
                                       .structures = structures,
                                       .structure_count = WS_COUNT(structures),
                                       .cost = cost,
                                       .check = check,
                                       .core = &core};
