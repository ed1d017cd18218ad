/* LU decomposition in place by blocks, in Rodinia's three kernels: for each block on the diagonal, the block
 * itself, then those to the right of it and below, then all that are to the right and below. L's diagonal of
 * ones is not stored. */
#define BLOCK 16

/* The block at `offset`, with a thread per column: half a warp, and fewer lanes in each round. */
kernel void lud_diagonal(global float *m, int n, int offset) {
    local float block[BLOCK][BLOCK];
    const int x = get_local_id(0);
    for (int i = 0; i < BLOCK; i++) block[i][x] = m[(offset + i) * n + offset + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < BLOCK - 1; i++) {
        if (x > i) {
            for (int j = 0; j < i; j++) block[x][i] -= block[x][j] * block[j][i];
            block[x][i] /= block[i][i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (x > i)
            for (int j = 0; j < i + 1; j++) block[i + 1][x] -= block[i + 1][j] * block[j][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 1; i < BLOCK; i++) m[(offset + i) * n + offset + x] = block[i][x];
}

/* A block to the right of the diagonal one, by the first half of the threads, and one below it, by the others:
 * the halves of a warp go apart. */
kernel void lud_perimeter(global float *m, int n, int offset) {
    local float diagonal[BLOCK][BLOCK], right[BLOCK][BLOCK], below[BLOCK][BLOCK];
    const int away = (get_group_id(0) + 1) * BLOCK;
    const bool is_right = get_local_id(0) < BLOCK;
    const int x = get_local_id(0) % BLOCK;
    if (is_right) {
        for (int i = 0; i < BLOCK / 2; i++) diagonal[i][x] = m[(offset + i) * n + offset + x];
        for (int i = 0; i < BLOCK; i++) right[i][x] = m[(offset + i) * n + offset + away + x];
    } else {
        for (int i = BLOCK / 2; i < BLOCK; i++) diagonal[i][x] = m[(offset + i) * n + offset + x];
        for (int i = 0; i < BLOCK; i++) below[i][x] = m[(offset + away + i) * n + offset + x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_right) {
        for (int i = 1; i < BLOCK; i++)
            for (int j = 0; j < i; j++) right[i][x] -= diagonal[i][j] * right[j][x];
    } else {
        for (int i = 0; i < BLOCK; i++) {
            for (int j = 0; j < i; j++) below[x][i] -= below[x][j] * diagonal[j][i];
            below[x][i] /= diagonal[i][i];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (is_right)
        for (int i = 1; i < BLOCK; i++) m[(offset + i) * n + offset + away + x] = right[i][x];
    else
        for (int i = 0; i < BLOCK; i++) m[(offset + away + i) * n + offset + x] = below[i][x];
}

/* A block to the right and below, with a thread per element. */
kernel void lud_internal(global float *m, int n, int offset) {
    local float right[BLOCK][BLOCK], below[BLOCK][BLOCK];
    const int x = get_local_id(0), y = get_local_id(1);
    const int column = offset + (get_group_id(0) + 1) * BLOCK + x;
    const int row = offset + (get_group_id(1) + 1) * BLOCK + y;
    right[y][x] = m[(offset + y) * n + column];
    below[y][x] = m[row * n + offset + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (int i = 0; i < BLOCK; i++) sum += below[y][i] * right[i][x];
    m[row * n + column] -= sum;
}
