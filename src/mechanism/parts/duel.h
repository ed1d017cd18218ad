/* Set dueling: the first SM never uses a mechanism, the second always does, and the others follow whichever of these
 * two was faster (XI 5.5).
 *
 * The duel of warpman (XI 3.4) is another one, in a few lines of its own: the GPU compares, not each SM; the roles are
 * swapped; what counts is all since the launch began; the others begin with the mechanism, and use it after a tie. */
#ifndef WS_MECHANISM_PARTS_DUEL_H
#define WS_MECHANISM_PARTS_DUEL_H

#include "timed/engine.h"

enum { WS_DUEL_SMS_MIN = 3 };

/* One SM's part. */
typedef struct ws_duel {
    uint64_t period;    /* cycles between a follower's comparisons; 0: no duel, every SM uses the mechanism */
    uint64_t next;      /* cycle of the next comparison, 0 before it is known */
    uint64_t before[2]; /* thread instructions of the two dueling SMs at the last comparison */
    bool with;          /* this SM uses the mechanism */
} ws_duel;

void ws_duel_init(ws_duel *duel, uint64_t period, const ws_engine *engine, const ws_sm *sm);
/* Returns whether the SM uses the mechanism now. To be called at any rate: a follower compares when its period is over,
 * by the instructions that the two SMs have executed since its last comparison. It begins without the mechanism, and
 * does without it after a tie. */
bool ws_duel_says(ws_duel *duel, const ws_engine *engine, uint32_t sm);

/* Hardware cost of a follower in bits: two instruction counters and its present choice. */
uint64_t ws_duel_bits(uint64_t period);

#endif
