/* Rodinia's PATHFINDER. */
#include "host.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 41, COLUMNS = 10000, BLOCK = 256, BORDER = 20, PIECE = BLOCK - 2 * BORDER };
enum { PIECES = (COLUMNS + PIECE - 1) / PIECE };

static void reference(const int32_t *wall, int32_t *cost) {
    static int32_t before[COLUMNS];
    memcpy(cost, wall, sizeof before);
    for (size_t row = 1; row < ROWS; row++) {
        memcpy(before, cost, sizeof before);
        for (size_t column = 0; column < COLUMNS; column++) {
            int32_t least = before[column];
            if (column > 0 && before[column - 1] < least) least = before[column - 1];
            if (column < COLUMNS - 1 && before[column + 1] < least) least = before[column + 1];
            cost[column] = least + wall[row * COLUMNS + column];
        }
    }
}

int main(int argc, char **argv) {
    const int columns = COLUMNS, border = BORDER;
    uint64_t random = 1;
    int32_t *wall = host_allocate((size_t)ROWS * COLUMNS, sizeof *wall);
    int32_t *cost = host_allocate(COLUMNS, sizeof *cost),
            *expected = host_allocate(COLUMNS, sizeof *expected);
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++) wall[i] = (int32_t)host_random_below(&random, 10);
    reference(wall, expected);

    host_open(argc, argv);
    cl_mem device_wall = host_buffer(sizeof *wall * ROWS * COLUMNS, wall);
    cl_mem from = host_buffer(sizeof *wall * COLUMNS, wall), to = host_buffer(sizeof *wall * COLUMNS, NULL);
    for (int first = 1; first < ROWS; first += BORDER) {
        const int rows = ROWS - first < BORDER ? ROWS - first : BORDER;
        HOST_LAUNCH("pathfinder", BLOCK * PIECES, 1, BLOCK, 1, HOST_ARG(device_wall), HOST_ARG(from),
                    HOST_ARG(to), HOST_ARG(columns), HOST_ARG(first), HOST_ARG(border), HOST_ARG(rows));
        cl_mem other = from;
        from = to;
        to = other;
    }
    host_read(from, sizeof *cost * COLUMNS, cost);
    host_close();

    host_expect_ints("cost", cost, expected, COLUMNS);
    free(wall), free(cost), free(expected);
    return EXIT_SUCCESS;
}
