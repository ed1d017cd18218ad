/* Breadth-first search by levels, a thread per node, in Rodinia's two kernels with their flag arrays. */
typedef struct {
    int first, count; /* of its edges */
} node;

/* Nodes of this level give their unvisited neighbours a cost. Several may find one: all write the same. */
kernel void bfs_1(global const node *nodes, global const int *edges, global char *frontier, global char *next,
                  global const char *visited, global int *cost, int node_count) {
    const int id = get_global_id(0);
    if (id >= node_count || !frontier[id]) return;
    frontier[id] = 0;
    for (int i = nodes[id].first; i < nodes[id].first + nodes[id].count; i++) {
        const int neighbour = edges[i];
        if (!visited[neighbour]) {
            cost[neighbour] = cost[id] + 1;
            next[neighbour] = 1;
        }
    }
}

/* Nodes that were found become the next level. */
kernel void bfs_2(global char *frontier, global char *next, global char *visited, global char *again,
                  int node_count) {
    const int id = get_global_id(0);
    if (id >= node_count || !next[id]) return;
    frontier[id] = 1;
    visited[id] = 1;
    *again = 1;
    next[id] = 0;
}
