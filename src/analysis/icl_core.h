/* Intra-cluster locality: which requests of a cluster ask for a line that the cluster asked for a short while ago (ICC
 * 3.3.1, eq. 1). One pass answers every window, counted in requests of the cluster and in time, because it is enough to
 * know when a line, and each of its words, was asked for last.
 *
 * Every request makes its line and words recent, whether it is redundant itself or not. What lies behind the largest
 * window is forgotten, so memory follows the windows. */
#ifndef WS_ANALYSIS_ICL_CORE_H
#define WS_ANALYSIS_ICL_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a window is counted in: requests of the cluster, or the time that the requests come with. */
enum ws_icl_clock { WS_ICL_REQUESTS, WS_ICL_TIME, WS_ICL_CLOCKS };

/* Redundant requests, in four exclusive parts. Data: one of the words was asked for within the window. Line: only other
 * words of the line were. Same or other: the SM that asked for the line last. */
typedef struct ws_icl_counts {
    uint64_t data_same_sm, data_other_sm, line_same_sm, line_other_sm;
} ws_icl_counts;

typedef struct ws_icl ws_icl;

/* NULL if out of memory. `words`: of a line, at most 64. */
ws_icl *ws_icl_new(uint32_t clusters, unsigned words);
void ws_icl_free(ws_icl *icl); /* accepts NULL */

/* Before the first request: this window will be asked about. False if out of memory. */
bool ws_icl_ask(ws_icl *icl, enum ws_icl_clock clock, uint64_t window);

/* SM `sm` of `cluster` asks for `words` (bit 0 the lowest) of line number `line`. Times of a cluster never descend.
 * False if out of memory. */
bool ws_icl_request(ws_icl *icl, uint32_t cluster, uint32_t sm, uint64_t time, uint32_t line, uint64_t words);

/* Redundant requests so far: those at most `window`, which was announced, after another of their cluster. */
ws_icl_counts ws_icl_redundant(const ws_icl *icl, enum ws_icl_clock clock, uint64_t window);

#endif
