/* Large tables that are looked up all over: whole pages, huge ones where the system has them, since most of such a
 * look-up's time is otherwise the walk to the address. */
#ifndef WS_BASE_PAGES_H
#define WS_BASE_PAGES_H

#include <stddef.h>

/* `size` zeroed bytes, NULL if out of memory. Freed with free(). */
void *ws_pages_new(size_t size);

#endif
