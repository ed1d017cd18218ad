/* Analysis `uniform`: scalar operations that are redundant because all lanes of a warp compute the same (intra-warp
 * uniform), or because the SM has just computed it (inter-warp uniform; XI 2.2, Fig. 2). Two detectors find the uniform
 * instructions: one looks at the operands' values, one follows registers (analysis/parts/uniform_token.h). */
#include "analysis/analyses.h"
#include "analysis/parts/uniform_token.h"
#include "base/array.h"
#include "replay/reuse_buffer.h"
#include "replay/tokens.h"

#include <stdlib.h>

enum detector { DETECTOR_VALUE, DETECTOR_TOKEN };

typedef struct uniform_params {
    int64_t irb_entries;
    int detector; /* enum detector */
} uniform_params;

static const char *const detector_names[] = {[DETECTOR_VALUE] = "value", [DETECTOR_TOKEN] = "token", NULL};

static const ws_param params[] = {
    WS_CHOICE(uniform_params, detector, "uniform.detector", DETECTOR_TOKEN, detector_names,
              "How uniform instructions are found. value: all operands that the trace has, results included, "
              "are the same in all lanes; needs operand values in the trace. token: by registers that are "
              "computed from uniform ones (XI 2.4.1); needs registers, and takes what the trace does not "
              "tell as thread-dependent (column assumption), and what local and generic loads return. A load "
              "of 8 or 16 bytes writes two or four registers of a SASS trace."),
    WS_INT(uniform_params, irb_entries, "uniform.irb_entries", "entries", 8, 1, WS_REUSE_MAX,
           "Entries of each SM's instruction reuse buffer (XI 2.4.3); all come from one pass."),
};

static const ws_component component = {.name = "uniform",
                                       .summary = "Detection and reuse of uniform vector instructions",
                                       .source = "XI 2.2, 2.4",
                                       .params = params,
                                       .param_count = WS_COUNT(params),
                                       .struct_size = sizeof(uniform_params)};

static const char *const dims[] = {"uniform.irb_entries", NULL};

/* ---- tables */

static const ws_column columns[] = {
    {"warp_instructions", WS_TYPE_INT, "warp instructions", WS_ADDS_SUM, "Issued warp instructions."},
    {"thread_instructions", WS_TYPE_INT, "thread instructions", WS_ADDS_SUM,
     "Active lanes of the issued warp instructions: the dynamic scalar instructions that shares refer to (XI "
     "2.2)."},
    {"intra_instructions", WS_TYPE_INT, "warp instructions", WS_ADDS_SUM,
     "Intra-warp uniform instructions: arithmetic or logic (classes int, fp and sfu) with all lanes active "
     "and uniform sources (XI 2.2; neither branches nor memory accesses count)."},
    {"inter_instructions", WS_TYPE_INT, "warp instructions", WS_ADDS_SUM,
     "Intra-warp uniform instructions that find their operands in the SM's instruction reuse buffer (XI "
     "2.4.3: 10 bits of the pc, counted in instructions, opcode, at most 3 sources, LRU; here a special "
     "register counts with its value). Unknown without operand values."},
    {"intra_redundant", WS_TYPE_INT, "thread instructions", WS_ADDS_SUM,
     "Redundant operations of intra-warp uniform instructions: all lanes but one (XI 2.2)."},
    {"inter_redundant", WS_TYPE_INT, "thread instructions", WS_ADDS_SUM,
     "Redundant operations of inter-warp uniform instructions, counted alone: all lanes (XI 2.2)."},
    {"combined_redundant", WS_TYPE_INT, "thread instructions", WS_ADDS_SUM,
     "Redundant operations within and between warps: intra_redundant, plus the one remaining operation of "
     "each inter-warp uniform instruction (XI 2.2)."},
    {"candidates", WS_TYPE_INT, "warp instructions", WS_ADDS_SUM,
     "Arithmetic and logic with all lanes active: what detectors decide on."},
    {"found_by_both", WS_TYPE_INT, "warp instructions", WS_ADDS_SUM,
     "Candidates that both detectors find uniform. Unknown unless the trace has values and registers."},
    {"found_by_value", WS_TYPE_INT, "warp instructions", WS_ADDS_SUM,
     "Candidates that the detector `value` alone finds uniform: what `token` misses."},
    {"found_by_token", WS_TYPE_INT, "warp instructions", WS_ADDS_SUM,
     "Candidates that the detector `token` alone finds uniform: none, where its assumptions hold."},
    {"assumption", WS_TYPE_TEXT, "", WS_ADDS_SAME, "What the detector assumes of the trace."},
};

