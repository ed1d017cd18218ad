#include "replay/local.h"

#include "trace/names.h"

/* Local memory lies in the upper half of a program's space, where no global address is. Accesses of each width have a
 * region of their own, in which units as wide are interleaved: those of different widths do not meet by chance. */
#define LOCAL_BASE     (WS_PROGRAM_SPACE_B / 2)
#define LOCAL_REGION_B (UINT64_C(1) << 52)

uint64_t ws_local_base(unsigned unit_B) {
    return LOCAL_BASE + unit_B * LOCAL_REGION_B;
}

uint64_t ws_local_threads_of_cta(const ws_trace *trace, const ws_kernel *kernel) {
    uint64_t lanes = ws_trace_get_info(trace)->warp_size;
    return (ws_dim3_count(kernel->block) + lanes - 1) / lanes * lanes;
}

uint64_t ws_local_threads(const ws_trace *trace, const ws_kernel *kernel) {
    return ws_local_threads_of_cta(trace, kernel) * ws_dim3_count(kernel->grid);
}

void ws_local_nth_words(uint64_t threads, unsigned width_B, unsigned nth, const uint64_t *addresses,
                        unsigned lanes, uint64_t *out) {
    for (unsigned i = 0; i < lanes; i++) {
        uint64_t at = addresses[i] % WS_PROGRAM_SPACE_B, space = addresses[i] - at,
                 behind = at - ws_local_base(width_B), unit = behind / width_B,
                 offset = unit / threads * width_B + behind % width_B,
                 word = (offset / WS_LOCAL_WORD_B + nth) * threads + unit % threads;
        out[i] = space + ws_local_base(WS_LOCAL_WORD_B) + WS_LOCAL_WORD_B * word + offset % WS_LOCAL_WORD_B;
    }
}
