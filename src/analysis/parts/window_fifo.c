/* Window `fifo`: W tags per instance. A request whose line is tagged merges; otherwise it takes a tag, and the oldest
 * tag leaves if all are taken.
 *
 * Tags leave in the order in which they were taken, so a line is tagged as long as fewer than W tags have been taken
 * since its own. Two numbers tell this, so that no queue is kept. A full tag (merges_max) stays but matches no more;
 * the next request for its line takes another. Sizes do not depend on each other; an entry has the numbers for all of
 * them side by side, four to a vector. */
#include "analysis/parts/lanes.h"
#include "analysis/parts/seen.h"
#include "analysis/parts/window.h"

#include "base/inline.h"

#include <stdlib.h>
#include <string.h>

/* An entry of the table: its own two words (WS_SEEN_NEXT, WS_SEEN_LINE), two unused ones, then vectors over the sizes:
 * the number of the tag that the line took last, the warp of that tag's first member and, with a limit, the number of
 * its members. */
enum { HEAD_WORDS = WS_LANES };

/* Rows of counters of merges: with the same warp, with the same CTA (that warp included), with any. */
enum { ROW_WARP, ROW_CTA, ROW_ALL, ROWS };

typedef struct instance {
    ws_seen seen;
    uint32_t clock; /* upper bound of the tags that any size has taken */
} instance;

typedef struct fifo {
    uint32_t size_count, size_max, vectors; /* vectors: how many hold one number for each size */
    uint32_t warps_per_cta, clock_max;
    int32_t merges_max; /* requests per tag; INT32_MAX = unlimited */
    bool limited;
    ws_lanes *sizes;
    uint32_t instance_count;
    instance *instances;
    ws_lanes *taken; /* per instance and size: tags taken so far */
    /* Merges per row and size: `found`, of the last found_requests requests, in short counters; `merges`, the rest. */
    uint32_t found_requests;
    ws_lanes *found;
    uint64_t *merges;
} fifo;

static unsigned stride_of(const fifo *f) {
    return HEAD_WORDS + (f->limited ? 3 : 2) * f->vectors * WS_LANES;
}

static ws_lanes *vectors_of(uint32_t *payload) {
    return (ws_lanes *)(void *)(payload + HEAD_WORDS - WS_SEEN_PAYLOAD);
}

/* ---- life */

static void fifo_destroy(void *self) {
    fifo *f = self;
    if (!f) return;
    for (uint32_t i = 0; f->instances && i < f->instance_count; i++) ws_seen_free(&f->instances[i].seen);
    free(f->instances);
    free(f->sizes);
    free(f->taken);
    free(f->found);
    free(f->merges);
    free(f);
}

static ws_lanes *new_vectors(size_t count) {
    ws_lanes *vectors = aligned_alloc(sizeof(ws_lanes), (count + 1) * sizeof(ws_lanes));
    if (vectors) memset(vectors, 0, (count + 1) * sizeof(ws_lanes));
    return vectors;
}

static void *fifo_create(const window_setup *setup) {
    fifo *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->size_count = setup->size_count;
    f->vectors = (setup->size_count + WS_LANES - 1) / WS_LANES;
    f->warps_per_cta = setup->warps_per_cta;
    f->clock_max = setup->clock_max;
    f->limited = setup->merges_max != 0;
    f->merges_max = (int32_t)setup->merges_max;
    f->instance_count = setup->instances;
    f->instances = calloc(setup->instances, sizeof *f->instances);
    f->sizes = new_vectors(f->vectors);
    f->taken = new_vectors((size_t)f->vectors * setup->instances);
    f->found = new_vectors((size_t)f->vectors * ROWS);
    f->merges = calloc((size_t)f->vectors * WS_LANES * ROWS + 1, sizeof *f->merges);
    if (!f->instances || !f->sizes || !f->taken || !f->found || !f->merges) {
        fifo_destroy(f);
        return NULL;
    }
    for (uint32_t i = 0; i < setup->size_count; i++) {
        f->sizes[i / WS_LANES][i % WS_LANES] = (int32_t)setup->sizes[i];
        if (setup->sizes[i] > f->size_max) f->size_max = setup->sizes[i];
    }
    return f;
}

/* ---- one run */

/* The clock of expired(): what it needs beside the entry. */
typedef struct moment {
    const ws_lanes *sizes, *taken;
    uint32_t vectors;
} moment;

/* True if no size has a tag for the line. */
static inline bool expired(const uint32_t *payload, const void *clock) {
    const moment *m = clock;
    const ws_lanes *number = (const ws_lanes *)(const void *)(payload + HEAD_WORDS - WS_SEEN_PAYLOAD);
    ws_lanes tagged = {0};
    for (uint32_t v = 0; v < m->vectors; v++) tagged |= m->taken[v] - number[v] < m->sizes[v];
    return !ws_lanes_any(tagged);
}

