/* Window `sliding`: a request merges if its line occurred among the previous W requests of the instance. The distance
 * to the last occurrence answers for every W at once.
 *
 * Where each line last occurred is kept in an array over all lines while that is small, because nothing is faster;
 * after that in a table of the lines within the largest window. */
#include "analysis/parts/last_met.h"
#include "analysis/parts/seen.h"
#include "analysis/parts/window.h"
#include "base/bits.h"
#include "base/pages.h"

#include <stdlib.h>
#include <string.h>

typedef struct instance {
    /* position of the last request; it starts above size_max, so that position 0 lies outside all windows */
    uint32_t clock;
    bool tabled;
    /* Array: */
    uint32_t *last;      /* per line: position of its last occurrence, 0 = none */
    uint32_t line_count; /* length of `last`, a power of two */
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
    size_t instance_lines; /* the most lines of an instance's array: a power of two, or 0 */
    uint32_t instance_count;
    instance *instances;
    uint64_t (*merges)[WINDOW_LABELS]; /* per distance to the last occurrence, 0 .. size_max */
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
    s->instance_lines = ws_floor_to_power(setup->arrays_B / setup->instances / sizeof *s->instances->last);
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

/* Moves the lines within the largest window from the array to the table. */
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

/* Makes the array long enough for `line`; false if out of memory. */
static bool reach_line(const sliding *s, instance *in, uint32_t line) {
    size_t count = in->line_count ? in->line_count : 1;
    while (count <= line) count *= 2;
    uint32_t *last = ws_pages_new(count * sizeof *last);
    if (!last) return false;
    if (in->last) memcpy(last, in->last, in->line_count * sizeof *last);
    free(in->last);
    in->last = last;
    in->line_count = (uint32_t)count;
    if (!in->warps) in->warps = malloc(s->ring_size * sizeof *in->warps);
    return in->warps != NULL;
}

/* Keeps the warps of the run's last requests in the ring, as many as it holds. */
static void put_in_ring(const sliding *s, instance *in, const uint32_t *warps, size_t count) {
    size_t kept = count < s->ring_size ? count : s->ring_size;
    warps += count - kept;
    uint32_t at = (in->clock + 1 + (uint32_t)(count - kept)) & (s->ring_size - 1);
    size_t head = s->ring_size - at < kept ? s->ring_size - at : kept;
    memcpy(in->warps + at, warps, head * sizeof *warps);
    memcpy(in->warps, warps + head, (kept - head) * sizeof *warps);
}

/* Counts the merges among the first `count` requests, which often are the smaller part. */
static void count_merges(sliding *s, const instance *in, const window_run *run, size_t count,
                         uint32_t *position) {
    uint32_t now = in->clock + 1;
    memset(position + count, 0, WS_RECENT * sizeof *position); /* no occurrence, no merge */
    for (size_t begin = 0; begin < count; begin += WS_RECENT) {
        uint64_t merging = ws_recent(position + begin, now + (uint32_t)begin - s->size_max);
        for (; merging; merging &= merging - 1) {
            size_t i = begin + (unsigned)__builtin_ctzll(merging);
            uint32_t distance = now + (uint32_t)i - position[i];
            uint32_t earlier =
                distance <= i ? run->warp[i - distance] : in->warps[position[i] & (s->ring_size - 1)];
            s->merges[distance][window_label(run->warp[i], run->cta[i], earlier, s->warps_per_cta)]++;
        }
    }
}

/* Takes requests up to the first one that the array has no room for, which must not be the run's first; returns their
 * number. */
static size_t run_array(sliding *s, instance *in, const window_run *run) {
    uint32_t position[WS_BATCH_MAX + WS_RECENT];
    size_t count = ws_meet(in->last, in->line_count, in->clock + 1, run->line, run->count, position);
    count_merges(s, in, run, count, position);
    put_in_ring(s, in, run->warp, count);
    in->clock += (uint32_t)count;
    return count;
}

/* ---- both */

/* Lowers all positions by a multiple of the ring's size, so that they do not overflow and keep their places in it. */
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

/* The requests of a run from `at` on. */
static window_run rest_of(const window_run *run, size_t at) {
    return (window_run){
        .count = run->count - at, .line = run->line + at, .warp = run->warp + at, .cta = run->cta + at};
}

static bool sliding_run(void *self, const window_run *run) {
    sliding *s = self;
    instance *in = &s->instances[run->instance];
    if (run->fresh) in->clock += s->size_max + 1;
    if (in->clock >= s->clock_max) renumber(s, in);
    for (size_t at = 0; at < run->count;) {
        window_run rest = rest_of(run, at);
        if (in->tabled) return run_table(s, in, &rest);
        if (rest.line[0] < in->line_count)
            at += run_array(s, in, &rest);
        else if (!(rest.line[0] < s->instance_lines ? reach_line(s, in, rest.line[0])
                                                    : change_to_table(s, in)))
            return false;
    }
    return true;
}

static void sliding_merged(const void *self, uint32_t i, uint64_t out[WINDOW_LABELS]) {
    const sliding *s = self;
    for (unsigned label = 0; label < WINDOW_LABELS; label++) out[label] = 0;
    for (uint32_t distance = 1; distance <= s->sizes[i]; distance++)
        for (unsigned label = 0; label < WINDOW_LABELS; label++) out[label] += s->merges[distance][label];
}

const window_model window_sliding = {sliding_create, sliding_run, sliding_merged, sliding_destroy};
