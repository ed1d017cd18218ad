/* PolyBench's SYR2K: C = alpha A B' + alpha B A' + beta C. */
#include "host.h"

#include <stdlib.h>

enum { N = 128, M = 96, BLOCK_X = 32, BLOCK_Y = 8 };

static void reference(double alpha, double beta, const float *A, const float *B, const float *C,
                      double *result) {
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            result[i * N + j] = beta * (double)C[i * N + j];
            for (size_t k = 0; k < M; k++)
                result[i * N + j] += alpha * ((double)A[i * M + k] * (double)B[j * M + k] +
                                              (double)B[i * M + k] * (double)A[j * M + k]);
        }
}

int main(int argc, char **argv) {
    const int n = N, m = M;
    const float alpha = 3, beta = 2;
    float *A = host_numbers(N * M, 1), *B = host_numbers(N * M, 2), *C = host_numbers(N * N, 3);
    double *expected = host_allocate(N * N, sizeof *expected);
    reference((double)alpha, (double)beta, A, B, C, expected);

    host_open(argc, argv);
    host_memory device_A = host_buffer(sizeof(float) * N * M, A),
                device_B = host_buffer(sizeof(float) * N * M, B);
    host_memory device_C = host_buffer(sizeof(float) * N * N, C);
    HOST_LAUNCH("syr2k", N, N, BLOCK_X, BLOCK_Y, HOST_ARG(device_A), HOST_ARG(device_B), HOST_ARG(device_C),
                HOST_ARG(alpha), HOST_ARG(beta), HOST_ARG(n), HOST_ARG(m));
    host_read(device_C, sizeof(float) * N * N, C);
    host_close();

    host_expect("C", C, expected, N * N);
    free(A), free(B), free(C), free(expected);
    return EXIT_SUCCESS;
}
