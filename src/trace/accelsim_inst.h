/* Instruction lines of one file, one after the other: each becomes a static instruction of the writer, a mask and
 * addresses. */
#ifndef WS_TRACE_ACCELSIM_INST_H
#define WS_TRACE_ACCELSIM_INST_H

#include "trace/accelsim_line.h"
#include "trace/losses.h"
#include "trace/text_source.h"

typedef struct ws_accelsim_insts ws_accelsim_insts;

typedef struct ws_accelsim_inst {
    uint32_t position[4]; /* CTA x, y, z and warp; zero where the file has no such columns */
    uint32_t mask, static_id;
    bool is_copy;       /* LDGSTS with addresses, which raw files print twice */
    bool has_addresses; /* one per active lane, lowest first */
    uint64_t addresses[WS_SASS_LANES];
    /* all active lanes, which is `stored_value`; else it is not known, or they differ */
    bool stores_one_value;
    uint64_t stored_value;
    const char *line_end; /* its '\n'; the text is not moved */
} ws_accelsim_inst;

/* All that is pointed to must outlive it. */
ws_accelsim_insts *ws_accelsim_insts_new(ws_text *text, ws_writer *writer, const ws_kernel *kernel,
                                         ws_accelsim_columns columns, ws_losses *losses, ws_error *err);
void ws_accelsim_insts_free(ws_accelsim_insts *insts); /* accepts NULL */

/* Reads the line at hand. */
bool ws_accelsim_insts_read(ws_accelsim_insts *insts, ws_accelsim_inst *inst, ws_error *err);

/* Where the mask of the line at hand, which has just been read, begins. */
const char *ws_accelsim_insts_mask_at(const ws_accelsim_insts *insts);

#endif
