/* An L1 on its own: a test gives it accesses, takes what it sends and brings the replies. */
#ifndef WS_TESTS_LONE_L1_H
#define WS_TESTS_LONE_L1_H

#include "timed/l1/l1.h"

/* Makes an SM for the engine, in cycle 100, of which only its L1 works. The engine has its other parameters;
 * `cluster_parts` must be set, so that replies come to the SM's inbox; nothing waits at its port. */
ws_sm *lone_l1_begin(ws_engine *engine, const ws_l1_params *l1);
/* Frees it and all that was begun. What waits in the miss queue must be freed with the L1. */
void lone_l1_end(ws_engine *engine, ws_sm *sm);

#endif
