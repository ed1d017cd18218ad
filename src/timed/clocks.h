/* The clocks of cores and DRAM as GPGPU-Sim has them. It adds up the periods of both in double precision, so where two
 * cycles would begin at the same time (a meeting), rounding decides which goes first. Cycles count from a first
 * meeting. */
#ifndef WS_TIMED_CLOCKS_H
#define WS_TIMED_CLOCKS_H

#include "base/divisor.h"

/* The number of latest meetings that are remembered. */
enum { WS_CLOCKS_MEETINGS = 1 << 16 };

typedef struct ws_clocks {
    ws_divisor core, dram; /* number of cycles from one meeting to the next */
    double core_period, dram_period;
    double core_time, dram_time; /* time, in seconds, of the first meeting that is not known yet */
    /* number of meetings that are known */
    uint64_t known;
    uint64_t late[WS_CLOCKS_MEETINGS / 64]; /* per meeting a bit: the DRAM's cycle comes after the core's */
} ws_clocks;

/* `core` and `dram` are the clock rates in kHz. */
void ws_clocks_init(ws_clocks *clocks, uint64_t core, uint64_t dram);
/* Returns the number of DRAM cycles that have begun when a core cycle's turn is over. */
uint64_t ws_clocks_ticks_through(ws_clocks *clocks, uint64_t cycle);
/* Returns the core cycle whose turn includes DRAM cycle `tick`. */
uint64_t ws_clocks_cycle_of(ws_clocks *clocks, uint64_t tick);

#endif
