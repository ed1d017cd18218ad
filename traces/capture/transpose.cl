/* Matrix transposition in the steps of Ruetsch and Micikevicius: a block of 32 x 8 threads moves a tile of
 * 32 x 32, four elements per thread. */
#define TILE 32
#define ROWS 8 /* of the block */

/* Reads rows, writes columns: the stores of a warp go to 32 lines. */
kernel void transpose_naive(global const float *in, global float *out, int n) {
    const int x = get_group_id(0) * TILE + get_local_id(0), y = get_group_id(1) * TILE + get_local_id(1);
    for (int i = 0; i < TILE; i += ROWS) out[x * n + y + i] = in[(y + i) * n + x];
}

/* By way of a tile in local memory, whose columns lie in one bank each. */
kernel void transpose_shared(global const float *in, global float *out, int n) {
    local float tile[TILE][TILE];
    const int column = get_local_id(0), row = get_local_id(1);
    const int left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
    for (int i = 0; i < TILE; i += ROWS) tile[row + i][column] = in[(top + row + i) * n + left + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE; i += ROWS) out[(left + row + i) * n + top + column] = tile[column][row + i];
}

/* The tile's rows are one word longer: a column's elements lie in 32 banks. */
kernel void transpose_padded(global const float *in, global float *out, int n) {
    local float tile[TILE][TILE + 1];
    const int column = get_local_id(0), row = get_local_id(1);
    const int left = get_group_id(0) * TILE, top = get_group_id(1) * TILE;
    for (int i = 0; i < TILE; i += ROWS) tile[row + i][column] = in[(top + row + i) * n + left + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE; i += ROWS) out[(left + row + i) * n + top + column] = tile[column][row + i];
}

/* Reads columns, writes rows: the loads of a warp go to 32 lines. */
kernel void transpose_columns(global const float *in, global float *out, int n) {
    const int x = get_group_id(0) * TILE + get_local_id(0), y = get_group_id(1) * TILE + get_local_id(1);
    for (int i = 0; i < TILE; i += ROWS) out[(y + i) * n + x] = in[x * n + y + i];
}
