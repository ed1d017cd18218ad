/* Checks the pointers that a caller of the library has to give: NULL is reported at once, not where it is used much
 * later. */
#ifndef WS_BASE_GIVEN_H
#define WS_BASE_GIVEN_H

#include "warpsweep/error.h"

/* False, with WS_ERROR_INTERNAL, if `value` is NULL. `what` is a literal such as "a path". */
#define WS_GIVEN(value, what, err)                                                                           \
    ((value) || ws_fail(err, WS_ERROR_INTERNAL, "%s(): expected " what ", found NULL", __func__))

#endif
