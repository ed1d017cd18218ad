/* PolyBench's BICG: s = A' r, q = A p. */
#include "host.h"

#include <stdlib.h>

enum { ROWS = 2048, COLUMNS = 1536, BLOCK = 256 };

static void reference(const float *A, const float *r, const float *p, double *s, double *q) {
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLUMNS; j++) {
            s[j] += (double)A[i * COLUMNS + j] * (double)r[i];
            q[i] += (double)A[i * COLUMNS + j] * (double)p[j];
        }
}

int main(int argc, char **argv) {
    const int rows = ROWS, columns = COLUMNS;
    float *A = host_numbers((size_t)ROWS * COLUMNS, 1), *r = host_numbers(ROWS, 2),
          *p = host_numbers(COLUMNS, 3);
    float *s = host_allocate(COLUMNS, sizeof *s), *q = host_allocate(ROWS, sizeof *q);
    double *s_expected = host_allocate(COLUMNS, sizeof *s_expected);
    double *q_expected = host_allocate(ROWS, sizeof *q_expected);
    reference(A, r, p, s_expected, q_expected);

    host_open(argc, argv);
    host_memory device_A = host_buffer(sizeof(float) * ROWS * COLUMNS, A);
    host_memory device_r = host_buffer(sizeof(float) * ROWS, r),
                device_s = host_buffer(sizeof(float) * COLUMNS, s);
    host_memory device_p = host_buffer(sizeof(float) * COLUMNS, p),
                device_q = host_buffer(sizeof(float) * ROWS, q);
    HOST_LAUNCH("bicg_1", COLUMNS, 1, BLOCK, 1, HOST_ARG(device_A), HOST_ARG(device_r), HOST_ARG(device_s),
                HOST_ARG(rows), HOST_ARG(columns));
    HOST_LAUNCH("bicg_2", ROWS, 1, BLOCK, 1, HOST_ARG(device_A), HOST_ARG(device_p), HOST_ARG(device_q),
                HOST_ARG(rows), HOST_ARG(columns));
    host_read(device_s, sizeof(float) * COLUMNS, s);
    host_read(device_q, sizeof(float) * ROWS, q);
    host_close();

    host_expect("s", s, s_expected, COLUMNS);
    host_expect("q", q, q_expected, ROWS);
    free(A), free(r), free(p), free(s), free(q), free(s_expected), free(q_expected);
    return EXIT_SUCCESS;
}
