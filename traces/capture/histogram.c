/* A histogram of bytes with atomic increments, in global memory and in local memory. Half of the bytes are
 * small: sums of rolls of dice, so that some bins are crowded. */
#include "host.h"

#include <stdlib.h>

enum { WORDS = 1 << 16, BINS = 256, BLOCK = BINS, BLOCKS = 32 };

static uint32_t draw_byte(uint64_t *random) {
    if (host_random_below(random, 2)) return host_random_below(random, BINS);
    uint32_t sum = 0;
    for (int i = 0; i < 4; i++) sum += host_random_below(random, 6);
    return sum;
}

int main(int argc, char **argv) {
    const int words = WORDS;
    uint64_t random = 1;
    uint32_t *data = host_allocate(WORDS, sizeof *data);
    int32_t expected[BINS] = {0}, bins[BINS];
    for (size_t i = 0; i < WORDS; i++)
        for (int shift = 0; shift < 32; shift += 8) {
            const uint32_t byte = draw_byte(&random);
            data[i] |= byte << shift;
            expected[byte]++;
        }

    host_open(argc, argv);
    host_memory device_data = host_buffer(sizeof *data * WORDS, data);
    const char *kernels[] = {"histogram", "histogram_shared"};
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        host_memory device_bins = host_buffer(sizeof bins, NULL);
        HOST_LAUNCH(kernels[k], (size_t)BLOCK * BLOCKS, 1, BLOCK, 1, HOST_ARG(device_data),
                    HOST_ARG(device_bins), HOST_ARG(words));
        host_read(device_bins, sizeof bins, bins);
        host_expect_ints(kernels[k], bins, expected, BINS);
    }
    host_close();
    free(data);
    return EXIT_SUCCESS;
}
