/* Dynamic branch prediction for warps (XI 4.4.3), with a table that the warps of an SM share. */
#ifndef WS_MECHANISM_ILP_PREDICTOR_H
#define WS_MECHANISM_ILP_PREDICTOR_H

#include <stdbool.h>
#include <stdint.h>

/* McFarling's gshare: two-bit counters, chosen by the branch's number (its pc in instructions) exclusive-or the last
 * outcomes of the SM, as many as index the table. */
typedef struct ilp_gshare {
    uint32_t entries;  /* a power of two */
    uint32_t history;  /* the last outcome lowest */
    uint8_t *counters; /* 0, 1: not taken; 2, 3: taken */
} ilp_gshare;

/* Counters start as weakly not taken, without history. False if out of memory. */
bool ilp_gshare_init(ilp_gshare *gshare, uint32_t entries);
void ilp_gshare_free(ilp_gshare *gshare);

bool ilp_gshare_predicts_taken(const ilp_gshare *gshare, uint32_t branch);
/* What the branch has done. Of a divergent branch either prediction is right, and the table learns what it predicted
 * (XI 4.4.3). */
void ilp_gshare_learn(ilp_gshare *gshare, uint32_t branch, bool taken);

/* Hardware cost in bits: of the table, and of the history. */
uint64_t ilp_gshare_table_bits(uint64_t entries);
uint64_t ilp_gshare_history_bits(uint64_t entries);

#endif
