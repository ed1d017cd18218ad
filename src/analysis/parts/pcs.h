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

/* What the static instructions of a row have in common: pc and opcode; or op, too; or op, class and space, too. */
typedef enum ws_pc_common { WS_PC_OPCODE, WS_PC_OP, WS_PC_SPACE } ws_pc_common;

/* Whether a static instruction belongs to a row. */
typedef bool ws_pc_has(const void *context, uint32_t static_id);
/* Puts the row of these static instructions. `inst` is one of them, valid during the call, without a source line if
 * they have several. False if out of memory. */
typedef bool ws_pc_put(void *context, const ws_static *inst, const uint32_t *static_ids, uint32_t count);

/* Has the rows put, in the order of pc, opcode, op, class and space. False if out of memory. */
bool ws_pcs_put(const ws_trace *trace, ws_pc_common common, ws_pc_has *has, ws_pc_put *put, void *context);

/* Adds the source line of an instruction to the row, or why it is unknown. */
void ws_rows_source_line(ws_rows *rows, const ws_trace *trace, const ws_static *inst);

#endif
