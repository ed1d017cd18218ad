/* Uniform-vector execution (XI 2.4), in the slot `core`: an arithmetic instruction with all lanes active whose sources
 * are the same in all lanes executes as one scalar operation, and its scheduler can issue again in the next cycle.
 * parts/scalar_unit.h tells which instructions these are. */
#include "base/array.h"
#include "mechanism/parts/scalar_unit.h"
#include "timed/engine.h"

#include <stdlib.h>

/* ---- parameters and results */

enum design { DESIGN_TOKEN, DESIGN_SRF };

typedef struct scalar_params {
    int design; /* enum design */
    int copy;   /* enum scalar_copy */
    bool convert, checks;
    int64_t srf_entries, irb_entries;
} scalar_params;

static const char *const design_names[] = {[DESIGN_TOKEN] = "token", [DESIGN_SRF] = "srf", NULL};
static const char *const copy_names[] = {[SCALAR_COPY_SOURCE] = "source", [SCALAR_COPY_ANY] = "any", NULL};

static const ws_param params[] = {
    WS_CHOICE(
        scalar_params, design, "scalar.design", DESIGN_TOKEN, design_names,
        "Where the single value of a uniform vector register is kept. token: in one of its lanes, "
        "marked by a bit (XI 2.4.1). srf: in a scalar register file, through a rename table (XI "
        "2.4.2); while no scalar register is free, uniform instructions execute as vector ones, but for "
        "those whose destination has one already, and keeps it."),
    WS_INT(scalar_params, srf_entries, "scalar.srf_entries", "registers", 128, 1, 65536,
           "Design srf: scalar registers of an SM (XI 2.5: 128)."),
    WS_BOOL(
        scalar_params, convert, "scalar.convert", true,
        "Whether uniform vector instructions execute as scalar ones, so that their scheduler can issue again "
        "in the next cycle (XI 2.4.1). false: only the reuse buffer makes use of them (XI 2.6.1: Inter)."),
    WS_INT(scalar_params, irb_entries, "scalar.irb_entries", "entries", 8, 0, WS_REUSE_MAX,
           "Entries of an SM's instruction reuse buffer; an instruction that finds its operands there takes "
           "one cycle instead of its latency, and no unit (XI 2.4.3: 8). It compares values, which the trace "
           "must have. 0: none (XI 2.6.1: Intra)."),
    WS_CHOICE(scalar_params, copy, "scalar.copy", SCALAR_COPY_SOURCE, copy_names,
              "Which writes by only some of the lanes are preceded by a copy instruction that gives the "
              "value of a uniform register to all its lanes. source: writes to a uniform register that the "
              "instruction also reads (XI 2.4.1). any: writes to any uniform register, since its other lanes "
              "would lose their value."),
    WS_BOOL(
        scalar_params, checks, "scalar.checks", false,
        "Whether a second lane also computes converted instructions, to compare the results, and both "
        "are kept; the reuse buffer's entries have a parity bit (XI 2.4.4). This takes energy but no time; "
        "what it covers is counted in either case."),
};

static const ws_need needs[] = {
    {.param = "scalar.srf_entries", .of = "scalar.design", .value = "srf"},
};

const ws_component ws_scalar_component = {.name = "scalar",
                                          .summary = "Uniform vector instructions as scalar ones",
                                          .source = "XI 2.4",
                                          .params = params,
                                          .param_count = WS_COUNT(params),
                                          .struct_size = sizeof(scalar_params),
                                          .needs = needs,
                                          .need_count = WS_COUNT(needs)};

enum {
    UNIFORM,
    CONVERTED,
    REUSED,
    UNPLACED,
    LOOKUPS,
    COPIES,
    PEAK,
    ALU,
    PROTECTED,
    LIVE,
    LIVE_PROTECTED,
    IN_FILE,
    FILE_CYCLES,
    CHECKS,
    SPARED_READS,
    COUNTS
};
#define INSTRUCTIONS(name, help)                                                                             \
    { name, WS_TYPE_INT, "warp instructions", WS_ADDS_SUM, help }
