#include "device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_MAX_B = 64 };

static bool is_unshared;

void host_open(int argc, char **argv) {
    is_unshared = argc == 3 && strcmp(argv[1], "--unshared") == 0;
    if (argc != 2 + is_unshared) {
        fprintf(stderr, "usage: %s [--unshared] KERNELS\n", argv[0]);
        exit(EXIT_FAILURE);
    }
    device_open(argv[argc - 1]);
}

bool host_is_unshared(void) {
    return is_unshared;
}

host_memory host_buffer(size_t bytes, const void *data) {
    host_memory buffer = device_allocate(bytes);
    void *zeros = data ? NULL : host_allocate(bytes, 1);
    host_write(buffer, bytes, data ? data : zeros);
    free(zeros);
    return buffer;
}

void host_launch(const char *kernel, const size_t threads[2], const size_t block[2],
                 const host_argument *arguments, size_t count) {
    char name[NAME_MAX_B];
    snprintf(name, sizeof name, "%s%s", kernel, is_unshared ? "_unshared" : "");
    device_launch(name, threads, block, arguments, count);
}

void *host_allocate(size_t count, size_t item_bytes) {
    void *items = calloc(count, item_bytes);
    if (items) return items;
    fputs("out of memory\n", stderr);
    exit(EXIT_FAILURE);
}

float *host_numbers(size_t count, uint64_t seed) {
    float *numbers = host_allocate(count, sizeof *numbers);
    for (size_t i = 0; i < count; i++) numbers[i] = (float)host_random_below(&seed, 17) - 8.0f;
    return numbers;
}

void host_expect(const char *what, const float *device, const double *expected, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if ((double)device[i] == expected[i] && fabs(expected[i]) < (1 << 24)) continue;
        fprintf(stderr, "%s[%zu]: the device computed %.9g, plain C %.17g\n", what, i, (double)device[i],
                expected[i]);
        exit(EXIT_FAILURE);
    }
}

void host_expect_close(const char *what, const float *device, const double *expected, size_t count,
                       double tolerance) {
    for (size_t i = 0; i < count; i++) {
        if (fabs((double)device[i] - expected[i]) <= tolerance * fabs(expected[i])) continue;
        fprintf(stderr, "%s[%zu]: the device computed %.9g, plain C %.17g, further apart than %g\n", what, i,
                (double)device[i], expected[i], tolerance);
        exit(EXIT_FAILURE);
    }
}

void host_expect_ints(const char *what, const int32_t *device, const int32_t *expected, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (device[i] == expected[i]) continue;
        fprintf(stderr, "%s[%zu]: the device computed %d, plain C %d\n", what, i, device[i], expected[i]);
        exit(EXIT_FAILURE);
    }
}
