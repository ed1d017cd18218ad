/* What a person is told of points that fail: each reason when it first comes, and in the end how many points it had.
 * A configuration that cannot work has a point for each launch, and all of them the same reason. */
#ifndef WS_SWEEP_FAILURES_H
#define WS_SWEEP_FAILURES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { WS_FAILURES_REASONS = 20 }; /* that are told */

typedef struct ws_failures {
    struct {
        char *text;
        uint64_t points;
    } reasons[WS_FAILURES_REASONS];
    size_t count;
    uint64_t others; /* points of further reasons */
} ws_failures;

/* Counts a point that failed. True when its reason is a new one that is to be told. */
bool ws_failures_add(ws_failures *failures, const char *reason);

/* Whether it has been told. */
bool ws_failures_know(const ws_failures *failures, const char *reason);

/* A line for each reason of `least` points or more, as "failed: 12 points: REASON", where `what` is "failed"; one for
 * the others. */
void ws_failures_tell(const ws_failures *failures, const char *what, uint64_t least, FILE *log);
void ws_failures_free(ws_failures *failures);

#endif
