/* Values of a parameter other than its default, to test whether the parameter has any effect. */
#ifndef WS_TESTS_VALUES_H
#define WS_TESTS_VALUES_H

#include "warpsweep/param.h"

enum { VALUES_MAX = 16 };

/* Writes values to try instead of the default, as JSON: its neighbours, half and double, the minimum, powers of two;
 * all others of a choice. Returns their number. */
size_t values_other_than_default(const ws_param *p, char out[VALUES_MAX][32]);

#endif
