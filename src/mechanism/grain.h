/* The grain of a stream of reads, measured as it passes: whether coarser blocks, with a window that is smaller by as
 * much, see more reuse or less (XI 5.2.1, Figs. 55, 56). */
#ifndef WS_MECHANISM_GRAIN_H
#define WS_MECHANISM_GRAIN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_grain {
    uint32_t window; /* lines that it remembers: even; 0: none */
    uint64_t *last;  /* ring */
    uint64_t reads;
    uint64_t fine; /* reads of a line that is among the last `window` lines */
    /* reads of a pair of lines, aligned, that is among the pairs of the last `window` / 2 lines */
    uint64_t coarse;
} ws_grain;

bool ws_grain_init(ws_grain *grain, uint32_t window);
void ws_grain_free(ws_grain *grain);
void ws_grain_read(ws_grain *grain, uint64_t line);

/* Hardware cost in bits: the window of line addresses, and the three counters. */
uint64_t ws_grain_bits(uint32_t window, uint64_t line_B);

#endif
