/* The memory requests of a launch if the irregular accesses reorder unit serves one of its index loads, compared with
 * those without the unit. The accesses that use the elements of an answer are made by the warp that sent the request,
 * at the point of the replay at which it did. Other accesses stay where they are, but for those of lanes that the
 * filter leaves without an element: such lanes make none from then on (IRU 4, Fig. 11), as in the mechanism `reorder`.
 * There, an element also takes along what its thread does besides; here, only what uses it. */
#ifndef WS_ANALYSIS_PARTS_IRU_MEASURE_H
#define WS_ANALYSIS_PARTS_IRU_MEASURE_H

#include "analysis/parts/iru_core.h"
#include "analysis/parts/iru_gather.h"

typedef struct ws_iru_setup {
    ws_iru_unit unit; /* its field `filter` is ignored in favour of the one below */
    enum ws_iru_filter filter;
    uint32_t l1_sets, l1_ways;
} ws_iru_setup;

/* Counts of the L1s of all SMs: LRU, loads allocate, stores and atomics evict their line and go on, but a store to
 * local memory uses the line that it finds, and stays. */
typedef struct ws_iru_l1 {
    uint64_t accesses, misses; /* of loads and stores; of loads */
    uint64_t behind; /* requests to the L2: load misses, stores that go on, atomics and the unit's own */
} ws_iru_l1;

typedef struct ws_iru_result {
    bool has_feed; /* false: no index load; only the L1s are counted, with the same result before and after */
    uint32_t index_pc;
    enum ws_iru_filter filter;
    uint64_t requests, elements, untargeted, filtered, disabled_requests, unlinked;
    uint64_t by_entry, by_timeout, by_end, steps;
    ws_iru_counts *after; /* per static instruction */
    ws_iru_l1 l1_before, l1_after;
    const char *trouble; /* NULL, or why there is no result */
} ws_iru_result;

/* `feed`: the number of the index load's feed; the number of feeds: none. False if out of memory. Call
 * ws_iru_result_free() in either case. */
bool ws_iru_measure(ws_iru_gather *gather, uint32_t feed, const ws_iru_setup *setup, ws_iru_result *result);
void ws_iru_result_free(ws_iru_result *result);

#endif
