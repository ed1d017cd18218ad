#include "analysis/parts/reuse.h"

#include "analysis/parts/last_met.h"
#include "analysis/parts/seen.h"
#include "base/bits.h"
#include "base/pages.h"

#include <stdlib.h>
#include <string.h>

enum {
    STRIDE = WS_SEEN_PAYLOAD + 1,
    LENGTHS = 33,
    /* in the time in which WS_RECENT accesses are compared with a limit, this many can be counted one by one */
    EACH_PER_LIMIT = 2
};

/* Where each block was last accessed is kept in an array over all blocks while that is small, because nothing is
 * faster; after that in a table of the blocks within the largest window. */
typedef struct instance {
    /* position of the last access; it starts above the largest window, so that position 0 lies outside */
    uint32_t clock;
    bool tabled;
    uint32_t *last; /* per block: position of its last access, 0 = none */
    uint32_t room;  /* of `last`, a power of two */
    ws_seen seen;
} instance;

struct ws_reuse {
    size_t window_count;
    uint32_t *windows; /* as they were asked for */
    uint32_t *limits;  /* the same in ascending order, then UINT32_MAX */
    uint32_t reach;    /* the largest window */
    uint32_t clock_max, instance_count;
    size_t instance_blocks; /* the most blocks of an instance's array: a power of two, or 0 */
    instance *instances;
    /* per bit length of (distance - 1): the first limit that can be as large as the distance */
    uint32_t first[LENGTHS];
    uint64_t *counts; /* per limit: the number of distances up to it and above the limit before */
};

/* ---- life */

