/* Reads the instruction lines of one file, one after another; used for grouped and for raw bodies. Each line yields a
 * static instruction (interned in the writer), an active mask and addresses. */
#ifndef WS_TRACE_IMPORT_ACCELSIM_INST_H
#define WS_TRACE_IMPORT_ACCELSIM_INST_H

#include "trace/import/accelsim_line.h"
#include "trace/import/losses.h"
#include "trace/import/text_source.h"

typedef struct ws_accelsim_insts ws_accelsim_insts;

typedef struct ws_accelsim_inst {
    uint32_t position[WS_SASS_PLACES]; /* zero where the file has no such columns */
    uint32_t mask, static_id;
    /* REPLAY_START or REPLAY_END, between which the tracer has kept one round of a loop in which a warp waits: no
     * instruction; there is no `static_id` */
    bool is_marker;
    bool is_copy;       /* LDGSTS with addresses, which raw files print twice */
    bool has_addresses; /* one per active lane, lowest first */
    uint64_t addresses[WS_SASS_LANES];
    /* true if all active lanes store `stored_value`; false if their values differ or are not known */
    bool stores_one_value;
    uint64_t stored_value;
    const char *line_end; /* the line's '\n'; reading does not advance the text, the caller does */
} ws_accelsim_inst;

/* Everything that is pointed to must outlive the result. */
ws_accelsim_insts *ws_accelsim_insts_new(ws_text *text, ws_writer *writer, const ws_kernel *kernel,
                                         ws_accelsim_columns columns, ws_losses *losses, ws_error *err);
void ws_accelsim_insts_free(ws_accelsim_insts *insts); /* accepts NULL */

/* Reads the line that begins at text->at. */
bool ws_accelsim_insts_read(ws_accelsim_insts *insts, ws_accelsim_inst *inst, ws_error *err);

/* The position of the active mask in the current line, which must have been read; for error messages. */
const char *ws_accelsim_insts_mask_at(const ws_accelsim_insts *insts);

#endif
