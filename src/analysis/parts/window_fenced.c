/* Window `fifo` with fences: as in window_fifo.c, and a warp's store, atomic or reduction evicts the tags that hold a
 * load of that warp (WP 3.8). So tags can leave from anywhere: they are kept in a list, the oldest first, and each warp
 * has a list of the tags that it is in. */
#include "analysis/parts/seen.h"
#include "analysis/parts/window.h"

#include <stdlib.h>
#include <string.h>

enum { TAGS_MIN = 4, HELD_MIN = 8 };
#define NO_TAG UINT32_MAX

typedef struct tag {
    uint64_t serial;       /* number of the tag in the order in which tags are taken, from 1; 0: free */
    uint64_t mark;         /* for compact() */
    uint32_t older, newer; /* neighbours in the list; `newer` links free tags */
    uint32_t first;        /* warp of its first member */
    uint32_t members;      /* the number of requests */
} tag;

/* A tag that a warp is in. The tag may have left the window since: then its serial is another. */
typedef struct held {
    uint64_t serial;
    uint32_t tag;
} held;

/* The tags that the warp in a warp slot is in. */
typedef struct holder {
    uint32_t warp; /* its number + 1; if another warp is in the slot now, the list is void */
    uint32_t count, room;
    held *tags;
} holder;

/* The window of one instance and size. */
typedef struct window {
    uint32_t used, room; /* the number of tags taken; allocated */
    tag *tags;
    uint32_t oldest, newest, free;
    uint64_t serial, mark; /* the last ones used */
    ws_seen seen;          /* from a line to the tag that it took last */
    holder *holders;
} window;

enum { PAYLOAD_TAG, PAYLOAD_SERIAL, STRIDE = WS_SEEN_PAYLOAD + PAYLOAD_SERIAL + 2 };

typedef struct fenced {
    uint32_t size_count, *sizes;
    uint32_t holder_count, sms_per_cluster, warps_per_cta;
    uint32_t merges_max; /* requests per tag; UINT32_MAX = unlimited */
    bool stream_all;
    size_t window_count;
    window *windows;                   /* per instance and size */
    uint64_t (*merges)[WINDOW_LABELS]; /* per size */
} fenced;

/* ---- life */

static void fenced_destroy(void *self) {
    fenced *f = self;
    if (!f) return;
    for (size_t i = 0; f->windows && i < f->window_count; i++) {
        window *w = &f->windows[i];
        for (uint32_t h = 0; w->holders && h < f->holder_count; h++) free(w->holders[h].tags);
        free(w->holders);
        free(w->tags);
        ws_seen_free(&w->seen);
    }
    free(f->windows);
    free(f->merges);
    free(f->sizes);
    free(f);
}

static void *fenced_create(const window_setup *setup) {
    fenced *f = calloc(1, sizeof *f);
    if (!f) return NULL;
    f->size_count = setup->size_count;
    f->holder_count = setup->sms_per_cluster * WS_SLOTS;
    f->sms_per_cluster = setup->sms_per_cluster;
    f->warps_per_cta = setup->warps_per_cta;
    f->merges_max = setup->merges_max ? setup->merges_max : UINT32_MAX;
    f->stream_all = setup->stream_all;
    f->window_count = (size_t)setup->instances * setup->size_count;
    f->windows = calloc(f->window_count + 1, sizeof *f->windows);
    f->merges = calloc((size_t)setup->size_count + 1, sizeof *f->merges);
    f->sizes = malloc((setup->size_count + 1) * sizeof *f->sizes);
    if (!f->windows || !f->merges || !f->sizes) {
        fenced_destroy(f);
        return NULL;
    }
    memcpy(f->sizes, setup->sizes, setup->size_count * sizeof *f->sizes);
    for (size_t i = 0; i < f->window_count; i++)
        f->windows[i].oldest = f->windows[i].newest = f->windows[i].free = NO_TAG;
    return f;
}

/* ---- tags */

static bool grow_tags(window *w, uint32_t size) {
    uint32_t room = w->room ? w->room * 2 : TAGS_MIN;
    if (room > size) room = size;
    tag *tags = realloc(w->tags, room * sizeof *tags);
    if (!tags) return false;
    w->tags = tags;
    for (uint32_t t = w->room; t < room; t++) {
        tags[t] = (tag){.newer = w->free};
        w->free = t;
    }
    w->room = room;
    return true;
}

static void evict(window *w, uint32_t t) {
    tag *tags = w->tags;
    uint32_t older = tags[t].older, newer = tags[t].newer;
    *(older == NO_TAG ? &w->oldest : &tags[older].newer) = newer;
    *(newer == NO_TAG ? &w->newest : &tags[newer].older) = older;
    tags[t].serial = 0;
    tags[t].newer = w->free;
    w->free = t;
    w->used--;
}

