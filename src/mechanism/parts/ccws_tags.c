#include "mechanism/parts/ccws_tags.h"

#include "mechanism/parts/line_bits.h"

#include <stdlib.h>

bool ccws_tags_init(ccws_tags *t, uint32_t slots, uint32_t sets, uint32_t ways) {
    *t = (ccws_tags){.slots = slots, .sets = sets, .ways = ways};
    t->count = calloc((size_t)slots * sets, sizeof *t->count);
    t->lines = calloc((size_t)slots * sets * ways, sizeof *t->lines);
    return t->count && t->lines;
}

void ccws_tags_free(ccws_tags *t) {
    free(t->count);
    free(t->lines);
}

static size_t set_of(const ccws_tags *t, uint32_t slot, uint64_t line) {
    return (size_t)slot * t->sets + line % t->sets;
}

/* The place of the line in its set; the number of tags in the set if it is not there. */
static uint32_t place_of(const ccws_tags *t, size_t set, uint64_t line) {
    const uint64_t *lines = t->lines + set * t->ways;
    uint32_t i = 0;
    while (i < t->count[set] && lines[i] != line) i++;
    return i;
}

static void take_out(ccws_tags *t, size_t set, uint32_t place) {
    uint64_t *lines = t->lines + set * t->ways;
    t->count[set]--;
    for (uint32_t i = place; i < t->count[set]; i++) lines[i] = lines[i + 1];
}

bool ccws_tags_insert(ccws_tags *t, uint32_t slot, uint64_t line) {
    size_t set = set_of(t, slot, line);
    if (place_of(t, set, line) < t->count[set]) return false;
    if (t->count[set] == t->ways) take_out(t, set, 0);
    t->lines[set * t->ways + t->count[set]++] = line;
    return true;
}

bool ccws_tags_find(const ccws_tags *t, uint32_t slot, uint64_t line) {
    size_t set = set_of(t, slot, line);
    return place_of(t, set, line) < t->count[set];
}

void ccws_tags_drop(ccws_tags *t, uint64_t line) {
    for (uint32_t slot = 0; slot < t->slots; slot++) {
        size_t set = set_of(t, slot, line);
        uint32_t place = place_of(t, set, line);
        if (place < t->count[set]) take_out(t, set, place);
    }
}

uint64_t ccws_tags_bits(uint64_t slots, uint64_t sets, uint64_t ways, uint64_t line_B) {
    return slots * sets * ways * (ws_line_bits(line_B) - ws_bits_for(sets) + 1);
}
