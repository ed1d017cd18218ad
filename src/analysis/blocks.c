#include "analysis/blocks.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_MIN = 1024 };

void ws_blocks_free(ws_blocks *b) {
    for (uint32_t i = 0; i < b->count; i++) {
        free(b->of[i]);
        ws_lines_free(&b->numbers[i]);
    }
    *b = (ws_blocks){0};
}

static bool reach(ws_blocks *b, uint32_t fine) {
    size_t room = b->room ? b->room : ROOM_MIN;
    while (room <= fine) room *= 2;
    if (room > UINT32_MAX) return false;
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t *of = realloc(b->of[i], room * sizeof *of);
        if (!of) return false;
        memset(of + b->room, 0, (room - b->room) * sizeof *of);
        b->of[i] = of;
    }
    b->room = (uint32_t)room;
    return true;
}

bool ws_blocks_meet(ws_blocks *b, uint32_t fine, uint64_t address) {
    if (fine >= b->room && !reach(b, fine)) return false;
    for (uint32_t i = 0; i < b->count; i++) {
        uint32_t number;
        if (!ws_lines_number(&b->numbers[i], address >> b->shift[i], &number)) return false;
        b->of[i][fine] = number + 1;
    }
    return true;
}