/* Takes a tag for a request of `warp`, as the newest; evicts the oldest if all are taken. NO_TAG if out of memory. */
static uint32_t take(window *w, uint32_t size, uint32_t warp) {
    if (w->used == size) evict(w, w->oldest);
    if (w->free == NO_TAG && !grow_tags(w, size)) return NO_TAG;
    uint32_t t = w->free;
    w->free = w->tags[t].newer;
    w->tags[t] =
        (tag){.serial = ++w->serial, .older = w->newest, .newer = NO_TAG, .first = warp, .members = 1};
    *(w->newest == NO_TAG ? &w->oldest : &w->tags[w->newest].newer) = t;
    w->newest = t;
    w->used++;
    return t;
}

/* ---- lines */

static uint64_t serial_of(const uint32_t *payload) {
    uint64_t serial;
    memcpy(&serial, payload + PAYLOAD_SERIAL, sizeof serial);
    return serial;
}

/* True if the line's tag has left the window. */
static bool expired(const uint32_t *payload, const void *clock) {
    const window *w = clock;
    return w->tags[payload[PAYLOAD_TAG]].serial != serial_of(payload);
}

static void remember(window *w, uint32_t *payload, uint32_t t) {
    payload[PAYLOAD_TAG] = t;
    memcpy(payload + PAYLOAD_SERIAL, &w->tags[t].serial, sizeof w->tags[t].serial);
}

/* ---- tags that warps are in */

static holder *holder_of(const fenced *f, window *w, const window_run *run, size_t i) {
    if (!w->holders) w->holders = calloc(f->holder_count, sizeof *w->holders);
    if (!w->holders) return NULL;
    holder *h = &w->holders[run->sm[i] % f->sms_per_cluster * WS_SLOTS + run->slot[i]];
    if (h->warp != run->warp[i] + 1)
        *h = (holder){.warp = run->warp[i] + 1, .room = h->room, .tags = h->tags};
    return h;
}

/* Removes tags that have left, and duplicates, from a warp's list. */
static void compact(window *w, holder *h) {
    uint32_t count = 0;
    w->mark++;
    for (uint32_t i = 0; i < h->count; i++) {
        tag *t = &w->tags[h->tags[i].tag];
        if (t->serial != h->tags[i].serial || t->mark == w->mark) continue;
        t->mark = w->mark;
        h->tags[count++] = h->tags[i];
    }
    h->count = count;
}

static bool hold(window *w, holder *h, uint32_t t) {
    if (h->count == h->room) {
        compact(w, h);
        if (h->count * 2 >= h->room) {
            uint32_t room = h->room ? h->room * 2 : HELD_MIN;
            held *tags = realloc(h->tags, room * sizeof *tags);
            if (!tags) return false;
            h->tags = tags;
            h->room = room;
        }
    }
    h->tags[h->count++] = (held){w->tags[t].serial, t};
    return true;
}

static void fence(window *w, holder *h) {
    for (uint32_t i = 0; i < h->count; i++)
        if (w->tags[h->tags[i].tag].serial == h->tags[i].serial) evict(w, h->tags[i].tag);
    h->count = 0;
}

/* ---- requests */

/* Enters request `i` of the run into the window of one size. False if out of memory. */
static bool enter(fenced *f, window *w, uint32_t size_index, const window_run *run, size_t i, holder *h) {
    bool is_new;
    uint32_t *payload = ws_seen_find(&w->seen, STRIDE, run->line[i], expired, w, &is_new), t;
    if (!payload) return false;
    if (!is_new && !expired(payload, w) && w->tags[payload[PAYLOAD_TAG]].members < f->merges_max) {
        t = payload[PAYLOAD_TAG];
        w->tags[t].members++;
        f->merges[size_index][window_label(run->warp[i], run->cta[i], w->tags[t].first, f->warps_per_cta)]++;
    } else {
        t = take(w, f->sizes[size_index], run->warp[i]);
        if (t == NO_TAG) return false;
        remember(w, payload, t);
    }
    return run->op[i] != WS_MEMORY_LOAD || hold(w, h, t);
}

static void forget_all(window *w) {
    while (w->oldest != NO_TAG) evict(w, w->oldest);
}

static bool fenced_run(void *self, const window_run *run) {
    fenced *f = self;
    for (uint32_t k = 0; k < f->size_count; k++) {
        window *w = &f->windows[(size_t)run->instance * f->size_count + k];
        if (f->sizes[k] == 0) continue; /* no tags, no merges */
        if (run->fresh) forget_all(w);
        for (size_t i = 0; i < run->count; i++) {
            holder *h = holder_of(f, w, run, i);
            if (!h) return false;
            if (run->op[i] != WS_MEMORY_LOAD) fence(w, h);
            bool enters = run->op[i] == WS_MEMORY_LOAD || f->stream_all;
            if (enters && !enter(f, w, k, run, i, h)) return false;
        }
    }
    return true;
}

static void fenced_merged(const void *self, uint32_t i, uint64_t out[WINDOW_LABELS]) {
    const fenced *f = self;
    memcpy(out, f->merges[i], sizeof f->merges[i]);
}

const window_model window_fenced = {fenced_create, fenced_run, fenced_merged, fenced_destroy};
