/* The analyses of this folder, for the list in src/registry.c. */
#ifndef WS_ANALYSIS_ANALYSES_H
#define WS_ANALYSIS_ANALYSES_H

#include "warpsweep/analysis.h"

extern const ws_analysis ws_analysis_window;

#endif
