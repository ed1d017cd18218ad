/* The grain of a stream of reads, measured as it passes: whether there is more reuse of single lines within a window,
 * or of pairs of lines within a window of half as many entries, that is of equal capacity (XI 5.2.1, Figs. 55, 56). */
#ifndef WS_MECHANISM_PARTS_GRAIN_H
#define WS_MECHANISM_PARTS_GRAIN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ws_grain {
    uint32_t window; /* the number of reads remembered: even; 0: no measurement */
    uint64_t *last;  /* ring of the lines that they read */
    uint64_t reads;
    uint64_t fine; /* reads whose line is among those of the last `window` reads */
    /* reads whose aligned pair of lines is among those of the last `window` / 2 reads */
    uint64_t coarse;
} ws_grain;

bool ws_grain_init(ws_grain *grain, uint32_t window);
void ws_grain_free(ws_grain *grain);
void ws_grain_read(ws_grain *grain, uint64_t line);

/* Hardware cost in bits: a window of line addresses and three counters. */
uint64_t ws_grain_bits(uint32_t window, uint64_t line_B);

#endif
