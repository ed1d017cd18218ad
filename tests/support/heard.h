/* Records the accesses of a timed launch in the order in which they reach the tags of the L1s. */
#ifndef WS_TESTS_HEARD_H
#define WS_TESTS_HEARD_H

#include "warpsweep/timed.h"

enum { HEARD_MAX = 1024 };
typedef struct heard {
    ws_timed_access at[HEARD_MAX];
    size_t count;
    ws_timed_counters counters;
} heard;

/* Replays the first launch of a trace with settings "name=value,name=value". */
heard heard_in(const ws_trace *trace, const char *settings);
/* The n-th access (from 0) to a line; fails the test if there are fewer. */
const ws_timed_access *heard_nth(const heard *heard, uint64_t line, size_t n);

#endif
