/* y = A' (A x), in the two kernels that PolyBench-GPU makes of it. The accumulator is an element of the
 * result, so that every step stores it. */

/* A thread per row of A walks along its row: the lanes of a warp read 32 rows. */
kernel void atax_1(global const float *A, global const float *x, global float *tmp, int rows, int columns) {
    const int row = get_global_id(0);
    if (row >= rows) return;
    tmp[row] = 0.0f;
    for (int column = 0; column < columns; column++) tmp[row] += A[row * columns + column] * x[column];
}

/* A thread per column of A walks down: the lanes of a warp read neighbours. */
kernel void atax_2(global const float *A, global const float *tmp, global float *y, int rows, int columns) {
    const int column = get_global_id(0);
    if (column >= columns) return;
    y[column] = 0.0f;
    for (int row = 0; row < rows; row++) y[column] += A[row * columns + column] * tmp[row];
}
