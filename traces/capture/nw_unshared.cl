/* Needleman and Wunsch's alignment by the same tiles and threads as nw.cl's, without local memory: scores are
 * read from global memory where their neighbours have just been written. */
#define BLOCK 16

/* The tile whose first element is (top, left), by half a warp. */
static void fill_tile(global const int *similarity, global int *score, int columns, int penalty, int top,
                      int left) {
    const int x = get_local_id(0);
    for (int diagonal = 0; diagonal < 2 * BLOCK - 1; diagonal++) {
        const int i = diagonal - x, index = (top + i) * columns + left + x;
        if (i >= 0 && i < BLOCK)
            score[index] = max(score[index - columns - 1] + similarity[index],
                               max(score[index - 1] - penalty, score[index - columns] - penalty));
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

/* The tiles of a diagonal in the upper left half, which has one more each time. */
kernel void nw_1_unshared(global const int *similarity, global int *score, int columns, int penalty,
                          int tiles) {
    const int bx = get_group_id(0), by = tiles - 1 - bx;
    fill_tile(similarity, score, columns, penalty, 1 + by * BLOCK, 1 + bx * BLOCK);
}

/* The tiles of a diagonal in the lower right half, which has one less each time; `width` tiles are a row. */
kernel void nw_2_unshared(global const int *similarity, global int *score, int columns, int penalty, int tiles,
                          int width) {
    const int bx = get_group_id(0) + width - tiles, by = width - 1 - get_group_id(0);
    fill_tile(similarity, score, columns, penalty, 1 + by * BLOCK, 1 + bx * BLOCK);
}
