/* BACKPROP by the same blocks and threads as backprop.cl's, without local memory: products and their sums stay
 * among the weights. */
#define BLOCK 16

/* What the block's nodes add to each hidden unit. */
kernel void backprop_forward_unshared(global const float *input, global float *weights, global float *sums,
                                      int hidden) {
    const int x = get_local_id(0), y = get_local_id(1), block = get_group_id(1);
    const int node = BLOCK * block + y + 1, index = (hidden + 1) * node + x + 1;
    weights[index] *= input[node];
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int step = 2; step <= BLOCK; step *= 2) {
        if (y % step == 0) weights[index] += weights[index + (hidden + 1) * (step / 2)];
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (x == 0) sums[block * hidden + y] = weights[(hidden + 1) * (BLOCK * block + 1) + y + 1];
}

/* The weights change by the errors of the hidden units, and by a part of their last change. */
kernel void backprop_adjust_unshared(global const float *errors, global const float *input,
                                     global float *weights, global float *changes, int hidden, float rate,
                                     float momentum) {
    const int x = get_local_id(0), y = get_local_id(1), block = get_group_id(1);
    const int node = BLOCK * block + y + 1, index = (hidden + 1) * node + x + 1;
    const float change = rate * errors[x + 1] * input[node] + momentum * changes[index];
    weights[index] += change;
    changes[index] = change;
    if (y > 0 || block > 0) return;
    const float threshold = rate * errors[x + 1] + momentum * changes[x + 1];
    weights[x + 1] += threshold;
    changes[x + 1] = threshold;
}
