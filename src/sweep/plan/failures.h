/* Messages about points that fail: each reason when it first occurs, and at the end how many points it had. A
 * configuration that cannot work fails at a point for each launch, all with the same reason. */
#ifndef WS_SWEEP_PLAN_FAILURES_H
#define WS_SWEEP_PLAN_FAILURES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { WS_FAILURES_REASONS = 20 }; /* the most that are printed */

typedef struct ws_failures {
    struct {
        char *text;
        uint64_t points;
    } reasons[WS_FAILURES_REASONS];
    size_t count;
    uint64_t others; /* points with other reasons */
} ws_failures;

/* Counts a point that failed. True if its reason is new and is to be printed. */
bool ws_failures_add(ws_failures *failures, const char *reason);

/* True if the reason is among `reasons`. */
bool ws_failures_know(const ws_failures *failures, const char *reason);

/* Prints a line for each reason with at least `least` points, such as "failed: 12 points: REASON" if `what` is
 * "failed", and one for the points with other reasons. */
void ws_failures_tell(const ws_failures *failures, const char *what, uint64_t least, FILE *log);
void ws_failures_free(ws_failures *failures);

#endif
