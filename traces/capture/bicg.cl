/* s = A' r and q = A p, the two products of the BiCG iteration, in PolyBench-GPU's order and mapping. */

/* A thread per column of A walks down. */
kernel void bicg_1(global const float *A, global const float *r, global float *s, int rows, int columns) {
    const int column = get_global_id(0);
    if (column >= columns) return;
    s[column] = 0.0f;
    for (int row = 0; row < rows; row++) s[column] += A[row * columns + column] * r[row];
}

/* A thread per row of A walks along its row. */
kernel void bicg_2(global const float *A, global const float *p, global float *q, int rows, int columns) {
    const int row = get_global_id(0);
    if (row >= rows) return;
    q[row] = 0.0f;
    for (int column = 0; column < columns; column++) q[row] += A[row * columns + column] * p[column];
}
