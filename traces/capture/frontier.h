/* What breadth-first search and shortest paths share: they start at the node with the most neighbours, and go on as
 * long as a frontier has nodes. */
#ifndef WARPSWEEP_CAPTURE_FRONTIER_H
#define WARPSWEEP_CAPTURE_FRONTIER_H

#include "graph.h"
#include "host.h"

enum { FRONTIER_BLOCK = 256, FRONTIER_FAR = 1 << 30 }; /* FAR: the label of a node that is not reached */

typedef struct frontier {
    host_memory first, arcs, nodes, edges, lookup, label;
    host_memory node_counter, edge_counter;
    int node_count, edge_count; /* of the frontier at hand */
} frontier;

/* Buffers with the graph, and the first frontier: `source`. */
frontier frontier_start(const graph *g, int source);
int frontier_source(const graph *g);
/* Threads for `count` items: whole blocks. */
size_t frontier_threads(int count);
/* The kernels have counted the edges, or the nodes, of the next frontier. */
void frontier_take_edges(frontier *f);
void frontier_take_nodes(frontier *f);

#endif
