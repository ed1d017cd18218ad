/* What the system's pages cost. */
#ifndef WS_BASE_PAGES_H
#define WS_BASE_PAGES_H

#include <stddef.h>

/* Has free() keep memory for what is allocated next, rather than give it back to the system: to be called at the start
 * of a program that replays one design point after another, each of which would otherwise spend some 5 % of its time on
 * having pages cleared and mapped. */
void ws_pages_keep(void);

/* Memory for large tables with scattered look-ups: whole pages, huge ones where the system has them, since a look-up
 * would otherwise spend most of its time on translating the address. `size` zeroed bytes, NULL if out of memory. Freed
 * with free(). */
void *ws_pages_new(size_t size);

#endif
