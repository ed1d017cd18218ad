/* Lost-locality scores of an SM's warps, and which of them may load: the arithmetic of cache-conscious wavefront
 * scheduling (CCWS) without warps or caches. ccws.c connects it to an SM.
 *
 * A warp that has instructions left is active; its score is at least the base score. The cutoff is the base score times
 * the number of active warps. A hit in a warp's victim tags raises its score, which then falls by one each cycle. Warps
 * are admitted from the highest score down (the lowest slot first among equals) until the sum of their scores reaches
 * the cutoff: all of them while no score is above the base, and fewer the more locality some warps have lost.
 *
 * Nothing is updated cycle by cycle: since scores fall at a known rate, the next cycle in which the admitted warps can
 * change by themselves is known in advance. */
#ifndef WS_MECHANISM_PARTS_CCWS_SCORES_H
#define WS_MECHANISM_PARTS_CCWS_SCORES_H

#include <stdbool.h>
#include <stdint.h>

enum { CCWS_SLOTS = 64 };

typedef struct ccws_scores {
    uint64_t base;
    double gain, cap;           /* in units of cutoff x hits / instructions; cap 0: no upper bound */
    uint64_t until[CCWS_SLOTS]; /* the first cycle in which the warp's score is back at the base score */
    /* the slots with a score above the base, highest first; the last ones may have fallen to the base since */
    uint8_t order[CCWS_SLOTS];
    uint32_t above;                                            /* length of `order` */
    uint64_t hits, instructions;                               /* sums over the resident warps .. */
    uint64_t hits_of[CCWS_SLOTS], instructions_of[CCWS_SLOTS]; /* .. and those of each */
    uint64_t at;           /* cycles before this one are included in the two counters below */
    uint64_t active, able; /* sets of warps, as last passed to ccws_scores_admit() */
    uint64_t admitted;     /* the subset of `able` that may load */
    uint64_t next;         /* the first cycle in which falling scores may change `admitted` */
    uint64_t cut_cycles,
        admitted_in_them; /* cycles in which not all able warps were admitted; sum of the admitted ones then */
} ccws_scores;

void ccws_scores_init(ccws_scores *scores, uint64_t base, double gain, double cap);

/* What happens to the warp of a slot: it issues an instruction; it ends; it misses a line that is among its victim
 * tags, while `active` warps are active. `now` must not decrease from call to call. */
void ccws_scores_issued(ccws_scores *scores, uint32_t slot);
void ccws_scores_ended(ccws_scores *scores, uint64_t now, uint32_t slot);
void ccws_scores_hit(ccws_scores *scores, uint64_t now, uint32_t slot, uint32_t active);

uint64_t ccws_scores_of(const ccws_scores *scores, uint64_t now, uint32_t slot);
/* Returns which of the `able` warps may load, at least one if there are any. Active warps that are not able to load
 * (they wait for others) raise the cutoff, but their scores are not added to the sum. */
uint64_t ccws_scores_admit(ccws_scores *scores, uint64_t now, uint64_t active, uint64_t able);

/* Brings cut_cycles and admitted_in_them up to cycle `now`, exclusive. ccws_scores_ended(), _hit() and _admit() do this
 * themselves. */
void ccws_scores_account(ccws_scores *scores, uint64_t now);

/* Hardware cost in bits: a score per slot, wide enough for `cap` cutoffs, and the totals of hits and instructions. */
uint64_t ccws_scores_bits(uint64_t slots, uint64_t base, double cap);

#endif
