/* HOTSPOT without local memory: a step of time, which reads an element and its four neighbours from global
 * memory. Steps meet there, so each is a launch. */

/* Neighbours beyond the chip's edge are as warm as the element itself. */
kernel void hotspot_unshared(global const float *power, global const float *from, global float *to, int rows,
                             int columns, float capacity, float across, float along, float up,
                             float ambient) {
    const int column = get_global_id(0), row = get_global_id(1), index = row * columns + column;
    const int north = max(row - 1, 0), south = min(row + 1, rows - 1);
    const int west = max(column - 1, 0), east = min(column + 1, columns - 1);
    const float here = from[index];
    to[index] = here + capacity * (power[index] +
                                   (from[south * columns + column] + from[north * columns + column] -
                                    2.0f * here) * along +
                                   (from[row * columns + east] + from[row * columns + west] - 2.0f * here) *
                                       across +
                                   (ambient - here) * up);
}
