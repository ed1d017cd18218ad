/* Arrays that grow, by doubling, as elements are added. */
#ifndef WS_BASE_ROOM_H
#define WS_BASE_ROOM_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for `need` elements in `array`, a pointer that is NULL at first; `room`, a size_t, says how many there is
 * room for. False if memory runs out: nothing has changed then. The arguments are evaluated more than once. */
#define WS_ROOM_FOR(array, room, need) ((need) <= (room) || ws_grow(&(array), &(room), need, sizeof *(array)))

/* The same; elements that nobody has written yet are zero. */
#define WS_ZEROED_ROOM_FOR(array, room, need)                                                                \
    ((need) <= (room) || ws_grow_zeroed(&(array), &(room), need, sizeof *(array)))

/* `array`: address of the pointer. */
bool ws_grow(void *array, size_t *room, size_t need, size_t element_B);
bool ws_grow_zeroed(void *array, size_t *room, size_t need, size_t element_B);

#endif
