/* An allocator for things that come and go in any order: an array that grows on demand and belongs to the caller. A
 * free place holds the number of the next free one. Numbers of places stay valid when the array grows, addresses do
 * not. */
#ifndef WS_TIMED_PLACES_H
#define WS_TIMED_PLACES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* All zero: no places. */
typedef struct ws_places {
    uint32_t room, free; /* number of places; the first free one + 1, or 0 */
} ws_places;

/* Doubles the room when no place is free; the first call makes `first` places. Returns the array's new address; NULL if
 * out of memory, when the old one stays valid. */
void *ws_places_grow(ws_places *places, void *array, size_t size, uint32_t first);

/* Takes a free place, of which there must be one; its content is for the caller to set. A place must have at least four
 * bytes. */
static inline uint32_t ws_places_take(ws_places *places, const void *array, size_t size) {
    uint32_t at = places->free - 1;
    memcpy(&places->free, (const char *)array + at * size, sizeof places->free);
    return at;
}

/* Frees a place; what it held is lost. */
static inline void ws_places_give(ws_places *places, void *array, size_t size, uint32_t at) {
    memcpy((char *)array + at * size, &places->free, sizeof places->free);
    places->free = at + 1;
}

#endif
