#include "sweep/preparing.h"

static const double patience_s = 1;
enum { STEPS_BETWEEN_LOOKS = 10000 }; /* of SQLite's machine: less than a millisecond */

ws_preparing ws_preparing_start(const volatile bool *interrupted, FILE *log) {
    ws_preparing p = {.interrupted = interrupted, .progress = ws_progress_start(log, "", "", 0)};
    p.progress.last += patience_s;
    return p;
}

void ws_preparing_clear(ws_preparing *p) {
    if (p) ws_progress_clear(&p->progress);
}

void ws_preparing_step(ws_preparing *p, const char *label, const char *unit, uint64_t total) {
    if (!p) return;
    const ws_progress before = p->progress;
    p->progress = ws_progress_start(before.out, label, unit, total);
    p->progress.last = before.last; /* short steps add up to a long preparation */
    p->progress.drawn = before.drawn;
    p->done = 0;
}

bool ws_preparing_is_stopped(const ws_preparing *p) {
    return p && p->interrupted && *p->interrupted;
}

bool ws_preparing_at(ws_preparing *p, uint64_t done, ws_error *err) {
    if (!p) return true;
    if (ws_preparing_is_stopped(p))
        return ws_fail(err, WS_ERROR_INTERRUPTED,
                       "stopped before the first point; the same command starts anew");
    p->done = done;
    if (p->progress.total) ws_progress_update(&p->progress, done, (double)done / (double)p->progress.total);
    return true;
}

static int look(void *preparing) {
    ws_preparing *p = preparing;
    return !ws_preparing_at(p, p->done, NULL);
}

void ws_preparing_watch(ws_preparing *p, sqlite3 *db) {
    if (p) sqlite3_progress_handler(db, STEPS_BETWEEN_LOOKS, look, p);
}
