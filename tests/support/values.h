/* Values of a parameter, to see whether it changes anything. */
#ifndef WS_TESTS_VALUES_H
#define WS_TESTS_VALUES_H

#include "warpsweep/param.h"

enum { VALUES_MAX = 16 };

/* Those to try instead of the default: neighbours, ends, powers of two; as JSON texts. Answers how many. */
size_t values_other_than_default(const ws_param *p, char out[VALUES_MAX][32]);

#endif
