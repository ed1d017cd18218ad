/* y = alpha A x + beta B x, as in PolyBench-GPU: a thread per row walks along the rows of both matrices. */
kernel void gesummv(global const float *A, global const float *B, global const float *x, global float *tmp,
                    global float *y, float alpha, float beta, int rows, int columns) {
    const int row = get_global_id(0);
    if (row >= rows) return;
    tmp[row] = 0.0f;
    y[row] = 0.0f;
    for (int column = 0; column < columns; column++) {
        tmp[row] += A[row * columns + column] * x[column];
        y[row] += B[row * columns + column] * x[column];
    }
    y[row] = alpha * tmp[row] + beta * y[row];
}
