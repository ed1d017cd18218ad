/* Intra-cluster coalescing without time or packets: the merge table, which knows what SMs of the cluster wait for, and
 * the coalesced cache, which keeps lines that several SMs waited for (ICC 6). icc.c connects both to a cluster.
 *
 * An L1 miss joins a request under way that fetches the sectors that it lacks, and maybe more of the line (ICC 6.1: an
 * entry coalesces all requests for its line); one that lacks more than that takes an entry of its own. With an L1 that
 * does not fetch by sector all of them are for all sectors. Data come back sector by sector. */
#ifndef WS_MECHANISM_PARTS_ICC_UNIT_H
#define WS_MECHANISM_PARTS_ICC_UNIT_H

#include "timed/cache.h"

#include <stdbool.h>
#include <stdint.h>

enum { ICC_SMS_MAX = 64, ICC_SECTORS = 8 }; /* as many as sets of either have bits */

typedef struct icc_entry {
    uint64_t line;
    uint64_t sms[ICC_SECTORS]; /* per sector: the SMs that wait, a bit each */
    uint8_t sectors, arrived;  /* sectors asked for; those of them that have come back */
    bool valid;
    bool written; /* after the request was sent: what comes back may be old, so no more SMs join */
} icc_entry;

typedef struct icc_unit {
    uint32_t entry_count;
    uint32_t end; /* entries from here on are free: far fewer are in use than a table may have */
    icc_entry *entries;
    ws_cache cached; /* one set; no ways: there is no coalesced cache */
} icc_unit;

enum icc_answer {
    ICC_CACHED, /* the coalesced cache has the data */
    ICC_MERGED, /* a request for the data is under way: the SM has joined its entry */
    ICC_SENT,   /* to be sent: the request has got an entry, with this SM as the first to wait */
    ICC_DIRECT, /* to be sent without an entry: the table is full, or the data's entry takes this SM no more */
};

bool icc_unit_init(icc_unit *unit, uint32_t merge_entries, uint32_t cache_lines);
void icc_unit_free(icc_unit *unit);

/* True if icc_unit_read() would return ICC_CACHED or ICC_MERGED; changes nothing. */
bool icc_unit_absorbs(const icc_unit *unit, unsigned sm, uint64_t line, uint8_t sectors);
/* SM `sm` of the cluster has missed `sectors` of `line` in its L1. */
enum icc_answer icc_unit_read(icc_unit *unit, unsigned sm, uint64_t line, uint8_t sectors);

/* An SM of the cluster writes the line: it leaves the coalesced cache, and no more SMs join its entries. */
void icc_unit_write(icc_unit *unit, uint64_t line);

/* Empties the coalesced cache. */
void icc_unit_empty_cache(icc_unit *unit);

/* A reply brings `sector` (one bit) of `line`. Returns the set of SMs to deliver it to: all that wait for it in the
 * line's entries. `sent`: the request had an entry (ICC_SENT); if not, the set includes `sm`, which sent it. The set is
 * empty if another reply has already served all that waited. */
uint64_t icc_unit_reply(icc_unit *unit, unsigned sm, uint64_t line, uint8_t sector, bool sent);

/* Hardware cost in bits (ICC 6.4): per entry of the merge table the line's address and a bit for each SM; per line of
 * the coalesced cache its address and data. */
uint64_t icc_table_bits(uint64_t entries, uint64_t sms_per_cluster, uint64_t line_B);
uint64_t icc_cache_bits(uint64_t lines, uint64_t line_B);

#endif
