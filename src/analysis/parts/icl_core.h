/* Intra-cluster locality: which requests of a cluster ask for a line that the cluster asked for a short while ago (ICC
 * 3.3.1, eq. 1). One pass answers for all windows, counted in requests of the cluster or in time, because it is enough
 * to know when each line, and each of its words, was last asked for.
 *
 * Every request makes its line and words recent, whether it is redundant itself or not. What lies further back than the
 * largest window is forgotten, so memory follows the windows. */
#ifndef WS_ANALYSIS_PARTS_ICL_CORE_H
#define WS_ANALYSIS_PARTS_ICL_CORE_H

#include <stdbool.h>
#include <stdint.h>

/* The unit of a window: requests of the cluster, or the time that is passed with each request. */
enum ws_icl_clock { WS_ICL_REQUESTS, WS_ICL_TIME, WS_ICL_CLOCKS };

/* Redundant requests, in four disjoint parts. data: one of the request's words was asked for within the window; line:
 * only other words of its line were. same, other: whether the SM that last asked for the line is the request's own. */
typedef struct ws_icl_counts {
    uint64_t data_same_sm, data_other_sm, line_same_sm, line_other_sm;
} ws_icl_counts;

typedef struct ws_icl ws_icl;

/* NULL if out of memory. `words`: the number of words of a line, at most 64. */
ws_icl *ws_icl_new(uint32_t clusters, unsigned words);
void ws_icl_free(ws_icl *icl); /* accepts NULL */

/* Announces a window for ws_icl_redundant(); to be called before the first request. False if out of memory. */
bool ws_icl_ask(ws_icl *icl, enum ws_icl_clock clock, uint64_t window);

/* SM `sm` of `cluster` asks for `words` (bit 0: the lowest) of line number `line`. Within a cluster, `time` must not
 * decrease. False if out of memory. */
bool ws_icl_request(ws_icl *icl, uint32_t cluster, uint32_t sm, uint64_t time, uint32_t line, uint64_t words);

/* Further words of an SM's earlier request for the line leave the SM: it counts once, but they become recent. */
bool ws_icl_extend(ws_icl *icl, uint32_t cluster, uint32_t sm, uint64_t time, uint32_t line, uint64_t words);

/* Counts the redundant requests so far: those at most `window` after an earlier one of their cluster. `window` must
 * have been announced. */
ws_icl_counts ws_icl_redundant(const ws_icl *icl, enum ws_icl_clock clock, uint64_t window);

#endif
