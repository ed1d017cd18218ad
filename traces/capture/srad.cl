/* A step of speckle reducing anisotropic diffusion (Yu and Acton 2002), after Rodinia's SRAD: a block of threads
 * keeps its tile of the image in local memory, and what lies beyond each of the tile's sides in a tile of its
 * own. Rows and columns beyond the image's edge are those at the edge. */
#define BLOCK 16

/* How much the element diffuses, between 0 and 1, from its differences to its neighbours. */
static float diffusion(float here, float dn, float ds, float dw, float de, float q0_squared) {
    const float gradient = (dn * dn + ds * ds + dw * dw + de * de) / (here * here);
    const float laplacian = (dn + ds + dw + de) / here;
    const float part = 1.0f + 0.25f * laplacian;
    const float q_squared = (0.5f * gradient - 0.0625f * laplacian * laplacian) / (part * part);
    const float c = 1.0f / (1.0f + (q_squared - q0_squared) / (q0_squared * (1.0f + q0_squared)));
    return min(max(c, 0.0f), 1.0f);
}

/* Differences and diffusion of each element. Every thread loads five elements, of which those beyond the tile's
 * sides are the same for a column or row of threads. */
kernel void srad_1(global const float *image, global float *north_of, global float *south_of,
                   global float *west_of, global float *east_of, global float *diffusion_of, int rows,
                   int columns, float q0_squared) {
    local float tile[BLOCK][BLOCK], result[BLOCK][BLOCK];
    local float north[BLOCK][BLOCK], south[BLOCK][BLOCK], west[BLOCK][BLOCK], east[BLOCK][BLOCK];
    const int x = get_local_id(0), y = get_local_id(1);
    const int left = BLOCK * get_group_id(0), top = BLOCK * get_group_id(1);
    const int row = top + y, column = left + x, index = row * columns + column;
    north[y][x] = image[max(top - 1, 0) * columns + column];
    south[y][x] = image[min(top + BLOCK, rows - 1) * columns + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    west[y][x] = image[row * columns + max(left - 1, 0)];
    east[y][x] = image[row * columns + min(left + BLOCK, columns - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    tile[y][x] = image[index];
    barrier(CLK_LOCAL_MEM_FENCE);

    const float here = tile[y][x];
    const float dn = (y == 0 ? north[y][x] : tile[y - 1][x]) - here;
    const float ds = (y == BLOCK - 1 ? south[y][x] : tile[y + 1][x]) - here;
    const float dw = (x == 0 ? west[y][x] : tile[y][x - 1]) - here;
    const float de = (x == BLOCK - 1 ? east[y][x] : tile[y][x + 1]) - here;
    result[y][x] = diffusion(here, dn, ds, dw, de, q0_squared);
    barrier(CLK_LOCAL_MEM_FENCE);
    diffusion_of[index] = result[y][x];
    north_of[index] = dn;
    south_of[index] = ds;
    west_of[index] = dw;
    east_of[index] = de;
}

/* The image after the step: an element diffuses to the north and west as itself, to the south and east as its
 * neighbours there. */
kernel void srad_2(global float *image, global const float *north_of, global const float *south_of,
                   global const float *west_of, global const float *east_of, global const float *diffusion_of,
                   int rows, int columns, float rate) {
    local float tile[BLOCK][BLOCK], result[BLOCK][BLOCK];
    local float diffuses[BLOCK][BLOCK], south[BLOCK][BLOCK], east[BLOCK][BLOCK];
    const int x = get_local_id(0), y = get_local_id(1);
    const int left = BLOCK * get_group_id(0), top = BLOCK * get_group_id(1);
    const int row = top + y, column = left + x, index = row * columns + column;
    tile[y][x] = image[index];
    barrier(CLK_LOCAL_MEM_FENCE);
    south[y][x] = diffusion_of[min(top + BLOCK, rows - 1) * columns + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    east[y][x] = diffusion_of[row * columns + min(left + BLOCK, columns - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
    diffuses[y][x] = diffusion_of[index];
    barrier(CLK_LOCAL_MEM_FENCE);

    const float here = diffuses[y][x];
    const float below = y == BLOCK - 1 ? south[y][x] : diffuses[y + 1][x];
    const float right = x == BLOCK - 1 ? east[y][x] : diffuses[y][x + 1];
    const float flow = here * north_of[index] + below * south_of[index] + here * west_of[index] +
                       right * east_of[index];
    result[y][x] = tile[y][x] + 0.25f * rate * flow;
    barrier(CLK_LOCAL_MEM_FENCE);
    image[index] = result[y][x];
}
