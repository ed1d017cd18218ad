/* One kernel with everything that makes it hard to re-form warps and to account for accesses. */
typedef struct {
    int scale, offset;
} settings;

constant int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};

__attribute__((noinline)) int steps(uint n) {
    int count = 0;
    for (; n != 1 && count < 200; count++) n = n & 1 ? 3 * n + 1 : n / 2;
    return count;
}

kernel void divergent(global int *out, global const int *in, global float4 *vectors, local int *sums, int n,
                      settings s) {
    local int best[2], other[3];
    const int id = get_global_id(0), l = get_local_id(0);
    int history[8], total = 0;
    for (int i = 0; i < 8; i++) history[i] = in[(id + i) % n];
    for (int i = 0; i < id % 13; i++) { /* its own number of rounds, left and cut short */
        if (((i * id) & 15) == 9) break;
        if (i % 3 == 1) continue;
        total += history[in[(i * id) % n] & 7] + table[(id + i) & 15];
        history[(total + i) & 7] ^= i;
    }
    switch (id % 5) {
    case 0: total += steps(id + 1); break;
    case 1: total ^= in[id % n]; /* falls through */
    case 2: total += s.scale; break;
    case 3: total += steps(2 * id + 3); break;
    default: total -= s.offset;
    }
    sums[l] = total;
    if (l < 2) best[l] = 0;
    if (l < 3) other[l] = id;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int stride = get_local_size(0) / 2; stride > 0; stride /= 2) {
        if (l < stride) sums[l] += sums[l + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    atomic_max(&best[l & 1], total);
    const int before = atomic_add(&out[n], 1);
    vectors[id] = vectors[id] * (float)(history[before & 7] & 3) + (float4)sqrt((float)id);
    if (id % 11 == 0) return; /* before the others */
    for (int j = id % 17;; j++) { /* three ways out */
        if (in[j % n] > 60) {
            out[id] = j;
            break;
        }
        if (j > 40) break;
        if ((j ^ id) % 19 == 0) {
            out[id] = sums[0] + other[id % 3];
            return;
        }
    }
    out[id] += total + best[0];
}
