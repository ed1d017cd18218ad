/* The irregular accesses reorder unit (IRU 3.2, 3.3) without latencies: which elements of the index array it hands to
 * which request.
 *
 * Each memory partition takes the elements that it stores, in the order of the array, one per step. An element goes to
 * the entry of the hash table that its target's line selects; an entry holds as many elements as a warp has lanes, of
 * whatever lines. Requests are answered in the order of their arrival. The oldest one is answered
 *   - by the entry with most elements (of several the lowest), as soon as one has as many as it wants;
 *   - when it has been the oldest for `timeout` steps, by the entries with most elements in turn, as soon as all of
 *     them together have as many as it wants;
 *   - in the same way when the array is at its end; what it wants may not be there any more then, where elements were
 *     filtered.
 * An entry gives its oldest elements first. With the filter, an element whose target is that of another one in the
 * entry is merged into that one.
 *
 * There is always a request: warps do nothing else than to wait for the unit, so that it alone sets the pace, and how
 * many requests wait behind the oldest one makes no difference. The timeout is not published. */
#ifndef WS_ANALYSIS_IRU_CORE_H
#define WS_ANALYSIS_IRU_CORE_H

#include "replay/iru_table.h"
#include "warpsweep/replay.h"

#define WS_IRU_NOBODY UINT32_MAX

typedef struct ws_iru_unit {
    uint32_t partitions,
        interleave_B;       /* bytes of the index array in one partition before the next has its turn */
    uint32_t sets;          /* entries of all partitions together */
    enum ws_set_index hash; /* of the line */
    uint64_t timeout;       /* in steps */
    bool filter;
    uint32_t entry_elements; /* lanes of a warp */
    unsigned line_shift;     /* log2 of the line in bytes */
} ws_iru_unit;

typedef struct ws_iru_work {
    size_t element_count;
    const uint64_t *address; /* per element: where it stands in the array, ascending */
    const uint64_t *target;  /* per element: the address of its access, or WS_IRU_NO_TARGET */
    size_t request_count;
    const uint8_t *lanes; /* per request: elements that it wants, from 1 to entry_elements */
} ws_iru_work;

/* All zero is none. */
typedef struct ws_iru_replies {
    size_t *first;     /* per request, and one more: where its elements begin in `element` */
    uint32_t *element; /* those that are handed out */
    /* per element: the one that stayed for it, WS_IRU_NOBODY where it is handed out itself */
    uint32_t *merged_into;
    uint64_t steps;
    uint64_t by_entry, by_timeout, by_end; /* requests, by what answered them */
} ws_iru_replies;

bool ws_iru_reorder(const ws_iru_unit *unit, const ws_iru_work *work,
                    ws_iru_replies *replies); /* false if out of memory */
void ws_iru_replies_free(ws_iru_replies *replies);

#endif
