/* Miss status holding registers: who waits for which line or sector that is on its way. */
#ifndef WS_TIMED_MSHR_H
#define WS_TIMED_MSHR_H

#include <stdbool.h>
#include <stdint.h>

#define WS_MSHR_NONE UINT32_MAX

typedef struct ws_mshr_entry {
    uint64_t key;
    uint32_t chain;
    uint32_t first, last; /* waiting requests, linked by their owner through ws_mshr.next */
    uint32_t count;       /* requests, the first included */
    uint32_t way;         /* of the cache, where the data go */
    uint8_t parts;        /* replies that must still come */
} ws_mshr_entry;

typedef struct ws_mshr {
    uint32_t entries, merges, used;
    uint32_t bucket_mask, *bucket; /* entry + 1, 0 = none */
    ws_mshr_entry *entry;
    uint32_t free;
} ws_mshr;

bool ws_mshr_init(ws_mshr *mshr, uint32_t entries, uint32_t merges);
void ws_mshr_free(ws_mshr *mshr);

/* The entry for `key`, or WS_MSHR_NONE. */
uint32_t ws_mshr_find(const ws_mshr *mshr, uint64_t key);
static inline bool ws_mshr_is_full(const ws_mshr *mshr) {
    return mshr->used == mshr->entries;
}
/* A new entry for `key`; there is room. */
uint32_t ws_mshr_take(ws_mshr *mshr, uint64_t key, uint32_t way, uint8_t parts);
void ws_mshr_release(ws_mshr *mshr, uint32_t entry);

#endif
