#include "base/room.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM_MIN = 64 };

bool ws_grow(void *array, size_t *room, size_t need, size_t element_B) {
    size_t wanted = *room ? *room : ROOM_MIN;
    while (wanted < need) wanted *= 2;
    void *old, *grown;
    memcpy(&old, array, sizeof old); /* a pointer of another type */
    if (!(grown = realloc(old, wanted * element_B))) return false;
    memcpy(array, &grown, sizeof grown);
    *room = wanted;
    return true;
}

bool ws_grow_zeroed(void *array, size_t *room, size_t need, size_t element_B) {
    size_t before = *room;
    if (!ws_grow(array, room, need, element_B)) return false;
    uint8_t *grown;
    memcpy(&grown, array, sizeof grown);
    memset(grown + before * element_B, 0, (*room - before) * element_B);
    return true;
}
