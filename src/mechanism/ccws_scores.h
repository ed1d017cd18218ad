/* Lost-locality scores of an SM's warps, and which of them may load: the arithmetic of cache-conscious wavefront
 * scheduling without warps or caches.
 *
 * A warp that has instructions left is active, and its score is at least the base score. Active warps times the base
 * score is the cutoff. A hit in the warp's victim tags raises its score, which then falls by one each cycle. Warps are
 * admitted by falling scores, of equal ones the lowest slot first, until the sum reaches the cutoff: all of them as
 * long as nobody is above the base, and fewer the more locality some have lost.
 *
 * Nothing is done cycle by cycle: scores fall by themselves, so that the admitted warps change by themselves in cycles
 * that are known before. */
#ifndef WS_MECHANISM_CCWS_SCORES_H
#define WS_MECHANISM_CCWS_SCORES_H

#include <stdbool.h>
#include <stdint.h>

enum { CCWS_SLOTS = 64 };

typedef struct ccws_scores {
    uint64_t base;
    double gain, cap;            /* in cutoffs, at one hit for each instruction; cap 0: none */
    uint64_t until[CCWS_SLOTS];  /* the cycle from which on the warp's score is the base score */
    uint8_t order[CCWS_SLOTS];   /* those above it, the highest first; some may have fallen to it meanwhile */
    uint32_t above;              /* how many */
    uint64_t hits, instructions; /* of the warps that reside, */
    uint64_t hits_of[CCWS_SLOTS], instructions_of[CCWS_SLOTS]; /* each */
    uint64_t at;           /* up to this cycle, exclusive, cycles are counted */
    uint64_t active, able; /* sets of warps: as told last */
    uint64_t admitted;     /* of the able ones */
    uint64_t next;         /* the cycle in which these may be others */
    uint64_t cut_cycles,
        admitted_in_them; /* cycles in which not all able warps were; sum of those that were */
} ccws_scores;

void ccws_scores_init(ccws_scores *scores, uint64_t base, double gain, double cap);

/* In cycle `now`, which never goes back: the slot's warp issues an instruction; has ended; misses a line that is among
 * its victim tags, while so many warps are active. */
void ccws_scores_issued(ccws_scores *scores, uint32_t slot);
void ccws_scores_ended(ccws_scores *scores, uint64_t now, uint32_t slot);
void ccws_scores_hit(ccws_scores *scores, uint64_t now, uint32_t slot, uint32_t active);

uint64_t ccws_scores_of(const ccws_scores *scores, uint64_t now, uint32_t slot);
/* Who may load: some of those that are able to, at least one where there are any. Warps that are active and not able,
 * since they wait for others, take nobody's place. */
uint64_t ccws_scores_admit(ccws_scores *scores, uint64_t now, uint64_t active, uint64_t able);

/* Counts the cycles before `now`, with the warps as told last; all others of the above do. */
void ccws_scores_account(ccws_scores *scores, uint64_t now);

/* Hardware cost in bits: a score for each slot, up to what `cap` cutoffs are, and totals of hits and instructions. */
uint64_t ccws_scores_bits(uint64_t slots, uint64_t base, double cap);

#endif
