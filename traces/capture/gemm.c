/* PolyBench's GEMM: C = alpha A B + beta C. */
#include "host.h"

#include <stdlib.h>

enum { NI = 128, NJ = 128, NK = 128, BLOCK_X = 32, BLOCK_Y = 8 };

static void reference(double alpha, double beta, const float *A, const float *B, const float *C,
                      double *result) {
    for (size_t i = 0; i < NI; i++)
        for (size_t j = 0; j < NJ; j++) {
            result[i * NJ + j] = beta * (double)C[i * NJ + j];
            for (size_t k = 0; k < NK; k++)
                result[i * NJ + j] += alpha * (double)A[i * NK + k] * (double)B[k * NJ + j];
        }
}

int main(int argc, char **argv) {
    const int ni = NI, nj = NJ, nk = NK;
    const float alpha = 3, beta = 2;
    float *A = host_numbers(NI * NK, 1), *B = host_numbers(NK * NJ, 2), *C = host_numbers(NI * NJ, 3);
    double *expected = host_allocate(NI * NJ, sizeof *expected);
    reference((double)alpha, (double)beta, A, B, C, expected);

    host_open(argc, argv);
    host_memory device_A = host_buffer(sizeof(float) * NI * NK, A);
    host_memory device_B = host_buffer(sizeof(float) * NK * NJ, B);
    host_memory device_C = host_buffer(sizeof(float) * NI * NJ, C);
    HOST_LAUNCH("gemm", NJ, NI, BLOCK_X, BLOCK_Y, HOST_ARG(device_A), HOST_ARG(device_B), HOST_ARG(device_C),
                HOST_ARG(alpha), HOST_ARG(beta), HOST_ARG(ni), HOST_ARG(nj), HOST_ARG(nk));
    host_read(device_C, sizeof(float) * NI * NJ, C);
    host_close();

    host_expect("C", C, expected, NI * NJ);
    free(A), free(B), free(C), free(expected);
    return EXIT_SUCCESS;
}
