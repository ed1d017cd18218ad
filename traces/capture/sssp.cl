/* Single-source shortest paths (Davidson et al. 2014, a frontier swept as a whole): a list of nodes whose labels have
 * improved is expanded to their edges, and each edge tries to improve the node that it leads to. */

/* A thread per node of the frontier: its edges, and the distances by way of them. Room is taken by addition. */
kernel void sssp_expand(global const int *nodes, int count, global const int *first, global const int *arcs,
                        global const int *weights, global const int *label, global int *edge_frontier,
                        global int *weight_frontier, global int *edge_count) {
    const int thread = get_global_id(0);
    if (thread >= count) return;
    const int node = nodes[thread], begin = first[node], end = first[node + 1], distance = label[node];
    int at = atomic_add(edge_count, end - begin);
    for (int i = begin; i < end; i++, at++) {
        edge_frontier[at] = arcs[i];
        weight_frontier[at] = distance + weights[i];
    }
}

/* A thread per edge, as in Segura et al.'s listing (IRU, Fig. 10). Of several edges to one node the last that improves it
 * is remembered. */
kernel void sssp_compaction(global const int *edge_frontier, global const int *weight_frontier, int count,
                            global int *label, global int *lookup) {
    const int pos = get_global_id(0);
    if (pos >= count) return;
    const int edge = edge_frontier[pos], weight = weight_frontier[pos];
    const int old = atomic_min(&label[edge], weight);
    if (old > weight) lookup[edge] = pos;
}

/* The remembered edges are the next frontier; nothing is remembered afterwards. */
kernel void sssp_filter(global const int *edge_frontier, int count, global int *lookup, global int *nodes,
                        global int *node_count) {
    const int pos = get_global_id(0);
    if (pos >= count) return;
    const int edge = edge_frontier[pos];
    if (lookup[edge] != pos) return;
    lookup[edge] = -1;
    nodes[atomic_inc(node_count)] = edge;
}
