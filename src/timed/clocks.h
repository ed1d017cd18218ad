/* The clocks of cores and DRAM as GPGPU-Sim has them: it adds up the periods of both in double precision. So of cycles
 * that would begin together rounding decides which goes first. Cycles count from one in which both begin. */
#ifndef WS_TIMED_CLOCKS_H
#define WS_TIMED_CLOCKS_H

#include "base/divisor.h"

/* So many meetings are remembered, from the latest asked for back. */
enum { WS_CLOCKS_MEETINGS = 1 << 16 };

typedef struct ws_clocks {
    ws_divisor core, dram; /* cycles from one meeting to the next */
    double core_period, dram_period;
    double core_time, dram_time; /* of the first meeting that is not known yet */
    uint64_t known;
    uint64_t late[WS_CLOCKS_MEETINGS / 64]; /* a bit: the DRAM's cycle comes after the core's */
} ws_clocks;

/* In kHz. */
void ws_clocks_init(ws_clocks *clocks, uint64_t core, uint64_t dram);
/* DRAM cycles that have begun when a core cycle's turn is over. */
uint64_t ws_clocks_ticks_through(ws_clocks *clocks, uint64_t cycle);
/* The core cycle whose turn goes through a DRAM cycle. */
uint64_t ws_clocks_cycle_of(ws_clocks *clocks, uint64_t tick);

#endif
