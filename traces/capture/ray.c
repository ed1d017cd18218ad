/* A ray walk through a scene of walls and mirrors. */
#include "host.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 128, HEIGHT = 96, DEPTH = 128, BLOCK_X = 16, BLOCK_Y = 12, THINGS = 300, TURNS = 5 };
enum { WALL = 1, BORDER = 6 };
enum { ROW = WIDTH + 2, PLANE = ROW * (HEIGHT + 2), CELLS = PLANE * (DEPTH + 2), PIXELS = WIDTH * HEIGHT };

/* A mirror's surface is of flat pieces at 45 degrees to the axes: which one, its side says. */
static uint8_t mirror_of(int x, int y) {
    return (uint8_t)(abs(x) > abs(y) ? (x > 0 ? 2 : 3) : (y > 0 ? 4 : 5));
}

/* Mirrors are balls, walls four times as wide as deep, and a fourth as high. */
static bool inside(bool is_mirror, int dx, int dy, int dz, int radius) {
    const int x = is_mirror ? dx * dx : dx * dx / 16, y = is_mirror ? dy * dy : dy * dy * 16;
    return x + y + dz * dz <= radius * radius;
}

static void put_thing(uint8_t *volume, const int center[3], int radius, bool is_mirror) {
    for (int z = 1; z <= DEPTH; z++)
        for (int y = 1; y <= HEIGHT; y++)
            for (int x = 1; x <= WIDTH; x++) {
                const int dx = x - center[0], dy = y - center[1], dz = z - center[2];
                if (inside(is_mirror, dx, dy, dz, radius))
                    volume[z * PLANE + y * ROW + x] = is_mirror ? mirror_of(dx, dy) : WALL;
            }
}

static uint8_t *scene(void) {
    uint8_t *volume = host_allocate(CELLS, 1);
    uint64_t seed = 3;
    memset(volume, BORDER, CELLS);
    for (int z = 1; z <= DEPTH; z++)
        for (int y = 1; y <= HEIGHT; y++) memset(volume + z * PLANE + y * ROW + 1, 0, WIDTH);
    for (int thing = 0; thing < THINGS; thing++) {
        const uint32_t size[3] = {WIDTH, HEIGHT, DEPTH};
        int center[3];
        for (int axis = 0; axis < 3; axis++) center[axis] = (int)host_random_below(&seed, size[axis]);
        put_thing(volume, center, 2 + (int)host_random_below(&seed, 10), thing % 4 == 0);
    }
    return volume;
}

/* In coordinates. */
static int32_t follow(const uint8_t *volume, int x, int y) {
    int at[3] = {x + 1, y + 1, 1}, way[3] = {0, 0, 1}, light = 0;
    for (int turns = 0, met = 2; turns <= TURNS && met != WALL && met != BORDER; turns++) {
        int steps = 0;
        while (!(met = volume[at[2] * PLANE + at[1] * ROW + at[0]])) {
            for (int axis = 0; axis < 3; axis++) at[axis] += way[axis];
            steps++;
        }
        light += (met + 1) * (steps + turns);
        const int axis = met < 4 ? 0 : 1, sign = met % 2 ? -1 : 1, before = way[axis];
        way[axis] = sign * way[2];
        way[2] = sign * before;
        for (int a = 0; a < 3; a++) at[a] += way[a];
    }
    return light;
}

int main(int argc, char **argv) {
    const int width = WIDTH, height = HEIGHT;
    uint8_t *volume = scene();
    int32_t *image = host_allocate(PIXELS, sizeof *image),
            *expected = host_allocate(PIXELS, sizeof *expected);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) expected[y * WIDTH + x] = follow(volume, x, y);

    host_open(argc, argv);
    host_memory device_volume = host_buffer(CELLS, volume),
                device_image = host_buffer(sizeof *image * PIXELS, NULL);
    HOST_LAUNCH("ray", WIDTH, HEIGHT, BLOCK_X, BLOCK_Y, HOST_ARG(device_volume), HOST_ARG(device_image),
                HOST_ARG(width), HOST_ARG(height));
    host_read(device_image, sizeof *image * PIXELS, image);
    host_close();

    host_expect_ints("image", image, expected, PIXELS);
    free(volume), free(image), free(expected);
    return EXIT_SUCCESS;
}
