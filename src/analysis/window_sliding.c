/* Window `sliding`: a request merges when its line occurred among the previous W requests of the instance.
 * The distance to the last occurrence answers every W at once.
 *
 * Where a line occurred last is kept in an array over all lines while that is small, because nothing is
 * faster; else in a table of what lies within the largest window. */
#include "analysis/lanes.h"
#include "analysis/seen.h"
#include "analysis/window.h"

#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { LINES_MIN = 1024 };

typedef struct instance {
    uint32_t
        clock; /* position of the last request; those of requests that are forgotten lie size_max + 1 back */
    bool tabled;
    /* Array: */
    uint32_t *last;      /* per line: position of its last occurrence, 0 = none */
    uint32_t line_count; /* room of `last`, a power of two */
    uint32_t *warps;     /* ring: the warp at each position */
    /* Table: */
    ws_seen seen;
} instance;

enum { PAYLOAD_POSITION, PAYLOAD_WARP, STRIDE = WS_SEEN_PAYLOAD + 2 };

typedef struct sliding {
    uint32_t *sizes;
    uint32_t size_max;
    uint32_t warps_per_cta, clock_max;
    uint32_t ring_size;    /* a power of two, at least size_max */
    size_t instance_lines; /* room of an instance's array at most */
    uint32_t instance_count;
    instance *instances;
    uint64_t (*merges)[WINDOW_LABELS]; /* per distance 0 .. size_max */
} sliding;

/* ---- life */

static void sliding_destroy(void *self) {
    sliding *s = self;
    if (!s) return;
    for (uint32_t i = 0; s->instances && i < s->instance_count; i++) {
        free(s->instances[i].last);
        free(s->instances[i].warps);
        ws_seen_free(&s->instances[i].seen);
    }
    free(s->instances);
    free(s->merges);
    free(s->sizes);
    free(s);
}

static void *sliding_create(const window_setup *setup) {
    sliding *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    for (uint32_t i = 0; i < setup->size_count; i++)
        if (setup->sizes[i] > s->size_max) s->size_max = setup->sizes[i];
    s->warps_per_cta = setup->warps_per_cta;
    s->clock_max = setup->clock_max;
    for (s->ring_size = 1; s->ring_size < s->size_max;) s->ring_size *= 2;
    s->instance_lines = setup->arrays_B / setup->instances / sizeof *s->instances->last;
    s->instance_count = setup->instances;
    s->instances = calloc(setup->instances, sizeof *s->instances);
    s->merges = calloc((size_t)s->size_max + 1, sizeof *s->merges);
    s->sizes = malloc((setup->size_count + 1) * sizeof *s->sizes);
    if (!s->instances || !s->merges || !s->sizes) {
        sliding_destroy(s);
        return NULL;
    }
    memcpy(s->sizes, setup->sizes, setup->size_count * sizeof *s->sizes);
    for (uint32_t i = 0; i < setup->instances; i++)
        s->instances[i] = (instance){.clock = s->size_max + 1, .tabled = s->instance_lines == 0};
    return s;
}

/* ---- table */

typedef struct moment {
    uint32_t now, size_max;
} moment;

static bool expired(const uint32_t *payload, const void *clock) {
    const moment *m = clock;
    return m->now - payload[PAYLOAD_POSITION] > m->size_max;
}

static bool run_table(sliding *s, instance *in, const window_run *run) {
    moment m = {in->clock, s->size_max};
    for (size_t i = 0; i < run->count; i++) {
        m.now++;
        bool is_new;
        uint32_t *seen = ws_seen_find(&in->seen, STRIDE, run->line[i], expired, &m, &is_new);
        if (!seen) return false;
        uint32_t distance = m.now - seen[PAYLOAD_POSITION];
        if (!is_new && distance <= s->size_max)
            s->merges[distance]
                     [window_label(run->warp[i], run->cta[i], seen[PAYLOAD_WARP], s->warps_per_cta)]++;
        seen[PAYLOAD_POSITION] = m.now;
        seen[PAYLOAD_WARP] = run->warp[i];
    }
    in->clock = m.now;
    return true;
}

/* Moves what lies within the largest window from the array to the table. */
static bool change_to_table(sliding *s, instance *in) {
    moment m = {in->clock, s->size_max};
    for (uint32_t line = 0; line < in->line_count; line++) {
        if (m.now - in->last[line] >= s->size_max) continue;
        bool is_new;
        uint32_t *seen = ws_seen_find(&in->seen, STRIDE, line, expired, &m, &is_new);
        if (!seen) return false;
        seen[PAYLOAD_POSITION] = in->last[line];
        seen[PAYLOAD_WARP] = in->warps[in->last[line] & (s->ring_size - 1)];
    }
    free(in->last);
    free(in->warps);
    in->last = in->warps = NULL;
    in->line_count = 0;
    in->tabled = true;
    return true;
}

/* ---- array */

/* All bits that are set in some number. */
static uint32_t bits_of(const uint32_t *numbers, size_t count) {
    ws_lanes_in lanes = {0};
    size_t i = 0;
    for (; i + WS_LANES <= count; i += WS_LANES) lanes |= *(const ws_lanes_in *)(numbers + i);
    uint32_t bits = lanes[0] | lanes[1] | lanes[2] | lanes[3];
    for (; i < count; i++) bits |= numbers[i];
    return bits;
}

