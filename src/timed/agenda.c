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
