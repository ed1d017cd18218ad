/* Writing to stdio streams, and what goes wrong. */
#ifndef WS_BASE_STREAM_H
#define WS_BASE_STREAM_H

#include <stdio.h>

/* Why a stream that has failed cannot be written to. Tries one more write and returns its reason, since that of the
 * first may be lost, and errno may be of something else by now. */
const char *ws_write_error(FILE *stream);

/* Closes a stream. Returns NULL if all that was written to it has arrived, otherwise why it has not. */
const char *ws_close_written(FILE *stream);

#endif
