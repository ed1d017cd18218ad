/* x1 += A y1 and x2 += A' y2, as in PolyBench-GPU. */

/* A thread per row of A walks along its row. */
kernel void mvt_1(global const float *A, global float *x1, global const float *y1, int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    for (int j = 0; j < n; j++) x1[i] += A[i * n + j] * y1[j];
}

/* A thread per column of A walks down. */
kernel void mvt_2(global const float *A, global float *x2, global const float *y2, int n) {
    const int i = get_global_id(0);
    if (i >= n) return;
    for (int j = 0; j < n; j++) x2[i] += A[j * n + i] * y2[j];
}
