/* Reuse times: how many accesses ago the same block was accessed, counted by the windows that they lie within. There is
 * a stream per instance (an SM, a warp ..); the counts are sums over all of them. */
#ifndef WS_ANALYSIS_PARTS_REUSE_H
#define WS_ANALYSIS_PARTS_REUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WS_REUSE_WINDOW_MAX = 1 << 28, WS_REUSE_RUN_MAX = 1024 };

typedef struct ws_reuse ws_reuse;

typedef struct ws_reuse_setup {
    const uint32_t *windows; /* copied; in any order, up to WS_REUSE_WINDOW_MAX */
    size_t window_count;     /* at least 1 */
    uint32_t instances;
    /* Without effect on results: */
    /* positions are renumbered when they reach this; at least 3 times the largest window */
    uint32_t clock_max;
    size_t arrays_B; /* memory that arrays over all blocks may take, for all instances together; 0: none */
} ws_reuse_setup;

/* NULL if out of memory. */
ws_reuse *ws_reuse_new(const ws_reuse_setup *setup);
void ws_reuse_free(ws_reuse *reuse); /* accepts NULL */

/* Takes consecutive accesses of an instance, at most WS_REUSE_RUN_MAX. `fresh`: the instance begins anew, without any
 * blocks. False if out of memory. */
bool ws_reuse_run(ws_reuse *reuse, uint32_t instance, bool fresh, const uint32_t *block, size_t count);

/* The number of accesses so far whose block was accessed within the preceding windows[i] accesses. */
uint64_t ws_reuse_within(const ws_reuse *reuse, size_t i);

#endif
