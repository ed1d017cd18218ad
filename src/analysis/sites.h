/* What each static instruction does in a timed replay: how long warps stand at it, and for a load its latency and how
 * its accesses fare in the L1. */
#ifndef WS_ANALYSIS_SITES_H
#define WS_ANALYSIS_SITES_H

#include "warpsweep/timed.h"

typedef struct ws_site {
    uint64_t instructions, lanes; /* issues, and their active lanes */
    /* Cycles until these issues, from the warp's previous issue or its start, by what the warp waited for. */
    uint64_t waits[WS_TIMED_WAITS];

    /* For a load from global or local memory: */
    uint64_t loads, load_cycles; /* executions that have received their data; their latency, summed */
    uint64_t *by_latency;        /* per latency in cycles, below `latencies`: loads with it */
    uint64_t latencies;
    uint64_t accesses[WS_TIMED_STATUSES]; /* to the L1 */
    /* Warps that received its data; their cycles from start to first data, and from start to end, summed. */
    uint64_t warps, cycles_to_data, lives;
    uint64_t *served; /* set of those warps in the present launch */
} ws_site;

/* The sites of one or more launches, which run one after another. */
typedef struct ws_sites {
    const ws_trace *trace;
    uint32_t static_count;
    ws_site *at;                 /* per static instruction */
    uint64_t warps, warp_cycles; /* warps that have ended; their lifetimes, summed */
    uint64_t merged;             /* accesses of loads to the L1 that belong to no single instruction */
    uint64_t launch_warps;       /* warps of the present launch */
    uint32_t warps_per_cta;
    uint32_t *loads, load_count; /* static instructions that have `served` */
    bool failed;                 /* out of memory */
} ws_sites;

bool ws_sites_init(ws_sites *sites,
                   const ws_trace *trace); /* false: out of memory; ws_sites_free() all the same */
void ws_sites_free(ws_sites *sites);
/* A launch of `ctas` CTAs begins. */
void ws_sites_launch(ws_sites *sites, uint64_t ctas, uint32_t warps_per_cta);

/* To be called by the taps of the launch. */
void ws_sites_issue(ws_sites *sites, const ws_timed_issue *issue);
void ws_sites_load_end(ws_sites *sites, const ws_timed_load *load);
void ws_sites_access(ws_sites *sites, const ws_timed_access *access);
void ws_sites_warp_end(ws_sites *sites, const ws_timed_warp_life *life);

/* Adds what one instruction did to another, except for `served`; false if out of memory. The caller frees by_latency of
 * `to`. */
bool ws_site_add(ws_site *to, const ws_site *from);

/* Cycles that warps stand at it: the sum of `waits`. */
uint64_t ws_site_cycles(const ws_site *site);

/* Calls `tell` for each instruction that was issued, in the order of pc and opcode; static instructions that agree in
 * both are reported as one, with the first of them. False if out of memory. */
typedef void ws_site_tell(void *context, const ws_static *inst, const ws_site *site);
bool ws_sites_each(const ws_sites *sites, ws_site_tell *tell, void *context);

/* The smallest latency that `thousandths` thousandths of the loads do not exceed. There is at least one load. */
uint64_t ws_site_latency(const ws_site *site, uint64_t thousandths);

#endif
