/* A bundled trace, and what its kernels' sources say of a launch. */
#ifndef WS_TESTS_BUNDLED_H
#define WS_TESTS_BUNDLED_H

#include "warpsweep/trace.h"

#include <stdint.h>

/* traces/`name`.wst, checked; close it. */
ws_trace *bundled_open(const char *name);

/* What a launch must amount to. */
typedef struct bundled_launch {
    const char *kernel;
    ws_dim3 grid, block;
    uint64_t warps, memory_instructions, requests;
} bundled_launch;
void bundled_expect(const ws_trace *trace, uint32_t index, const bundled_launch *e);

/* 128-byte lines of `count` words that follow each other from word `first` of a buffer on. */
uint64_t bundled_lines(uint64_t first, uint64_t count);

#endif
