#include "base/stream.h"

#include <errno.h>
#include <string.h>

const char *ws_write_error(FILE *stream) {
    errno = 0;
    if (fputc('\n', stream) != EOF) fflush(stream);
    return errno ? strerror(errno) : "an earlier write failed";
}
