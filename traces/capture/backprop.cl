/* Training a layer of a neural network, after Rodinia's BACKPROP, its two kernels: a block of threads has 16 input
 * nodes, and a thread the weight between one of them and a hidden unit. Row and column 0 of the weights are those
 * of the thresholds. */
#define BLOCK 16

/* What the block's nodes add to each hidden unit: products, then their sums by a tree, in local memory. As in
 * Rodinia, the tree's sums end up in the weights, which the host has kept. */
kernel void backprop_forward(global const float *input, global float *weights, global float *sums, int hidden) {
    local float nodes[BLOCK], products[BLOCK][BLOCK];
    const int x = get_local_id(0), y = get_local_id(1), block = get_group_id(1);
    const int node = BLOCK * block + y + 1, index = (hidden + 1) * node + x + 1;
    if (x == 0) nodes[y] = input[node];
    barrier(CLK_LOCAL_MEM_FENCE);
    products[y][x] = weights[index];
    barrier(CLK_LOCAL_MEM_FENCE);
    products[y][x] *= nodes[y];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 2; step <= BLOCK; step *= 2) {
        if (y % step == 0) products[y][x] += products[y + step / 2][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    weights[index] = products[y][x];
    if (x == 0) sums[block * hidden + y] = products[x][y];
}

/* The weights change by the errors of the hidden units, and by a part of their last change. */
kernel void backprop_adjust(global const float *errors, global const float *input, global float *weights,
                            global float *changes, int hidden, float rate, float momentum) {
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
