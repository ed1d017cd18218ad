/* PageRank that pushes (Geil et al. 2014): each node hands its rank to its neighbours in equal shares. Ranks are whole
 * numbers, so that the order of additions does not matter; OpenCL has no addition of floats in memory, and its accesses
 * would be the same. */

/* A thread per node: its edges, and the share that each carries. */
kernel void pr_expand(int count, global const int *first, global const int *arcs, global const int *rank,
                      global int *edge_frontier, global int *weight_frontier) {
    const int node = get_global_id(0);
    if (node >= count) return;
    const int begin = first[node], end = first[node + 1];
    if (begin == end) return;
    const int share = rank[node] / (end - begin);
    for (int i = begin; i < end; i++) {
        edge_frontier[i] = arcs[i];
        weight_frontier[i] = share;
    }
}

/* A thread per edge, as in Segura et al.'s listing (IRU, Fig. 11). */
kernel void pr_contract(global const int *edge_frontier, global const int *weight_frontier, int count,
                        global int *label) {
    const int pos = get_global_id(0);
    if (pos >= count) return;
    const int edge = edge_frontier[pos], weight = weight_frontier[pos];
    atomic_add(&label[edge], weight);
}

/* A thread per node: the damped sum is its next rank. `damping` in 256ths. */
kernel void pr_update(int count, int base, int damping, global int *rank, global int *label) {
    const int node = get_global_id(0);
    if (node >= count) return;
    rank[node] = base + label[node] / 256 * damping;
    label[node] = 0;
}
