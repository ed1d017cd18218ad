/* GSL reports failures to a handler, one for the whole process, which by default aborts the program. */
#ifndef WS_BASE_GSL_H
#define WS_BASE_GSL_H

/* Switches the handler off when it is first called, so that GSL's functions only return that they failed: to be called
 * before those that can. It stays off, as another thread may be using GSL whenever it could be switched on again. */
void ws_gsl_handler_off(void);

#endif
