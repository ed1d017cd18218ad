/* PATHFINDER without local memory: a row, whose threads read the row above from global memory. Rows meet there,
 * so each is a launch. */
kernel void pathfinder_unshared(global const int *wall, global const int *from, global int *to, int columns,
                                int row) {
    const int column = get_global_id(0);
    if (column >= columns) return;
    const int west = max(column - 1, 0), east = min(column + 1, columns - 1);
    to[column] = min(min(from[west], from[column]), from[east]) + wall[row * columns + column];
}
