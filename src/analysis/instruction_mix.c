/* Analysis `instruction_mix`: what a kernel executes: instructions by class, active lanes, branches that diverge
 * (parts/branches.h), and the share of each instruction, with the requests of those that access memory. None of it
 * depends on the replay. */
#include "analysis/analyses.h"
#include "analysis/parts/branches.h"
#include "analysis/parts/pcs.h"
#include "base/array.h"
#include "replay/branching.h"
#include "trace/sass.h"

#include <stdlib.h>
#include <string.h>

/* ---- tables */

#define INSTRUCTIONS(name, help)                                                                             \
    { name, WS_TYPE_INT, "warp instructions", WS_ADDS_SUM, help }
#define CLASS(name, what)                                                                                    \
    INSTRUCTIONS(name "_instructions", "Dynamic warp instructions of class " name ": " what ".")

static const ws_column totals_columns[] = {
    INSTRUCTIONS("warp_instructions",
                 "Dynamic warp instructions of all classes but meta, whatever their masks."),
    CLASS("int", "integers, addresses, comparisons, logic, moves"),
    CLASS("fp", "floating point"),
    CLASS("sfu", "special functions: roots, divisions, exponentials, some conversions"),
    CLASS("tensor", "matrix units"),
    CLASS("mem", "all memory spaces, fences, cache control"),
    CLASS("branch", "control flow, and what prepares reconvergence"),
    CLASS("barrier", "barriers of the CTA"),
    CLASS("exit", "ends of threads"),
    CLASS("other", "all else that is issued"),
    INSTRUCTIONS("meta_instructions",
                 "Instructions that have no counterpart on hardware (class meta); in no other sum."),
    INSTRUCTIONS("full_instructions", "Warp instructions with all lanes of the warp active."),
    INSTRUCTIONS("idle_instructions", "Warp instructions without an active lane: predicated off."),
    {"thread_instructions", WS_TYPE_INT, "thread instructions", WS_ADDS_SUM,
     "Active lanes of the warp instructions."},
    {"lane_slots", WS_TYPE_INT, "lanes", WS_ADDS_SUM,
     "Warp instructions times the warp size: lanes that could be active."},
    INSTRUCTIONS("global_loads", "Loads from global memory, generic addresses among them."),
    INSTRUCTIONS("global_stores", "Stores to global memory, generic addresses among them."),
    INSTRUCTIONS("global_atomics", "Atomics and reductions on global memory, generic addresses among them."),
    INSTRUCTIONS("local_accesses",
                 "Loads, stores and atomics of local memory (spilled registers, private arrays)."),
    INSTRUCTIONS("shared_accesses", "Loads, stores and atomics of shared memory."),
    INSTRUCTIONS("constant_accesses", "Loads of constant memory that are instructions of their own."),
    INSTRUCTIONS("texture_accesses", "Texture and surface accesses."),
    INSTRUCTIONS("branches", "Instructions that can send lanes elsewhere: jumps, calls, returns; of class "
                             "branch, without those that only prepare or await reconvergence."),
    INSTRUCTIONS(
        "divergent_branches",
        "Branches whose lanes go on at different instructions. Where `masks` says 'active and predicate' "
        "they are inferred: some lanes take the branch, and others were active on the straight way to it, "
        "since "
        "the warp's last branch, or step backwards or of more than 16 bytes, and have not exited."),
    {"masks", WS_TYPE_TEXT, "", WS_ADDS_SAME,
     "What an active lane is in this trace: 'active', or 'active and predicate' where tracers leave out "
     "lanes whose guard predicate is false (SASS). There SIMD efficiency is that of useful lanes, and "
     "divergence and predication can be told apart at branches only."},
};

#define SHARE(name)                                                                                          \
    {                                                                                                        \
        name "_share", "", "1.0 * " name "_instructions / nullif(warp_instructions, 0)",                     \
            "Share of warp instructions of class " name "."                                                  \
    }

static const ws_ratio totals_ratios[] = {
    SHARE("int"),
    SHARE("fp"),
    SHARE("sfu"),
    SHARE("tensor"),
    SHARE("mem"),
    SHARE("branch"),
    SHARE("barrier"),
    SHARE("exit"),
    SHARE("other"),
    {"simd_efficiency", "", "1.0 * thread_instructions / nullif(lane_slots, 0)",
     "SIMD efficiency: mean active lanes over the warp size."},
    {"branch_divergence", "", "1.0 * divergent_branches / nullif(branches, 0)",
     "Share of branches that diverge; inferred where `masks` says 'active and predicate'."},
};

