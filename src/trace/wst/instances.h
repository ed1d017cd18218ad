/* Tells kernels apart whose names differ but whose short names are equal: instances of a template, overloads. */
#ifndef WS_TRACE_WST_INSTANCES_H
#define WS_TRACE_WST_INSTANCES_H

#include "warpsweep/trace.h"

/* Numbers the kernels that share a short name, in the order of their first launches: the first keeps it, the second
 * becomes "NAME#2", the third "NAME#3", and so on, without numbers that are part of another kernel's short name.
 * `kernels` are the launches in order; short names are heap strings. False if out of memory. */
bool ws_tell_instances_apart(ws_kernel *kernels, size_t count);

#endif
