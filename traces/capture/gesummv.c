/* PolyBench's GESUMMV: y = alpha A x + beta B x. */
#include "host.h"

#include <stdlib.h>

/* Many short rows, so that every SM gets several blocks. */
enum { ROWS = 7680, COLUMNS = 128, BLOCK = 256 };

static void reference(double alpha, double beta, const float *A, const float *B, const float *x, double *y) {
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLUMNS; j++)
            y[i] += (alpha * (double)A[i * COLUMNS + j] + beta * (double)B[i * COLUMNS + j]) * (double)x[j];
}

int main(int argc, char **argv) {
    const int rows = ROWS, columns = COLUMNS;
    const float alpha = 3, beta = 2;
    float *A = host_numbers(ROWS * COLUMNS, 1), *B = host_numbers(ROWS * COLUMNS, 2);
    float *x = host_numbers(COLUMNS, 3), *y = host_allocate(ROWS, sizeof *y);
    double *expected = host_allocate(ROWS, sizeof *expected);
    reference((double)alpha, (double)beta, A, B, x, expected);

    host_open(argc, argv);
    host_memory device_A = host_buffer(sizeof(float) * ROWS * COLUMNS, A);
    host_memory device_B = host_buffer(sizeof(float) * ROWS * COLUMNS, B);
    host_memory device_x = host_buffer(sizeof(float) * COLUMNS, x),
                device_y = host_buffer(sizeof(float) * ROWS, y);
    host_memory device_tmp = host_buffer(sizeof(float) * ROWS, NULL);
    HOST_LAUNCH("gesummv", ROWS, 1, BLOCK, 1, HOST_ARG(device_A), HOST_ARG(device_B), HOST_ARG(device_x),
                HOST_ARG(device_tmp), HOST_ARG(device_y), HOST_ARG(alpha), HOST_ARG(beta), HOST_ARG(rows),
                HOST_ARG(columns));
    host_read(device_y, sizeof(float) * ROWS, y);
    host_close();

    host_expect("y", y, expected, ROWS);
    free(A), free(B), free(x), free(y), free(expected);
    return EXIT_SUCCESS;
}
