/* Internals of the analysis `window`: its parameters, and the interface of the models that count merges. */
#ifndef WS_ANALYSIS_PARTS_WINDOW_H
#define WS_ANALYSIS_PARTS_WINDOW_H

#include "warpsweep/analysis.h"

enum window_kind { WINDOW_FIFO, WINDOW_SLIDING };
enum window_scope { WINDOW_WARP, WINDOW_CTA, WINDOW_SM, WINDOW_CLUSTER };
enum window_stream { WINDOW_LOADS, WINDOW_ALL };
enum { WINDOW_SIZE_MAX = 65536, WINDOW_MERGES_MAX = 65535 };

typedef struct window_params {
    int64_t size;
    int kind, scope, stream; /* the enums above */
    int64_t merges_max;
    bool fences;
} window_params;

/* Which warp sent the request that a later one merges with. */
enum { WINDOW_SAME_WARP, WINDOW_SAME_CTA, WINDOW_OTHER_CTA, WINDOW_LABELS };

/* Consecutive requests of one instance of the scope, in order. */
typedef struct window_run {
    uint32_t instance;
    bool fresh; /* the instance begins anew (another warp, another CTA) with an empty window */
    size_t count;
    const uint32_t *line, *warp, *cta;
    /* Undefined in a stream of loads without fences: */
    const uint8_t *op; /* ws_memory_op */
    const uint16_t *sm;
    const uint8_t *slot; /* warp slot of the SM */
} window_run;

/* What a model is created with: the window sizes to answer for, and the instances that have windows. */
typedef struct window_setup {
    const uint32_t *sizes; /* copied */
    uint32_t size_count;
    uint32_t instances;
    uint32_t warps_per_cta;
    uint32_t sms_per_cluster;
    uint32_t merges_max; /* requests per tag, 0 = unlimited */
    bool stream_all;     /* stores and atomics enter the window, too */
    /* Without effect on results: */
    uint32_t clock_max; /* positions are renumbered when they reach this; far above the sizes */
    size_t arrays_B;    /* memory that arrays over all lines may take, for all instances together; 0: none */
} window_setup;

/* A kind of window. `create` returns NULL if out of memory. `run` takes the requests of a run; false if out of memory.
 * `merged` gives the merges with size `i`, by label. */
typedef struct window_model {
    void *(*create)(const window_setup *setup);
    bool (*run)(void *self, const window_run *run);
    void (*merged)(const void *self, uint32_t i, uint64_t out[WINDOW_LABELS]);
    void (*destroy)(void *self); /* accepts NULL */
} window_model;

extern const window_model window_sliding, window_fifo, window_fenced;

/* The label of a merge with an earlier request, of warp `earlier`. */
static inline unsigned window_label(uint32_t warp, uint32_t cta, uint32_t earlier, uint32_t warps_per_cta) {
    return (earlier != warp) + (earlier - cta * warps_per_cta >= warps_per_cta);
}

#endif
