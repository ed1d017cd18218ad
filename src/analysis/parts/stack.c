#include "analysis/parts/stack.h"

#include "base/inline.h"

#include <stdlib.h>
#include <string.h>

#if defined __x86_64__ && defined __GNUC__
#define WIDE __attribute__((target("avx512f,avx512bw,avx512vpopcntdq")))
#include <immintrin.h>
#endif

enum {
    CHUNK = 512,     /* positions */
    SPAN = 64,       /* chunks */
    CHUNK_WORDS = 8, /* of 64 positions */
    ROOM_MIN = 64,   /* positions */
    ROOM_BITS_MAX = 31,
    LINE_B = 64, /* what a vector and a cache line hold */
};

/* ---- life */

static size_t words_of(size_t room) {
    return (room + CHUNK - 1) / CHUNK * CHUNK_WORDS; /* whole chunks */
}
static size_t chunks_of(size_t room) {
    return (words_of(room) / CHUNK_WORDS + SPAN - 1) / SPAN * SPAN; /* whole spans */
}
static size_t spans_of(size_t room) {
    return (chunks_of(room) / SPAN + 15) / 16 * 16; /* whole vectors of 16 */
}

void ws_stack_free(ws_stack *s) {
    free(s->ones);
    *s = (ws_stack){0};
}

/* The size of the counts, which lie together, before the owners. */
static size_t counts_B(size_t room) {
    return words_of(room) * sizeof(uint64_t) + chunks_of(room) * sizeof(uint16_t) +
           spans_of(room) * sizeof(uint32_t);
}

static bool allocate(ws_stack *s, size_t room) {
    uint64_t *memory = aligned_alloc(LINE_B, counts_B(room) + room * sizeof *s->owner);
    if (!memory) return false;
    memset(memory, 0, counts_B(room));
    *s = (ws_stack){.ones = memory, .room = (uint32_t)room};
    s->chunks = (uint16_t *)(s->ones + words_of(room));
    s->spans = (uint32_t *)(void *)(s->chunks + chunks_of(room));
    s->owner = s->spans + spans_of(room);
    return true;
}

WS_INLINE void put(ws_stack *s, uint32_t at) {
    s->ones[at / 64] |= UINT64_C(1) << at % 64;
    s->chunks[at / CHUNK]++;
    s->spans[at / (CHUNK * SPAN)]++;
}

WS_INLINE void take(ws_stack *s, uint32_t at) {
    s->ones[at / 64] &= ~(UINT64_C(1) << at % 64);
    s->chunks[at / CHUNK]--;
    s->spans[at / (CHUNK * SPAN)]--;
}

/* Moves the ones together into a vector that is at least four times as long as the number of blocks. One shorter than a
 * chunk doubles each time: most stacks see few touches and stay small, and those that see many are moved rarely. */
static bool compact(ws_stack *s, uint32_t *position) {
    size_t room = s->room ? s->room : ROOM_MIN;
    if (s->room && s->room < CHUNK) room *= 2;
    while (room < 4 * (size_t)s->live) room *= 2;
    if (room > (size_t)1 << ROOM_BITS_MAX) return false;
    ws_stack old = *s;
    if (!allocate(s, room)) {
        *s = old;
        return false;
    }
    for (size_t word = 0; word < words_of(old.room); word++)
        for (uint64_t ones = old.ones[word]; ones; ones &= ones - 1) {
            uint32_t block = old.owner[word * 64 + (size_t)__builtin_ctzll(ones)];
            put(s, s->now);
            s->owner[s->now++] = block;
            position[block] = s->now;
        }
    s->live = old.live;
    ws_stack_free(&old);
    return true;
}

void ws_stack_clear(ws_stack *s, uint32_t *position) {
    for (size_t word = 0; word < words_of(s->room); word++)
        for (uint64_t ones = s->ones[word]; ones; ones &= ones - 1)
            position[s->owner[word * 64 + (size_t)__builtin_ctzll(ones)]] = 0;
    if (s->room > 0) memset(s->ones, 0, counts_B(s->room));
    s->now = s->live = 0;
}

/* ---- touching, with a function that counts the ones behind a position */

typedef uint32_t count_behind(const ws_stack *stack, uint32_t position);

enum { AHEAD = 12 };

WS_INLINE bool touch(ws_stack *s, uint32_t *position, const uint32_t *block, size_t count, uint32_t *distance,
                     count_behind *behind) {
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count) __builtin_prefetch(&position[block[i + AHEAD]], 1);
        if (i + AHEAD / 2 < count) __builtin_prefetch(&s->ones[position[block[i + AHEAD / 2]] / 64], 1);
        if (s->now == s->room && !compact(s, position)) return false;
        uint32_t before = position[block[i]];
        if (before) {
            distance[i] = behind(s, before - 1);
            take(s, before - 1);
        } else {
            distance[i] = WS_STACK_NEW;
            s->live++;
        }
        put(s, s->now);
        s->owner[s->now++] = block[i];
        position[block[i]] = s->now;
    }
    return true;
}

