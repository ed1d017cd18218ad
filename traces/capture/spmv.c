/* Sparse matrix-vector product, compressed sparse rows, after Bell and Garland's scalar kernel. */
#include "host.h"

#include <stdlib.h>

enum { ROWS = 16384, ROW_MAX = 64, BAND = 64, BLOCK = 128 };

static int ascending(const void *a, const void *b) {
    const int x = *(const int *)a, y = *(const int *)b;
    return x < y ? -1 : x > y;
}

/* Draws the columns of one row, ascending and distinct: three in four near the diagonal, the others anywhere.
 * Most rows have 2 to 13, one in sixteen up to ROW_MAX. */
static int draw_row(int row, int columns[ROW_MAX], uint64_t *random) {
    const uint32_t most = host_random_below(random, 16) == 0 ? ROW_MAX - 1 : 12;
    int count = 2 + (int)host_random_below(random, most);
    for (int i = 0; i < count; i++) {
        const int near = row - BAND + (int)host_random_below(random, 2 * BAND);
        const int anywhere = (int)host_random_below(random, ROWS);
        columns[i] = host_random_below(random, 4) > 0 && near >= 0 && near < ROWS ? near : anywhere;
    }
    qsort(columns, (size_t)count, sizeof *columns, ascending);
    int distinct = 1;
    for (int i = 1; i < count; i++)
        if (columns[i] != columns[i - 1]) columns[distinct++] = columns[i];
    return distinct;
}

int main(int argc, char **argv) {
    const int rows = ROWS;
    int *row_start = host_allocate(ROWS + 1, sizeof *row_start);
    int *columns = host_allocate((size_t)ROWS * ROW_MAX, sizeof *columns);
    uint64_t random = 1;
    for (int row = 0; row < ROWS; row++)
        row_start[row + 1] = row_start[row] + draw_row(row, columns + row_start[row], &random);
    const size_t entries = (size_t)row_start[ROWS];
    float *values = host_numbers(entries, 2), *x = host_numbers(ROWS, 3), *y = host_allocate(ROWS, sizeof *y);
    double *expected = host_allocate(ROWS, sizeof *expected);
    for (int row = 0; row < ROWS; row++)
        for (int i = row_start[row]; i < row_start[row + 1]; i++)
            expected[row] += (double)values[i] * (double)x[columns[i]];

    host_open(argc, argv);
    host_memory device_values = host_buffer(sizeof(float) * entries, values);
    host_memory device_columns = host_buffer(sizeof(int) * entries, columns);
    host_memory device_row_start = host_buffer(sizeof(int) * (ROWS + 1), row_start);
    host_memory device_x = host_buffer(sizeof(float) * ROWS, x),
                device_y = host_buffer(sizeof(float) * ROWS, y);
    HOST_LAUNCH("spmv", ROWS, 1, BLOCK, 1, HOST_ARG(device_values), HOST_ARG(device_columns),
                HOST_ARG(device_row_start), HOST_ARG(device_x), HOST_ARG(device_y), HOST_ARG(rows));
    host_read(device_y, sizeof(float) * ROWS, y);
    host_close();

    host_expect("y", y, expected, ROWS);
    free(row_start), free(columns), free(values), free(x), free(y), free(expected);
    return EXIT_SUCCESS;
}
