/* Local memory: each thread has words of its own behind an address that all threads have in common. */
#ifndef WS_REPLAY_LOCAL_H
#define WS_REPLAY_LOCAL_H

#include "warpsweep/trace.h"

#include <string.h>

enum { WS_LOCAL_WORD_B = 4 };

/* Where the threads of a CTA, or of a warp, have their words: `first_thread` is the first of them, numbered among the
 * `threads` threads that have words from `base` on. threads 0: accesses are at the addresses that the trace has. */
typedef struct ws_local_place {
    uint64_t base;
    uint64_t first_thread, threads;
} ws_local_place;

/* Whether local addresses are offsets that all threads have in common. In traces of isa "llvm" each thread has
 * addresses of its own already (traces/README.md). */
static inline bool ws_local_is_common(const ws_trace *trace) {
    return strcmp(ws_trace_get_info(trace)->isa, "llvm") != 0;
}

/* The number of words that an access is to, from the one of its address on. */
static inline unsigned ws_local_words(unsigned width_B) {
    return (width_B + WS_LOCAL_WORD_B - 1) / WS_LOCAL_WORD_B;
}

/* Writes where the accesses of a warp's lanes in `mask` go: units of `unit_B` bytes are interleaved, unit i of all
 * threads before unit i + 1, and each access is to the `nth` unit from its address on. Programs keep their spaces. */
static inline void ws_local_addresses(const ws_local_place *place, unsigned unit_B, unsigned nth,
                                      uint64_t mask, const uint64_t *addresses, uint64_t *out) {
    for (; mask; mask &= mask - 1, addresses++, out++) {
        uint64_t thread = place->first_thread + (unsigned)__builtin_ctzll(mask),
                 offset = *addresses % WS_PROGRAM_SPACE_B, space = *addresses - offset,
                 unit = (offset / unit_B + nth) * place->threads + thread;
        *out = space + place->base + unit_B * unit + offset % unit_B;
    }
}

/* ---- in a replay without latencies */

/* The threads of a CTA, in whole warps, and of a launch. */
uint64_t ws_local_threads_of_cta(const ws_trace *trace, const ws_kernel *kernel);
uint64_t ws_local_threads(const ws_trace *trace, const ws_kernel *kernel);

/* Where the units of `unit_B` bytes begin in which local memory is interleaved. */
uint64_t ws_local_base(unsigned unit_B);

/* Taps are told where accesses of more than a word lie as a whole, in units of their width. Writes where the `nth` word
 * of each lies, which is where the request for it goes. */
void ws_local_nth_words(uint64_t threads, unsigned width_B, unsigned nth, const uint64_t *addresses,
                        unsigned lanes, uint64_t *out);

#endif
