/* What the instances of a mechanism have counted, together: each column of its table as the table says, the sum or the
 * largest. The functions add to `counts`, which has what others have counted. */
#ifndef WS_TIMED_MECHANISM_COUNTS_H
#define WS_TIMED_MECHANISM_COUNTS_H

#include "timed/engine.h"

/* Those in an SM. */
void ws_mechanism_count_sm(const ws_engine *engine, const ws_mechanism *mechanism, const ws_sm *sm,
                           uint64_t *counts);
/* All of them, in a launch that has taken `cycles`. */
void ws_mechanism_count(const ws_engine *engine, const ws_mechanism *mechanism, uint64_t cycles,
                        uint64_t *counts);

#endif
