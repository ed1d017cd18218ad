/* The reads of a timed replay whose loads are in flight. With a sectored L1, or narrow data, what an instruction reads
 * of a line can be several accesses; they are one request. */
#ifndef WS_ANALYSIS_PARTS_OPEN_READS_H
#define WS_ANALYSIS_PARTS_OPEN_READS_H

#include "warpsweep/timed.h"

/* A line that a load reads. */
typedef struct ws_open_read {
    uint64_t line;
    bool has_left; /* for the owner: an access to it has left the SM */
} ws_open_read;

typedef struct ws_open_reads ws_open_reads;

ws_open_reads *ws_open_reads_new(uint32_t sms); /* NULL if out of memory */
void ws_open_reads_free(ws_open_reads *reads);  /* accepts NULL */

/* Returns the read that the access, of a load that is named by `issued`, is part of, until the next call; `*is_new`:
 * this is its first access. NULL if out of memory. */
ws_open_read *ws_open_reads_find(ws_open_reads *reads, const ws_timed_access *access, bool *is_new);

/* The load has ended: its reads are forgotten. */
void ws_open_reads_end(ws_open_reads *reads, const ws_timed_load *load);

#endif
