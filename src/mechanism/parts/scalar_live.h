/* How long vector registers are live, and for how much of that time a second copy of their single value protects them
 * (XI 2.6.4). A register is live from a write or a read up to the next read that gets the same value. So a read tells
 * that the cycles before it were live, and nothing need be known of the future. A write by some of the lanes leaves the
 * value of the others live. */
#ifndef WS_MECHANISM_PARTS_SCALAR_LIVE_H
#define WS_MECHANISM_PARTS_SCALAR_LIVE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct scalar_register {
    uint64_t since;         /* 1 + the cycle of the last write, read or change; 0: it was never written */
    uint32_t live, covered; /* cycles from the last read up to then, which count if it is read once more */
} scalar_register;

typedef struct scalar_live {
    uint64_t live, covered; /* register cycles; covered: of these, protected ones */
} scalar_live;

/* To be called before the register's state changes. `covered`: it has been protected since the last of these calls. */
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

/* Only some lanes are written, or the value becomes or ceases to be protected. */
static inline void scalar_live_change(scalar_register *r, bool covered, uint64_t now) {
    uint32_t cycles = r->since ? (uint32_t)(now + 1 - r->since) : 0;
    r->live += cycles;
    r->covered += covered ? cycles : 0;
    r->since = now + 1;
}

#endif
