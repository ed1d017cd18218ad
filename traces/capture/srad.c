/* Rodinia's SRAD. It divides, so that single precision rounds where the other programs compute exactly: the image
 * agrees with that of double precision within TOLERANCE, which is 17 roundings. */
#include "host.h"

#include <stdlib.h>

enum { ROWS = 64, COLUMNS = 1024, BLOCK = 16, STEPS = 2, CALM = 32 };

static const double TOLERANCE = 1e-6;
static const float rate = 0.5F;

/* Between 1 and 2: exponentials of an image's values, as in Rodinia, lie between 1 and 2.7. */
static float *draw_image(void) {
    uint64_t random = 1;
    float *image = host_allocate((size_t)ROWS * COLUMNS, sizeof *image);
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++)
        image[i] = 1.0F + (float)host_random_below(&random, 256) / 256.0F;
    return image;
}

/* The speckle's scale: variance over squared mean in a region without edges, the image's first CALM rows and
 * columns. */
static double speckle(const double *image) {
    double sum = 0, squares = 0;
    for (size_t row = 0; row < CALM; row++)
        for (size_t column = 0; column < CALM; column++) {
            const double here = image[row * COLUMNS + column];
            sum += here;
            squares += here * here;
        }
    const double mean = sum / (CALM * CALM);
    return (squares / (CALM * CALM) - mean * mean) / (mean * mean);
}

typedef struct differences {
    double north, south, west, east, diffusion;
} differences;

static differences difference(const double *image, size_t row, size_t column, double q0_squared) {
    const size_t north = row > 0 ? row - 1 : row, south = row < ROWS - 1 ? row + 1 : row;
    const size_t west = column > 0 ? column - 1 : column, east = column < COLUMNS - 1 ? column + 1 : column;
    const double here = image[row * COLUMNS + column];
    differences d = {.north = image[north * COLUMNS + column] - here,
                     .south = image[south * COLUMNS + column] - here,
                     .west = image[row * COLUMNS + west] - here,
                     .east = image[row * COLUMNS + east] - here};
    const double gradient =
        (d.north * d.north + d.south * d.south + d.west * d.west + d.east * d.east) / (here * here);
    const double laplacian = (d.north + d.south + d.west + d.east) / here;
    const double q_squared =
        (gradient / 2 - laplacian * laplacian / 16) / ((1 + laplacian / 4) * (1 + laplacian / 4));
    const double c = 1 / (1 + (q_squared - q0_squared) / (q0_squared * (1 + q0_squared)));
    d.diffusion = c < 0 ? 0 : c > 1 ? 1 : c;
    return d;
}

static void step(double *image, differences *of) {
    const double q0_squared = speckle(image);
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++)
        of[i] = difference(image, i / COLUMNS, i % COLUMNS, q0_squared);
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++) {
        const double south = i / COLUMNS < ROWS - 1 ? of[i + COLUMNS].diffusion : of[i].diffusion;
        const double east = i % COLUMNS < COLUMNS - 1 ? of[i + 1].diffusion : of[i].diffusion;
        image[i] += (double)rate / 4 *
                    (of[i].diffusion * (of[i].north + of[i].west) + south * of[i].south + east * of[i].east);
    }
}

static void widen(const float *from, double *to) {
    for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++) to[i] = (double)from[i];
}

enum { IMAGE, NORTH, SOUTH, WEST, EAST, DIFFUSION, BUFFERS };

static void launch(const host_memory b[BUFFERS], float q0_squared) {
    const int rows = ROWS, columns = COLUMNS;
    HOST_LAUNCH("srad_1", COLUMNS, ROWS, BLOCK, BLOCK, HOST_ARG(b[IMAGE]), HOST_ARG(b[NORTH]),
                HOST_ARG(b[SOUTH]), HOST_ARG(b[WEST]), HOST_ARG(b[EAST]), HOST_ARG(b[DIFFUSION]),
                HOST_ARG(rows), HOST_ARG(columns), HOST_ARG(q0_squared));
    HOST_LAUNCH("srad_2", COLUMNS, ROWS, BLOCK, BLOCK, HOST_ARG(b[IMAGE]), HOST_ARG(b[NORTH]),
                HOST_ARG(b[SOUTH]), HOST_ARG(b[WEST]), HOST_ARG(b[EAST]), HOST_ARG(b[DIFFUSION]),
                HOST_ARG(rows), HOST_ARG(columns), HOST_ARG(rate));
}

int main(int argc, char **argv) {
    const size_t count = (size_t)ROWS * COLUMNS, bytes = sizeof(float) * count;
    float *image = draw_image();
    double *expected = host_allocate(count, sizeof *expected), *wide = host_allocate(count, sizeof *wide);
    differences *of = host_allocate(count, sizeof *of);
    widen(image, expected);
    for (int s = 0; s < STEPS; s++) step(expected, of);

    host_open(argc, argv);
    host_memory buffers[BUFFERS] = {host_buffer(bytes, image)};
    for (int b = NORTH; b < BUFFERS; b++) buffers[b] = host_buffer(bytes, NULL);
    for (int s = 0; s < STEPS; s++) {
        widen(image, wide);
        launch(buffers, (float)speckle(wide));
        host_read(buffers[IMAGE], bytes, image);
    }
    host_close();

    host_expect_close("image", image, expected, count, TOLERANCE);
    free(image), free(expected), free(wide), free(of);
    return EXIT_SUCCESS;
}
