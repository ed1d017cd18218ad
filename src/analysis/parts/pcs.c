#include "analysis/parts/pcs.h"

#include <stdlib.h>

static int compare(const void *left, const void *right, void *context) {
    const ws_static *statics = context, *l = &statics[*(const uint32_t *)left],
                    *r = &statics[*(const uint32_t *)right];
    if (l->pc != r->pc) return l->pc < r->pc ? -1 : 1;
    if (l->opcode != r->opcode) return l->opcode < r->opcode ? -1 : 1;
    if (l->op != r->op) return l->op < r->op ? -1 : 1;
    if (l->class_ != r->class_) return l->class_ < r->class_ ? -1 : 1;
    return l->space < r->space ? -1 : l->space > r->space;
}

void ws_sort_by_pc(const ws_static *statics, uint32_t *which, uint32_t count) {
    qsort_r(which, count, sizeof *which, compare, (void *)(uintptr_t)statics);
}

void ws_rows_source_line(ws_rows *rows, const ws_trace *trace, const ws_static *inst) {
    if (inst->source_line > 0)
        ws_rows_int(rows, inst->source_line);
    else if (ws_trace_get_info(trace)->features & WS_FEATURE_SOURCE_LINE)
        ws_rows_unknown(rows, "the trace has no single source line for this instruction");
    else
        ws_rows_unknown(rows, "the trace has no source lines");
}
