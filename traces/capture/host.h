/* What the host programs of the bundled kernels share: one device, seeded data, exact comparison. The device is reached
 * through OpenCL, for the capture, or through CUDA, to measure the same kernels on hardware (device.h).
 * Every failure prints a line and ends the program with status 1. */
#ifndef WARPSWEEP_CAPTURE_HOST_H
#define WARPSWEEP_CAPTURE_HOST_H

#include "random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Opens the device and loads the file of kernels that the command line names. After `--unshared` it is one that does
 * without local memory: its kernels are called as the others, and then _unshared. */
void host_open(int argc, char **argv);
bool host_is_unshared(void);
/* Releases everything, buffers included. */
void host_close(void);

/* A buffer of the device; kernels take it as an argument. */
typedef struct host_memory_on_device *host_memory;

/* A new buffer with `bytes` from `data`; zeros where `data` is NULL. */
host_memory host_buffer(size_t bytes, const void *data);
void host_write(host_memory buffer, size_t bytes, const void *data);
void host_read(host_memory buffer, size_t bytes, void *data);

typedef struct host_argument {
    size_t bytes;
    const void *value;
} host_argument;
#define HOST_ARG(variable) ((host_argument){sizeof(variable), &(variable)})

/* Runs a kernel over `threads` (x, y) in blocks of `block` (x, y) and waits for it. */
void host_launch(const char *kernel, const size_t threads[2], const size_t block[2],
                 const host_argument *arguments, size_t count);
#define HOST_LAUNCH(kernel, threads_x, threads_y, block_x, block_y, ...)                                     \
    host_launch(kernel, (const size_t[2]){threads_x, threads_y}, (const size_t[2]){block_x, block_y},        \
                (const host_argument[]){__VA_ARGS__},                                                        \
                sizeof((const host_argument[]){__VA_ARGS__}) / sizeof(host_argument))

/* Allocates `count` items, zeroed. */
void *host_allocate(size_t count, size_t item_bytes);
/* `count` whole numbers between -8 and 8. As long as every intermediate result stays below 2^24, single
 * precision computes with them exactly, in whatever order and with or without fused operations. */
float *host_numbers(size_t count, uint64_t seed);

/* Compares what the device computed with what plain C computed: equal, and exact (below 2^24). */
void host_expect(const char *what, const float *device, const double *expected, size_t count);
/* For programs that divide, where single precision rounds: equal but for `tolerance`, relative to `expected`. */
void host_expect_close(const char *what, const float *device, const double *expected, size_t count,
                       double tolerance);
void host_expect_ints(const char *what, const int32_t *device, const int32_t *expected, size_t count);

#endif