static const ws_column columns[] = {
    [UNIFORM] = INSTRUCTIONS(
        "uniform", "Arithmetic and logic instructions with all lanes active and uniform sources (XI 2.4). In "
                   "design srf a result for which no scalar register was free is not known to be uniform."),
    [CONVERTED] = INSTRUCTIONS("converted", "Uniform instructions that executed as scalar ones (XI 2.4.1)."),
    [REUSED] = INSTRUCTIONS(
        "reused",
        "Uniform instructions that did not execute because the reuse buffer had their result (XI 2.4.3)."),
    [UNPLACED] = INSTRUCTIONS(
        "unplaced",
        "Uniform instructions that executed as vector ones because no scalar register was free (XI 2.4.2)."),
    [LOOKUPS] = INSTRUCTIONS(
        "lookups", "Uniform instructions, of at most 3 sources, that looked up the reuse buffer (XI 2.4.3)."),
    [COPIES] = INSTRUCTIONS("copies", "Copy instructions that were inserted (XI 2.4.1, Fig. 7)."),
    [PEAK] = {"peak_registers", WS_TYPE_INT, "registers", WS_ADDS_MAX,
              "The most vector registers of an SM that were known to be uniform. With scalar.convert these "
              "are kept as scalars; without, only results that were reused."},
    [ALU] = {"alu_operations", WS_TYPE_INT, "thread instructions", WS_ADDS_SUM,
             "Active lanes of arithmetic and logic instructions."},
    [PROTECTED] = {"protected_operations", WS_TYPE_INT, "thread instructions", WS_ADDS_SUM,
                   "Active lanes of converted and reused instructions: a second lane, or the reuse buffer's "
                   "parity, checks them (XI 2.4.4)."},
    [LIVE] = {"live_cycles", WS_TYPE_INT, "register cycles", WS_ADDS_SUM,
              "Sum over cycles of the vector registers that are live: written, and read later (XI 2.6.4)."},
    [LIVE_PROTECTED] = {"protected_cycles", WS_TYPE_INT, "register cycles", WS_ADDS_SUM,
                        "Sum over cycles of the live vector registers that are known to be uniform: there "
                        "are, or can be, several copies of their data (XI 2.4.4, 2.6.4)."},
    [IN_FILE] = INSTRUCTIONS("in_file", "Converted and reused instructions whose operands are in the scalar "
                                        "register file; none in design token (XI 2.4.2)."),
    [FILE_CYCLES] = {"file_cycles", WS_TYPE_INT, "SM cycles", WS_ADDS_SUM,
                     "Cycles times the scalar register files; 0 in design token."},
    [CHECKS] =
        INSTRUCTIONS("checks", "Converted instructions that a second lane computed, too, and whose result is "
                               "kept twice: with scalar.checks (XI 2.4.4)."),
    [SPARED_READS] = {"spared_reads", WS_TYPE_INT, "thread operands", WS_ADDS_SUM,
                      "Operands that lanes of instructions that are neither converted nor reused need not "
                      "read: where a register is kept as a single value, one read is broadcast to all active "
                      "lanes (XI 2.4.1, Fig. 4; 2.4.2)."},
};
WS_HAS_ROOM_FOR(columns);
static const ws_ratio ratios[] = {
    {"alu_coverage", "", "1.0 * protected_operations / nullif(alu_operations, 0)",
     "Share of scalar ALU operations that redundancy protects (XI Fig. 14)."},
    {"register_coverage", "", "1.0 * protected_cycles / nullif(live_cycles, 0)",
     "Share of live vector registers that redundancy protects, over time (XI Fig. 15)."},
    {"reuse_rate", "", "1.0 * reused / nullif(lookups, 0)",
     "Share of look-ups of the reuse buffer that hit (XI 2.4.3)."},
};
const ws_table ws_scalar_table = {
    "scalar_counters", "Uniform-vector execution", columns, WS_COUNT(columns), ratios, WS_COUNT(ratios)};

