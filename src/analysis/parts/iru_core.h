/* The irregular accesses reorder unit (IRU 3.2, 3.3) without latencies: which elements of the index array it hands to
 * which request. The mechanism `reorder` models the same unit cycle by cycle.
 *
 * Each memory partition takes the elements that it stores, in the order of the array, one per step. An element goes to
 * the entry of the hash that its target's line selects; an entry holds as many elements as a warp has lanes, whatever
 * lines they lead to. Requests are answered in the order of their arrival. The oldest one is answered
 *   - by the entry with the most elements (the lowest among equals), as soon as it has as many as the request wants;
 *   - if it has been the oldest for `timeout` steps, by the entries with the most elements in turn, as soon as all of
 *     them together have as many as it wants;
 *   - in the same way at the end of the array; it may then get fewer than it wants, because the filter merged elements.
 * An entry gives its oldest elements first. With the filter, an element with the same target as another one in its
 * entry is merged into that one.
 *
 * A request is always waiting: warps are taken to do nothing but wait for the unit, so it alone sets the pace, and the
 * number of requests behind the oldest one makes no difference. The timeout is not published. */
#ifndef WS_ANALYSIS_PARTS_IRU_CORE_H
#define WS_ANALYSIS_PARTS_IRU_CORE_H

#include "replay/iru_table.h"
#include "warpsweep/replay.h"

#define WS_IRU_NOBODY UINT32_MAX

typedef struct ws_iru_unit {
    uint32_t partitions, interleave_B; /* interleave_B: consecutive bytes of the array in one partition */
    uint32_t sets;                     /* entries of all partitions together */
    enum ws_set_index hash;            /* from a line to its entry */
    uint64_t timeout;                  /* in steps */
    bool filter;
    uint32_t entry_elements; /* lanes of a warp */
    unsigned line_shift;     /* log2 of the line in bytes */
} ws_iru_unit;

typedef struct ws_iru_work {
    size_t element_count;
    const uint64_t *address; /* per element: its own address in the array, ascending */
    const uint64_t *target;  /* per element: the address of the access that uses it, or WS_IRU_NO_TARGET */
    size_t request_count;
    const uint8_t *lanes; /* per request: the number of elements that it wants, 1 .. entry_elements */
} ws_iru_work;

/* All zero: no replies. */
typedef struct ws_iru_replies {
    size_t *first;     /* per request, and one more: where its elements begin in `element` */
    uint32_t *element; /* the elements handed out, request by request */
    /* per element: the one that it was merged into; WS_IRU_NOBODY: it is handed out itself */
    uint32_t *merged_into;
    uint64_t steps;
    uint64_t by_entry, by_timeout, by_end; /* the number of requests, by what answered them */
} ws_iru_replies;

bool ws_iru_reorder(const ws_iru_unit *unit, const ws_iru_work *work,
                    ws_iru_replies *replies); /* false if out of memory */
void ws_iru_replies_free(ws_iru_replies *replies);

#endif