#define SHARE(name, what, source)                                                                            \
    {                                                                                                        \
        name "_share", "", "1.0 * " name "_redundant / nullif(thread_instructions, 0)",                      \
            "Share of dynamic scalar instructions that " what " makes redundant (" source ")."               \
    }

static const ws_ratio ratios[] = {
    SHARE("intra", "uniformity within warps", "XI Fig. 2"),
    SHARE("inter", "uniformity between warps alone", "XI Fig. 2"),
    SHARE("combined", "uniformity within and between warps", "XI Fig. 2"),
    {"reuse_ratio", "", "1.0 * inter_instructions / nullif(intra_instructions, 0)",
     "Share of intra-warp uniform instructions that the reuse buffer spares (XI 2.4.3)."},
    {"agreement", "", "1.0 - 1.0 * (found_by_value + found_by_token) / nullif(candidates, 0)",
     "Share of candidates on which the two detectors agree."},
    {"token_recall", "", "1.0 * found_by_both / nullif(found_by_both + found_by_value, 0)",
     "Share of what `value` finds that `token` finds, too."},
};

static const ws_table table = {"uniform", "Redundant scalar operations of uniform vector instructions",
                               columns,   WS_COUNT(columns),
                               ratios,    WS_COUNT(ratios)};
static const ws_table *const tables[] = {&table, NULL};

/* ---- life */

typedef struct analysis {
    const ws_trace *trace;
    enum detector detector;
    bool has_values, has_registers;
    uint64_t all_lanes;
    uint32_t warp_size, pc_step;
    size_t points;
    int64_t *entries;
    uniform_token *token;   /* NULL: the trace has no registers */
    ws_reuse_buffer *reuse; /* per SM */
    uint64_t warps, threads, candidates, intra, both, by_value, by_token;
    /* instructions that the reuse buffer spares, by the smallest number of entries with which it does */
    uint64_t reused_from[WS_REUSE_MAX + 1];
} analysis;

static void destroy(void *self) {
    analysis *a = self;
    if (!a) return;
    uniform_token_free(a->token);
    free(a->reuse);
    free(a->entries);
    free(a);
}

static bool has_registers(const ws_trace *trace) {
    return ws_trace_get_info(trace)->features & WS_FEATURE_REGISTERS;
}

static bool need(bool has, const ws_trace *trace, const char *field, enum detector detector, ws_error *err) {
    if (has) return true;
    return ws_fail(err, WS_ERROR_TRACE, "%s has no %s, which uniform.detector = %s needs%s",
                   ws_trace_path(trace), field, detector_names[detector],
                   detector == DETECTOR_VALUE ? "; token does without" : "");
}

static void *create(const void *const *values, size_t points, const ws_stream_info *stream, ws_error *err) {
    enum detector detector = (enum detector)((const uniform_params *)values[0])->detector;
    bool by_value = detector == DETECTOR_VALUE;
    bool values_known = ws_has_operand_values(stream->trace), registers_known = has_registers(stream->trace);
    if (!need(by_value ? values_known : registers_known, stream->trace,
              by_value ? "operand values" : "registers", detector, err))
        return NULL;
    const ws_trace_info *info = ws_trace_get_info(stream->trace);
    analysis *a = calloc(1, sizeof *a);
    if (a) {
        a->trace = stream->trace;
        a->detector = detector;
        a->has_values = values_known;
        a->has_registers = registers_known;
        a->all_lanes = info->warp_size == 64 ? UINT64_MAX : UINT32_MAX;
        a->warp_size = info->warp_size;
        a->pc_step = ws_reuse_pc_step(stream->trace, stream->kernel);
        a->points = points;
        a->entries = malloc(points * sizeof *a->entries);
        a->reuse = calloc(stream->sms, sizeof *a->reuse);
        if (a->has_registers) a->token = uniform_token_new(stream->trace, stream->sms);
    }
    if (a && a->entries && a->reuse && (a->token || !a->has_registers)) {
        for (uint32_t i = 0; i < stream->sms; i++) a->reuse[i].size = WS_REUSE_MAX;
        for (size_t i = 0; i < points; i++) a->entries[i] = ((const uniform_params *)values[i])->irb_entries;
        return a;
    }
    ws_no_memory(err);
    destroy(a);
    return NULL;
}

