/* B = A convolved with a matrix of 3 x 3, a thread per element as in PolyBench-GPU: the lanes of a warp have
 * neighbours in a row; those at the border have nothing to do. The coefficients are PolyBench's, times ten. */
kernel void conv2d(global const float *A, global float *B, int ni, int nj) {
    const int j = get_global_id(0), i = get_global_id(1);
    if (i < 1 || i >= ni - 1 || j < 1 || j >= nj - 1) return;
    B[i * nj + j] = 2.0f * A[(i - 1) * nj + (j - 1)] + 5.0f * A[(i - 1) * nj + j] +
                    -8.0f * A[(i - 1) * nj + (j + 1)] + -3.0f * A[i * nj + (j - 1)] + 6.0f * A[i * nj + j] +
                    -9.0f * A[i * nj + (j + 1)] + 4.0f * A[(i + 1) * nj + (j - 1)] +
                    7.0f * A[(i + 1) * nj + j] + 1.0f * A[(i + 1) * nj + (j + 1)];
}
