/* Rodinia's BACKPROP, its kernels: what the host computes between them, the errors of the hidden units, is drawn. Rate
 * and momentum are powers of two, so that every step is exact. */
#include "host.h"

#include <stdlib.h>

enum { NODES = 4096, HIDDEN = 16, BLOCK = 16, BLOCKS = NODES / BLOCK, ROW = HIDDEN + 1 };
enum { WEIGHTS = (NODES + 1) * ROW, SUMS = BLOCKS * HIDDEN };

static const float rate = 0.25F, momentum = 0.5F;

/* Of each block of nodes, to each hidden unit. */
static void forward(const float *input, const float *weights, double *sums) {
    for (size_t node = 1; node <= NODES; node++)
        for (size_t unit = 1; unit <= HIDDEN; unit++)
            sums[(node - 1) / BLOCK * HIDDEN + unit - 1] +=
                (double)input[node] * (double)weights[node * ROW + unit];
}

/* The input of the thresholds is 1. */
static void adjust(const float *errors, const float *input, double *weights, double *changes) {
    for (size_t node = 0; node <= NODES; node++)
        for (size_t unit = 1; unit <= HIDDEN; unit++) {
            const size_t at = node * ROW + unit;
            changes[at] = (double)rate * (double)errors[unit] * (node > 0 ? (double)input[node] : 1) +
                          (double)momentum * changes[at];
            weights[at] += changes[at];
        }
}

static double *widen(const float *from, size_t count) {
    double *to = host_allocate(count, sizeof *to);
    for (size_t i = 0; i < count; i++) to[i] = (double)from[i];
    return to;
}

int main(int argc, char **argv) {
    const int hidden = HIDDEN;
    float *input = host_numbers(NODES + 1, 1), *errors = host_numbers(ROW, 2);
    float *weights = host_numbers(WEIGHTS, 3), *changes = host_numbers(WEIGHTS, 4);
    float *sums = host_allocate(SUMS, sizeof *sums);
    double *expected_weights = widen(weights, WEIGHTS), *expected_changes = widen(changes, WEIGHTS);
    double *expected_sums = host_allocate(SUMS, sizeof *expected_sums);
    forward(input, weights, expected_sums);
    adjust(errors, input, expected_weights, expected_changes);

    host_open(argc, argv);
    host_memory device_input = host_buffer(sizeof *input * (NODES + 1), input);
    host_memory device_errors = host_buffer(sizeof *errors * ROW, errors);
    host_memory device_weights = host_buffer(sizeof *weights * WEIGHTS, weights);
    host_memory device_changes = host_buffer(sizeof *changes * WEIGHTS, changes);
    host_memory device_sums = host_buffer(sizeof *sums * SUMS, NULL);
    HOST_LAUNCH("backprop_forward", BLOCK, NODES, BLOCK, BLOCK, HOST_ARG(device_input),
                HOST_ARG(device_weights), HOST_ARG(device_sums), HOST_ARG(hidden));
    host_read(device_sums, sizeof *sums * SUMS, sums);
    host_write(device_weights, sizeof *weights * WEIGHTS, weights);
    HOST_LAUNCH("backprop_adjust", BLOCK, NODES, BLOCK, BLOCK, HOST_ARG(device_errors),
                HOST_ARG(device_input), HOST_ARG(device_weights), HOST_ARG(device_changes), HOST_ARG(hidden),
                HOST_ARG(rate), HOST_ARG(momentum));
    host_read(device_weights, sizeof *weights * WEIGHTS, weights);
    host_read(device_changes, sizeof *changes * WEIGHTS, changes);
    host_close();

    host_expect("sums", sums, expected_sums, SUMS);
    host_expect("weights", weights, expected_weights, WEIGHTS);
    host_expect("changes", changes, expected_changes, WEIGHTS);
    free(input), free(errors), free(weights), free(changes), free(sums);
    free(expected_weights), free(expected_changes), free(expected_sums);
    return EXIT_SUCCESS;
}