static uint32_t wants(const void *p) {
    (void)p; /* always what both detectors need: each is compared with the other */
    return WS_WANT_ADDRESSES | WS_WANT_VALUES;
}

/* ---- counting */

static void reuse(analysis *a, const ws_static *s, const ws_instructions *batch, size_t i) {
    if (s->source_values > WS_REUSE_SOURCES) return;
    uint32_t from = ws_reuse_access(&a->reuse[batch->sm[i]], s->pc / a->pc_step, s->opcode, batch->values[i],
                                    ws_reuse_operands(s));
    a->reused_from[from] += from > 0;
}

static void count(analysis *a, const ws_static *s, const ws_instructions *batch, size_t i, bool token) {
    bool value = batch->uniform && ws_operands_are_uniform(s, batch->uniform[i]);
    bool found = a->detector == DETECTOR_VALUE ? value : token;
    a->candidates++;
    a->both += value && token;
    a->by_value += value && !token;
    a->by_token += token && !value;
    a->intra += found;
    if (found && value) reuse(a, s, batch, i);
}

static void instructions(void *self, const ws_instructions *batch) {
    analysis *a = self;
    const ws_static *statics = ws_trace_statics(a->trace);
    for (size_t i = 0; i < batch->count; i++) {
        const ws_static *s = &statics[batch->inst[i]];
        bool token = a->token && uniform_token_step(a->token, batch, i);
        if (!batch->issued[i]) continue;
        a->warps++;
        a->threads += (uint64_t)__builtin_popcountll(batch->mask[i]);
        if (ws_computes(s) && batch->mask[i] == a->all_lanes) count(a, s, batch, i, token);
    }
}

/* ---- rows */

static void put(ws_rows *rows, bool known, uint64_t number, const char *reason) {
    if (known)
        ws_rows_count(rows, number);
    else
        ws_rows_unknown(rows, reason);
}

static void put_row(const analysis *a, int64_t entries, uint32_t point, ws_rows *rows) {
    static const char no_values[] = "the trace has no operand values";
    const char *missing = a->has_values ? "the trace has no registers" : no_values;
    uint64_t inter = 0, intra = a->intra * (a->warp_size - 1);
    for (int64_t e = 1; e <= entries; e++) inter += a->reused_from[e];
    ws_rows_begin(rows, point, 0);
    ws_rows_count(rows, a->warps);
    ws_rows_count(rows, a->threads);
    ws_rows_count(rows, a->intra);
    put(rows, a->has_values, inter, no_values);
    ws_rows_count(rows, intra);
    put(rows, a->has_values, inter * a->warp_size, no_values);
    put(rows, a->has_values, intra + inter, no_values);
    ws_rows_count(rows, a->candidates);
    bool compared = a->has_values && a->has_registers;
    put(rows, compared, a->both, missing);
    put(rows, compared, a->by_value, missing);
    put(rows, compared, a->by_token, missing);
    ws_rows_text(rows, a->detector == DETECTOR_VALUE ? "none: operands have values in the trace"
                                                     : ws_tokens_assumption(a->trace));
}

static bool finish(void *self, uint32_t first_point, ws_rows *rows, ws_error *err) {
    (void)err;
    const analysis *a = self;
    for (size_t i = 0; i < a->points; i++) put_row(a, a->entries[i], first_point + (uint32_t)i, rows);
    return true;
}

const ws_analysis ws_analysis_uniform = {
    .name = "uniform",
    .summary = "Uniform vector instructions: redundant scalar operations within and between warps",
    .source = "XI 2.2, Fig. 2; 2.4.1; 2.4.3",
    .version = 3,
    .component = &component,
    .dims = dims,
    .tables = tables,
    .wants = wants,
    .create = create,
    .instructions = instructions,
    .finish = finish,
    .destroy = destroy,
};
