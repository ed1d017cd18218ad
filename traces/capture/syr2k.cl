/* C = alpha A B' + alpha B A' + beta C, a thread per element of C as in PolyBench-GPU: the lanes of a warp
 * share a row of A and of B and walk along 32 others of both. */
kernel void syr2k(global const float *A, global const float *B, global float *C, float alpha, float beta,
                  int n, int m) {
    const int j = get_global_id(0), i = get_global_id(1);
    if (i >= n || j >= n) return;
    C[i * n + j] *= beta;
    for (int k = 0; k < m; k++)
        C[i * n + j] += alpha * A[i * m + k] * B[j * m + k] + alpha * B[i * m + k] * A[j * m + k];
}
