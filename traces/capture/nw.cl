/* Needleman and Wunsch's alignment of two sequences, in Rodinia's two kernels: a matrix of scores is filled tile
 * by tile, the tiles of a diagonal at once, the elements of a tile diagonal by diagonal. */
#define BLOCK 16

/* The tile whose first element is (top, left), by half a warp. */
static void fill_tile(global const int *similarity, global int *score, int columns, int penalty, int top,
                      int left, local int (*tile)[BLOCK + 1], local int (*similar)[BLOCK]) {
    const int x = get_local_id(0);
    if (x == 0) tile[0][0] = score[(top - 1) * columns + left - 1];
    for (int i = 0; i < BLOCK; i++) similar[i][x] = similarity[(top + i) * columns + left + x];
    tile[x + 1][0] = score[(top + x) * columns + left - 1];
    tile[0][x + 1] = score[(top - 1) * columns + left + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int diagonal = 0; diagonal < 2 * BLOCK - 1; diagonal++) {
        const int i = diagonal - x + 1, j = x + 1;
        if (i >= 1 && i <= BLOCK)
            tile[i][j] = max(tile[i - 1][j - 1] + similar[i - 1][j - 1],
                             max(tile[i][j - 1] - penalty, tile[i - 1][j] - penalty));
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int i = 0; i < BLOCK; i++) score[(top + i) * columns + left + x] = tile[i + 1][x + 1];
}

/* The tiles of a diagonal in the upper left half, which has one more each time. */
kernel void nw_1(global const int *similarity, global int *score, int columns, int penalty, int tiles) {
    local int tile[BLOCK + 1][BLOCK + 1], similar[BLOCK][BLOCK];
    const int bx = get_group_id(0), by = tiles - 1 - bx;
    fill_tile(similarity, score, columns, penalty, 1 + by * BLOCK, 1 + bx * BLOCK, tile, similar);
}

/* The tiles of a diagonal in the lower right half, which has one less each time; `width` tiles are a row. */
kernel void nw_2(global const int *similarity, global int *score, int columns, int penalty, int tiles,
                 int width) {
    local int tile[BLOCK + 1][BLOCK + 1], similar[BLOCK][BLOCK];
    const int bx = get_group_id(0) + width - tiles, by = width - 1 - get_group_id(0);
    fill_tile(similarity, score, columns, penalty, 1 + by * BLOCK, 1 + bx * BLOCK, tile, similar);
}
