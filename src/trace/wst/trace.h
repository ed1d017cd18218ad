/* An open trace: a mapped file, or two joined traces. */
#ifndef WS_TRACE_WST_TRACE_H
#define WS_TRACE_WST_TRACE_H

#include "trace/wst/format.h"

struct ws_trace {
    char *path;
    const uint8_t *bytes; /* the mapped file; NULL for joined traces */
    ws_trace_info info;
    wst_index index;
    const ws_trace *part[WS_PROGRAMS_MAX]; /* the traces that are joined; NULL for a file */
};

/* Checks the stored bytes of a block, the number of which is below that of the index, against their checksum. */
bool wst_block_is_whole(const ws_trace *t, size_t block, ws_error *err);

/* Moves a CTA that was read from `of`, the trace of `program`, to that program's place in the joined traces: adds
 * `first_static` to its static indices, and the program's offset to its global and local addresses. */
bool wst_move_to_program(wst_cta *cta, const ws_trace *of, uint32_t program, uint32_t first_static,
                         ws_error *err);

#endif
