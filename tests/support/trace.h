/* Opens traces that a test relies on; fails the test if it cannot. The caller closes them. */
#ifndef WS_TESTS_TRACE_H
#define WS_TESTS_TRACE_H

#include "warpsweep/trace.h"

ws_trace *trace_open(const char *path);
/* The trace that the test has written into its folder under this name; the file goes away. */
ws_trace *trace_written(const char *name);

#endif
