/* How often each byte occurs, four bytes to a word, a grid of threads striding over the words. */
#define BINS 256

/* Every byte is counted in global memory. */
kernel void histogram(global const uint *data, global uint *bins, int words) {
    for (int i = get_global_id(0); i < words; i += get_global_size(0)) {
        const uint word = data[i];
        for (int shift = 0; shift < 32; shift += 8) atomic_inc(&bins[word >> shift & (BINS - 1)]);
    }
}

/* Each block counts in local memory, and adds up in the end (Podlozhnyuk 2007). */
kernel void histogram_shared(global const uint *data, global uint *bins, int words) {
    local uint counts[BINS];
    const int l = get_local_id(0);
    counts[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < words; i += get_global_size(0)) {
        const uint word = data[i];
        for (int shift = 0; shift < 32; shift += 8) atomic_inc(&counts[word >> shift & (BINS - 1)]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[l], counts[l]);
}
