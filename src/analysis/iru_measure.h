/* What a launch asks of the memory when the irregular accesses reorder unit serves one of its index loads, beside what
 * it asks without. Accesses of the elements that answer a request are made by the warp that sent it, where it did. */
#ifndef WS_ANALYSIS_IRU_MEASURE_H
#define WS_ANALYSIS_IRU_MEASURE_H

#include "analysis/iru_core.h"
#include "analysis/iru_gather.h"

typedef struct ws_iru_setup {
    ws_iru_unit unit; /* but for `filter` */
    enum ws_iru_filter filter;
    uint32_t l1_sets, l1_ways;
} ws_iru_setup;

/* An L1 of every SM: LRU, loads allocate, stores evict their line; atomics pass. */
typedef struct ws_iru_l1 {
    uint64_t accesses, misses; /* loads and stores; loads */
    uint64_t behind;           /* load misses, stores, atomics, the unit's own: requests that go to the L2 */
} ws_iru_l1;

typedef struct ws_iru_result {
    bool has_feed; /* without: memory alone, the same before and after */
    uint32_t index_pc;
    enum ws_iru_filter filter;
    uint64_t requests, elements, untargeted, filtered, disabled_requests, unlinked;
    uint64_t by_entry, by_timeout, by_end, steps;
    ws_iru_counts *after; /* per static instruction */
    ws_iru_l1 l1_before, l1_after;
    const char *trouble; /* NULL, or why there is no result */
} ws_iru_result;

/* `feed`: that of the index load, or the number of feeds for none. False if out of memory. Free the result in any case.
 */
bool ws_iru_measure(ws_iru_gather *gather, uint32_t feed, const ws_iru_setup *setup, ws_iru_result *result);
void ws_iru_result_free(ws_iru_result *result);

#endif
