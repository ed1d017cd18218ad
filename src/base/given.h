/* What a caller of the library has to give: NULL in its place is told, as it would be where it is used much later. */
#ifndef WS_BASE_GIVEN_H
#define WS_BASE_GIVEN_H

#include "warpsweep/error.h"

/* False, with WS_ERROR_INTERNAL, where `value` is NULL. `what`: "a path". */
#define WS_GIVEN(value, what, err)                                                                           \
    ((value) || ws_fail(err, WS_ERROR_INTERNAL, "%s(): expected " what ", found NULL", __func__))

#endif
