/* PolyBench's MVT: x1 += A y1, x2 += A' y2. */
#include "host.h"

#include <stdlib.h>

/* N is no multiple of the block: the last warp has nothing to do. */
enum { N = 1504, BLOCK = 256, THREADS = (N + BLOCK - 1) / BLOCK * BLOCK };

static void reference(const float *A, const float *y1, const float *y2, double *x1, double *x2) {
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            x1[i] += (double)A[i * N + j] * (double)y1[j];
            x2[i] += (double)A[j * N + i] * (double)y2[j];
        }
}

int main(int argc, char **argv) {
    const int n = N;
    float *A = host_numbers((size_t)N * N, 1), *y1 = host_numbers(N, 2), *y2 = host_numbers(N, 3);
    float *x1 = host_numbers(N, 4), *x2 = host_numbers(N, 5);
    double *x1_expected = host_allocate(N, sizeof *x1_expected);
    double *x2_expected = host_allocate(N, sizeof *x2_expected);
    for (size_t i = 0; i < N; i++) x1_expected[i] = (double)x1[i], x2_expected[i] = (double)x2[i];
    reference(A, y1, y2, x1_expected, x2_expected);

    host_open(argc, argv);
    host_memory device_A = host_buffer(sizeof(float) * N * N, A);
    host_memory device_x1 = host_buffer(sizeof(float) * N, x1),
                device_x2 = host_buffer(sizeof(float) * N, x2);
    host_memory device_y1 = host_buffer(sizeof(float) * N, y1),
                device_y2 = host_buffer(sizeof(float) * N, y2);
    HOST_LAUNCH("mvt_1", THREADS, 1, BLOCK, 1, HOST_ARG(device_A), HOST_ARG(device_x1), HOST_ARG(device_y1),
                HOST_ARG(n));
    HOST_LAUNCH("mvt_2", THREADS, 1, BLOCK, 1, HOST_ARG(device_A), HOST_ARG(device_x2), HOST_ARG(device_y2),
                HOST_ARG(n));
    host_read(device_x1, sizeof(float) * N, x1);
    host_read(device_x2, sizeof(float) * N, x2);
    host_close();

    host_expect("x1", x1, x1_expected, N);
    host_expect("x2", x2, x2_expected, N);
    free(A), free(y1), free(y2), free(x1), free(x2), free(x1_expected), free(x2_expected);
    return EXIT_SUCCESS;
}
