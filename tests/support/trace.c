#include "trace.h"

#include "folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

ws_trace *trace_open(const char *path) {
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = ws_trace_open(path, &err);
    if (!trace) fail_msg("%s", err.text);
    return trace;
}

ws_trace *trace_written(const char *name) {
    const char *path = folder_path(name);
    ws_trace *trace = trace_open(path);
    unlink(path);
    return trace;
}
