/* Skipping cycles in which no part has a turn must not show: comparison with a GPU all of whose parts have a turn in
 * every cycle. */
#ifndef WS_TESTS_WAKES_H
#define WS_TESTS_WAKES_H

#include "warpsweep/trace.h"

/* Replays launch `kernel` (from 1) both ways with these settings (mechanism_run.h). Fails the test if the settings are
 * refused, or if any count of the GPU or of its mechanisms differs. */
void wakes_compare(const ws_trace *trace, uint32_t kernel, const char *settings);

/* The same with a GPU that something watches, for which no SM goes ahead of the others, and nothing that comes to it is
 * foreseen. Deadlocks must read alike, too. */
void wakes_observe(const ws_trace *trace, uint32_t kernel, const char *settings);

/* Settings under which parts wait for each other in different ways. */
extern const char *const wakes_variants[];
extern const int wakes_variant_count;

#endif
