/* The kernel files of Accel-Sim 2.0, .tracez: the text of a .traceg, packed warp by warp with an index. */
#ifndef WS_TRACE_IMPORT_TRACEZ_H
#define WS_TRACE_IMPORT_TRACEZ_H

#include "trace/import/text_source.h"

/* Whether the file begins as a .tracez does; false also if it cannot be read. */
bool ws_tracez_is(const char *path);

/* Opens a .tracez as the text that Accel-Sim's traceDsm makes of it, line for line. `path` and `watch` (which may be
 * NULL) must outlive the text. */
bool ws_tracez_open(ws_text *text, const char *path, ws_text_watch *watch, ws_error *err);

#endif
