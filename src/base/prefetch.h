/* Memory that will be looked at soon. */
#ifndef WS_BASE_PREFETCH_H
#define WS_BASE_PREFETCH_H

/* Has it fetched. The empty statement keeps functions that do nothing else: to GCC they have no effect, and it drops
 * their calls. */
static inline void ws_prefetch(const void *memory) {
    __builtin_prefetch(memory);
    __asm__ volatile("");
}

#endif
