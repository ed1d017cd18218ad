/* Reuse times: how many accesses ago the same block was accessed, as counts of those that lie within windows. One
 * stream per instance (an SM, a warp ..), all with one count. */
#ifndef WS_ANALYSIS_REUSE_H
#define WS_ANALYSIS_REUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WS_REUSE_WINDOW_MAX = 1 << 28, WS_REUSE_RUN_MAX = 1024 };

typedef struct ws_reuse ws_reuse;

typedef struct ws_reuse_setup {
    const uint32_t *windows; /* copied; in any order, up to WS_REUSE_WINDOW_MAX */
    size_t window_count;     /* at least 1 */
    uint32_t instances;
    /* Not part of any result: */
    /* positions are numbered anew when they reach this; at least 3 of the largest window */
    uint32_t clock_max;
    size_t arrays_B; /* what arrays over all blocks may take; 0 = none */
} ws_reuse_setup;

/* NULL if out of memory. */
ws_reuse *ws_reuse_new(const ws_reuse_setup *setup);
void ws_reuse_free(ws_reuse *reuse); /* accepts NULL */

/* Consecutive accesses of an instance, at most WS_REUSE_RUN_MAX; `fresh`: it is a new one, which knows no block. False
 * if out of memory. */
bool ws_reuse_run(ws_reuse *reuse, uint32_t instance, bool fresh, const uint32_t *block, size_t count);

/* Accesses so far whose block was accessed within window `i` before. */
uint64_t ws_reuse_within(const ws_reuse *reuse, size_t i);

#endif
