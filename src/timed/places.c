#include "timed/places.h"

#include <stdlib.h>

void *ws_places_grow(ws_places *places, void *array, size_t size, uint32_t first) {
    uint32_t room = places->room ? places->room * 2 : first;
    array = realloc(array, room * size);
    if (!array) return NULL;
    for (uint32_t at = room; at > places->room; at--) ws_places_give(places, array, size, at - 1);
    places->room = room;
    return array;
}