static const ws_column lanes_columns[] = {
    {"active_lanes", WS_TYPE_INT, "lanes", WS_ADDS_KEY, "Active lanes of a warp instruction."},
    INSTRUCTIONS("instructions", "Warp instructions with so many; rows without any are left out."),
};

static const ws_column pc_columns[] = {
    WS_PC_COLUMN,
    {"opcode", WS_TYPE_TEXT, "", WS_ADDS_KEY, "Opcode, as traced."},
    {"class", WS_TYPE_TEXT, "", WS_ADDS_KEY,
     "int, fp, sfu, tensor, mem, branch, barrier, exit, meta or other."},
    {"op", WS_TYPE_TEXT, "", WS_ADDS_KEY,
     "load, store, atomic (returns a value) or reduction (does not); none where the trace has no addresses "
     "of it."},
    {"space", WS_TYPE_TEXT, "", WS_ADDS_KEY,
     "Memory space: global, local, shared, constant, texture, generic; else none."},
    {"source_line", WS_TYPE_INT, "", WS_ADDS_SAME, "Line of the source text."},
    INSTRUCTIONS("instructions", "Executions."),
    INSTRUCTIONS("active_instructions", "Executions with at least one active lane."),
    {"thread_instructions", WS_TYPE_INT, "thread instructions", WS_ADDS_SUM,
     "Active lanes, summed over the executions."},
    {"requests", WS_TYPE_INT, "requests", WS_ADDS_SUM, "Lines of global and local memory that they ask for."},
    {"sectors", WS_TYPE_INT, "sectors", WS_ADDS_SUM, "Sectors of those lines that they touch."},
    {"bytes_used", WS_TYPE_INT, "B", WS_ADDS_SUM, "Distinct bytes of those lines that they touch."},
    {"bytes_moved", WS_TYPE_INT, "B", WS_ADDS_SUM, "Sectors times the sector size."},
    INSTRUCTIONS("divergent", "Executions of a branch after which lanes go on at different instructions."),
};

static const ws_ratio pc_ratios[] = {
    {"lanes_per_instruction", "lanes per instruction", "1.0 * thread_instructions / nullif(instructions, 0)",
     "Mean active lanes."},
    {"requests_per_instruction", "requests per instruction",
     "iif(requests > 0, 1.0 * requests / nullif(active_instructions, 0), NULL)",
     "Memory divergence: mean lines per warp instruction (WP Fig. 3)."},
    {"bytes_used_share", "", "1.0 * bytes_used / nullif(bytes_moved, 0)", "Bytes used over bytes moved."},
};

enum { TABLE_TOTALS, TABLE_LANES, TABLE_PC };

static const ws_table totals_table = {
    "instruction_mix", "Dynamic instructions by class, active lanes, branches",
    totals_columns,    WS_COUNT(totals_columns),
    totals_ratios,     WS_COUNT(totals_ratios)};
static const ws_table lanes_table = {"instruction_mix_lanes",
                                     "Warp instructions by their number of active lanes",
                                     lanes_columns,
                                     WS_COUNT(lanes_columns),
                                     NULL,
                                     0};
static const ws_table pc_table = {"instruction_mix_pc",
                                  "Executions, requests and divergence per instruction address",
                                  pc_columns,
                                  WS_COUNT(pc_columns),
                                  pc_ratios,
                                  WS_COUNT(pc_ratios)};
static const ws_table *const tables[] = {&totals_table, &lanes_table, &pc_table, NULL};

/* ---- counting */

/* Counts of a static instruction. */
typedef struct site {
    uint64_t instructions, active, lanes, requests, sectors, bytes, divergent;
} site;

typedef struct analysis {
    const ws_trace *trace;
    const ws_static *statics;
    uint32_t static_count, sector_B, warp_size;
    bool failed, predicated;
    site *sites;         /* per static instruction */
    bool *can_jump;      /* per static instruction */
    uint64_t *divergent; /* per static instruction */
    branches *branches;
    uint64_t by_lanes[WS_LANES_MAX + 1];
} analysis;

static void destroy(void *self) {
    analysis *a = self;
    if (!a) return;
    free(a->sites);
    free(a->can_jump);
    free(a->divergent);
    branches_free(a->branches);
    free(a);
}

