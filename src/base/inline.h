/* Functions that are inlined wherever they are called, even if the compiler deems that too large. */
#ifndef WS_BASE_INLINE_H
#define WS_BASE_INLINE_H

#define WS_INLINE static inline __attribute__((always_inline))

#endif
