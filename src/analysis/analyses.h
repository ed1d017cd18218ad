/* The list of analyses. To add one, write a file in this folder that defines ws_analysis_NAME, and add NAME here. */
#ifndef WS_ANALYSIS_ANALYSES_H
#define WS_ANALYSIS_ANALYSES_H

#include "warpsweep/analysis.h"

/* clang-format off */
#define WS_ANALYSES(X) \
    X(coalescing) \
    X(contention) \
    X(funnel) \
    X(hotspots) \
    X(icl) \
    X(instruction_mix) \
    X(iru) \
    X(locality) \
    X(mapping) \
    X(rtru) \
    X(spatial) \
    X(stack_distance) \
    X(timed) \
    X(timeline) \
    X(uniform) \
    X(window)
/* clang-format on */

#define X(name) extern const ws_analysis ws_analysis_##name;
WS_ANALYSES(X)
#undef X

#endif
