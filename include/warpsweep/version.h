/* What this build is; kept in every run's row. */
#ifndef WARPSWEEP_VERSION_H
#define WARPSWEEP_VERSION_H

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

const char *ws_version(void); /* "0.1.0" */
const char *
ws_revision(void); /* of the sources: git's short hash, "-dirty" behind it when they were changed */

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