static void *create(const void *const *params, size_t points, const ws_stream_info *stream, ws_error *err) {
    (void)params, (void)points;
    const ws_trace_info *info = ws_trace_get_info(stream->trace);
    size_t statics = (size_t)info->static_count + 1;
    analysis *a = calloc(1, sizeof *a);
    if (a) {
        a->trace = stream->trace;
        a->statics = ws_trace_statics(stream->trace);
        a->static_count = info->static_count;
        a->sector_B = stream->sector_B;
        a->warp_size = info->warp_size;
        a->predicated = strcmp(info->isa, "llvm") != 0;
        a->sites = calloc(statics, sizeof *a->sites);
        a->can_jump = calloc(statics, sizeof *a->can_jump);
        a->divergent = calloc(statics, sizeof *a->divergent);
        a->branches = branches_new(stream->sms * WS_SLOTS, a->predicated, a->divergent);
    }
    if (!a || !a->sites || !a->can_jump || !a->divergent || !a->branches) {
        ws_no_memory(err);
        destroy(a);
        return NULL;
    }
    for (uint32_t i = 0; i < a->static_count; i++)
        a->can_jump[i] = ws_can_jump(&a->statics[i], ws_trace_opcode(a->trace, a->statics[i].opcode));
    return a;
}

static void instructions(void *self, const ws_instructions *b) {
    analysis *a = self;
    for (size_t i = 0; i < b->count; i++) {
        const ws_static *s = &a->statics[b->inst[i]];
        site *at = &a->sites[b->inst[i]];
        unsigned lanes = (unsigned)__builtin_popcountll(b->mask[i]);
        at->instructions++;
        at->active += lanes > 0;
        at->lanes += lanes;
        if (s->class_ != WS_CLASS_META) a->by_lanes[lanes]++;
        if (!branches_step(a->branches, b->sm[i] * WS_SLOTS + b->slot[i], b->warp[i], b->inst[i], s,
                           b->mask[i], a->can_jump[b->inst[i]]))
            a->failed = true;
    }
}

static void requests(void *self, const ws_requests *b) {
    analysis *a = self;
    for (size_t i = 0; i < b->count; i++) {
        site *at = &a->sites[b->inst[i]];
        at->requests++;
        at->sectors += b->sectors[i];
        at->bytes += b->bytes[i];
    }
}

/* ---- rows */

/* Sums over all static instructions. */
typedef struct totals {
    uint64_t of_class[WS_CLASS_COUNT], of_space[WS_SPACE_COUNT];
    uint64_t global_loads, global_stores, global_atomics;
    uint64_t lanes, branches, divergent;
} totals;

/* Returns the space that it accesses, also where the trace has no addresses of it. */
static ws_space space_of(const analysis *a, const ws_static *s) {
    if (s->op != WS_MEMORY_NONE) return (ws_space)s->space;
    return a->predicated ? ws_sass_space(ws_trace_opcode(a->trace, s->opcode)) : WS_SPACE_NONE;
}

static totals sum(const analysis *a) {
    totals t = {0};
    for (uint32_t i = 0; i < a->static_count; i++) {
        const ws_static *s = &a->statics[i];
        const site *at = &a->sites[i];
        t.of_class[s->class_] += at->instructions;
        if (s->class_ == WS_CLASS_META) continue;
        t.lanes += at->lanes;
        t.branches += a->can_jump[i] ? at->instructions : 0;
        t.divergent += a->divergent[i];
        t.of_space[space_of(a, s)] += at->instructions;
        if (s->space != WS_SPACE_GLOBAL && s->space != WS_SPACE_GENERIC) continue;
        t.global_loads += s->op == WS_MEMORY_LOAD ? at->instructions : 0;
        t.global_stores += s->op == WS_MEMORY_STORE ? at->instructions : 0;
        t.global_atomics += ws_memory_is_atomic(s->op) ? at->instructions : 0;
    }
    return t;
}

