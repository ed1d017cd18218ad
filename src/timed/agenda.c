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

void ws_agenda_poll(ws_agenda *a) {
    a->polls = true;
    a->next = a->now + 1;
    for (uint32_t part = 0; part < a->parts; part++) ws_agenda_add(a, part, a->now + 1);
}

/* The present cycle, in which parts have been due, is looked at last. */
uint64_t ws_agenda_find_later(const ws_agenda *a) {
    uint64_t from = a->now + 1, word = from % WS_AGENDA_CYCLES / 64, words = WS_AGENDA_CYCLES / 64;
    for (uint64_t i = 1; i <= words; i++) {
        uint64_t occupied = a->occupied[(word + i) % words];
        if (!occupied) continue;
        uint64_t at = (word + i) % words * 64 + (uint64_t)__builtin_ctzll(occupied);
        return at == a->now % WS_AGENDA_CYCLES ? WS_NEVER : from + (at - from) % WS_AGENDA_CYCLES;
    }
    return WS_NEVER;
}
