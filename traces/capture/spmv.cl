/* y = A x with A in compressed sparse rows, a thread per row (the scalar kernel of Bell and Garland). */
kernel void spmv(global const float *values, global const int *columns, global const int *row_start,
                 global const float *x, global float *y, int rows) {
    const int row = get_global_id(0);
    if (row >= rows) return;
    float sum = 0.0f;
    for (int i = row_start[row]; i < row_start[row + 1]; i++) sum += values[i] * x[columns[i]];
    y[row] = sum;
}
