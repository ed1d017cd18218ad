#include "mechanism/parts/ilp_predictor.h"

#include "base/bits.h"

#include <stdlib.h>
#include <string.h>

enum { WEAKLY_NOT_TAKEN = 1, WEAKLY_TAKEN = 2, STRONGLY_TAKEN = 3 };

bool ilp_gshare_init(ilp_gshare *g, uint32_t entries) {
    *g = (ilp_gshare){.entries = entries, .counters = malloc(entries)};
    if (g->counters) memset(g->counters, WEAKLY_NOT_TAKEN, entries);
    return g->counters != NULL;
}

void ilp_gshare_free(ilp_gshare *g) {
    free(g->counters);
}

static uint8_t *counter_of(const ilp_gshare *g, uint32_t branch) {
    return &g->counters[(branch ^ g->history) & (g->entries - 1)];
}

bool ilp_gshare_predicts_taken(const ilp_gshare *g, uint32_t branch) {
    return *counter_of(g, branch) >= WEAKLY_TAKEN;
}

void ilp_gshare_learn(ilp_gshare *g, uint32_t branch, bool taken) {
    uint8_t *counter = counter_of(g, branch);
    if (taken && *counter < STRONGLY_TAKEN) ++*counter;
    if (!taken && *counter > 0) --*counter;
    g->history = g->history << 1 | taken;
}

uint64_t ilp_gshare_table_bits(uint64_t entries) {
    return 2 * entries;
}

uint64_t ilp_gshare_history_bits(uint64_t entries) {
    return ws_bits_for(entries);
}
