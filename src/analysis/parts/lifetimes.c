#include "analysis/parts/lifetimes.h"

#include <stdlib.h>

bool lifetimes_init(lifetimes *l, uint32_t ctas, uint32_t warps_per_cta) {
    size_t warps = (size_t)ctas * warps_per_cta;
    *l = (lifetimes){.ctas = ctas, .warps_per_cta = warps_per_cta};
    l->start = calloc(warps + 1, sizeof *l->start);
    l->end = calloc(warps + 1, sizeof *l->end);
    return l->start && l->end;
}

void lifetimes_free(lifetimes *l) {
    free(l->start);
    free(l->end);
}

lifetimes_cta lifetimes_of_cta(const lifetimes *l, uint32_t cta) {
    size_t first = (size_t)cta * l->warps_per_cta, end = first + l->warps_per_cta;
    lifetimes_cta c = {0};
    uint64_t used = 0;
    for (size_t w = first; w < end; w++) {
        uint64_t time = l->end[w] - l->start[w];
        if (time > c.longest) c.longest = time;
        used += time;
    }
    c.held = c.longest * l->warps_per_cta;
    c.wasted = c.held - used;
    return c;
}

double lifetimes_rtru(const lifetimes_cta *cta) {
    return cta->held > 0 ? (double)cta->wasted / (double)cta->held : 0;
}
