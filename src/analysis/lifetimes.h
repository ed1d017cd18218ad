/* When the warps of a kernel begin and end, and what their CTAs lose by waiting for the last one (XI 3.3.2). The times
 * are cycles of a timed replay, or whatever stands for them. */
#ifndef WS_ANALYSIS_LIFETIMES_H
#define WS_ANALYSIS_LIFETIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lifetimes {
    uint32_t ctas, warps_per_cta;
    uint64_t *start,
        *end; /* per warp: CTA times warps_per_cta plus its id in the CTA. 0 and 0: it did nothing */
} lifetimes;

bool lifetimes_init(lifetimes *l, uint32_t ctas, uint32_t warps_per_cta); /* false: out of memory */
void lifetimes_free(lifetimes *l);

/* All warps of the CTA count, for those that do nothing hold their resources, too. */
typedef struct lifetimes_cta {
    uint64_t longest; /* execution time of the warp that takes longest */
    uint64_t wasted;  /* the sum over warps of what their own times are shorter */
    uint64_t held;    /* warps times longest */
} lifetimes_cta;
lifetimes_cta lifetimes_of_cta(const lifetimes *l, uint32_t cta);

/* Ratio of temporal resource underutilization; 0 when nothing was held. */
double lifetimes_rtru(const lifetimes_cta *cta);

#endif
