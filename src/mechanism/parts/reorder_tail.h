/* What a warp executes once the reorder unit has answered it: the tails of its elements (reorder_work.h) in lock step.
 * As in hardware, the warp executes the instruction with the lowest address among those that its lanes have come to,
 * with the lanes that are there. A lane executes an instruction if any of the elements that it stands for does: its
 * own, and those merged into it. A lane that asked but got no element is disabled: of its own thread's tail it executes
 * only barriers and the exit. Lanes that did not ask go on as in the trace. */
#ifndef WS_MECHANISM_PARTS_REORDER_TAIL_H
#define WS_MECHANISM_PARTS_REORDER_TAIL_H

#include "mechanism/parts/reorder_work.h"
#include "timed/launch/stream.h"

/* The elements that the unit hands to a warp, and for each the list of those merged into it. */
typedef struct reorder_answer {
    uint32_t warp, count;     /* warp: its place in reorder_work.warps; count: of `elements` */
    const uint32_t *elements; /* for the warp's asking lanes, the lowest first */
    /* per element of the launch: the first one merged into it; the next in the list that it is in itself; or
     * REORDER_NOBODY */
    const uint32_t *merged, *next;
} reorder_answer;

struct reorder_cursor;
typedef struct reorder_tails {
    const reorder_work *work;
    const ws_static *statics;
    ws_timed_stream *stream;
    struct reorder_cursor *cursors; /* scratch: of the warp that is being answered */
    uint32_t count;
    size_t room;
} reorder_tails;

/* Returns what the warp executes, to be freed with free(). NULL with an error if out of memory, or if elements that
 * were merged use different addresses. */
ws_timed_warp *reorder_tail(reorder_tails *tails, const reorder_answer *answer, ws_error *err);
void reorder_tails_free(reorder_tails *tails);

#endif
