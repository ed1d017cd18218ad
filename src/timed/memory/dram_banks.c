#include "timed/memory/dram_banks.h"

#include <stdlib.h>

bool ws_dram_banks_init(ws_dram_banks *b, const ws_dram_params *dram) {
    *b = (ws_dram_banks){.dram = dram,
                         .room = {dram->queue, dram->write_queue},
                         .next_command = WS_NEVER,
                         .next_look = WS_NEVER,
                         .burst_step = (uint64_t)(dram->ccd > dram->ccdl ? dram->ccd : dram->ccdl)};
    uint32_t places = (uint32_t)(dram->queue + dram->write_queue + dram->banks);
    b->wheel = calloc(WS_DRAM_WHEEL, sizeof *b->wheel);
    b->requests = malloc(places * sizeof *b->requests);
    b->group = calloc((size_t)dram->bank_groups, sizeof *b->group);
    b->bank = calloc((size_t)dram->banks, sizeof *b->bank);
    b->changes = malloc(WS_DRAM_CHANGES * WS_DRAM_AHEAD * sizeof *b->changes);
    if (!b->wheel || !b->requests || !b->group || !b->bank || !b->changes) return false;
    for (uint32_t i = 0; i < places; i++) b->requests[i].next = i + 1 < places ? i + 2 : 0;
    b->free = 1;
    for (unsigned bank = 0; bank < dram->banks; bank++) {
        b->bank[bank].group = (uint8_t)(bank % (unsigned)dram->bank_groups);
        if (b->bank[bank].group == 0) b->groupmates |= 1u << bank;
    }
    return true;
}

void ws_dram_banks_free(ws_dram_banks *b) {
    free(b->wheel);
    free(b->requests);
    free(b->group);
    free(b->bank);
    free(b->changes);
}

/* ---- counts */

static void take_back(ws_dram_counts *counts, const ws_dram_change *change) {
    counts->reads -= change->reads;
    counts->writes -= change->writes;
    counts->activates -= change->activates;
    counts->row_hits -= change->row_hits;
    counts->requests -= change->requests;
}

ws_dram_counts ws_dram_count(const ws_dram_banks *b, uint64_t end) {
    ws_dram_counts counts = b->counts;
    for (uint32_t i = b->change_count; i-- > 0 && b->changes[i].tick >= end;)
        take_back(&counts, &b->changes[i]);
    return counts;
}
