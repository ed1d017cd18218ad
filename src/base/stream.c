#include "base/stream.h"

#include <errno.h>
#include <string.h>

const char *ws_write_error(FILE *stream) {
    errno = 0;
    if (fputc('\n', stream) != EOF) fflush(stream);
    return errno ? strerror(errno) : "an earlier write failed";
}

const char *ws_close_written(FILE *stream) {
    const char *why = fflush(stream) != 0 || ferror(stream) ? ws_write_error(stream) : NULL;
    return fclose(stream) != 0 && !why ? strerror(errno) : why;
}
