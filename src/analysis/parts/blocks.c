#include "analysis/parts/blocks.h"

#include "base/pages.h"

#include <stdlib.h>
#include <string.h>

enum { ROOM_MIN = 1024, RATIOS = 7 }; /* RATIOS: sizes of a tier, 1, 2, 4 .. 64 times the smallest */

void ws_blocks_init(ws_blocks *b, const unsigned *ratios, uint32_t count) {
    *b = (ws_blocks){0};
    int tier_of_base[WS_BLOCKS_TIERS_MAX];
    memset(tier_of_base, -1, sizeof tier_of_base);
    for (uint32_t i = 0; i < count; i++) {
        int *tier = &tier_of_base[ratios[i] / RATIOS];
        if (*tier < 0) {
            *tier = (int)b->tier_count++;
            b->tier[*tier].base = ratios[i] / RATIOS * RATIOS;
        }
        ws_block_tier *t = &b->tier[*tier];
        b->tier_of[i] = (uint8_t)*tier;
        b->shift[i] = (uint8_t)(ratios[i] - t->base);
        if (ratios[i] > t->top) t->top = ratios[i];
    }
}

void ws_blocks_free(ws_blocks *b) {
    for (uint32_t i = 0; i < b->tier_count; i++) {
        ws_lines_free(&b->tier[i].regions);
        free(b->tier[i].number);
    }
    *b = (ws_blocks){0};
}

static bool grow(ws_blocks *b) {
    size_t room = b->room ? (size_t)b->room * 2 : ROOM_MIN;
    if (room > UINT32_MAX) return false;
    for (uint32_t i = 0; i < b->tier_count; i++) {
        uint32_t *number = ws_pages_new(room * sizeof *number);
        if (!number) return false;
        if (b->room) memcpy(number, b->tier[i].number, b->room * sizeof *number);
        free(b->tier[i].number);
        b->tier[i].number = number;
    }
    b->room = (uint32_t)room;
    return true;
}

bool ws_blocks_meet(ws_blocks *b, uint64_t address) {
    if (b->met == b->room && !grow(b)) return false;
    for (uint32_t i = 0; i < b->tier_count; i++) {
        ws_block_tier *t = &b->tier[i];
        unsigned bits = t->top - t->base;
        uint32_t region;
        if (!ws_lines_number(&t->regions, address >> t->top, &region)) return false;
        if (region >> (32 - RATIOS) != 0) return false;
        t->number[b->met] = region << bits | (uint32_t)(address >> t->base & ((1u << bits) - 1));
    }
    b->met++;
    return true;
}
