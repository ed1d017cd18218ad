/* The accesses to the L1 that the lanes of a memory instruction become. */
#ifndef WS_TIMED_ACCESSES_H
#define WS_TIMED_ACCESSES_H

#include "base/buffer.h"
#include "replay/coalesce.h"
#include "warpsweep/timed.h"

/* One access to the L1: all or some sectors of one line. */
typedef struct ws_access {
    uint64_t line;   /* address / line size */
    uint64_t words;  /* 4-byte words of it that the lanes touch */
    uint8_t sectors; /* asked for, bit 0 the lowest */
    uint8_t full;    /* those of them whose every byte is touched; 0 of a load */
    uint8_t data_B;  /* of a write, in 32 bytes: sectors as the coalescer rounds them; 0 of a load */
    /* where asked for: lanes and words are in none of WarpPool's four patterns (WP 3.6) */
    bool other_mapping;
    bool local; /* of local memory */
    uint8_t reserved[3];
} ws_access;

/* Which lanes go together, into accesses of which size, in which order. */
typedef struct ws_access_rules {
    enum ws_access_unit access;
    enum ws_access_order order;
    unsigned line_B;
    unsigned access_B; /* of one access; 0: as `access` says */
    bool whole_warps;  /* all lanes of an instruction are coalesced together; else groups of so many: */
    unsigned group_lanes;
    bool store_gaps; /* core.store_gaps */
    bool mappings;   /* tells ws_access.other_mapping */
    ws_coalescer coalescer;
} ws_access_rules;

/* Without mappings. */
ws_access_rules ws_access_rules_of(const ws_core_params *core, const ws_l1_params *l1, unsigned warp_size);

/* Appends the accesses of an instruction to global or local memory; answers how many. `addresses`: of the `lanes` lanes
 * in `mask`, ascending. Without memory `out` has failed. */
unsigned ws_accesses_put(const ws_access_rules *rules, ws_buffer *out, const ws_static *inst,
                         const uint64_t *addresses, uint64_t mask, unsigned lanes);

#endif
