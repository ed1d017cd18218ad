#include "mechanism/parts/grain.h"

#include "mechanism/parts/line_bits.h"

#include <stdlib.h>

bool ws_grain_init(ws_grain *g, uint32_t window) {
    *g = (ws_grain){.window = window};
    g->last = malloc((window + 1) * sizeof *g->last);
    return g->last != NULL;
}

void ws_grain_free(ws_grain *g) {
    free(g->last);
    *g = (ws_grain){0};
}

void ws_grain_read(ws_grain *g, uint64_t line) {
    if (!g->window) return;
    uint64_t held = g->reads < g->window ? g->reads : g->window;
    bool fine = false, coarse = false;
    for (uint32_t back = 1; back <= held && !(fine && coarse); back++) {
        uint64_t before = g->last[(g->reads - back) % g->window];
        fine |= before == line;
        coarse |= before / 2 == line / 2 && back <= g->window / 2;
    }
    g->fine += fine;
    g->coarse += coarse;
    g->last[g->reads++ % g->window] = line;
}

enum { COUNTER_BITS = 32 };

uint64_t ws_grain_bits(uint32_t window, uint64_t line_B) {
    return window ? window * ws_line_bits(line_B) + 3 * COUNTER_BITS : 0;
}
