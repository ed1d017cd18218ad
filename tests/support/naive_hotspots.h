/* A naive twin of analysis `hotspots`: keeps lists of all events that the taps of a launch report, and goes through
 * whole lists for each number. */
#ifndef WS_TESTS_NAIVE_HOTSPOTS_H
#define WS_TESTS_NAIVE_HOTSPOTS_H

#include "warpsweep/timed.h"

#include <stddef.h>

typedef struct told {
    ws_timed_issue *issues;
    ws_timed_load *loads;
    ws_timed_access *accesses;
    ws_timed_warp_life *lives;
    size_t issue_count, load_count, access_count, life_count;
} told;

/* Taps that append to `told`, which must be zeros at first. */
ws_timed_taps told_taps(told *told);
void told_free(told *told);

/* The rows of point 0, as rows_text() writes them; the caller frees them. */
char *naive_hotspots(const told *told, const ws_trace *trace);

#endif
