/* A seven-point stencil, a thread per column of the z axis, which keeps the two planes it has read last: Parboil's STENCIL in
 * its form with registers. Blocks have 32 rows, plates fewer: the warps beyond end at once, as those of XI's Fig. 24. */
kernel void stencil(global const float *from, global float *to, int columns, int rows, int planes, float center,
                    float side) {
    const int i = get_global_id(0), j = get_local_id(1), plate = get_group_id(1);
    const int plane = columns * rows;
    if (i > 0 && j > 0 && i < columns - 1 && j < rows - 1) {
        int at = plate * planes * plane + j * columns + i;
        float below = from[at], here = from[at + plane];
        for (int k = 1; k < planes - 1; k++) {
            at += plane;
            const float above = from[at + plane];
            to[at] = side * (above + below + from[at + columns] + from[at - columns] + from[at + 1] + from[at - 1]) +
                     center * here;
            below = here;
            here = above;
        }
    }
}
