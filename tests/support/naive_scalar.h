/* Uniform-vector execution of an SM, the plain way: a table that says for each register of each warp which scalar
 * register it has, a list of free ones, and a diary of what happened to each register, from which its life is read
 * cycle by cycle. */
#ifndef WS_TESTS_NAIVE_SCALAR_H
#define WS_TESTS_NAIVE_SCALAR_H

#include "mechanism/scalar_unit.h"

typedef struct naive_scalar naive_scalar;

/* Of a trace whose instructions are those of generate_random(). */
naive_scalar *naive_scalar_new(const ws_trace *trace, const scalar_options *options);
void naive_scalar_free(naive_scalar *n);

void naive_scalar_start(naive_scalar *n, unsigned warp, const ws_flow *flow, const uint64_t *values);
void naive_scalar_end(naive_scalar *n, unsigned warp);
bool naive_scalar_copies(naive_scalar *n, unsigned warp, uint64_t now);
enum scalar_how naive_scalar_issue(naive_scalar *n, unsigned warp, uint64_t now);
/* All that was counted until cycle `now`. */
scalar_counts naive_scalar_counts(naive_scalar *n, uint64_t now);

#endif
