/* The positions at which numbers were last met, kept in an array: the innermost loop of models that measure how far
 * back the last access lies (reuse.c, window_sliding.c). */
#ifndef WS_ANALYSIS_PARTS_LAST_MET_H
#define WS_ANALYSIS_PARTS_LAST_MET_H

#include <stddef.h>
#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

static inline uint32_t ws_exchange(uint32_t *at, uint32_t value) {
    uint32_t before = *at;
    *at = value;
    return before;
}

/* Meets numbers at the positions now, now + 1 ..; `position` gets where each of them was last met. Stops at the first
 * number that `last` has no room for (`room` is a power of two), and returns how many it met. The loop is as short as
 * can be: the look-ups miss the caches, and every other instruction takes the place of one that could be under way. */
static inline size_t ws_meet(uint32_t *last, uint32_t room, uint32_t now, const uint32_t *number,
                             size_t count, uint32_t *position) {
    size_t i = 0;
    for (; i + 4 <= count; i += 4, now += 4) {
        uint32_t a = number[i], b = number[i + 1], c = number[i + 2], d = number[i + 3];
        if ((a | b | c | d) >= room) break;
        position[i] = ws_exchange(&last[a], now);
        position[i + 1] = ws_exchange(&last[b], now + 1);
        position[i + 2] = ws_exchange(&last[c], now + 2);
        position[i + 3] = ws_exchange(&last[d], now + 3);
    }
    for (; i < count && number[i] < room; i++, now++) position[i] = ws_exchange(&last[number[i]], now);
    return i;
}

enum { WS_RECENT = 64 };

#ifdef __SSE2__
/* Per element -1 if position[i] is below floor[i], else 0. */
static inline __m128i ws_four_below(const uint32_t *position, __m128i floor) {
    return _mm_cmpgt_epi32(floor, _mm_loadu_si128((const __m128i *)(const void *)position));
}
#endif

/* Returns a mask: bit i is set if position[i] is at least floor + i. Positions must be below 2^31. */
static inline uint64_t ws_recent(const uint32_t position[WS_RECENT], uint32_t floor) {
    uint64_t mask = 0;
#ifdef __SSE2__
    __m128i floors = _mm_add_epi32(_mm_set1_epi32((int)floor), _mm_set_epi32(3, 2, 1, 0));
    const __m128i four = _mm_set1_epi32(4), eight = _mm_set1_epi32(8), sixteen = _mm_set1_epi32(16);
    for (unsigned i = 0; i < WS_RECENT; i += 16, floors = _mm_add_epi32(floors, sixteen)) {
        __m128i later = _mm_add_epi32(floors, eight);
        __m128i low = _mm_packs_epi32(ws_four_below(position + i, floors),
                                      ws_four_below(position + i + 4, _mm_add_epi32(floors, four)));
        __m128i high = _mm_packs_epi32(ws_four_below(position + i + 8, later),
                                       ws_four_below(position + i + 12, _mm_add_epi32(later, four)));
        mask |= (uint64_t)(uint16_t)~_mm_movemask_epi8(_mm_packs_epi16(low, high)) << i;
    }
#else
    for (unsigned i = 0; i < WS_RECENT; i++) mask |= (uint64_t)(position[i] >= floor + i) << i;
#endif
    return mask;
}

#endif