WS_INLINE bool take_run(fifo *f, instance *in, const moment *m, ws_lanes *taken, const window_run *run,
                        bool limited) {
    const uint32_t vectors = f->vectors, stride = stride_of(f);
    ws_lanes *same_warp = f->found + ROW_WARP * vectors, *same_cta = f->found + ROW_CTA * vectors;
    ws_lanes *all = f->found + ROW_ALL * vectors;
    for (size_t i = 0; i < run->count; i++) {
        bool is_new;
        uint32_t *payload = ws_seen_find(&in->seen, stride, run->line[i], expired, m, &is_new);
        if (!payload) return false;
        ws_lanes *number = vectors_of(payload), *first = number + vectors, *members = first + vectors;
        if (is_new)
            for (uint32_t v = 0; v < vectors; v++) number[v] = taken[v] - m->sizes[v];
        int32_t warp = (int32_t)run->warp[i];
        int32_t cta_begin = (int32_t)(run->cta[i] * f->warps_per_cta),
                cta_end = cta_begin + (int32_t)f->warps_per_cta;
        for (uint32_t v = 0; v < vectors; v++) {
            ws_lanes merges = taken[v] - number[v] < m->sizes[v];
            if (limited) merges &= members[v] < f->merges_max;
            same_warp[v] -= merges & (first[v] == warp);
            same_cta[v] -= merges & (first[v] >= cta_begin) & (first[v] < cta_end);
            all[v] -= merges;
            taken[v] -= ~merges;
            number[v] = ws_lanes_choose(merges, number[v], taken[v]);
            first[v] = ws_lanes_choose(merges, first[v], warp - (ws_lanes){0});
            if (limited) members[v] = ws_lanes_choose(merges, members[v], (ws_lanes){0}) + 1;
        }
    }
    return true;
}

static uint64_t counted(const fifo *f, uint32_t row, uint32_t i) {
    return f->merges[row * f->vectors * WS_LANES + i] +
           (uint64_t)f->found[row * f->vectors + i / WS_LANES][i % WS_LANES];
}

/* Adds the short counters to the long ones; to be called before they overflow. */
static void add_found(fifo *f) {
    for (uint32_t i = 0; i < ROWS * f->vectors * WS_LANES; i++) {
        f->merges[i] += (uint64_t)f->found[i / WS_LANES][i % WS_LANES];
        f->found[i / WS_LANES][i % WS_LANES] = 0;
    }
    f->found_requests = 0;
}

/* ---- clocks */

static void forget_all(const fifo *f, instance *in, ws_lanes *taken) {
    for (uint32_t v = 0; v < f->vectors; v++) taken[v] += f->sizes[v];
    in->clock += f->size_max;
}

/* Renumbers tags as if each size had taken exactly as many as it has. An entry keeps its age, or, if it is older than
 * the window, becomes as old as it can be. */
static void renumber(const fifo *f, instance *in, ws_lanes *taken) {
    for (uint32_t i = 0; i < in->seen.room; i++) {
        ws_lanes *number = vectors_of(in->seen.entries + (size_t)i * stride_of(f) + WS_SEEN_PAYLOAD);
        for (uint32_t v = 0; v < f->vectors; v++) {
            ws_lanes age = taken[v] - number[v];
            number[v] = ws_lanes_choose(age < f->sizes[v], f->sizes[v] - age, (ws_lanes){0});
        }
    }
    memcpy(taken, f->sizes, f->vectors * sizeof *taken);
    in->clock = f->size_max;
}

static bool fifo_run(void *self, const window_run *run) {
    fifo *f = self;
    instance *in = &f->instances[run->instance];
    ws_lanes *taken = f->taken + (size_t)run->instance * f->vectors;
    moment m = {f->sizes, taken, f->vectors};
    if (run->fresh) forget_all(f, in, taken);
    if (in->clock >= f->clock_max) renumber(f, in, taken);
    if (f->found_requests >= f->clock_max) add_found(f);
    in->clock += (uint32_t)run->count;
    f->found_requests += (uint32_t)run->count;
    return f->limited ? take_run(f, in, &m, taken, run, true) : take_run(f, in, &m, taken, run, false);
}

static void fifo_merged(const void *self, uint32_t i, uint64_t out[WINDOW_LABELS]) {
    const fifo *f = self;
    out[WINDOW_SAME_WARP] = counted(f, ROW_WARP, i);
    out[WINDOW_SAME_CTA] = counted(f, ROW_CTA, i) - counted(f, ROW_WARP, i);
    out[WINDOW_OTHER_CTA] = counted(f, ROW_ALL, i) - counted(f, ROW_CTA, i);
}

const window_model window_fifo = {fifo_create, fifo_run, fifo_merged, fifo_destroy};
