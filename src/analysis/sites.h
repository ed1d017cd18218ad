/* What each static instruction does in a timed replay: how long warps stand at it; of a load, how long its data take
 * and what the L1 has of them. */
#ifndef WS_ANALYSIS_SITES_H
#define WS_ANALYSIS_SITES_H

#include "warpsweep/timed.h"

typedef struct ws_site {
    uint64_t instructions, lanes; /* issues, and their active lanes */
    /* Cycles to these, from the warp's issue before or its start, by what it waited for. */
    uint64_t waits[WS_TIMED_WAITS];

    /* Of a load from global or local memory. */
    uint64_t loads, load_cycles; /* that have their data; from issue to these */
    uint64_t *by_latency;        /* loads that took so many cycles, below `latencies` */
    uint64_t latencies;
    uint64_t accesses[WS_TIMED_STATUSES]; /* to the L1 */
    /* Warps that have had its data; of these the cycles from their start to their first data of it; and their lives. */
    uint64_t warps, cycles_to_data, lives;
    uint64_t *served; /* of the launch: set of those warps */
} ws_site;

/* Of one launch after another. */
typedef struct ws_sites {
    const ws_trace *trace;
    uint32_t static_count;
    ws_site *at;                 /* per static instruction */
    uint64_t warps, warp_cycles; /* that have ended; their lives */
    uint64_t merged;             /* accesses of loads to the L1 that nobody can tell whose they are */
    uint64_t launch_warps;       /* of the launch: its warps, */
    uint32_t warps_per_cta;
    uint32_t *loads, load_count; /* static instructions that have `served` */
    bool failed;                 /* out of memory */
} ws_sites;

bool ws_sites_init(ws_sites *sites,
                   const ws_trace *trace); /* false: out of memory; ws_sites_free() all the same */
void ws_sites_free(ws_sites *sites);
/* A launch of so many CTAs begins. */
void ws_sites_launch(ws_sites *sites, uint64_t ctas, uint32_t warps_per_cta);

/* What taps hear of it. */
void ws_sites_issue(ws_sites *sites, const ws_timed_issue *issue);
void ws_sites_load_end(ws_sites *sites, const ws_timed_load *load);
void ws_sites_access(ws_sites *sites, const ws_timed_access *access);
void ws_sites_warp_end(ws_sites *sites, const ws_timed_warp_life *life);

/* Adds to an instruction what another one did, but for `served`; false: out of memory. by_latency of `to` is to be
 * freed. */
bool ws_site_add(ws_site *to, const ws_site *from);

/* How long warps stand at it. */
uint64_t ws_site_cycles(const ws_site *site);

/* Tells what was issued, by pc and opcode; static instructions that agree in both are one, named by the first. False:
 * out of memory. */
typedef void ws_site_tell(void *context, const ws_static *inst, const ws_site *site);
bool ws_sites_each(const ws_sites *sites, ws_site_tell *tell, void *context);

/* The smallest latency that so many thousandths of the loads, of which there are some, do not exceed. */
uint64_t ws_site_latency(const ws_site *site, uint64_t thousandths);

#endif