/* Makes the array long enough for the lines of the run; false also when that is more than its share. */
static bool reach_lines(const sliding *s, instance *in, const window_run *run, bool *too_long) {
    uint32_t bits = bits_of(run->line, run->count);
    size_t count = in->line_count ? in->line_count : LINES_MIN;
    *too_long = false;
    if (bits < in->line_count) return true;
    while (count <= bits) count *= 2;
    *too_long = count > s->instance_lines;
    if (*too_long) return false;
    uint32_t *last = realloc(in->last, count * sizeof *last);
    if (!last) return false;
    memset(last + in->line_count, 0, (count - in->line_count) * sizeof *last);
    in->last = last;
    in->line_count = (uint32_t)count;
    if (!in->warps) in->warps = malloc(s->ring_size * sizeof *in->warps);
    return in->warps != NULL;
}

/* Keeps the warps at the last positions of the run, as many as the largest window reaches. */
static void put_in_ring(const sliding *s, instance *in, const window_run *run) {
    size_t kept = run->count < s->ring_size ? run->count : s->ring_size;
    const uint32_t *warps = run->warp + (run->count - kept);
    uint32_t at = (in->clock + 1 + (uint32_t)(run->count - kept)) & (s->ring_size - 1);
    size_t head = s->ring_size - at < kept ? s->ring_size - at : kept;
    memcpy(in->warps + at, warps, head * sizeof *warps);
    memcpy(in->warps, warps + head, (kept - head) * sizeof *warps);
}

enum { MASK = 64 };

/* Bit i: position[i] is not below floor + i. Positions are below 2^31. */
static uint64_t mask_of_recent(const uint32_t position[MASK], uint32_t floor) {
    uint64_t mask = 0;
#ifdef __SSE2__
    __m128i floors = _mm_add_epi32(_mm_set1_epi32((int)floor), _mm_set_epi32(3, 2, 1, 0));
    for (unsigned i = 0; i < MASK; i += 16) {
        __m128i below[4];
        for (unsigned k = 0; k < 4; k++) {
            const __m128i *four = (const __m128i *)(const void *)(position + i + 4 * k);
            below[k] = _mm_cmpgt_epi32(floors, _mm_loadu_si128(four));
            floors = _mm_add_epi32(floors, _mm_set1_epi32(4));
        }
        __m128i bytes =
            _mm_packs_epi16(_mm_packs_epi32(below[0], below[1]), _mm_packs_epi32(below[2], below[3]));
        mask |= (uint64_t)(uint16_t)~_mm_movemask_epi8(bytes) << i;
    }
#else
    for (unsigned i = 0; i < MASK; i++) mask |= (uint64_t)(position[i] >= floor + i) << i;
#endif
    return mask;
}

/* Three steps: the first does nothing but look up, so that many look-ups are under way at a time; the second finds
 * what merges, often the smaller part; the third labels that. */
static void run_array(sliding *s, instance *in, const window_run *run) {
    uint32_t position[WS_BATCH_MAX + MASK]; /* of the line's last occurrence; 0, so none, behind the run */
    uint32_t *last = in->last, now = in->clock + 1;
    for (size_t i = 0; i < run->count; i++) {
        uint32_t *at = &last[run->line[i]];
        position[i] = *at;
        *at = now + (uint32_t)i;
    }
    memset(position + run->count, 0, MASK * sizeof *position);
    for (size_t begin = 0; begin < run->count; begin += MASK) {
        uint64_t merging = mask_of_recent(position + begin, now + (uint32_t)begin - s->size_max);
        for (; merging; merging &= merging - 1) {
            size_t i = begin + (unsigned)__builtin_ctzll(merging);
            uint32_t distance = now + (uint32_t)i - position[i];
            uint32_t earlier =
                distance <= i ? run->warp[i - distance] : in->warps[position[i] & (s->ring_size - 1)];
            s->merges[distance][window_label(run->warp[i], run->cta[i], earlier, s->warps_per_cta)]++;
        }
    }
    put_in_ring(s, in, run);
    in->clock += (uint32_t)run->count;
}

/* ---- both */

/* Takes a multiple of the ring off all positions, so that they stay small. */
static void renumber(const sliding *s, instance *in) {
    uint32_t off = (in->clock - s->size_max - 1) & ~(s->ring_size - 1);
    for (uint32_t line = 0; line < in->line_count; line++)
        in->last[line] = in->last[line] > off ? in->last[line] - off : 0;
    for (uint32_t i = 0; i < in->seen.room; i++) {
        uint32_t *position = in->seen.entries + (size_t)i * STRIDE + WS_SEEN_PAYLOAD + PAYLOAD_POSITION;
        *position = *position > off ? *position - off : 0;
    }
    in->clock -= off;
}

static bool sliding_run(void *self, const window_run *run) {
    sliding *s = self;
    instance *in = &s->instances[run->instance];
    if (run->fresh) in->clock += s->size_max + 1;
    if (in->clock >= s->clock_max) renumber(s, in);
    bool too_long = false;
    if (!in->tabled && !reach_lines(s, in, run, &too_long) && !(too_long && change_to_table(s, in)))
        return false;
    if (in->tabled) return run_table(s, in, run);
    run_array(s, in, run);
    return true;
}

static void sliding_merged(const void *self, uint32_t i, uint64_t out[WINDOW_LABELS]) {
    const sliding *s = self;
    for (unsigned label = 0; label < WINDOW_LABELS; label++) out[label] = 0;
    for (uint32_t distance = 1; distance <= s->sizes[i]; distance++)
        for (unsigned label = 0; label < WINDOW_LABELS; label++) out[label] += s->merges[distance][label];
}

const window_model window_sliding = {sliding_create, sliding_run, sliding_merged, sliding_destroy};
