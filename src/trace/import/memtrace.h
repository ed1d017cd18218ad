/* Reader of what NVBit's mem_trace tool prints. */
#ifndef WS_TRACE_IMPORT_MEMTRACE_H
#define WS_TRACE_IMPORT_MEMTRACE_H

#include "trace/import/gathered.h"

bool ws_memtrace_read(ws_text *text, ws_gathered *gathered, ws_error *err);

#endif
