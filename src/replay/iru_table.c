#include "replay/iru_table.h"

#include <stdlib.h>
#include <string.h>

void ws_iru_table_free(ws_iru_table *t) {
    free(t->count);
    free(t->elements);
    free(t->holding);
    free(t->holders);
    *t = (ws_iru_table){0};
}

bool ws_iru_table_init(ws_iru_table *t, uint32_t sets, uint32_t entry_elements) {
    *t = (ws_iru_table){.sets = sets, .entry_elements = entry_elements, .words = sets / 64 + 1};
    t->count = calloc(sets + 1u, sizeof *t->count);
    t->elements = calloc((sets + 1u) * (size_t)entry_elements, sizeof *t->elements);
    t->holding = calloc((size_t)(entry_elements + 1) * t->words, sizeof *t->holding);
    t->holders = calloc((size_t)entry_elements + 1, sizeof *t->holders);
    if (!t->count || !t->elements || !t->holding || !t->holders) return false;
    t->holders[0] = sets;
    return true;
}

static void set_count(ws_iru_table *t, uint32_t entry, uint32_t count) {
    uint64_t bit = UINT64_C(1) << entry % 64, *holding = t->holding + entry / 64;
    holding[(size_t)t->count[entry] * t->words] &= ~bit;
    holding[(size_t)count * t->words] |= bit;
    t->holders[t->count[entry]]--;
    t->holders[count]++;
    t->total += (uint64_t)count - t->count[entry];
    t->count[entry] = count;
    if (count > t->most) t->most = count;
    while (t->most && t->holders[t->most] == 0) t->most--;
}

uint32_t ws_iru_table_fullest(const ws_iru_table *t) {
    const uint64_t *holding = t->holding + (size_t)t->most * t->words;
    uint32_t word = 0;
    while (!holding[word]) word++;
    return word * 64 + (uint32_t)__builtin_ctzll(holding[word]);
}

uint32_t ws_iru_table_take(ws_iru_table *t, uint32_t entry, uint32_t wanted, uint32_t *elements) {
    uint32_t held = t->count[entry], given = held < wanted ? held : wanted;
    uint32_t *of_entry = t->elements + (size_t)entry * t->entry_elements;
    memcpy(elements, of_entry, given * sizeof *elements);
    memmove(of_entry, of_entry + given, (held - given) * sizeof *elements);
    set_count(t, entry, held - given);
    return given;
}

enum ws_iru_inserted ws_iru_table_insert(ws_iru_table *t, uint32_t entry, uint32_t element,
                                         const uint64_t *targets, uint32_t *into) {
    uint32_t held = t->count[entry], *of_entry = t->elements + (size_t)entry * t->entry_elements;
    if (targets && targets[element] != WS_IRU_NO_TARGET)
        for (uint32_t i = 0; i < held; i++)
            if (targets[of_entry[i]] == targets[element]) {
                *into = of_entry[i];
                return WS_IRU_MERGED;
            }
    if (held == t->entry_elements) return WS_IRU_FULL;
    of_entry[held] = element;
    set_count(t, entry, held + 1);
    return WS_IRU_KEPT;
}

const char *const ws_iru_filter_names[] = {[WS_IRU_FILTER_AUTO] = "auto",
                                           [WS_IRU_FILTER_NONE] = "none",
                                           [WS_IRU_FILTER_MIN] = "min",
                                           [WS_IRU_FILTER_FADD] = "fadd",
                                           NULL};

enum ws_iru_filter ws_iru_filter_of(const ws_static *access, const char *opcode) {
    if (!ws_memory_is_atomic(access->op)) return WS_IRU_FILTER_NONE;
    if (strcasestr(opcode, "min")) return WS_IRU_FILTER_MIN;
    return strcasestr(opcode, "add") ? WS_IRU_FILTER_FADD : WS_IRU_FILTER_NONE;
}
