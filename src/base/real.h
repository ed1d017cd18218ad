/* Real numbers as texts that mean the same everywhere: with a point, whatever locale a program has set. */
#ifndef WS_BASE_REAL_H
#define WS_BASE_REAL_H

#include <stddef.h>

/* Writes `value` with the fewest significant digits, from `first` to `last`, that read back as the same number; with
 * `last` if none do. */
void ws_print_real(char *out, size_t size, double value, int first, int last);

/* Reads a number as strtod() does in locale C. `end` may be NULL. */
double ws_read_real(const char *text, char **end);

#endif
