/* What a sweep does before its first pass: making its combinations, planning, recording the plan. With a million of
 * them that takes minutes, so it tells the user how far it is, and can be stopped. */
#ifndef WS_SWEEP_PREPARING_H
#define WS_SWEEP_PREPARING_H

#include "base/progress.h"
#include "warpsweep/error.h"

#include <sqlite3.h>

typedef struct ws_preparing {
    const volatile bool *interrupted; /* NULL: never */
    ws_progress progress;             /* of the step in hand */
    uint64_t done;
} ws_preparing;

/* Nothing is printed to `log` (NULL: none) in the first second. */
ws_preparing ws_preparing_start(const volatile bool *interrupted, FILE *log);

/* The functions below accept NULL, for a preparation that nobody watches. */

/* Begins a step that looks at `total` combinations, or points: "LABEL: 12/40 UNIT .."; the strings must last. */
void ws_preparing_step(ws_preparing *preparing, const char *label, const char *unit, uint64_t total);

/* To be called for each of them. False, with WS_ERROR_INTERRUPTED, once the user wants it to stop. */
bool ws_preparing_at(ws_preparing *preparing, uint64_t done, ws_error *err);

/* The same in the middle of things, where nothing can fail. */
bool ws_preparing_is_stopped(const ws_preparing *preparing);

/* Clears the step's line, so that another one may be printed. */
void ws_preparing_clear(ws_preparing *preparing);

/* Statements of `db`, too, tell how far the step is, and end when it is stopped, with SQLITE_INTERRUPT; until the
 * handler is replaced. */
void ws_preparing_watch(ws_preparing *preparing, sqlite3 *db);

#endif
