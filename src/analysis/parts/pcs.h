/* Helpers for tables with a row per instruction address. */
#ifndef WS_ANALYSIS_PARTS_PCS_H
#define WS_ANALYSIS_PARTS_PCS_H

#include "warpsweep/param.h"
#include "warpsweep/trace.h"

/* The column of these addresses. */
#define WS_PC_COLUMN                                                                                         \
    {                                                                                                        \
        "pc", WS_TYPE_INT, "", WS_ADDS_KEY,                                                                  \
            "Address of the instruction within its kernel. In SQL printf('%04x', pc) is what dump and "      \
            "--hotspots print."                                                                              \
    }

/* Sorts static instructions into the order of their rows: by pc, opcode, op, class and space. Those that an analysis
 * does not tell apart are then neighbours. */
void ws_sort_by_pc(const ws_static *statics, uint32_t *which, uint32_t count);

/* For a row of both: forgets the source line of `to` unless `other` has the same. */
static inline void ws_keep_source_line(ws_static *to, const ws_static *other) {
    if (to->source_line != other->source_line) to->source_line = 0;
}

/* Adds the source line of an instruction to the row, or why it is unknown. */
void ws_rows_source_line(ws_rows *rows, const ws_trace *trace, const ws_static *inst);

#endif
