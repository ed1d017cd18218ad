/* Parboil's STENCIL on a batch of plates that have fewer rows than a block. */
#include "host.h"

#include <stdlib.h>

enum { COLUMNS = 512, ROWS = 10, PLANES = 24, PLATES = 4, BLOCK = 32 };
enum { ROW = COLUMNS, PLANE = ROWS * ROW, PLATE = PLANES * PLANE, ALL = PLATES * PLATE };

static void reference(const float *from, double *to) {
    for (size_t plate = 0; plate < PLATES; plate++)
        for (size_t k = 1; k < PLANES - 1; k++)
            for (size_t j = 1; j < ROWS - 1; j++)
                for (size_t i = 1; i < COLUMNS - 1; i++) {
                    const size_t at = plate * PLATE + k * PLANE + j * ROW + i;
                    double sum = (double)from[at - 1] + (double)from[at + 1];
                    sum += (double)from[at - ROW] + (double)from[at + ROW];
                    sum += (double)from[at - PLANE] + (double)from[at + PLANE];
                    to[at] = sum - 6 * (double)from[at];
                }
}

int main(int argc, char **argv) {
    const int columns = COLUMNS, rows = ROWS, planes = PLANES;
    const float center = -6, side = 1;
    float *from = host_numbers(ALL, 1), *to = host_allocate(ALL, sizeof *to);
    double *expected = host_allocate(ALL, sizeof *expected);
    reference(from, expected);

    host_open(argc, argv);
    host_memory device_from = host_buffer(sizeof(float) * ALL, from),
                device_to = host_buffer(sizeof(float) * ALL, NULL);
    HOST_LAUNCH("stencil", COLUMNS, PLATES * BLOCK, BLOCK, BLOCK, HOST_ARG(device_from), HOST_ARG(device_to),
                HOST_ARG(columns), HOST_ARG(rows), HOST_ARG(planes), HOST_ARG(center), HOST_ARG(side));
    host_read(device_to, sizeof(float) * ALL, to);
    host_close();

    host_expect("to", to, expected, ALL);
    free(from), free(to), free(expected);
    return EXIT_SUCCESS;
}
