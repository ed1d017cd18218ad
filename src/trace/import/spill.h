/* Groups records by key in bounded memory: records are added in any order and read back by ascending key, those of one
 * key in the order in which they were added. What does not fit in memory goes to one temporary file without a name, so
 * that nothing is left of it however the process ends. */
#ifndef WS_TRACE_IMPORT_SPILL_H
#define WS_TRACE_IMPORT_SPILL_H

#include "warpsweep/trace.h"

enum { WS_SPILL_RECORD_MAX = 4096 };            /* bytes of the largest record */
#define WS_SPILL_MEMORY_B (UINT64_C(256) << 20) /* if no bound is given */

typedef struct ws_spill_options {
    const char *folder;               /* of the temporary file; NULL: $TMPDIR, or /tmp */
    uint64_t memory_B;                /* 0: WS_SPILL_MEMORY_B; at most 2 GiB */
    const volatile bool *interrupted; /* may be NULL */
} ws_spill_options;

/* Tells the user (options->notice) how much disk space grouping the text at `path` may take, if the text is larger than
 * what is grouped in memory. The file's size is the bound, as a record is smaller than its line; the unpacked size of
 * packed texts is not known. */
void ws_spill_announce(const ws_spill_options *spill, const char *path, uint64_t file_B, bool is_packed,
                       const ws_import_options *options);

typedef struct ws_spill_key {
    uint32_t launch;
    uint64_t place;
} ws_spill_key;

typedef struct ws_spill ws_spill;

/* `options` must outlive the result. */
ws_spill *ws_spill_new(const ws_spill_options *options, ws_error *err);
void ws_spill_free(ws_spill *spill); /* accepts NULL */

bool ws_spill_add(ws_spill *spill, ws_spill_key key, const void *record, size_t size, ws_error *err);

typedef bool ws_spill_visit(void *context, ws_spill_key key, const void *record, size_t size, ws_error *err);

/* Visits all records, and stops where `visit` fails. Nothing can be added afterwards. */
bool ws_spill_read(ws_spill *spill, ws_spill_visit *visit, void *context, ws_error *err);

#endif
