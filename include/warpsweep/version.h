/* Which build this is; recorded with every run in a database. Static strings. */
#ifndef WARPSWEEP_VERSION_H
#define WARPSWEEP_VERSION_H

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

const char *ws_version(void); /* "0.1.0" */
/* Of the sources: git's short hash, followed by "-dirty" if they were changed. */
const char *ws_revision(void);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
