/* Set dueling: the first SM always does without a mechanism, the second always with it, and the others do as the one of
 * these two that was faster (XI 5.5). */
#ifndef WS_MECHANISM_DUEL_H
#define WS_MECHANISM_DUEL_H

#include "timed/engine.h"

enum { WS_DUEL_SMS_MIN = 3 };

/* One SM's part. */
typedef struct ws_duel {
    uint64_t period;    /* cycles after which a follower compares again; 0: no duel, every SM does with it */
    uint64_t next;      /* when */
    uint64_t before[2]; /* thread instructions of the two at the last comparison */
    bool with;
} ws_duel;

void ws_duel_init(ws_duel *duel, uint64_t period, uint32_t sm);
/* Whether the SM does with the mechanism now. Followers begin without; of two equally fast ones they take that without
 * it. */
bool ws_duel_says(ws_duel *duel, const ws_engine *engine, uint32_t sm);

/* A follower's part: the two numbers, and what it does. */
uint64_t ws_duel_bits(uint64_t period);

#endif
