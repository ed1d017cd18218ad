/* The two sides of an engine that a test takes through each cycle. */
#ifndef WS_TESTS_SIDES_H
#define WS_TESTS_SIDES_H

#include "timed/turns.h"

static inline void sides_go_to(ws_engine *e, uint64_t cycle) {
    e->now = cycle;
    ws_agenda_go_to(&e->memory_agenda, cycle);
    ws_agenda_go_to(&e->sm_agenda, cycle);
}

#endif
