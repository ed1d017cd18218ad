/* The reordering hash of the irregular accesses reorder unit (IRU 3.3). An entry holds as many elements as a warp has
 * lanes, of whatever lines: an insertion never looks at a tag. With the filter, an element whose target is that of
 * another one in the entry is merged into that one (IRU 4). Elements are numbers of the caller. */
#ifndef WS_REPLAY_IRU_TABLE_H
#define WS_REPLAY_IRU_TABLE_H

#include "warpsweep/trace.h"

#define WS_IRU_NO_TARGET                                                                                     \
    UINT64_MAX /* of an element without access: selects its entry by its own line, never merged */

enum { WS_IRU_INDEX_BITS = 24 }; /* IRU 4 */

/* Entries are known by how many elements they hold: per number, the entries that hold so many. */
typedef struct ws_iru_table {
    uint32_t sets, entry_elements, words; /* words: of a set of entries */
    uint32_t *count, *elements;           /* per entry; `elements` the oldest first */
    uint64_t *holding;                    /* per number of elements, a bit per entry */
    uint32_t *holders;                    /* per number of elements, how many entries */
    uint64_t total;                       /* elements in all entries */
} ws_iru_table;

/* False if out of memory. */
bool ws_iru_table_init(ws_iru_table *table, uint32_t sets, uint32_t entry_elements);
void ws_iru_table_free(ws_iru_table *table);

enum ws_iru_inserted { WS_IRU_KEPT, WS_IRU_MERGED, WS_IRU_FULL };

/* Into the entry, or into the element there that stands for it: `*into`. `targets`: of all elements, by number; NULL
 * without the filter. */
enum ws_iru_inserted ws_iru_table_insert(ws_iru_table *table, uint32_t entry, uint32_t element,
                                         const uint64_t *targets, uint32_t *into);

/* The lowest of the entries that hold most; some hold any. */
uint32_t ws_iru_table_fullest(const ws_iru_table *table);
/* How many elements that one has; 0 when there are none. */
uint32_t ws_iru_table_most(const ws_iru_table *table);
/* Takes up to `wanted` elements of an entry out, the oldest first; their number. */
uint32_t ws_iru_table_take(ws_iru_table *table, uint32_t entry, uint32_t wanted, uint32_t *elements);

/* What the unit does with elements of one target. Minima and sums leave the same accesses. */
enum ws_iru_filter { WS_IRU_FILTER_AUTO, WS_IRU_FILTER_NONE, WS_IRU_FILTER_MIN, WS_IRU_FILTER_FADD };
extern const char *const ws_iru_filter_names[]; /* for a parameter; NULL closes them */

/* For `auto`: what the access does that the elements are used for. */
enum ws_iru_filter ws_iru_filter_of(const ws_static *access, const char *opcode);

#endif
