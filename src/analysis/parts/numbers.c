#include "analysis/parts/numbers.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_MIN = 16 };

void ws_numbers_free(ws_numbers *n) {
    free(n->slots);
    *n = (ws_numbers){0};
}

void ws_numbers_clear(ws_numbers *n) {
    if (n->count) memset(n->slots, 0, n->room * sizeof *n->slots);
    n->count = 0;
}

bool ws_numbers_grow(ws_numbers *n) {
    if (n->room > UINT32_MAX / 2) return false;
    ws_numbers grown = {.room = n->room ? n->room * 2 : ROOM_MIN, .count = n->count};
    grown.slots = calloc(grown.room, sizeof *grown.slots);
    if (!grown.slots) return false;
    for (uint32_t i = 0; i < n->room; i++)
        if (n->slots[i].thing) *ws_numbers_slot_of(&grown, n->slots[i].thing - 1) = n->slots[i];
    free(n->slots);
    *n = grown;
    return true;
}
