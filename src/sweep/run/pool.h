/* Forked workers. Each computes one item at a time and sends its rows back; one that crashes, hangs or uses too
 * much memory loses its item and is replaced. Workers die with the process that made them. */
#ifndef WS_SWEEP_RUN_POOL_H
#define WS_SWEEP_RUN_POOL_H

#include "sweep/run/frame.h"
#include "warpsweep/param.h"

typedef struct ws_pool_options {
    uint32_t workers;
    double time_limit_s;     /* of an item; 0: none */
    uint64_t memory_limit_B; /* of a worker's data; 0: none */

    /* Both run in the worker. `start` returns its state; NULL if it has no memory. `run` computes an item and appends
     * its rows to `rows`; it sets `*common` if an error does not depend on which of the item's points are computed. */
    void *(*start)(void *context);
    bool (*run)(void *state, const ws_item *item, ws_rows *rows, bool *common, ws_error *err);
    void *context;
} ws_pool_options;

typedef enum ws_outcome_kind {
    WS_OUTCOME_ROWS,
    WS_OUTCOME_ERROR,  /* `run` returned false, or the worker crashed */
    WS_OUTCOME_LATE,   /* `run` exceeded the time limit */
    WS_OUTCOME_COMMON, /* `run` returned false and set `*common`: every point of the item has the error */
    WS_OUTCOME_KILLED, /* by a SIGKILL that was not ours: the item may not be to blame, or memory ran out */
} ws_outcome_kind;

typedef struct ws_outcome {
    ws_item item;
    ws_outcome_kind kind;
    const void *rows; /* valid until the next call */
    size_t size;
    ws_error why; /* if there are no rows */
    double cpu_s; /* if there are rows */
    uint64_t peak_memory_B;
} ws_outcome;

typedef struct ws_pool ws_pool;

ws_pool *ws_pool_new(const ws_pool_options *options, ws_error *err);
void ws_pool_free(ws_pool *pool); /* kills the workers; accepts NULL */

/* The number of a worker that waits for an item, -1 if all are busy. */
int ws_pool_idle(const ws_pool *pool);
uint32_t ws_pool_busy(const ws_pool *pool); /* how many workers are busy */

bool ws_pool_give(ws_pool *pool, int worker, const ws_item *item, ws_error *err);

/* Waits for the next outcome, for at most `timeout_ms`; `*got` says whether there is one. */
bool ws_pool_wait(ws_pool *pool, int timeout_ms, ws_outcome *outcome, bool *got, ws_error *err);

#endif
