/* Where lines were last met: a hash table from line numbers to small payloads that expire.
 *
 * Windows forget what lies outside them, so the table needs no removal: a look-up that walks a bucket removes the
 * expired entries that it meets. So memory follows what lies within the windows, not the footprint of the kernel. The
 * owner of the table defines when an entry has expired: see ws_seen_find(). */
#ifndef WS_ANALYSIS_PARTS_SEEN_H
#define WS_ANALYSIS_PARTS_SEEN_H

#include "base/inline.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    /* Words of an entry: */
    WS_SEEN_NEXT,    /* the next entry of its bucket or of the free list, or WS_SEEN_END */
    WS_SEEN_LINE,    /* its line */
    WS_SEEN_PAYLOAD, /* the first of the owner's words */
};
#define WS_SEEN_END UINT32_MAX

/* All zero is an empty table. */
typedef struct ws_seen {
    uint32_t *entries; /* `stride` words each, 16-byte aligned where the stride is a multiple of 4 */
    uint32_t *buckets; /* per bucket: its first entry, or WS_SEEN_END */
    uint32_t bits;     /* log2 of the number of buckets */
    uint32_t room;     /* entries that are allocated */
    uint32_t free;     /* first free entry, or WS_SEEN_END */
} ws_seen;

/* True if an entry with this payload can be forgotten; `clock` is what the owner passed. */
typedef bool ws_seen_expired(const uint32_t *payload, const void *clock);

void ws_seen_free(ws_seen *seen); /* leaves an empty table */

/* Makes room for at least one more entry: drops the expired ones, and grows if more than half have not expired. False
 * if out of memory. */
bool ws_seen_make_room(ws_seen *seen, unsigned stride, ws_seen_expired *expired, const void *clock);

static inline uint32_t *ws_seen_bucket(const ws_seen *seen, uint32_t line) {
    return &seen->buckets[(line * UINT32_C(0x9E3779B1)) >> (32 - seen->bits)];
}

/* Returns the payload of `line`. If the line is not in the table, it is inserted, with `*is_new` true and the payload
 * undefined. The payload may have expired without having been removed. NULL if out of memory. `expired` should be a
 * function that can be inlined. */
WS_INLINE uint32_t *ws_seen_find(ws_seen *seen, unsigned stride, uint32_t line, ws_seen_expired *expired,
                                 const void *clock, bool *is_new) {
    if (seen->room > 0) {
        uint32_t *link = ws_seen_bucket(seen, line);
        while (*link != WS_SEEN_END) {
            uint32_t at = *link, *entry = seen->entries + (size_t)at * stride;
            if (entry[WS_SEEN_LINE] == line) {
                *is_new = false;
                return entry + WS_SEEN_PAYLOAD;
            }
            if (expired(entry + WS_SEEN_PAYLOAD, clock)) {
                *link = entry[WS_SEEN_NEXT];
                entry[WS_SEEN_NEXT] = seen->free;
                seen->free = at;
            } else {
                link = &entry[WS_SEEN_NEXT];
            }
        }
    }
    if ((seen->room == 0 || seen->free == WS_SEEN_END) && !ws_seen_make_room(seen, stride, expired, clock))
        return NULL;
    uint32_t at = seen->free, *entry = seen->entries + (size_t)at * stride,
             *bucket = ws_seen_bucket(seen, line);
    seen->free = entry[WS_SEEN_NEXT];
    entry[WS_SEEN_NEXT] = *bucket;
    entry[WS_SEEN_LINE] = line;
    *bucket = at;
    *is_new = true;
    return entry + WS_SEEN_PAYLOAD;
}

#endif
