/* Dynamic branch prediction for warps (XI 4.4.3), with a table that the warps of an SM share. */
#ifndef WS_MECHANISM_PARTS_ILP_PREDICTOR_H
#define WS_MECHANISM_PARTS_ILP_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

/* McFarling's gshare: a table of two-bit counters, indexed by the branch's number (its pc in instructions) exclusive-or
 * the outcomes of the SM's last log2(entries) branches. */
typedef struct ilp_gshare {
    uint32_t entries;  /* a power of two */
    uint32_t history;  /* the last outcome in the lowest bit; 1: taken */
    uint8_t *counters; /* 0, 1: predict not taken; 2, 3: predict taken */
} ilp_gshare;

/* Counters start as weakly not taken; the history is empty. False if out of memory. */
bool ilp_gshare_init(ilp_gshare *gshare, uint32_t entries);
void ilp_gshare_free(ilp_gshare *gshare);

bool ilp_gshare_predicts_taken(const ilp_gshare *gshare, uint32_t branch);
/* Trains the table with the branch's outcome. For a divergent branch either prediction is right, and `taken` is what
 * was predicted (XI 4.4.3). */
void ilp_gshare_learn(ilp_gshare *gshare, uint32_t branch, bool taken);

/* Hardware cost of the table and of the history, in bits. */
uint64_t ilp_gshare_table_bits(uint64_t entries);
uint64_t ilp_gshare_history_bits(uint64_t entries);

#endif
