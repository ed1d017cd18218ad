/* The workers of a plan: a pool whose items are points of its passes. */
#ifndef WS_SWEEP_RUN_CREW_H
#define WS_SWEEP_RUN_CREW_H

#include "sweep/plan/plan.h"
#include "sweep/run/pool.h"

typedef struct ws_crew {
    const ws_plan *plan;
    ws_store *store; /* which workers let go of (ws_store_forget()); NULL: none */
} ws_crew;

/* `crew` must outlive the pool. */
ws_pool *ws_crew_new(ws_crew *crew, uint32_t workers, double time_limit_s, uint64_t memory_limit_B,
                     ws_error *err);

#endif
