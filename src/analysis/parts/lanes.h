/* Vectors of four numbers, by an extension that the compiler offers on any machine. */
#ifndef WS_ANALYSIS_PARTS_LANES_H
#define WS_ANALYSIS_PARTS_LANES_H

#include <stdbool.h>
#include <stdint.h>

/* A comparison gives -1 (true) or 0 per element, so subtracting its result counts. */
typedef int32_t ws_lanes __attribute__((vector_size(16)));
enum { WS_LANES = sizeof(ws_lanes) / sizeof(int32_t) };

static inline ws_lanes ws_lanes_choose(ws_lanes condition, ws_lanes yes, ws_lanes no) {
    return (condition & yes) | (~condition & no);
}

static inline bool ws_lanes_any(ws_lanes condition) {
    return (condition[0] | condition[1] | condition[2] | condition[3]) != 0;
}

#endif
