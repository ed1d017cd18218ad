/* Coalescing within a warp instruction: all lane accesses to one line become one request. */
#ifndef WS_REPLAY_COALESCE_H
#define WS_REPLAY_COALESCE_H

#include "base/access.h"
#include "warpsweep/trace.h"

#include <stdbool.h>
#include <stdint.h>

/* A request: one line that an instruction accesses. */
typedef struct ws_coalesced {
    uint64_t line;   /* address / line size */
    uint64_t words;  /* 4-byte words of the line that are touched, bit 0 the lowest */
    uint16_t bytes;  /* distinct bytes of the line that are touched */
    uint8_t sectors; /* number of sectors that are touched */
} ws_coalesced;

typedef struct ws_coalescer {
    unsigned line_shift;       /* log2 of the line in bytes */
    unsigned words_per_sector; /* a power of two */
    uint64_t sector_heads;     /* the first word of each sector */
} ws_coalescer;

/* Sizes are powers of two: 32 B <= line <= 256 B, 4 B <= sector <= line. */
ws_coalescer ws_coalescer_of(unsigned line_B, unsigned sector_B);

/* Coalesces the accesses of `lanes` lanes, each to `width` bytes (1 .. 255) from its address on. An access that
 * straddles lines requests each of them. Writes the requests to `out` in ascending line order and returns their number,
 * at most ws_coalesce_room(lanes, width). */
unsigned ws_coalesce(const ws_coalescer *coalescer, const uint64_t *addresses, unsigned lanes, unsigned width,
                     ws_coalesced *out);

/* The same, without the requests' bytes and sectors. */
unsigned ws_coalesce_words(unsigned line_shift, const uint64_t *addresses, unsigned lanes, unsigned width,
                           ws_coalesced *out);

/* What one pass over the addresses of at least one lane tells. */
typedef struct ws_survey {
    bool one_address; /* all lanes have the same */
    bool contiguous;  /* lane after lane, `width` bytes each, without gap or overlap */
    uint64_t any;     /* the bits that are set in any of the addresses */
} ws_survey;
ws_survey ws_survey_of(const uint64_t *addresses, unsigned lanes, unsigned width);

/* ws_coalesce_room() at its largest. */
enum { WS_COALESCED_MAX = WS_LANES_MAX * WS_ACCESS_SECTORS_MAX };

/* The most requests that `lanes` accesses of `width` bytes can make, which is with the smallest line. */
static inline unsigned ws_coalesce_room(unsigned lanes, unsigned width) {
    return lanes * ((width + 30) / 32 + 1);
}

#endif
