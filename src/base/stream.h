/* Streams of stdio that have failed. */
#ifndef WS_BASE_STREAM_H
#define WS_BASE_STREAM_H

#include <stdio.h>

/* Why a stream that has failed cannot be written: what one more write says, for the reason of the first may be
 * forgotten, and errno be of something else by now. */
const char *ws_write_error(FILE *stream);

#endif
