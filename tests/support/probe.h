/* An analysis that misbehaves on demand, and small traces to run it on. */
#ifndef WS_TESTS_PROBE_H
#define WS_TESTS_PROBE_H

#include "warpsweep/analysis.h"

/* Parameters: `probe.size` (the dim; its rows depend on it and on the stream), `probe.variant` (not a dim),
 * `probe.guilty` (the size at which the fault happens, 0: any), `probe.pause_ms` (per instance), and `probe.fault`:
 *   none
 *   refuse      create() fails, with a text
 *   abort       the process dies by SIGABRT
 *   exit        the process ends itself
 *   hang        it never returns
 *   eat         it allocates memory until there is none left, or 4 GiB
 *   misfit      the rows do not fit the tables
 *   together    the same, where an instance answers several points
 * Tables: `probe` (one row per point), `probe_bin` (two rows per point). */
extern const ws_analysis probe_analysis;
extern const ws_analysis *const probe_analyses[]; /* this one alone, NULL-terminated */

/* Writes a trace of `kernels` launches of random loads into the folder of the test, and returns its path. The launches
 * are called alpha, beta, alpha, beta ..; the same seed gives the same content. */
const char *probe_trace(const char *name, uint64_t seed, uint32_t kernels);

/* Writes a specification file, {"name": "s", "traces": <the folder>/TRACES, "analysis": "probe", MORE}, and returns its
 * path. */
const char *probe_spec(const char *name, const char *traces, const char *more);

#endif
