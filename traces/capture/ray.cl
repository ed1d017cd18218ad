/* Rays through a volume, a thread per pixel: each walks along an axis, cell by cell, until it meets something. Mirrors (2
 * to 5) turn it by a right angle, five times at most; walls (1) and the volume's border (6) end it. How far a ray gets
 * is a matter of the scene, as in XI's Fig. 22. */
kernel void ray(global const uchar *volume, global int *image, int width, int height) {
    const int x = get_global_id(0), y = get_global_id(1), row = width + 2, plane = row * (height + 2);
    int at = plane + (y + 1) * row + x + 1;
    int dx = 0, dy = 0, dz = 1, light = 0;
    for (int turns = 0; turns <= 5; turns++) {
        const int step = dz * plane + dy * row + dx;
        int steps = 0, met;
        while ((met = volume[at]) == 0) {
            at += step;
            steps++;
        }
        light += (met + 1) * (steps + turns);
        if (met < 2 || met > 5) break;
        const int sign = met & 1 ? -1 : 1, next = sign * dz;
        if (met < 4) {
            dz = sign * dx;
            dx = next;
        } else {
            dz = sign * dy;
            dy = next;
        }
        at += dz * plane + dy * row + dx;
    }
    image[y * width + x] = light;
}
