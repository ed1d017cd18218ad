/* Rows per instruction address. */
#ifndef WS_ANALYSIS_PCS_H
#define WS_ANALYSIS_PCS_H

#include "warpsweep/param.h"
#include "warpsweep/trace.h"

/* Puts static instructions in the order of their rows: by pc, opcode, op, class and space. Those that agree in what an
 * analysis tells apart then stand side by side. */
void ws_sort_by_pc(const ws_static *statics, uint32_t *which, uint32_t count);

/* The source line of an instruction, or why it is unknown. */
void ws_rows_source_line(ws_rows *rows, const ws_trace *trace, const ws_static *inst);

#endif
