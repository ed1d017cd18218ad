/* Graphs for the graph kernels: read from files, or made by seeded generators. Undirected, without loops and repeated
 * edges, in compressed sparse rows. */
#ifndef WARPSWEEP_CAPTURE_GRAPH_H
#define WARPSWEEP_CAPTURE_GRAPH_H

#include "warpsweep/error.h"

#include <stdint.h>

typedef struct graph {
    int node_count, arc_count; /* an edge is two arcs */
    int *first;                /* per node its first arc; `node_count + 1` of them */
    int *arcs;                 /* where each leads, ascending within a node */
} graph;

enum { GRAPH_NODES_MAX = 1 << 28, GRAPH_ARCS_MAX = 1 << 30 };

void graph_free(graph *g); /* accepts NULL */

/* Reads a file, plain or packed (.xz, .gz, .zst):
 *   *.graph, *.metis   METIS: "nodes edges [format [constraints]]", then a line of neighbours per node, from 1 on
 *   %%MatrixMarket ..  Matrix Market, coordinate, square: "row column [value]", from 1 on
 *   else               an edge list (SNAP's, say): "from to [anything]"; the numbers that occur become 0, 1, 2 ..
 *                      in ascending order, so they may be sparse, and begin where they like
 * Lines that begin with '%' or '#' are remarks, line ends are LF or CRLF. Direction and values are ignored. An error
 * names file and line. */
graph *graph_read(const char *path, ws_error *err);

/* Makes the graph that `text` describes, "KIND:NODES", or "KIND:NODES:SEED" (from 1 on; 1 when it is left out):
 *   kron      Kronecker graph (Leskovec et al. 2010) of Graph 500's parameters, four edges drawn per node, nodes in
 *             random order; NODES is a power of two
 *   delaunay  like a Delaunay triangulation: a lattice of triangles with random diagonals, numbered along a Z-order
 *             curve; NODES is rounded down to a power of two
 *   road      like a road network: a lattice of junctions without a quarter of its roads, each road with a node amid;
 *             NODES is rounded down to whole rows and columns
 *   collab    like a collaboration network: papers of 2 to 6 authors, all connected, who are new or chosen in
 *             proportion to the papers that they have; nodes in random order */
graph *graph_make(const char *text, ws_error *err);

/* The graph that a command line "[--graph FILE | --make KIND:NODES[:SEED]] KERNELS.cl" asks for; without these options
 * that of `otherwise`. The options leave argv. Ends the program on errors. */
graph *graph_of_arguments(int *argc, char **argv, const char *otherwise);

/* For makers and readers: edges, as they come. `from` and `to` below the number of nodes. */
typedef struct graph_edges {
    struct graph_edge {
        int from, to;
    } * edges;
    int count, room;
    bool failed; /* out of memory, or too many */
} graph_edges;
void graph_add_edge(graph_edges *edges, int from, int to);
/* Both directions of each edge, without loops and repetitions. Frees the edges. */
graph *graph_of_edges(graph_edges *edges, int node_count, ws_error *err);

#endif
