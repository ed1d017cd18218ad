/* Matrix transposition after Ruetsch and Micikevicius: naive, through local memory, through padded one; or, with
 * --columns, the naive one the other way round. */
#include "host.h"

#include <stdlib.h>
#include <string.h>

enum { N = 512, BLOCK_X = 32, BLOCK_Y = 8, ELEMENTS_PER_THREAD = 4 };

int main(int argc, char **argv) {
    const int n = N, by_columns = argc == 3 && strcmp(argv[1], "--columns") == 0;
    float *in = host_numbers(N * N, 1), *out = host_allocate(N * N, sizeof *out);
    double *expected = host_allocate(N * N, sizeof *expected);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) expected[j * N + i] = (double)in[i * N + j];

    host_open(argc - by_columns, argv + by_columns);
    host_memory device_in = host_buffer(sizeof(float) * N * N, in);
    const char *const kernels[] = {"transpose_naive", "transpose_shared", "transpose_padded",
                                   "transpose_columns"};
    for (size_t k = by_columns ? 3 : 0; k < (by_columns ? 4 : 3); k++) {
        host_memory device_out = host_buffer(sizeof(float) * N * N, NULL);
        HOST_LAUNCH(kernels[k], N, N / ELEMENTS_PER_THREAD, BLOCK_X, BLOCK_Y, HOST_ARG(device_in),
                    HOST_ARG(device_out), HOST_ARG(n));
        host_read(device_out, sizeof(float) * N * N, out);
        host_expect(kernels[k], out, expected, N * N);
    }
    host_close();
    free(in), free(out), free(expected);
    return EXIT_SUCCESS;
}
