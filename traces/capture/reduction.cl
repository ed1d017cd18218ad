/* Sums by blocks, the tree in local memory of Harris' reductions: each thread adds two numbers that it loads,
 * then half as many threads add in each step, always the first ones, so that whole warps fall idle first. */
#define BLOCK 256

kernel void reduction(global const float *numbers, global float *sums) {
    local float sum[BLOCK];
    const int l = get_local_id(0), i = get_group_id(0) * 2 * BLOCK + l;
    sum[l] = numbers[i] + numbers[i + BLOCK];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int adding = BLOCK / 2; adding > 0; adding >>= 1) {
        if (l < adding) sum[l] += sum[l + adding];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) sums[get_group_id(0)] = sum[0];
}
