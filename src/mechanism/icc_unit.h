/* Intra-cluster coalescing without time or packets: the merge table, which knows what the cluster waits for, and the
 * coalesced cache, which keeps what several SMs waited for (ICC 6).
 *
 * What merges is what an L1 miss fetches: the same sectors of the same line (all of them, unless the L1 fetches sector
 * by sector). Data come back sector by sector. */
#ifndef WS_MECHANISM_ICC_UNIT_H
#define WS_MECHANISM_ICC_UNIT_H

#include <stdbool.h>
#include <stdint.h>

enum { ICC_SMS_MAX = 64 };

typedef struct icc_entry {
    uint64_t line;
    uint64_t sms; /* the SM list */
    uint8_t sectors, arrived;
    bool valid;
    bool written; /* since it was sent: what comes back may be old, so nobody else may have it */
} icc_entry;

typedef struct icc_cached {
    uint64_t line, used; /* used: when it was read or filled last; 0 = empty */
    uint8_t sectors;
} icc_cached;

typedef struct icc_unit {
    uint32_t entry_count, cached_count, in_use;
    uint64_t clock; /* of the cache's LRU: look-ups and fills */
    icc_entry *entries;
    icc_cached *cached;
} icc_unit;

enum icc_answer {
    ICC_CACHED, /* the coalesced cache has it */
    ICC_MERGED, /* somebody waits for it already: the SM is on the list */
    ICC_SENT,   /* to be sent; it has an entry, and the SM is the first on its list */
    ICC_DIRECT, /* to be sent; the table has no free entry, or the one of that line takes nobody any more */
};

bool icc_unit_init(icc_unit *unit, uint32_t merge_entries, uint32_t cache_lines);
void icc_unit_free(icc_unit *unit);

/* Whether icc_unit_read() would answer ICC_CACHED or ICC_MERGED; changes nothing. */
bool icc_unit_absorbs(const icc_unit *unit, unsigned sm, uint64_t line, uint8_t sectors);
/* SM `sm` of the cluster missed `sectors` of `line`. */
enum icc_answer icc_unit_read(icc_unit *unit, unsigned sm, uint64_t line, uint8_t sectors);

/* Somebody in the cluster writes the line. */
void icc_unit_write(icc_unit *unit, uint64_t line);

/* A reply brings `sector` (one bit) of `line`: the set of SMs that it goes to, from the lists of the entries that wait
 * for it. `sent` tells whether the request had an entry (ICC_SENT); if not, `sm`, which asked, is in the set, too. The
 * set is empty when all who waited have been served by another reply. */
uint64_t icc_unit_reply(icc_unit *unit, unsigned sm, uint64_t line, uint8_t sector, bool sent);

/* Hardware cost in bits (ICC 6.4): per entry the line's address and a bit for each SM; per cached line address and
 * data. */
uint64_t icc_table_bits(uint64_t entries, uint64_t sms_per_cluster, uint64_t line_B);
uint64_t icc_cache_bits(uint64_t lines, uint64_t line_B);

#endif
