/* A trace that is open: a file, or two traces that are joined. */
#ifndef WS_TRACE_WST_TRACE_H
#define WS_TRACE_WST_TRACE_H

#include "trace/wst_format.h"

struct ws_trace {
    char *path;
    const uint8_t *bytes; /* the mapped file; NULL of joined traces */
    ws_trace_info info;
    wst_index index;
    const ws_trace *part[WS_PROGRAMS_MAX]; /* of joined traces, else NULL */
};

/* Moves a CTA that was read from the trace of a program to where that program's static instructions and its data lie
 * among both programs'. */
bool wst_move_to_program(wst_cta *cta, const ws_trace *of, uint32_t program, uint32_t first_static,
                         ws_error *err);

#endif
