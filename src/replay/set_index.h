/* Which set of a cache a line belongs to. */
#ifndef WS_REPLAY_SET_INDEX_H
#define WS_REPLAY_SET_INDEX_H

#include "warpsweep/replay.h"

enum { WS_IPOLY_SETS_MAX = 1 << 16 };

/* NULL, or why there is no such index over so many sets, as what is expected of them. */
const char *ws_set_index_refusal(enum ws_set_index index, uint64_t sets);

/* The set of `line` (address / line size). */
uint32_t ws_set_of(enum ws_set_index index, uint64_t line, uint32_t sets);

/* Remainder over GF(2) of `value` as a polynomial; `sets` is a power of two, at most WS_IPOLY_SETS_MAX. */
uint32_t ws_ipoly(uint64_t value, uint32_t sets);

#endif
