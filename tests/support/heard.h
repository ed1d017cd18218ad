/* A timed launch's accesses as they meet the tags of the L1s, in that order. */
#ifndef WS_TESTS_HEARD_H
#define WS_TESTS_HEARD_H

#include "warpsweep/timed.h"

enum { HEARD_MAX = 1024 };
typedef struct heard {
    ws_timed_access at[HEARD_MAX];
    size_t count;
    ws_timed_counters counters;
} heard;

/* The first launch, with "name=value,name=value". */
heard heard_in(const ws_trace *trace, const char *settings);
/* Of the accesses to a line the n-th, from 0; the test fails where there are not so many. */
const ws_timed_access *heard_nth(const heard *heard, uint64_t line, size_t n);

#endif
