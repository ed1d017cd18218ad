/* Reader of what NVBit's mem_trace tool prints. */
#ifndef WS_TRACE_MEMTRACE_H
#define WS_TRACE_MEMTRACE_H

#include "trace/gathered.h"
#include "trace/text_source.h"

bool ws_memtrace_read(ws_text *text, ws_gathered *gathered, ws_error *err);

bool ws_memtrace_import(const char *source, const char *out, const ws_import_options *options, ws_error *err);

#endif
