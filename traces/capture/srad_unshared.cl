/* SRAD by the same blocks and threads as srad.cl's, without local memory: neighbours are read from global memory. */

/* How much the element diffuses, between 0 and 1, from its differences to its neighbours. */
static float diffusion(float here, float dn, float ds, float dw, float de, float q0_squared) {
    const float gradient = (dn * dn + ds * ds + dw * dw + de * de) / (here * here);
    const float laplacian = (dn + ds + dw + de) / here;
    const float part = 1.0f + 0.25f * laplacian;
    const float q_squared = (0.5f * gradient - 0.0625f * laplacian * laplacian) / (part * part);
    const float c = 1.0f / (1.0f + (q_squared - q0_squared) / (q0_squared * (1.0f + q0_squared)));
    return min(max(c, 0.0f), 1.0f);
}

/* Differences and diffusion of each element. */
kernel void srad_1_unshared(global const float *image, global float *north_of, global float *south_of,
                            global float *west_of, global float *east_of, global float *diffusion_of, int rows,
                            int columns, float q0_squared) {
    const int column = get_global_id(0), row = get_global_id(1), index = row * columns + column;
    const float here = image[index];
    const float dn = image[max(row - 1, 0) * columns + column] - here;
    const float ds = image[min(row + 1, rows - 1) * columns + column] - here;
    const float dw = image[row * columns + max(column - 1, 0)] - here;
    const float de = image[row * columns + min(column + 1, columns - 1)] - here;
    diffusion_of[index] = diffusion(here, dn, ds, dw, de, q0_squared);
    north_of[index] = dn;
    south_of[index] = ds;
    west_of[index] = dw;
    east_of[index] = de;
}

/* The image after the step. */
kernel void srad_2_unshared(global float *image, global const float *north_of, global const float *south_of,
                            global const float *west_of, global const float *east_of,
                            global const float *diffusion_of, int rows, int columns, float rate) {
    const int column = get_global_id(0), row = get_global_id(1), index = row * columns + column;
    const float here = diffusion_of[index];
    const float below = diffusion_of[min(row + 1, rows - 1) * columns + column];
    const float right = diffusion_of[row * columns + min(column + 1, columns - 1)];
    const float flow = here * north_of[index] + below * south_of[index] + here * west_of[index] +
                       right * east_of[index];
    image[index] += 0.25f * rate * flow;
}