enum { TOKEN_FILE, SCALAR_FILE, RENAME_TABLE, REUSE_BUFFER };
static const ws_structure structures[] = {
    [TOKEN_FILE] =
        {"token file",
         "Per SM, with scalar.design token: a bit per vector register, sm.registers / 32 (XI 2.4.1)."},
    [SCALAR_FILE] = {"scalar register file",
                     "Per SM, with scalar.design srf: scalar.srf_entries x 32 bits (XI 2.5)."},
    [RENAME_TABLE] = {"rename table", "Per SM, with scalar.design srf: per vector register, sm.registers / "
                                      "32, the number of a scalar one, of scalar.srf_entries (XI 2.5)."},
    [REUSE_BUFFER] = {"instruction reuse buffer",
                      "Per SM: scalar.irb_entries x (10 bits of the address, 3 sources and a result of 32 "
                      "bits each, the number of an entry, 8 bits of the opcode; with scalar.checks a parity "
                      "bit) (XI 2.5, 2.4.4)."},
};

static size_t cost(const ws_config *config, ws_cost costs[WS_COSTS_MAX]) {
    const scalar_params *p = ws_config_get(config, &ws_scalar_component);
    const ws_sm_params *sm = ws_config_get(config, &ws_sm_component);
    uint64_t registers = (uint64_t)sm->registers, entries = (uint64_t)p->srf_entries;
    size_t n = 0;
    if (p->design == DESIGN_TOKEN) {
        costs[n++] = (ws_cost){&structures[TOKEN_FILE], WS_PER_SM, scalar_token_bits(registers)};
    } else {
        costs[n++] = (ws_cost){&structures[SCALAR_FILE], WS_PER_SM, scalar_file_bits(entries)};
        costs[n++] = (ws_cost){&structures[RENAME_TABLE], WS_PER_SM, scalar_rename_bits(registers, entries)};
    }
    costs[n++] =
        (ws_cost){&structures[REUSE_BUFFER], WS_PER_SM, scalar_irb_bits((uint64_t)p->irb_entries, p->checks)};
    return n;
}

/* ---- the slot */

typedef struct scalar {
    bool has_file, checks; /* has_file: design srf */
    scalar_unit unit;
    uint64_t alu, covered; /* active lanes: of arithmetic; of converted and reused instructions */
} scalar;

static bool takes(const void *params_, const ws_trace *trace, ws_error *err) {
    const scalar_params *p = params_;
    if (!(ws_trace_get_info(trace)->features & WS_FEATURE_REGISTERS))
        return ws_fail(err, WS_ERROR_TRACE,
                       "mechanism.core: %s has no registers, which scalar follows: take a trace with them",
                       ws_trace_path(trace));
    return !p->irb_entries || ws_has_operand_values(trace) ||
           ws_fail(err, WS_ERROR_TRACE,
                   "scalar.irb_entries: %s has no operand values, which the instruction reuse buffer "
                   "compares: set it to 0, or take a trace with them",
                   ws_trace_path(trace));
}

static uint32_t wants(const void *params_) {
    const scalar_params *p = params_;
    return WS_WANT_ADDRESSES | (p->irb_entries ? WS_WANT_VALUES : 0);
}

static void *share(const ws_engine *e) {
    return ws_tokens_new(e->trace);
}

static void unshare(void *tokens) {
    ws_tokens_free(tokens);
}

static void destroy(void *self) {
    scalar *c = self;
    if (!c) return;
    scalar_unit_free(&c->unit);
    free(c);
}

