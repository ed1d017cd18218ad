/* PolyBench's 2DCONV: a convolution with a matrix of 3 x 3. */
#include "host.h"

#include <stdlib.h>

enum { N = 512, BLOCK_X = 32, BLOCK_Y = 8 };

static void reference(const float *A, double *B) {
    static const int coefficients[3][3] = {{2, 5, -8}, {-3, 6, -9}, {4, 7, 1}};
    for (size_t i = 1; i < N - 1; i++)
        for (size_t j = 1; j < N - 1; j++)
            for (size_t k = 0; k < 9; k++)
                B[i * N + j] += coefficients[k / 3][k % 3] * (double)A[(i + k / 3 - 1) * N + j + k % 3 - 1];
}

int main(int argc, char **argv) {
    const int n = N;
    float *A = host_numbers(N * N, 1), *B = host_allocate(N * N, sizeof *B);
    double *expected = host_allocate(N * N, sizeof *expected);
    reference(A, expected);

    host_open(argc, argv);
    host_memory device_A = host_buffer(sizeof(float) * N * N, A),
                device_B = host_buffer(sizeof(float) * N * N, NULL);
    HOST_LAUNCH("conv2d", N, N, BLOCK_X, BLOCK_Y, HOST_ARG(device_A), HOST_ARG(device_B), HOST_ARG(n),
                HOST_ARG(n));
    host_read(device_B, sizeof(float) * N * N, B);
    host_close();

    host_expect("B", B, expected, N * N);
    free(A), free(B), free(expected);
    return EXIT_SUCCESS;
}
