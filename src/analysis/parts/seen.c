#include "analysis/parts/seen.h"

#include <stdlib.h>
#include <string.h>

enum { BITS_MIN = 3, BITS_MAX = 30, ENTRIES_PER_BUCKET = 2 };

void ws_seen_free(ws_seen *seen) {
    free(seen->entries);
    free(seen->buckets);
    *seen = (ws_seen){0};
}

static bool allocate(ws_seen *seen, uint32_t bits, unsigned stride) {
    size_t buckets = (size_t)1 << bits, room = buckets * ENTRIES_PER_BUCKET;
    size_t bytes = (room * stride * sizeof *seen->entries + 15) & ~(size_t)15;
    *seen = (ws_seen){.entries = aligned_alloc(16, bytes),
                      .buckets = malloc(buckets * sizeof *seen->buckets),
                      .bits = bits,
                      .room = (uint32_t)room};
    if (!seen->entries || !seen->buckets) {
        ws_seen_free(seen);
        return false;
    }
    memset(seen->buckets, 0xff, buckets * sizeof *seen->buckets);
    memset(seen->entries, 0, bytes);
    for (size_t i = 0; i < room; i++) seen->entries[i * stride + WS_SEEN_NEXT] = (uint32_t)i + 1;
    seen->entries[(room - 1) * stride + WS_SEEN_NEXT] = WS_SEEN_END;
    return true;
}

/* The number of entries that have not expired; all must be in use. */
static uint32_t count_live(const ws_seen *seen, unsigned stride, ws_seen_expired *expired,
                           const void *clock) {
    uint32_t live = 0;
    for (size_t i = 0; i < seen->room; i++)
        live += !expired(seen->entries + i * stride + WS_SEEN_PAYLOAD, clock);
    return live;
}

bool ws_seen_make_room(ws_seen *seen, unsigned stride, ws_seen_expired *expired, const void *clock) {
    if (seen->room == 0) return allocate(seen, BITS_MIN, stride);
    ws_seen old = *seen;
    uint32_t bits = old.bits + (count_live(&old, stride, expired, clock) > old.room / 2);
    if (bits > BITS_MAX || !allocate(seen, bits, stride)) {
        *seen = old;
        return false;
    }
    for (size_t i = 0; i < old.room; i++) {
        const uint32_t *entry = old.entries + i * stride;
        if (expired(entry + WS_SEEN_PAYLOAD, clock)) continue;
        uint32_t at = seen->free, *bucket = ws_seen_bucket(seen, entry[WS_SEEN_LINE]);
        uint32_t *moved = seen->entries + (size_t)at * stride;
        seen->free = moved[WS_SEEN_NEXT];
        memcpy(moved + WS_SEEN_LINE, entry + WS_SEEN_LINE, (stride - WS_SEEN_LINE) * sizeof *moved);
        moved[WS_SEEN_NEXT] = *bucket;
        *bucket = at;
    }
    ws_seen_free(&old);
    return true;
}
