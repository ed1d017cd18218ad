/* Progress of long work, for a person: a bar that is redrawn on a terminal, a plain line now and then elsewhere. */
#ifndef WS_BASE_PROGRESS_H
#define WS_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct ws_progress {
    FILE *out; /* NULL: silent */
    bool terminal, drawn;
    const char *label, *unit;
    uint64_t total;
    double start, last; /* seconds of a monotonic clock */
} ws_progress;

/* Will print lines such as "label: 12/40 unit .."; the strings must outlive the result. */
ws_progress ws_progress_start(FILE *out, const char *label, const char *unit, uint64_t total);

/* `done` items, `share` (0..1) of the work, are done; items may differ in work. Cheap: prints only now and then. */
void ws_progress_update(ws_progress *progress, uint64_t done, double share);

/* Clears the bar, so that a line may be printed. */
void ws_progress_clear(ws_progress *progress);

/* Prints the final state as a line. */
void ws_progress_end(ws_progress *progress, uint64_t done);

/* Writes a duration as "7 s", "1:05", "2:03:04" or "3 d 4 h". */
void ws_progress_duration(double seconds, char *out, size_t size);

#endif
