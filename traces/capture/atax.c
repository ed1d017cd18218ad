/* PolyBench's ATAX: y = A' (A x). */
#include "host.h"

#include <stdlib.h>

enum { ROWS = 3840, COLUMNS = 768, BLOCK = 256 };

static void reference(const float *A, const float *x, double *tmp, double *y) {
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLUMNS; j++) tmp[i] += (double)A[i * COLUMNS + j] * (double)x[j];
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLUMNS; j++) y[j] += (double)A[i * COLUMNS + j] * tmp[i];
}

int main(int argc, char **argv) {
    const int rows = ROWS, columns = COLUMNS;
    float *A = host_numbers((size_t)ROWS * COLUMNS, 1), *x = host_numbers(COLUMNS, 2);
    float *tmp = host_allocate(ROWS, sizeof *tmp), *y = host_allocate(COLUMNS, sizeof *y);
    double *tmp_expected = host_allocate(ROWS, sizeof *tmp_expected);
    double *y_expected = host_allocate(COLUMNS, sizeof *y_expected);
    reference(A, x, tmp_expected, y_expected);

    host_open(argc, argv);
    host_memory device_A = host_buffer(sizeof(float) * ROWS * COLUMNS, A),
                device_x = host_buffer(sizeof(float) * COLUMNS, x);
    host_memory device_y = host_buffer(sizeof(float) * COLUMNS, NULL),
                device_tmp = host_buffer(sizeof(float) * ROWS, NULL);
    HOST_LAUNCH("atax_1", ROWS, 1, BLOCK, 1, HOST_ARG(device_A), HOST_ARG(device_x), HOST_ARG(device_tmp),
                HOST_ARG(rows), HOST_ARG(columns));
    HOST_LAUNCH("atax_2", COLUMNS, 1, BLOCK, 1, HOST_ARG(device_A), HOST_ARG(device_tmp), HOST_ARG(device_y),
                HOST_ARG(rows), HOST_ARG(columns));
    host_read(device_tmp, sizeof(float) * ROWS, tmp);
    host_read(device_y, sizeof(float) * COLUMNS, y);
    host_close();

    host_expect("tmp", tmp, tmp_expected, ROWS);
    host_expect("y", y, y_expected, COLUMNS);
    free(A), free(x), free(tmp), free(y), free(tmp_expected), free(y_expected);
    return EXIT_SUCCESS;
}
