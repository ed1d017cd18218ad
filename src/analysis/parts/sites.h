/* Counts per static instruction in a timed replay: how long warps wait at it, and for a load its latency and how its
 * accesses fare in the L1. */
#ifndef WS_ANALYSIS_PARTS_SITES_H
#define WS_ANALYSIS_PARTS_SITES_H

#include "warpsweep/timed.h"

typedef struct ws_site {
    uint64_t instructions, lanes; /* issues, and their active lanes */
    /* Cycles from the warp's previous issue, or its start, to these issues, by what the warp waited for. */
    uint64_t waits[WS_TIMED_WAITS];

    /* For a load from global or local memory: */
    uint64_t loads, load_cycles; /* executions that have received all their data; sum of their latencies */
    uint64_t *by_latency;        /* per latency in cycles, below `latencies`: the number of loads */
    uint64_t latencies;
    /* Accesses to the L1; those that have been merged into others, which count for the loads of these. */
    uint64_t accesses[WS_TIMED_STATUSES], merged;
} ws_site;

/* The warps that received data of a load. They are a set, so that those of two static instructions do not add up where
 * one warp executes both: the set is one for all that have the load's pc and opcode. */
typedef struct ws_receivers {
    uint64_t warps;                 /* their number */
    uint64_t cycles_to_data, lives; /* sums of their cycles from start to first data, and to their end */
    uint64_t *now;                  /* the set of those of the present launch; NULL: none */
} ws_receivers;

/* The sites of one or more launches, which run one after another. */
typedef struct ws_sites {
    const ws_trace *trace;
    uint32_t static_count;
    ws_site *at;             /* per static instruction */
    uint32_t *first;         /* per static instruction: the one that stands for all with its pc and opcode */
    ws_receivers *receivers; /* per static instruction; of those that stand for others alone */
    uint64_t warps, warp_cycles; /* the number of warps that have ended; sum of their lifetimes */
    uint64_t launch_warps;       /* the number of warps of the present launch */
    uint32_t warps_per_cta;
    uint32_t *loads, load_count; /* the static instructions whose receivers have a set `now` */
    bool failed;                 /* out of memory */
} ws_sites;

bool ws_sites_init(ws_sites *sites,
                   const ws_trace *trace); /* false if out of memory; call ws_sites_free() even then */
void ws_sites_free(ws_sites *sites);
/* A launch of `ctas` CTAs begins. */
void ws_sites_launch(ws_sites *sites, uint64_t ctas, uint32_t warps_per_cta);

/* To be called from the taps of the launch. */
void ws_sites_issue(ws_sites *sites, const ws_timed_issue *issue);
void ws_sites_load_end(ws_sites *sites, const ws_timed_load *load);
void ws_sites_access(ws_sites *sites, const ws_timed_access *access);
void ws_sites_warp_end(ws_sites *sites, const ws_timed_warp_life *life);

/* Adds the counts of one instruction to those of another. False if out of memory. The caller frees by_latency of `to`,
 * even then. */
bool ws_site_add(ws_site *to, const ws_site *from);

/* The cycles that warps wait at the instruction: the sum of `waits`. */
uint64_t ws_site_cycles(const ws_site *site);

/* Calls `tell` for each instruction that was issued, in the order of pc and opcode. Static instructions that agree in
 * both are summed; `inst` is the first of them, valid during the call, without a source line if they have several.
 * False if out of memory. */
typedef void ws_site_tell(void *context, const ws_static *inst, const ws_site *site,
                          const ws_receivers *receivers);
bool ws_sites_each(const ws_sites *sites, ws_site_tell *tell, void *context);

/* The smallest latency that `thousandths` thousandths of the loads do not exceed. There must be at least one load. */
uint64_t ws_site_latency(const ws_site *site, uint64_t thousandths);

#endif
