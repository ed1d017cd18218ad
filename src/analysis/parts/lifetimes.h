/* When the warps of a kernel begin and end, and how much warp time their CTAs lose by waiting for the last one (XI
 * 3.3.2). Times are cycles of a timed replay, or whatever stands for them (instructions). */
#ifndef WS_ANALYSIS_PARTS_LIFETIMES_H
#define WS_ANALYSIS_PARTS_LIFETIMES_H

#include <stdbool.h>
#include <stdint.h>

typedef struct lifetimes {
    uint32_t ctas, warps_per_cta;
    uint64_t *start, *end; /* per warp, CTA x warps_per_cta + its id in the CTA. 0 and 0: it did nothing */
} lifetimes;

bool lifetimes_init(lifetimes *l, uint32_t ctas, uint32_t warps_per_cta); /* false: out of memory */
void lifetimes_free(lifetimes *l);

/* Includes warps that do nothing: they hold resources, too. */
typedef struct lifetimes_cta {
    uint64_t longest; /* the execution time of the warp that takes longest */
    uint64_t wasted;  /* sum over warps of `longest` minus the warp's own time */
    uint64_t held;    /* the number of warps x `longest` */
} lifetimes_cta;
lifetimes_cta lifetimes_of_cta(const lifetimes *l, uint32_t cta);

/* Ratio of temporal resource underutilization: wasted / held; 0 if nothing was held. */
double lifetimes_rtru(const lifetimes_cta *cta);

#endif
