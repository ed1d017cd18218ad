/* C = alpha A B + beta C, a thread per element of C as in PolyBench-GPU: the lanes of a warp have one row of
 * A and neighbouring columns of B. */
kernel void gemm(global const float *A, global const float *B, global float *C, float alpha, float beta,
                 int ni, int nj, int nk) {
    const int j = get_global_id(0), i = get_global_id(1);
    if (i >= ni || j >= nj) return;
    C[i * nj + j] *= beta;
    for (int k = 0; k < nk; k++) C[i * nj + j] += alpha * A[i * nk + k] * B[k * nj + j];
}
