/* What a warp executes once the reorder unit has answered it: the tails of its elements in lock step. As a warp of
 * the hardware does, it executes the instruction with the lowest address of those that its lanes are at, with the
 * lanes that are there. A lane executes an instruction when any of the elements that it stands for does: its own, and
 * those merged into it. A lane that asked and got none is disabled: of its own thread it keeps barriers and the end.
 * Lanes that did not ask go on as in the trace. */
#ifndef WS_MECHANISM_REORDER_TAIL_H
#define WS_MECHANISM_REORDER_TAIL_H

#include "mechanism/reorder_work.h"
#include "timed/stream.h"

/* Elements as the unit hands them to a warp, and the lists of those merged into each. */
typedef struct reorder_answer {
    uint32_t warp, count;
    const uint32_t *elements;
    const uint32_t *merged,
        *next; /* per element: the first one merged into it; behind it in that list; or NOBODY */
} reorder_answer;

struct reorder_cursor;
typedef struct reorder_tails {
    const reorder_work *work;
    const ws_static *statics;
    ws_timed_stream *stream;
    struct reorder_cursor *cursors; /* of the warp at hand */
    uint32_t count, room;
} reorder_tails;

/* Freed with free(); NULL with an error: out of memory, or where elements that were merged are used for different
 * addresses. */
ws_timed_warp *reorder_tail(reorder_tails *tails, const reorder_answer *answer, ws_error *err);
void reorder_tails_free(reorder_tails *tails);

#endif
