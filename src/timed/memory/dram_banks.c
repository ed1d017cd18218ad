#include "timed/memory/dram_banks.h"

#include <stdlib.h>

static uint8_t group_of(const ws_dram_params *dram, unsigned bank) {
    unsigned groups = (unsigned)dram->bank_groups;
    return (uint8_t)(dram->bank_group == WS_BANK_GROUP_HIGH_BITS ? bank / ((unsigned)dram->banks / groups)
                                                                 : bank % groups);
}

bool ws_dram_banks_init(ws_dram_banks *b, const ws_dram_params *dram) {
    *b = (ws_dram_banks){.dram = dram,
                         .kind = {.keeps_writes_apart = dram->write_queue > 0,
                                  .keeps_order = dram->scheduler == WS_DRAM_FIFO,
                                  .has_two_buses = dram->command_buses > 1,
                                  .has_two_halves = dram->banks > WS_BANKS_ABREAST},
                         .room = {dram->queue, dram->write_queue},
                         .next_command = WS_NEVER,
                         .burst_step = (uint64_t)(dram->ccd > dram->ccdl ? dram->ccd : dram->ccdl)};
    uint32_t places = (uint32_t)(dram->queue + dram->write_queue + dram->banks);
    b->requests = malloc(places * sizeof *b->requests);
    b->group = calloc((size_t)dram->bank_groups, sizeof *b->group);
    b->bank = calloc((size_t)dram->banks, sizeof *b->bank);
    b->additions = malloc(WS_DRAM_ADDITIONS * WS_DRAM_AHEAD * sizeof *b->additions);
    b->addition = b->additions;
    if (!b->requests || !b->group || !b->bank || !b->additions) return false;
    for (uint32_t i = 0; i < places; i++) b->requests[i].next = i + 1 < places ? i + 2 : 0;
    b->free = 1;
    for (unsigned bank = 0; bank < dram->banks; bank++) {
        b->bank[bank].group = group_of(dram, bank);
        ws_dram_group *group = &b->group[b->bank[bank].group];
        ws_bank_bytes *has = bank < WS_BANKS_ABREAST ? &group->low : &group->high;
        *has = ws_bytes_with(*has, bank % WS_BANKS_ABREAST, UINT8_MAX);
    }
    return true;
}

void ws_dram_banks_free(ws_dram_banks *b) {
    free(b->requests);
    free(b->group);
    free(b->bank);
    free(b->additions);
}

/* ---- counts */

static void take_back(ws_dram_counts *counts, const ws_dram_addition *added) {
    counts->reads -= added->reads;
    counts->writes -= added->writes;
    counts->activates -= added->activates;
    counts->row_hits -= added->row_hits;
    counts->requests -= added->requests;
}

ws_dram_counts ws_dram_count(const ws_dram_banks *b, uint64_t end) {
    ws_dram_counts counts = b->counts;
    for (const ws_dram_addition *at = b->addition; at > b->additions && at[-1].tick >= end; at--)
        take_back(&counts, &at[-1]);
    return counts;
}
