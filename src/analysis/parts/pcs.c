#include "analysis/parts/pcs.h"

#include <stdlib.h>

/* The order of rows. Static instructions of one row are neighbours in it. */
static int compare(const void *left, const void *right, void *context) {
    const ws_static *statics = context, *l = &statics[*(const uint32_t *)left],
                    *r = &statics[*(const uint32_t *)right];
    if (l->pc != r->pc) return l->pc < r->pc ? -1 : 1;
    if (l->opcode != r->opcode) return l->opcode < r->opcode ? -1 : 1;
    if (l->op != r->op) return l->op < r->op ? -1 : 1;
    if (l->class_ != r->class_) return l->class_ < r->class_ ? -1 : 1;
    return l->space < r->space ? -1 : l->space > r->space;
}

static bool agree(const ws_static *l, const ws_static *r, ws_pc_common common) {
    return l->pc == r->pc && l->opcode == r->opcode && (common < WS_PC_OP || l->op == r->op) &&
           (common < WS_PC_SPACE || (l->class_ == r->class_ && l->space == r->space));
}

/* Returns the static instructions that belong to rows, in their order; NULL if out of memory. The caller frees it. */
static uint32_t *collect(const ws_trace *trace, ws_pc_has *has, const void *context, uint32_t *count) {
    const uint32_t all = ws_trace_get_info(trace)->static_count;
    uint32_t *ids = malloc(((size_t)all + 1) * sizeof *ids);
    *count = 0;
    for (uint32_t i = 0; ids && i < all; i++)
        if (has(context, i)) ids[(*count)++] = i;
    if (ids) qsort_r(ids, *count, sizeof *ids, compare, (void *)(uintptr_t)ws_trace_statics(trace));
    return ids;
}

bool ws_pcs_put(const ws_trace *trace, ws_pc_common common, ws_pc_has *has, ws_pc_put *put, void *context) {
    const ws_static *statics = ws_trace_statics(trace);
    uint32_t count, *ids = collect(trace, has, context, &count);
    bool ok = ids;
    for (uint32_t i = 0, end; ok && i < count; i = end) {
        ws_static inst = statics[ids[i]];
        for (end = i; end < count && agree(&inst, &statics[ids[end]], common); end++)
            if (inst.source_line != statics[ids[end]].source_line) inst.source_line = 0;
        ok = put(context, &inst, ids + i, end - i);
    }
    free(ids);
    return ok;
}

void ws_rows_source_line(ws_rows *rows, const ws_trace *trace, const ws_static *inst) {
    if (inst->source_line > 0)
        ws_rows_int(rows, inst->source_line);
    else if (ws_trace_get_info(trace)->features & WS_FEATURE_SOURCE_LINE)
        ws_rows_unknown(rows, "the trace has no single source line for this instruction");
    else
        ws_rows_unknown(rows, "the trace has no source lines");
}
