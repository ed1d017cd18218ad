/* The cheapest way down a grid, after Rodinia's PATHFINDER: a block of threads keeps a piece of a row in local
 * memory and goes several rows down, with a column fewer at either end in each, before the pieces meet again in
 * global memory. Pieces overlap by these columns. */
#define BLOCK 256

/* From row `first` on; `border` is the number of rows that a launch at most makes, which is the overlap; `rows`
 * those of this launch. */
kernel void pathfinder(global const int *wall, global const int *from, global int *to, int columns, int first,
                       int border, int rows) {
    local int before[BLOCK], now[BLOCK];
    const int x = get_local_id(0), left = (BLOCK - 2 * border) * get_group_id(0) - border;
    const int column = left + x;
    const int first_x = max(0, -left), last_x = min(BLOCK - 1, columns - 1 - left);
    const int west = max(x - 1, first_x), east = min(x + 1, last_x);
    const int is_inside = x >= first_x && x <= last_x;
    if (is_inside) before[x] = from[column];
    barrier(CLK_LOCAL_MEM_FENCE);

    int computed = 0;
    for (int row = 0; row < rows; row++) {
        computed = is_inside && x > row && x < BLOCK - 1 - row;
        if (computed)
            now[x] = min(min(before[west], before[x]), before[east]) + wall[(first + row) * columns + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (row == rows - 1) break;
        if (computed) before[x] = now[x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (computed) to[column] = now[x];
}
