/* Breadth-first search by frontiers (Merrill et al. 2012, without its filters): a list of nodes is expanded to their edges,
 * and each edge labels the node that it leads to. */

/* A thread per node of the frontier: its edges. Room is taken by addition. */
kernel void bfs_expand(global const int *nodes, int count, global const int *first, global const int *arcs,
                       global int *edge_frontier, global int *edge_count) {
    const int thread = get_global_id(0);
    if (thread >= count) return;
    const int node = nodes[thread], begin = first[node], end = first[node + 1];
    int at = atomic_add(edge_count, end - begin);
    for (int i = begin; i < end; i++, at++) edge_frontier[at] = arcs[i];
}

/* A thread per edge, as in Segura et al.'s listing (IRU, Fig. 9), but that a node keeps the label of an earlier level. Of
 * several edges to one node one is remembered. */
kernel void bfs_contract(global const int *edge_frontier, int count, int distance, global int *label,
                         global int *lookup) {
    const int pos = get_global_id(0);
    if (pos >= count) return;
    const int edge = edge_frontier[pos];
    if (label[edge] < distance) return;
    label[edge] = distance;
    lookup[edge] = pos;
}

/* The remembered edges are the next frontier; nothing is remembered afterwards. */
kernel void bfs_filter(global const int *edge_frontier, int count, global int *lookup, global int *nodes,
                       global int *node_count) {
    const int pos = get_global_id(0);
    if (pos >= count) return;
    const int edge = edge_frontier[pos];
    if (lookup[edge] != pos) return;
    lookup[edge] = -1;
    nodes[atomic_inc(node_count)] = edge;
}
