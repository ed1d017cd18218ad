/* Two numbers side by side, for loops over lanes that compilers do not turn into vectors. */
#ifndef WS_BASE_PAIR_H
#define WS_BASE_PAIR_H

#include <stdint.h>

typedef uint64_t ws_pair __attribute__((vector_size(16)));
typedef uint64_t ws_pair_in __attribute__((vector_size(16), aligned(8))); /* in an array of numbers */

#endif
