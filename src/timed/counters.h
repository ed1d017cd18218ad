/* What a launch has counted: the sum over all parts, less what these had counted before it. */
#ifndef WS_TIMED_COUNTERS_H
#define WS_TIMED_COUNTERS_H

#include "timed/engine.h"

typedef struct ws_tally {
    ws_timed_counters before; /* what had been counted before the launch */
    uint64_t next_sample;     /* cycle, or WS_NEVER */
} ws_tally;

ws_tally ws_tally_new(const ws_engine *engine);
/* To be called when the cycle is known in which the launch begins. */
void ws_tally_begin(const ws_engine *engine, ws_tally *tally);
/* Returns what the launch has counted by the end of core cycle `cycle`, which must be the present one or one before it
 * that is followed by none with turns. */
ws_timed_counters ws_tally_counters(ws_engine *engine, const ws_tally *tally, uint64_t cycle);
/* Calls the tap `sample` for each sample before the present cycle, whose turns are still to come. */
void ws_tally_tell_samples(ws_engine *engine, ws_tally *tally);
/* Calls it for the last one, if there is such a tap. */
void ws_tally_end(ws_engine *engine, const ws_tally *tally);

#endif
