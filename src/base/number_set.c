#include "base/number_set.h"

#include <stdlib.h>

enum { SLOTS_FIRST = 16 };

void ws_number_set_free(ws_number_set *set) {
    free(set->slots);
    *set = (ws_number_set){0};
}

/* The slot that holds `number`, or the free one where it belongs. */
static ws_number_word *slot_of(const ws_number_set *set, uint64_t number) {
    const size_t mask = set->slot_count - 1;
    size_t at = (size_t)(number * UINT64_C(0x9E3779B97F4A7C15) >> 32) & mask;
    while (set->slots[at].number && set->slots[at].number != number) at = (at + 1) & mask;
    return &set->slots[at];
}

static bool grow(ws_number_set *set) {
    ws_number_set grown = {.slot_count = set->slot_count ? 2 * set->slot_count : SLOTS_FIRST,
                           .used = set->used};
    grown.slots = calloc(grown.slot_count, sizeof *grown.slots);
    if (!grown.slots) return false;
    for (size_t i = 0; i < set->slot_count; i++)
        if (set->slots[i].number) *slot_of(&grown, set->slots[i].number) = set->slots[i];
    free(set->slots);
    *set = grown;
    return true;
}

bool ws_number_set_add(ws_number_set *set, uint64_t number, bool *again) {
    if (2 * set->used >= set->slot_count && !grow(set)) return false;
    const uint64_t bit = UINT64_C(1) << number % 64;
    ws_number_word *word = slot_of(set, number / 64 + 1);
    set->used += !word->number;
    word->number = number / 64 + 1;
    *again = word->bits & bit;
    word->bits |= bit;
    return true;
}
