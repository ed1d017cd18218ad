/* Memory for large tables with scattered look-ups: whole pages, huge ones where the system has them, since a look-up
 * would otherwise spend most of its time on translating the address. */
#ifndef WS_BASE_PAGES_H
#define WS_BASE_PAGES_H

#include <stddef.h>

/* `size` zeroed bytes, NULL if out of memory. Freed with free(). */
void *ws_pages_new(size_t size);

#endif
