/* The schema: its identity, its versions, and how one becomes the next. */
#ifndef WS_STORE_SCHEMA_H
#define WS_STORE_SCHEMA_H

#include "warpsweep/error.h"

#include <sqlite3.h>

enum { WS_SCHEMA_APPLICATION_ID = 0x77737770 }; /* "wswp" */

/* Step v takes a database of version v to v + 1; version 0 is the empty file. */
extern const char *const ws_schema_steps[];
extern const int ws_schema_version; /* number of steps */

/* Checks that the file is one of ours, of schema version `newest` or older, and sets `*version`. An empty file passes
 * as version 0. `path` is for messages. */
bool ws_schema_identify(sqlite3 *db, const char *path, int newest, int *version, ws_error *err);

/* Takes the database from `version` to `count`, in one transaction: all steps or none. */
bool ws_schema_migrate(sqlite3 *db, const char *path, int version, const char *const *steps, int count,
                       ws_error *err);

#endif