static void put_totals(const analysis *a, uint32_t point, ws_rows *rows) {
    static const ws_class order[] = {WS_CLASS_INT,     WS_CLASS_FP,   WS_CLASS_SFU,
                                     WS_CLASS_TENSOR,  WS_CLASS_MEM,  WS_CLASS_BRANCH,
                                     WS_CLASS_BARRIER, WS_CLASS_EXIT, WS_CLASS_OTHER};
    totals t = sum(a);
    uint64_t issued = 0;
    for (size_t i = 0; i < WS_COUNT(order); i++) issued += t.of_class[order[i]];
    ws_rows_begin(rows, point, TABLE_TOTALS);
    ws_rows_count(rows, issued);
    for (size_t i = 0; i < WS_COUNT(order); i++) ws_rows_count(rows, t.of_class[order[i]]);
    ws_rows_count(rows, t.of_class[WS_CLASS_META]);
    ws_rows_count(rows, a->by_lanes[a->warp_size]);
    ws_rows_count(rows, a->by_lanes[0]);
    ws_rows_count(rows, t.lanes);
    ws_rows_count(rows, issued * a->warp_size);
    ws_rows_count(rows, t.global_loads);
    ws_rows_count(rows, t.global_stores);
    ws_rows_count(rows, t.global_atomics);
    ws_rows_count(rows, t.of_space[WS_SPACE_LOCAL]);
    ws_rows_count(rows, t.of_space[WS_SPACE_SHARED]);
    ws_rows_count(rows, t.of_space[WS_SPACE_CONSTANT]);
    ws_rows_count(rows, t.of_space[WS_SPACE_TEXTURE]);
    ws_rows_count(rows, t.branches);
    ws_rows_count(rows, t.divergent);
    ws_rows_text(rows, a->predicated ? "active and predicate" : "active");
}

static void put_lanes(const analysis *a, uint32_t point, ws_rows *rows) {
    for (unsigned lanes = 0; lanes <= WS_LANES_MAX; lanes++) {
        if (a->by_lanes[lanes] == 0) continue;
        ws_rows_begin(rows, point, TABLE_LANES);
        ws_rows_count(rows, lanes);
        ws_rows_count(rows, a->by_lanes[lanes]);
    }
}

static void add(site *to, const site *from, uint64_t divergent) {
    to->instructions += from->instructions;
    to->active += from->active;
    to->lanes += from->lanes;
    to->requests += from->requests;
    to->sectors += from->sectors;
    to->bytes += from->bytes;
    to->divergent += divergent;
}

typedef struct place {
    const analysis *a;
    uint32_t point;
    ws_rows *rows;
} place;

static bool has_executed(const void *context, uint32_t static_id) {
    return ((const place *)context)->a->sites[static_id].instructions > 0;
}

static bool put_pc(void *context, const ws_static *inst, const uint32_t *static_ids, uint32_t count) {
    const place *at = context;
    const analysis *a = at->a;
    site sum = {0};
    for (uint32_t i = 0; i < count; i++) add(&sum, &a->sites[static_ids[i]], a->divergent[static_ids[i]]);
    ws_rows_begin(at->rows, at->point, TABLE_PC);
    ws_rows_count(at->rows, inst->pc);
    ws_rows_text(at->rows, ws_trace_opcode(a->trace, inst->opcode));
    ws_rows_text(at->rows, ws_class_name((ws_class)inst->class_));
    ws_rows_text(at->rows, ws_memory_op_name((ws_memory_op)inst->op));
    ws_rows_text(at->rows, ws_space_name((ws_space)inst->space));
    ws_rows_source_line(at->rows, a->trace, inst);
    ws_rows_count(at->rows, sum.instructions);
    ws_rows_count(at->rows, sum.active);
    ws_rows_count(at->rows, sum.lanes);
    ws_rows_count(at->rows, sum.requests);
    ws_rows_count(at->rows, sum.sectors);
    ws_rows_count(at->rows, sum.bytes);
    ws_rows_count(at->rows, sum.sectors * a->sector_B);
    ws_rows_count(at->rows, sum.divergent);
    return true;
}

static bool finish(void *self, uint32_t point, ws_rows *rows, ws_error *err) {
    const analysis *a = self;
    if (a->failed) return ws_no_memory(err);
    put_totals(a, point, rows);
    put_lanes(a, point, rows);
    place at = {a, point, rows};
    return ws_pcs_put(a->trace, WS_PC_SPACE, has_executed, put_pc, &at) || ws_no_memory(err);
}

const ws_analysis ws_analysis_instruction_mix = {
    .name = "instruction_mix",
    .summary = "Instructions by class, SIMD efficiency, branch divergence; requests and bytes per pc",
    .source = "WP Fig. 3; our own",
    .version = 4,
    .tables = tables,
    .create = create,
    .requests = requests,
    .instructions = instructions,
    .finish = finish,
    .destroy = destroy,
};