static void *create(const ws_engine *e, uint32_t sm, const void *params_) {
    (void)sm;
    const scalar_params *p = params_;
    scalar *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->has_file = p->design == DESIGN_SRF;
    c->checks = p->checks;
    scalar_options options = {.registers = p->design == DESIGN_SRF ? (uint32_t)p->srf_entries : UINT32_MAX,
                              .converts = p->convert,
                              .irb_entries = (uint32_t)p->irb_entries,
                              .copy = (enum scalar_copy)p->copy,
                              .pc_step = ws_reuse_pc_step(e->trace, e->kernel)};
    if (scalar_unit_init(&c->unit, e->core_shared, ws_trace_statics(e->trace), &options)) return c;
    destroy(c);
    return NULL;
}

static void warp_started(void *self, const ws_engine *e, const ws_sm *s, unsigned warp,
                         const ws_timed_warp *content) {
    (void)e, (void)s;
    scalar_unit_start(&((scalar *)self)->unit, warp, content->flow, content->values);
}

static void warp_ended(void *self, const ws_engine *e, const ws_sm *s, unsigned warp) {
    (void)e, (void)s;
    scalar_unit_end(&((scalar *)self)->unit, warp);
}

static bool inserts(void *self, const ws_engine *e, const ws_sm *s, unsigned warp) {
    (void)s;
    return scalar_unit_copies(&((scalar *)self)->unit, warp, e->now);
}

static void inserted(void *self, const ws_engine *e, const ws_sm *s, unsigned warp) {
    (void)s;
    scalar_unit_copy(&((scalar *)self)->unit, warp, e->now);
}

static void issued(void *self, ws_engine *e, ws_sm *s, unsigned warp, const ws_timed_inst *inst,
                   ws_issue *how) {
    (void)s;
    scalar *c = self;
    enum scalar_how what = scalar_unit_issue(&c->unit, warp, inst->lanes, e->now);
    if (ws_computes(&ws_trace_statics(e->trace)[inst->static_id])) c->alu += inst->lanes;
    if (what == SCALAR_VECTOR) return;
    c->covered += inst->lanes;
    how->issue_cycles = 1;
    how->unit_cycles = what == SCALAR_REUSED ? 0 : 1;
    if (what == SCALAR_REUSED) how->latency = 1;
}

static void count(void *self, const ws_engine *e, uint64_t *counts) {
    (void)e;
    const scalar *c = self;
    const scalar_counts *n = &c->unit.counts;
    counts[UNIFORM] = n->uniform;
    counts[CONVERTED] = n->converted;
    counts[REUSED] = n->reused;
    counts[UNPLACED] = n->unplaced;
    counts[LOOKUPS] = n->lookups;
    counts[COPIES] = n->copies;
    counts[PEAK] = n->peak;
    counts[ALU] = c->alu;
    counts[PROTECTED] = c->covered;
    counts[LIVE] = n->live.live;
    counts[LIVE_PROTECTED] = n->live.covered;
    counts[IN_FILE] = c->has_file ? n->converted + n->reused : 0;
    counts[CHECKS] = c->checks ? n->converted : 0;
    counts[SPARED_READS] = n->spared_reads;
}

static void elapsed(const void *params_, uint32_t sm, uint64_t cycles, uint64_t *counts) {
    (void)sm;
    const scalar_params *p = params_;
    counts[FILE_CYCLES] = p->design == DESIGN_SRF ? cycles : 0;
}

static const ws_core_slot core = {.takes = takes,
                                  .wants = wants,
                                  .share = share,
                                  .unshare = unshare,
                                  .create = create,
                                  .destroy = destroy,
                                  .warp_started = warp_started,
                                  .warp_ended = warp_ended,
                                  .inserts = inserts,
                                  .inserted = inserted,
                                  .issued = issued,
                                  .count = count,
                                  .elapsed = elapsed};

const ws_mechanism ws_mechanism_scalar = {.name = "scalar",
                                          .summary = "Uniform vector instructions execute as scalar ones",
                                          .source = "XI 2.4",
                                          .version = 6,
                                          .component = &ws_scalar_component,
                                          .table = &ws_scalar_table,
                                          .structures = structures,
                                          .structure_count = WS_COUNT(structures),
                                          .cost = cost,
                                          .core = &core};