static int ascending(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_windows(ws_reuse *r, const uint32_t *windows) {
    memcpy(r->windows, windows, r->window_count * sizeof *windows);
    memcpy(r->limits, windows, r->window_count * sizeof *windows);
    qsort(r->limits, r->window_count, sizeof *r->limits, ascending);
    r->limits[r->window_count] = UINT32_MAX;
    r->reach = r->limits[r->window_count - 1];
    for (uint32_t length = 0, at = 0; length < LENGTHS; length++) {
        uint64_t shortest = length == 0 ? 1 : (UINT64_C(1) << (length - 1)) + 1;
        while (r->limits[at] < shortest) at++;
        r->first[length] = at;
    }
}

ws_reuse *ws_reuse_new(const ws_reuse_setup *setup) {
    ws_reuse *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->window_count = setup->window_count;
    r->clock_max = setup->clock_max;
    r->instance_count = setup->instances;
    r->instance_blocks = ws_floor_to_power(setup->arrays_B / setup->instances / sizeof *r->instances->last);
    r->windows = malloc(setup->window_count * sizeof *r->windows);
    r->limits = malloc((setup->window_count + 1) * sizeof *r->limits);
    r->instances = calloc(setup->instances, sizeof *r->instances);
    r->counts = calloc(setup->window_count, sizeof *r->counts);
    if (!r->windows || !r->limits || !r->instances || !r->counts) {
        ws_reuse_free(r);
        return NULL;
    }
    sort_windows(r, setup->windows);
    for (uint32_t i = 0; i < setup->instances; i++)
        r->instances[i] = (instance){.clock = r->reach + 1, .tabled = r->instance_blocks == 0};
    return r;
}

void ws_reuse_free(ws_reuse *r) {
    if (!r) return;
    for (uint32_t i = 0; r->instances && i < r->instance_count; i++) {
        free(r->instances[i].last);
        ws_seen_free(&r->instances[i].seen);
    }
    free(r->counts);
    free(r->instances);
    free(r->windows);
    free(r->limits);
    free(r);
}

/* ---- table */

typedef struct moment {
    uint32_t now, reach;
} moment;

static bool expired(const uint32_t *payload, const void *clock) {
    const moment *m = clock;
    return m->now - payload[0] > m->reach;
}

/* Meets the blocks; `position` gets where each was last accessed, 0: not within the largest window. */
static bool meet_in_table(const ws_reuse *r, instance *in, const uint32_t *block, size_t count,
                          uint32_t *position) {
    moment m = {in->clock, r->reach};
    for (size_t i = 0; i < count; i++) {
        m.now++;
        bool is_new;
        uint32_t *seen = ws_seen_find(&in->seen, STRIDE, block[i], expired, &m, &is_new);
        if (!seen) return false;
        position[i] = is_new ? 0 : *seen;
        *seen = m.now;
    }
    return true;
}

/* Moves the blocks within the largest window from the array to the table. */
static bool change_to_table(const ws_reuse *r, instance *in) {
    moment m = {in->clock, r->reach};
    for (uint32_t block = 0; block < in->room; block++) {
        if (m.now - in->last[block] >= r->reach) continue;
        bool is_new;
        uint32_t *seen = ws_seen_find(&in->seen, STRIDE, block, expired, &m, &is_new);
        if (!seen) return false;
        *seen = in->last[block];
    }
    free(in->last);
    in->last = NULL;
    in->room = 0;
    in->tabled = true;
    return true;
}

/* ---- array */

static bool reach_block(instance *in, uint32_t block) {
    size_t room = in->room ? in->room : 1;
    while (room <= block) room *= 2;
    uint32_t *last = ws_pages_new(room * sizeof *last);
    if (!last) return false;
    if (in->last) memcpy(last, in->last, in->room * sizeof *last);
    free(in->last);
    in->last = last;
    in->room = (uint32_t)room;
    return true;
}

/* ---- both */

/* Counts the accesses at now, now + 1 .. whose bits are set in `recent`, one by one. */
static void count_each(ws_reuse *r, uint64_t recent, const uint32_t position[WS_RECENT], uint32_t now) {
    for (; recent; recent &= recent - 1) {
        unsigned i = (unsigned)__builtin_ctzll(recent);
        uint32_t distance = now + i - position[i];
        uint32_t at = r->first[31 - (unsigned)__builtin_clz((distance - 1) << 1 | 1)];
        while (r->limits[at] < distance) at++;
        r->counts[at]++;
    }
}

/* Counts the same accesses a limit at a time, from the largest down. */
static void count_together(ws_reuse *r, uint64_t recent, const uint32_t position[WS_RECENT], uint32_t now) {
    unsigned within = (unsigned)__builtin_popcountll(recent);
    for (size_t at = r->window_count; at-- > 0 && within > 0;) {
        unsigned below = 0;
        if (at > 0) below = (unsigned)__builtin_popcountll(ws_recent(position, now - r->limits[at - 1]));
        r->counts[at] += within - below;
        within = below;
    }
}

/* Counts the accesses at now, now + 1 .. whose block was accessed within the largest window, which often are the
 * smaller part. `position` must have room for WS_RECENT more. */
static void count_distances(ws_reuse *r, uint32_t now, uint32_t *position, size_t count) {
    memset(position + count, 0, WS_RECENT * sizeof *position); /* no access, no distance */
    for (size_t begin = 0; begin < count; begin += WS_RECENT, now += WS_RECENT, position += WS_RECENT) {
        uint64_t recent = ws_recent(position, now - r->reach);
        if ((size_t)__builtin_popcountll(recent) < EACH_PER_LIMIT * (r->window_count - 1))
            count_each(r, recent, position, now);
        else
            count_together(r, recent, position, now);
    }
}

/* Lowers all positions as far as possible, so that they do not overflow. */
static void renumber(const ws_reuse *r, instance *in) {
    uint32_t off = in->clock - r->reach - 1;
    for (uint32_t i = 0; i < in->room; i++) in->last[i] = in->last[i] > off ? in->last[i] - off : 0;
    for (uint32_t i = 0; i < in->seen.room; i++) {
        uint32_t *position = in->seen.entries + (size_t)i * STRIDE + WS_SEEN_PAYLOAD;
        *position = *position > off ? *position - off : 0;
    }
    in->clock -= off;
}

/* Takes accesses up to the first one that the array has no room for; with the table, all. Returns their number; 0 if
 * out of memory. */
static size_t take(ws_reuse *r, instance *in, const uint32_t *block, size_t count) {
    uint32_t position[WS_REUSE_RUN_MAX + WS_RECENT];
    if (!in->tabled && *block >= in->room &&
        !(*block < r->instance_blocks ? reach_block(in, *block) : change_to_table(r, in)))
        return 0;
    if (!in->tabled)
        count = ws_meet(in->last, in->room, in->clock + 1, block, count, position);
    else if (!meet_in_table(r, in, block, count, position))
        return 0;
    count_distances(r, in->clock + 1, position, count);
    in->clock += (uint32_t)count;
    return count;
}

bool ws_reuse_run(ws_reuse *r, uint32_t number, bool fresh, const uint32_t *block, size_t count) {
    instance *in = &r->instances[number];
    if (fresh) in->clock += r->reach + 1;
    if (in->clock >= r->clock_max) renumber(r, in);
    for (size_t taken; count > 0; block += taken, count -= taken)
        if ((taken = take(r, in, block, count)) == 0) return false;
    return true;
}

uint64_t ws_reuse_within(const ws_reuse *r, size_t i) {
    uint64_t sum = 0;
    for (size_t at = 0; at < r->window_count && r->limits[at] <= r->windows[i]; at++) sum += r->counts[at];
    return sum;
}
