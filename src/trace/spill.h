/* Groups records by key in bounded memory: records go in in any order, and come out by ascending keys, those of one
 * key in the order in which they went in. What memory does not hold goes to one temporary file without a name, so that
 * nothing is left of it however the process ends. */
#ifndef WS_TRACE_SPILL_H
#define WS_TRACE_SPILL_H

#include "warpsweep/trace.h"

enum { WS_SPILL_RECORD_MAX = 4096 };            /* bytes of one record */
#define WS_SPILL_MEMORY_B (UINT64_C(256) << 20) /* where no bound is given */

typedef struct ws_spill_options {
    const char *folder;               /* for the file; NULL: $TMPDIR, or /tmp */
    uint64_t memory_B;                /* 0: WS_SPILL_MEMORY_B; at most 2 GiB */
    const volatile bool *interrupted; /* may be NULL */
} ws_spill_options;

/* Says (options->notice) how much room grouping the text at `path` may take, where it is larger than what is grouped in
 * memory. A record is smaller than its line; of packed texts the size is not known. */
void ws_spill_announce(const ws_spill_options *spill, const char *path, uint64_t file_B, bool is_packed,
                       const ws_import_options *options);

typedef struct ws_spill_key {
    uint32_t launch;
    uint64_t place;
} ws_spill_key;

typedef struct ws_spill ws_spill;

/* `options` must outlive it. */
ws_spill *ws_spill_new(const ws_spill_options *options, ws_error *err);
void ws_spill_free(ws_spill *spill); /* accepts NULL */

bool ws_spill_add(ws_spill *spill, ws_spill_key key, const void *record, size_t size, ws_error *err);

typedef bool ws_spill_visit(void *context, ws_spill_key key, const void *record, size_t size, ws_error *err);

/* Gives all records; stops where `visit` fails. Nothing can be added afterwards. */
bool ws_spill_read(ws_spill *spill, ws_spill_visit *visit, void *context, ws_error *err);

#endif
