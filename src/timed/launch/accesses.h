/* Coalescing for the timed engine: turns the lane addresses of a memory instruction into accesses to the L1. */
#ifndef WS_TIMED_LAUNCH_ACCESSES_H
#define WS_TIMED_LAUNCH_ACCESSES_H

#include "base/buffer.h"
#include "replay/coalesce.h"
#include "warpsweep/timed.h"

/* One access to the L1: all or some sectors of one line. */
typedef struct ws_access {
    uint64_t line;   /* address / line size */
    uint64_t words;  /* set of the line's 4-byte words that the lanes touch */
    uint8_t sectors; /* set of sectors asked for, bit 0 the lowest */
    /* data that a write carries, in units of 32 bytes: its sectors as the coalescer rounds them; 0 for a load */
    uint8_t data_B;
    /* kept where asked for: lanes and words are in none of WarpPool's four patterns (WP 3.6) */
    bool other_mapping;
    bool in_parts; /* a store that writes a word only in part */
    uint8_t reserved[4];
} ws_access;

/* Returns the words that a load asks for, or those that a store writes in every byte. If it writes any in part, none is
 * taken for written. */
static inline uint64_t ws_access_words(const ws_access *a) {
    return a->in_parts ? 0 : a->words;
}

/* How lanes are coalesced: which lanes go together, into accesses of which size, in which order. */
typedef struct ws_access_rules {
    enum ws_access_unit access;
    enum ws_access_order order;
    unsigned line_B;
    unsigned access_B; /* size of an access; 0: as `access` says */
    /* all lanes of an instruction are coalesced together; if not, groups of `group_lanes` */
    bool whole_warps;
    unsigned group_lanes;
    bool store_gaps; /* core.store_gaps */
    bool mappings;   /* whether to set ws_access.other_mapping */
    ws_coalescer coalescer;
} ws_access_rules;

/* Returns the rules that the parameters describe, without mappings. */
ws_access_rules ws_access_rules_of(const ws_core_params *core, const ws_l1_params *l1, unsigned warp_size);

/* Appends the accesses of an instruction to global or local memory to `out`, and returns their number. `addresses`:
 * those of the `lanes` lanes in `mask`, ascending by lane. If out of memory, out->failed is set. */
unsigned ws_accesses_put(const ws_access_rules *rules, ws_buffer *out, const ws_static *inst,
                         const uint64_t *addresses, uint64_t mask, unsigned lanes);

#endif
