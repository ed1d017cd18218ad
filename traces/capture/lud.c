/* Rodinia's LUD. The matrix is made as a product L U of small whole numbers, with powers of two as pivots, so
 * that its decomposition is L and U again, and exact in every step. */
#include "host.h"

#include <stdlib.h>

enum { N = 256, BLOCK = 16 };

/* L below the diagonal (its own is one), U on it and above. */
static float *draw_factors(void) {
    uint64_t random = 1;
    float *factors = host_allocate((size_t)N * N, sizeof *factors);
    for (size_t row = 0; row < N; row++)
        for (size_t column = 0; column < N; column++)
            factors[row * N + column] = row == column ? (float)(1 << host_random_below(&random, 3))
                                                      : (float)host_random_below(&random, 3) - 1.0F;
    return factors;
}

static float *multiply(const float *factors) {
    float *product = host_allocate((size_t)N * N, sizeof *product);
    for (size_t row = 0; row < N; row++)
        for (size_t column = 0; column < N; column++) {
            float sum = row <= column ? factors[row * N + column] : 0;
            for (size_t k = 0; k < row && k <= column; k++)
                sum += factors[row * N + k] * factors[k * N + column];
            product[row * N + column] = sum;
        }
    return product;
}

/* Doolittle's algorithm. */
static double *reference(const float *m) {
    double *a = host_allocate((size_t)N * N, sizeof *a);
    for (size_t i = 0; i < (size_t)N * N; i++) a[i] = (double)m[i];
    for (size_t k = 0; k < N; k++)
        for (size_t row = k + 1; row < N; row++) {
            a[row * N + k] /= a[k * N + k];
            for (size_t column = k + 1; column < N; column++)
                a[row * N + column] -= a[row * N + k] * a[k * N + column];
        }
    return a;
}

int main(int argc, char **argv) {
    const int n = N;
    const size_t count = (size_t)N * N;
    float *factors = draw_factors(), *m = multiply(factors);
    double *expected = reference(m);

    host_open(argc, argv);
    host_memory device_m = host_buffer(sizeof *m * count, m);
    for (int offset = 0; offset < N; offset += BLOCK) {
        const size_t blocks = (size_t)(N - offset) / BLOCK - 1; /* to the right, and below */
        HOST_LAUNCH("lud_diagonal", BLOCK, 1, BLOCK, 1, HOST_ARG(device_m), HOST_ARG(n), HOST_ARG(offset));
        if (!blocks) break;
        HOST_LAUNCH("lud_perimeter", 2 * BLOCK * blocks, 1, 2 * BLOCK, 1, HOST_ARG(device_m), HOST_ARG(n),
                    HOST_ARG(offset));
        HOST_LAUNCH("lud_internal", BLOCK * blocks, BLOCK * blocks, BLOCK, BLOCK, HOST_ARG(device_m),
                    HOST_ARG(n), HOST_ARG(offset));
    }
    host_read(device_m, sizeof *m * count, m);
    host_close();

    host_expect("factors", m, expected, count);
    free(factors), free(m), free(expected);
    return EXIT_SUCCESS;
}
