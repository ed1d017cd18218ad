/* Files with one digest, the contents of which are one unless a file is damaged: the digest stands in the header. */
#ifndef WS_TRACE_TWINS_H
#define WS_TRACE_TWINS_H

#include "warpsweep/trace.h"

#include <stdio.h>

/* Chooses between two files of one digest. True if `other` is to take the place of `kept`, which has a damaged block,
 * while `other` has none. Reads one of the files, or both, but decodes neither. Tells `log` (may be NULL) which one is
 * left out, in a line that begins with `who`. */
bool ws_trace_replaces(const ws_trace *other, const ws_trace *kept, const char *who, FILE *log);

#endif
