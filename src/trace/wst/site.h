/* What encoder and decoder remember of one static instruction within a block; both must update it alike. */
#ifndef WS_TRACE_WST_SITE_H
#define WS_TRACE_WST_SITE_H

#include "base/room.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A value that moves on by a constant step, with one departure forgiven: the step changes only when the same
 * new step is seen twice in a row, so that the jump back at a loop's restart does not cost a second error. */
typedef struct wst_walk {
    uint64_t last, step, candidate;
} wst_walk;

static inline uint64_t wst_walk_predict(const wst_walk *walk) {
    return walk->last + walk->step;
}

static inline void wst_walk_update(wst_walk *walk, uint64_t value) {
    uint64_t step = value - walk->last;
    if (step == walk->candidate) walk->step = step;
    walk->candidate = step;
    walk->last = value;
}

/* A value that walks from execution to execution within a warp, while its first value of each warp walks from warp to
 * warp. */
typedef struct wst_course {
    uint32_t warp;      /* serial number of the warp that executed it last */
    wst_walk execution; /* from execution to execution */
    wst_walk first;     /* of the first execution, from warp to warp */
} wst_course;

static inline uint64_t wst_course_predict(const wst_course *course, uint32_t warp) {
    return wst_walk_predict(course->warp == warp ? &course->execution : &course->first);
}

static inline void wst_course_update(wst_course *course, uint32_t warp, uint64_t value) {
    if (course->warp != warp) {
        course->warp = warp;
        wst_walk_update(&course->first, value);
        course->execution.last = value; /* the step is kept from the previous warp */
        return;
    }
    wst_walk_update(&course->execution, value);
}

typedef struct wst_site {
    uint32_t static_id;
    uint32_t next;      /* site that followed last time */
    bool has_addresses; /* set and used by the decoder only */
    uint64_t mask_in, mask_out;
    uint64_t stride; /* the last affine one */
    wst_course base; /* of its addresses */
} wst_site;

/* The sites of a block, in order of first use. */
typedef struct wst_sites {
    wst_site *at;
    uint32_t count;
    size_t room;
} wst_sites;

static inline bool wst_sites_add(wst_sites *sites, uint32_t static_id) {
    if (!WS_ROOM_FOR(sites->at, sites->room, sites->count + 1)) return false;
    sites->at[sites->count++] = (wst_site){.static_id = static_id, .mask_in = ~UINT64_C(0)};
    return true;
}

enum { WST_SITE_START = 0 }; /* pseudo-site before the first instruction of each warp */

enum {
    WST_ADDRESS_LIST = 1,   /* lanes follow in WST_COLUMN_LANE; else affine */
    WST_ADDRESS_STRIDE = 2, /* affine with another stride, which follows */
    WST_ADDRESS_BASE = 4,   /* the base's difference from its prediction follows */
    WST_ADDRESS_SCALED = 8, /* list differences are in units of WST_LIST_SCALE_B */
};

/* Differences from lane to lane are stored in words if all are whole words, as most data are. */
enum { WST_LIST_SCALE_B = 4 };

static inline uint64_t wst_site_predict_mask(const wst_site *site, uint64_t incoming) {
    return site->mask_in == incoming ? site->mask_out : incoming;
}

static inline void wst_site_update_mask(wst_site *site, uint64_t incoming, uint64_t mask) {
    site->mask_in = incoming;
    site->mask_out = mask;
}

#endif
