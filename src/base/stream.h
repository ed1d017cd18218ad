/* Errors of stdio streams. */
#ifndef WS_BASE_STREAM_H
#define WS_BASE_STREAM_H

#include <stdio.h>

/* Why a stream that has failed cannot be written to. Tries one more write and returns its reason, since that of the
 * first may be lost, and errno may be of something else by now. */
const char *ws_write_error(FILE *stream);

#endif
