/* Runs of right predictions, as a decoder reads them from a column of varints: the length of a run is read when the
 * previous one is used up; past the last one all predictions are right. */
#ifndef WS_TRACE_WST_RUN_H
#define WS_TRACE_WST_RUN_H

#include "base/buffer.h"

typedef struct wst_run {
    ws_cursor cursor;
    uint64_t left;
} wst_run;

static inline void wst_run_read(wst_run *run) {
    run->left = run->cursor.at == run->cursor.end ? UINT64_MAX : ws_cursor_varint(&run->cursor);
}

static inline wst_run wst_run_over(const ws_buffer *column) {
    wst_run run = {.cursor = ws_cursor_over(column->data, column->size)};
    wst_run_read(&run);
    return run;
}

/* Advances by one prediction and returns whether it is right. */
static inline bool wst_run_step(wst_run *run) {
    if (run->left) {
        run->left--;
        return true;
    }
    wst_run_read(run);
    return false;
}

#endif
