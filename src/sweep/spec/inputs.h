/* The traces and the launches that a specification selects. */
#ifndef WS_SWEEP_SPEC_INPUTS_H
#define WS_SWEEP_SPEC_INPUTS_H

#include "sweep/spec/spec.h"

#include <stdio.h>

typedef struct ws_input_trace {
    ws_trace *trace;
    char *name; /* of the file, without folders and ".wst"; "a+b" for two that run at the same time */
    int64_t id;
} ws_input_trace;

typedef struct ws_input_kernel {
    const ws_kernel *kernel;
    uint32_t trace; /* index in `traces` */
    int64_t id;
} ws_input_kernel;

/* Kernels are in the order of their traces, and within one in that of their launches. */
typedef struct ws_inputs {
    ws_input_trace *traces;
    ws_input_kernel *kernels;
    size_t trace_count, kernel_count;
    /* Single traces that `traces` are joined from; none without "with". */
    ws_input_trace *parts[WS_PROGRAMS_MAX];
    size_t part_count[WS_PROGRAMS_MAX];
} ws_inputs;

/* Opens the files that the patterns match, pattern by pattern, sorted within each. Of traces with equal content only
 * the first counts. If the specification has "with", each of "traces" is joined with each of these; a pair is taken
 * once, in whichever order it comes first. All traces stay open, so that forked workers share their pages. `log` (may
 * be NULL) is told of traces that do not count, and if the specification names launches that no trace has. */
ws_inputs *ws_inputs_open(const ws_spec *spec, FILE *log, ws_error *err);
void ws_inputs_free(ws_inputs *inputs); /* accepts NULL */

/* Writes the launch's key, "DIGEST/LAUNCH". */
void ws_input_kernel_key(const ws_inputs *inputs, const ws_input_kernel *kernel, char *out, size_t size);

#endif
