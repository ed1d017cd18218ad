/* How long vector registers are live, and how much of that they are protected by a second copy of their one value (XI
 * 2.6.4). A register is live in the cycles from a write, or a read, to the next read that gets that value; so a read
 * tells what came before, and nothing has to be known of the future. A write by a part of the lanes leaves what the
 * others have. */
#ifndef WS_MECHANISM_SCALAR_LIVE_H
#define WS_MECHANISM_SCALAR_LIVE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct scalar_register {
    uint64_t since;         /* cycle of the last write or read + 1; 0: it was never written */
    uint32_t live, covered; /* cycles before it, since the last read, if it is read once more */
} scalar_register;

typedef struct scalar_live {
    uint64_t live, covered; /* register cycles */
} scalar_live;

/* Each before the register's state changes; `covered`: as it has been since the last of these. */
static inline void scalar_live_read(scalar_live *sum, scalar_register *r, bool covered, uint64_t now) {
    if (!r->since) return;
    uint64_t cycles = now + 1 - r->since;
    sum->live += r->live + cycles;
    sum->covered += r->covered + (covered ? cycles : 0);
    *r = (scalar_register){.since = now + 1};
}

static inline void scalar_live_write(scalar_register *r, uint64_t now) {
    *r = (scalar_register){.since = now + 1};
}

/* Some lanes are written, or the value gets or loses its protection. */
static inline void scalar_live_change(scalar_register *r, bool covered, uint64_t now) {
    uint32_t cycles = r->since ? (uint32_t)(now + 1 - r->since) : 0;
    r->live += cycles;
    r->covered += covered ? cycles : 0;
    r->since = now + 1;
}

#endif
