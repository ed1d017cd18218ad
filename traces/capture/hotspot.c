/* Rodinia's HOTSPOT. The constants are powers of two, so that every step is exact. */
#include "host.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 192, COLUMNS = 192, BLOCK = 16, BORDER = 2, TILE = BLOCK - 2 * BORDER, STEPS = 4 };

static const float capacity = 0.25F, across = 0.5F, along = 0.25F, up = 0.5F, ambient = 16;

static size_t clamp(size_t i, int move, size_t count) {
    return move < 0 ? i - (i > 0) : i + (i < count - 1);
}

static void step(const float *power, const double *from, double *to) {
    for (size_t row = 0; row < ROWS; row++)
        for (size_t column = 0; column < COLUMNS; column++) {
            const double here = from[row * COLUMNS + column];
            const double north = from[clamp(row, -1, ROWS) * COLUMNS + column];
            const double south = from[clamp(row, 1, ROWS) * COLUMNS + column];
            const double west = from[row * COLUMNS + clamp(column, -1, COLUMNS)];
            const double east = from[row * COLUMNS + clamp(column, 1, COLUMNS)];
            to[row * COLUMNS + column] =
                here +
                (double)capacity *
                    ((double)power[row * COLUMNS + column] + (north + south - 2 * here) * (double)along +
                     (west + east - 2 * here) * (double)across + ((double)ambient - here) * (double)up);
        }
}

/* The temperatures after all steps; the caller frees them. */
static double *reference(const float *power, const float *temperature) {
    double *from = host_allocate((size_t)ROWS * COLUMNS, sizeof *from);
    double *to = host_allocate((size_t)ROWS * COLUMNS, sizeof *to);
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++) from[i] = (double)temperature[i];
    for (int s = 0; s < STEPS; s++) {
        step(power, from, to);
        memcpy(from, to, sizeof *to * ROWS * COLUMNS);
    }
    free(to);
    return from;
}

enum { POWER, FROM, TO, BUFFERS };

/* The next steps of time: as many as the tiles' borders allow, or one without local memory. Returns how many. */
static int launch(const host_memory buffers[BUFFERS], int left) {
    const int rows = ROWS, columns = COLUMNS, border = BORDER, steps = left < BORDER ? left : BORDER;
    if (host_is_unshared()) {
        HOST_LAUNCH("hotspot", COLUMNS, ROWS, BLOCK, BLOCK, HOST_ARG(buffers[POWER]), HOST_ARG(buffers[FROM]),
                    HOST_ARG(buffers[TO]), HOST_ARG(rows), HOST_ARG(columns), HOST_ARG(capacity),
                    HOST_ARG(across), HOST_ARG(along), HOST_ARG(up), HOST_ARG(ambient));
        return 1;
    }
    HOST_LAUNCH("hotspot", BLOCK * COLUMNS / TILE, BLOCK * ROWS / TILE, BLOCK, BLOCK,
                HOST_ARG(buffers[POWER]), HOST_ARG(buffers[FROM]), HOST_ARG(buffers[TO]), HOST_ARG(rows),
                HOST_ARG(columns), HOST_ARG(border), HOST_ARG(steps), HOST_ARG(capacity), HOST_ARG(across),
                HOST_ARG(along), HOST_ARG(up), HOST_ARG(ambient));
    return steps;
}

int main(int argc, char **argv) {
    const size_t count = (size_t)ROWS * COLUMNS, bytes = sizeof(float) * count;
    float *power = host_numbers(count, 1), *temperature = host_numbers(count, 2);
    double *expected = reference(power, temperature);

    host_open(argc, argv);
    host_memory buffers[BUFFERS] = {host_buffer(bytes, power), host_buffer(bytes, temperature),
                                    host_buffer(bytes, NULL)};
    for (int done = 0; done < STEPS;) {
        done += launch(buffers, STEPS - done);
        host_memory other = buffers[FROM];
        buffers[FROM] = buffers[TO];
        buffers[TO] = other;
    }
    host_read(buffers[FROM], bytes, temperature);
    host_close();

    host_expect("temperature", temperature, expected, count);
    free(power), free(temperature), free(expected);
    return EXIT_SUCCESS;
}
