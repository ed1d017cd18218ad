/* Harris' parallel reduction: one launch sums up by blocks, the host adds the few sums of the blocks. */
#include "host.h"

#include <stdlib.h>

enum { NUMBERS = 1 << 19, BLOCK = 256, BLOCKS = NUMBERS / (2 * BLOCK) };

int main(int argc, char **argv) {
    float *numbers = host_numbers(NUMBERS, 1), *sums = host_allocate(BLOCKS + 1, sizeof *sums);
    double *expected = host_allocate(BLOCKS + 1, sizeof *expected);
    for (size_t i = 0; i < NUMBERS; i++) {
        expected[i / (2 * BLOCK)] += (double)numbers[i];
        expected[BLOCKS] += (double)numbers[i];
    }

    host_open(argc, argv);
    host_memory device_numbers = host_buffer(sizeof(float) * NUMBERS, numbers);
    host_memory device_sums = host_buffer(sizeof(float) * BLOCKS, NULL);
    HOST_LAUNCH("reduction", NUMBERS / 2, 1, BLOCK, 1, HOST_ARG(device_numbers), HOST_ARG(device_sums));
    host_read(device_sums, sizeof(float) * BLOCKS, sums);
    host_close();

    for (size_t i = 0; i < BLOCKS; i++) sums[BLOCKS] += sums[i];
    host_expect("sums", sums, expected, BLOCKS + 1);
    free(numbers), free(sums), free(expected);
    return EXIT_SUCCESS;
}