/* ---- portable: adds four 16-bit counts of chunks at a time, in one word */

static inline uint32_t ones_of(uint64_t x) {
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    return (uint32_t)(((x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f)) * UINT64_C(0x0101010101010101) >> 56);
}

static inline uint32_t behind_portable(const ws_stack *s, uint32_t at) {
    uint32_t word = at / 64, chunk = at / CHUNK, span = chunk / SPAN, last = s->now / (CHUNK * SPAN);
    uint32_t count = ones_of(s->ones[word] & ~(UINT64_C(1) << at % 64) & UINT64_MAX << at % 64);
    for (uint32_t w = word + 1; w < (chunk + 1) * CHUNK_WORDS; w++) count += ones_of(s->ones[w]);
    uint32_t c = chunk + 1, end = (span + 1) * SPAN;
    for (; c % 4 != 0; c++) count += s->chunks[c];
    uint64_t sums = 0; /* 16 addends of at most 512 fit in 16 bits */
    for (; c < end; c += 4) {
        uint64_t four;
        memcpy(&four, &s->chunks[c], sizeof four);
        sums += four;
    }
    count += (uint32_t)((sums & 0xffff) + (sums >> 16 & 0xffff) + (sums >> 32 & 0xffff) + (sums >> 48));
    for (uint32_t i = span + 1; i <= last && i < s->room / (CHUNK * SPAN); i++) count += s->spans[i];
    return count;
}

bool ws_stack_touch_portable(ws_stack *s, uint32_t *position, const uint32_t *block, size_t count,
                             uint32_t *distance) {
    return touch(s, position, block, count, distance, behind_portable);
}

/* ---- AVX-512 */

#ifdef WIDE
WIDE static inline uint32_t behind_wide(const ws_stack *s, uint32_t at) {
    uint32_t chunk = at / CHUNK, span = chunk / SPAN, spans = s->now / (CHUNK * SPAN) + 1;
    unsigned word = at / 64 % CHUNK_WORDS, in_span = chunk % SPAN;
    __m512i ones = _mm512_loadu_si512(&s->ones[(size_t)chunk * CHUNK_WORDS]);
    ones = _mm512_maskz_mov_epi64((__mmask8)(0xffu << word), ones);
    uint64_t own = s->ones[at / 64] & ((UINT64_C(2) << at % 64) - 1); /* up to the position itself */
    __m512i counts = _mm512_popcnt_epi64(ones);
    uint32_t too_many = (uint32_t)_mm_cvtsi128_si64(
        _mm512_castsi512_si128(_mm512_popcnt_epi64(_mm512_castsi128_si512(_mm_cvtsi64_si128((int64_t)own)))));

    uint64_t later = in_span == SPAN - 1 ? 0 : UINT64_MAX << (in_span + 1);
    const uint16_t *first = &s->chunks[(size_t)span * SPAN];
    const __m512i one = _mm512_set1_epi16(1);
    __m512i low = _mm512_maskz_loadu_epi16((__mmask32)later, first);
    __m512i high = _mm512_maskz_loadu_epi16((__mmask32)(later >> 32), first + 32);
    __m512i sums = _mm512_madd_epi16(_mm512_add_epi16(low, high), one);
    for (uint32_t i = (span + 1) / 16 * 16; i < spans; i += 16) {
        __mmask16 behind = i > span ? (__mmask16)0xffff : (__mmask16)(0xffffu << (span + 1 - i));
        sums = _mm512_mask_add_epi32(sums, behind, sums, _mm512_loadu_si512(&s->spans[i]));
    }
    return (uint32_t)_mm512_reduce_add_epi32(_mm512_add_epi32(sums, counts)) - too_many;
}

WIDE static bool touch_wide(ws_stack *s, uint32_t *position, const uint32_t *block, size_t count,
                            uint32_t *distance) {
    return touch(s, position, block, count, distance, behind_wide);
}

ws_stack_touch_fn *ws_stack_touch_wide(void) {
    bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512vpopcntdq");
    return has ? touch_wide : NULL;
}
#else
ws_stack_touch_fn *ws_stack_touch_wide(void) {
    return NULL;
}
#endif

bool ws_stack_touch(ws_stack *s, uint32_t *position, const uint32_t *block, size_t count,
                    uint32_t *distance) {
    ws_stack_touch_fn *wide = ws_stack_touch_wide();
    return (wide ? wide : ws_stack_touch_portable)(s, position, block, count, distance);
}
