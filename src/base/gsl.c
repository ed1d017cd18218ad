#include "base/gsl.h"

#include <gsl/gsl_errno.h>
#include <threads.h>

static void switch_off(void) {
    gsl_set_error_handler_off();
}

void ws_gsl_handler_off(void) {
    static once_flag done = ONCE_FLAG_INIT;
    call_once(&done, switch_off);
}
