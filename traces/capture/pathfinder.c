/* Rodinia's PATHFINDER. */
#include "host.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 41, COLUMNS = 10000, BLOCK = 256, BORDER = 20, PIECE = BLOCK - 2 * BORDER };
enum { PIECES = (COLUMNS + PIECE - 1) / PIECE, BLOCKS = (COLUMNS + BLOCK - 1) / BLOCK };

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

enum { WALL, FROM, TO, BUFFERS };

/* The next rows: as many as the pieces' borders allow, or one without local memory. Returns how many. */
static int launch(const host_memory buffers[BUFFERS], int first) {
    const int columns = COLUMNS, border = BORDER, rows = ROWS - first < BORDER ? ROWS - first : BORDER;
    if (host_is_unshared()) {
        HOST_LAUNCH("pathfinder", BLOCK * BLOCKS, 1, BLOCK, 1, HOST_ARG(buffers[WALL]),
                    HOST_ARG(buffers[FROM]), HOST_ARG(buffers[TO]), HOST_ARG(columns), HOST_ARG(first));
        return 1;
    }
    HOST_LAUNCH("pathfinder", BLOCK * PIECES, 1, BLOCK, 1, HOST_ARG(buffers[WALL]), HOST_ARG(buffers[FROM]),
                HOST_ARG(buffers[TO]), HOST_ARG(columns), HOST_ARG(first), HOST_ARG(border), HOST_ARG(rows));
    return rows;
}

int main(int argc, char **argv) {
    uint64_t random = 1;
    int32_t *wall = host_allocate((size_t)ROWS * COLUMNS, sizeof *wall);
    int32_t *cost = host_allocate(COLUMNS, sizeof *cost),
            *expected = host_allocate(COLUMNS, sizeof *expected);
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++) wall[i] = (int32_t)host_random_below(&random, 10);
    reference(wall, expected);

    host_open(argc, argv);
    const size_t row_B = sizeof *wall * COLUMNS;
    host_memory buffers[BUFFERS] = {host_buffer(ROWS * row_B, wall), host_buffer(row_B, wall),
                                    host_buffer(row_B, NULL)};
    for (int row = 1; row < ROWS;) {
        row += launch(buffers, row);
        host_memory other = buffers[FROM];
        buffers[FROM] = buffers[TO];
        buffers[TO] = other;
    }
    host_read(buffers[FROM], row_B, cost);
    host_close();

    host_expect_ints("cost", cost, expected, COLUMNS);
    free(wall), free(cost), free(expected);
    return EXIT_SUCCESS;
}
