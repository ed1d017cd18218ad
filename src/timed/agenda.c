#include "timed/agenda.h"

#include <stdlib.h>

bool ws_agenda_init(ws_agenda *a, uint32_t parts) {
    *a = (ws_agenda){.parts = parts, .words = (parts + 63) / 64, .next = WS_NEVER};
    a->due = calloc((size_t)WS_AGENDA_CYCLES * a->words, sizeof *a->due);
    return a->due != NULL;
}

void ws_agenda_free(ws_agenda *a) {
    free(a->due);
    *a = (ws_agenda){0};
}

/* Returns the first cycle after the present one in which a part is due, or WS_NEVER. */
static uint64_t find_next(const ws_agenda *a) {
    uint32_t from = (uint32_t)((a->now + 1) % WS_AGENDA_CYCLES), words = WS_AGENDA_CYCLES / 64;
    for (uint32_t i = 0; i <= words; i++) {
        uint32_t word = (from / 64 + i) % words;
        uint64_t occupied = a->occupied[word];
        if (i == 0) occupied &= ~UINT64_C(0) << from % 64;
        if (!occupied) continue;
        uint32_t at = word * 64 + (uint32_t)__builtin_ctzll(occupied);
        return a->now + 1 + (at + WS_AGENDA_CYCLES - from) % WS_AGENDA_CYCLES;
    }
    return WS_NEVER;
}

static void forget(ws_agenda *a, uint64_t cycle) {
    a->occupied[cycle % WS_AGENDA_CYCLES / 64] &= ~(UINT64_C(1) << cycle % 64);
}

/* Parts may have been added to the present cycle, so it is forgotten when it is left, too. */
void ws_agenda_go_to(ws_agenda *a, uint64_t cycle) {
    forget(a, a->now);
    a->now = cycle;
    if (cycle < a->next) return;
    forget(a, cycle);
    a->next = find_next(a);
    if (a->polls) ws_agenda_poll(a);
}

void ws_agenda_poll(ws_agenda *a) {
    a->polls = true;
    a->next = a->now + 1;
    for (uint32_t part = 0; part < a->parts; part++) ws_agenda_add(a, part, a->now + 1);
}
