/* LU decomposition in place, by the same blocks and threads as lud.cl's, without local memory: blocks stay in
 * global memory. Sums stay in a register until they are complete. */
#define BLOCK 16

/* The block at `offset`, with a thread per column: half a warp, and fewer lanes in each round. */
kernel void lud_diagonal_unshared(global float *m, int n, int offset) {
    global float *block = m + offset * n + offset;
    const int x = get_local_id(0);
    for (int i = 0; i < BLOCK - 1; i++) {
        if (x > i) {
            float sum = block[x * n + i];
            for (int j = 0; j < i; j++) sum -= block[x * n + j] * block[j * n + i];
            block[x * n + i] = sum / block[i * n + i];
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (x > i) {
            float sum = block[(i + 1) * n + x];
            for (int j = 0; j < i + 1; j++) sum -= block[(i + 1) * n + j] * block[j * n + x];
            block[(i + 1) * n + x] = sum;
        }
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

/* A block to the right of the diagonal one, by the first half of the threads, and one below it, by the others:
 * a thread needs of its block only its own column or row. */
kernel void lud_perimeter_unshared(global float *m, int n, int offset) {
    const int away = (get_group_id(0) + 1) * BLOCK;
    const int x = get_local_id(0) % BLOCK;
    global const float *diagonal = m + offset * n + offset;
    if (get_local_id(0) < BLOCK) {
        global float *right = m + offset * n + offset + away;
        for (int i = 1; i < BLOCK; i++) {
            float sum = right[i * n + x];
            for (int j = 0; j < i; j++) sum -= diagonal[i * n + j] * right[j * n + x];
            right[i * n + x] = sum;
        }
    } else {
        global float *below = m + (offset + away) * n + offset;
        for (int i = 0; i < BLOCK; i++) {
            float sum = below[x * n + i];
            for (int j = 0; j < i; j++) sum -= below[x * n + j] * diagonal[j * n + i];
            below[x * n + i] = sum / diagonal[i * n + i];
        }
    }
}

/* A block to the right and below, with a thread per element. */
kernel void lud_internal_unshared(global float *m, int n, int offset) {
    const int column = offset + (get_group_id(0) + 1) * BLOCK + get_local_id(0);
    const int row = offset + (get_group_id(1) + 1) * BLOCK + get_local_id(1);
    float sum = 0.0f;
    for (int i = 0; i < BLOCK; i++) sum += m[row * n + offset + i] * m[(offset + i) * n + column];
    m[row * n + column] -= sum;
}
