/* What an L1 calls for each access that taps and slots hear of (heard.c): if ws_engine.l1_is_heard. */
#ifndef WS_TIMED_L1_HEARD_H
#define WS_TIMED_L1_HEARD_H

#include "timed/l1/l1.h"

/* What an access has found at the tags and, if it is not done with them, what it lacks. */
typedef struct ws_l1_outcome {
    enum ws_probe probe;
    uint32_t way;
    enum ws_fail lacks;
} ws_l1_outcome;

/* What taps and slots are told of an access: gathered before it is served, as that may free the packet, and complete
 * and free its load. */
typedef struct ws_l1_hearing {
    ws_packet packet;
    ws_l1_access access;
} ws_l1_hearing;

/* Gathers it. Returns whether a slot makes the access pass the L1. */
bool ws_l1_hear(ws_engine *engine, ws_sm *sm, uint32_t packet, ws_l1_hearing *hearing);
/* Tells the tap that a read hits, before it gets its data. */
void ws_l1_tell_hit(const ws_engine *engine, const ws_sm *sm, const ws_l1_hearing *hearing);
/* Tells of an access that has been served; one that has not may now bypass the L1. Returns whether it is done. */
bool ws_l1_tell_outcome(ws_engine *engine, ws_sm *sm, uint32_t packet, const ws_l1_hearing *hearing,
                        bool served, const ws_l1_outcome *outcome);
/* Sends a read past the L1, and returns whether it could. */
bool ws_l1_bypass(ws_engine *engine, ws_sm *sm, uint32_t packet, const ws_l1_access *access);

#endif
