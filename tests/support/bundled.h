/* Opens bundled traces, and checks their launches against what follows from the kernels' sources. */
#ifndef WS_TESTS_BUNDLED_H
#define WS_TESTS_BUNDLED_H

#include "warpsweep/trace.h"

#include <stdint.h>

/* Opens traces/`name`.wst and fails the test unless it passes its check; the caller closes it. */
ws_trace *bundled_open(const char *name);

/* What a launch must amount to, worked out by hand from the kernel's source. */
typedef struct bundled_launch {
    const char *kernel;
    ws_dim3 grid, block;
    uint64_t warps, memory_instructions, requests;
} bundled_launch;
void bundled_expect(const ws_trace *trace, uint32_t index, const bundled_launch *e);

/* The number of 128-byte lines that `count` consecutive words, from word `first` of an aligned buffer, lie in. */
uint64_t bundled_lines(uint64_t first, uint64_t count);

#endif
