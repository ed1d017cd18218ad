#include "timed/agenda.h"

#include <stdlib.h>

bool ws_agenda_init(ws_agenda *a, uint32_t parts) {
    *a = (ws_agenda){.parts = parts, .words = (parts + 63) / 64};
    a->due = calloc((size_t)WS_AGENDA_CYCLES * a->words, sizeof *a->due);
    return a->due != NULL;
}

void ws_agenda_free(ws_agenda *a) {
    free(a->due);
    *a = (ws_agenda){0};
}

static bool poll(ws_agenda *a) {
    a->now++;
    for (uint32_t part = 0; part < a->parts; part++) ws_agenda_add(a, part, a->now);
    return true;
}

bool ws_agenda_advance(ws_agenda *a) {
    if (a->polls) return poll(a);
    uint32_t from = (uint32_t)((a->now + 1) % WS_AGENDA_CYCLES), words = WS_AGENDA_CYCLES / 64;
    a->occupied[a->now % WS_AGENDA_CYCLES / 64] &= ~(UINT64_C(1) << a->now % 64);
    for (uint32_t i = 0; i <= words; i++) {
        uint32_t word = (from / 64 + i) % words;
        uint64_t occupied = a->occupied[word];
        if (i == 0) occupied &= ~UINT64_C(0) << from % 64;
        if (!occupied) continue;
        uint32_t at = word * 64 + (uint32_t)__builtin_ctzll(occupied);
        a->now += 1 + (at + WS_AGENDA_CYCLES - from) % WS_AGENDA_CYCLES;
        return true;
    }
    return false;
}
