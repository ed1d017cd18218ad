/* Real numbers as texts that mean the same everywhere: with a point, whatever locale a program has set. */
#ifndef WS_BASE_REAL_H
#define WS_BASE_REAL_H

#include <stddef.h>

/* With as few of `first` to `last` significant digits as it takes to read the same number again; with `last` where none
 * does. */
void ws_print_real(char *out, size_t size, double value, int first, int last);

#endif
