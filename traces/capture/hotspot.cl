/* Heat on a chip, after Rodinia's HOTSPOT: a block of threads keeps a tile in local memory and makes several
 * steps of time on it, each valid for a ring of elements fewer, before the tiles meet again in global memory.
 * Tiles overlap by these rings. */
#define BLOCK 16

/* Neighbours beyond the chip's edge are as warm as the element itself. `border` is the number of steps that a
 * launch at most makes, which is the overlap; `steps` those of this launch. */
kernel void hotspot(global const float *power, global const float *from, global float *to, int rows,
                    int columns, int border, int steps, float capacity, float across, float along,
                    float up, float ambient) {
    local float temperature[BLOCK][BLOCK], heat[BLOCK][BLOCK], next[BLOCK][BLOCK];
    const int x = get_local_id(0), y = get_local_id(1), inside = BLOCK - 2 * border;
    const int left = inside * get_group_id(0) - border, top = inside * get_group_id(1) - border;
    const int column = left + x, row = top + y, index = row * columns + column;
    if (row >= 0 && row < rows && column >= 0 && column < columns) {
        temperature[y][x] = from[index];
        heat[y][x] = power[index];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const int first_x = max(0, -left), last_x = min(BLOCK - 1, columns - 1 - left);
    const int first_y = max(0, -top), last_y = min(BLOCK - 1, rows - 1 - top);
    const int north = max(y - 1, first_y), south = min(y + 1, last_y);
    const int west = max(x - 1, first_x), east = min(x + 1, last_x);
    int computed = 0;
    for (int step = 0; step < steps; step++) {
        computed = x > step && x < BLOCK - 1 - step && y > step && y < BLOCK - 1 - step && x >= first_x &&
                   x <= last_x && y >= first_y && y <= last_y;
        if (computed)
            next[y][x] = temperature[y][x] +
                         capacity * (heat[y][x] +
                                     (temperature[south][x] + temperature[north][x] -
                                      2.0f * temperature[y][x]) * along +
                                     (temperature[y][east] + temperature[y][west] -
                                      2.0f * temperature[y][x]) * across +
                                     (ambient - temperature[y][x]) * up);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (step == steps - 1) break;
        if (computed) temperature[y][x] = next[y][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (computed) to[index] = next[y][x];
}
