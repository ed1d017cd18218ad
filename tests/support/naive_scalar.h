/* A naive twin of uniform-vector execution on an SM: a table of the scalar register that each register of each warp
 * has, a list of free scalar registers, and a diary of what happened to each register, from which its life is read
 * cycle by cycle. */
#ifndef WS_TESTS_NAIVE_SCALAR_H
#define WS_TESTS_NAIVE_SCALAR_H

#include "mechanism/parts/scalar_unit.h"

typedef struct naive_scalar naive_scalar;

/* For traces of generate_random(), or others with at most one destination per instruction and registers below 16. */
naive_scalar *naive_scalar_new(const ws_trace *trace, const scalar_options *options);
void naive_scalar_free(naive_scalar *n);

void naive_scalar_start(naive_scalar *n, unsigned warp, const ws_flow *flow, const uint64_t *values);
void naive_scalar_end(naive_scalar *n, unsigned warp);
bool naive_scalar_copies(naive_scalar *n, unsigned warp, uint64_t now);
enum scalar_how naive_scalar_issue(naive_scalar *n, unsigned warp, uint32_t lanes, uint64_t now);
/* The counts up to cycle `now`. */
scalar_counts naive_scalar_counts(naive_scalar *n, uint64_t now);

#endif
