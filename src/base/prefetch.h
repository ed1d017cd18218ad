/* Prefetches memory that will be read soon. */
#ifndef WS_BASE_PREFETCH_H
#define WS_BASE_PREFETCH_H

/* Starts the fetch. The empty statement keeps calls of functions that do nothing but prefetch: to GCC they have no
 * effect, and it would drop them. */
static inline void ws_prefetch(const void *memory) {
    __builtin_prefetch(memory);
    __asm__ volatile("");
}

#endif
