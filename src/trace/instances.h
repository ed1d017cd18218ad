/* Kernels of different names whose short names are equal: instances of a template, overloads. */
#ifndef WS_TRACE_INSTANCES_H
#define WS_TRACE_INSTANCES_H

#include "warpsweep/trace.h"

/* Among launches in their order: of kernels that share a short name the second one's becomes "NAME#2", the third one's
 * "NAME#3", and so on, as they first appear. Short names are heap strings. False if out of memory. */
bool ws_tell_instances_apart(ws_kernel *kernels, size_t count);

#endif
