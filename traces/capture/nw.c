/* Rodinia's NW: Needleman and Wunsch's alignment, with random similarities. */
#include "host.h"

#include <stdlib.h>

enum { N = 256, SIZE = N + 1, BLOCK = 16, WIDTH = N / BLOCK, PENALTY = 10 };

static int32_t max2(int32_t a, int32_t b) {
    return a > b ? a : b;
}

static void reference(const int32_t *similarity, int32_t *score) {
    for (size_t i = 1; i < SIZE; i++)
        for (size_t j = 1; j < SIZE; j++)
            score[i * SIZE + j] =
                max2(score[(i - 1) * SIZE + j - 1] + similarity[i * SIZE + j],
                     max2(score[i * SIZE + j - 1] - PENALTY, score[(i - 1) * SIZE + j] - PENALTY));
}

/* The first row and column: one gap more at each step. */
static int32_t *empty_scores(void) {
    int32_t *score = host_allocate((size_t)SIZE * SIZE, sizeof *score);
    for (int32_t i = 0; i < SIZE; i++) score[i] = score[(size_t)i * SIZE] = -PENALTY * i;
    return score;
}

int main(int argc, char **argv) {
    const int columns = SIZE, penalty = PENALTY, width = WIDTH;
    const size_t bytes = sizeof(int32_t) * SIZE * SIZE;
    uint64_t random = 1;
    int32_t *similarity = host_allocate((size_t)SIZE * SIZE, sizeof *similarity);
    for (size_t i = 0; i < (size_t)SIZE * SIZE; i++)
        similarity[i] = (int32_t)host_random_below(&random, 16) - 4;
    int32_t *score = empty_scores(), *expected = empty_scores();
    reference(similarity, expected);

    host_open(argc, argv);
    host_memory device_similarity = host_buffer(bytes, similarity), device_score = host_buffer(bytes, score);
    for (int tiles = 1; tiles <= WIDTH; tiles++)
        HOST_LAUNCH("nw_1", (size_t)tiles * BLOCK, 1, BLOCK, 1, HOST_ARG(device_similarity),
                    HOST_ARG(device_score), HOST_ARG(columns), HOST_ARG(penalty), HOST_ARG(tiles));
    for (int tiles = WIDTH - 1; tiles >= 1; tiles--)
        HOST_LAUNCH("nw_2", (size_t)tiles * BLOCK, 1, BLOCK, 1, HOST_ARG(device_similarity),
                    HOST_ARG(device_score), HOST_ARG(columns), HOST_ARG(penalty), HOST_ARG(tiles),
                    HOST_ARG(width));
    host_read(device_score, bytes, score);
    host_close();

    host_expect_ints("score", score, expected, (size_t)SIZE * SIZE);
    free(similarity), free(score), free(expected);
    return EXIT_SUCCESS;
}
