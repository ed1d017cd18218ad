/* The reordering hash of the irregular accesses reorder unit (IRU 3.3), for the analysis `iru` and the mechanism
 * `reorder`. An entry holds as many elements as a warp has lanes, whatever lines they lead to: an insertion compares no
 * tag. With the filter, an element with the same target as another one in its entry is merged into that one (IRU 4).
 * Elements are numbers that the caller chooses. */
#ifndef WS_REPLAY_IRU_TABLE_H
#define WS_REPLAY_IRU_TABLE_H

#include "warpsweep/trace.h"

#define WS_IRU_NO_TARGET                                                                                     \
    UINT64_MAX /* target of an element without access: its entry follows from its own line, and it is never merged */

/* To find the fullest entry fast, entries are indexed by the number of elements that they hold. */
typedef struct ws_iru_table {
    uint32_t sets, entry_elements, words; /* sets: entries; words: of a bit set of all entries */
    uint32_t *count, *elements;           /* per entry: the number of elements; the elements, oldest first */
    uint64_t *holding;                    /* per number of elements: the set of entries that hold that many */
    uint32_t *holders;                    /* per number of elements: how many entries those are */
    uint32_t most;  /* the number of elements of the fullest entry; 0: the table is empty */
    uint64_t total; /* elements in all entries */
} ws_iru_table;

/* `sets`: may be 0. False if out of memory. */
bool ws_iru_table_init(ws_iru_table *table, uint32_t sets, uint32_t entry_elements);
void ws_iru_table_free(ws_iru_table *table);

enum ws_iru_inserted { WS_IRU_KEPT, WS_IRU_MERGED, WS_IRU_FULL };

/* Inserts an element into an entry (WS_IRU_KEPT), or merges it into the element `*into` there that has the same target
 * (WS_IRU_MERGED). `targets`: per element its target; NULL: no filter. */
enum ws_iru_inserted ws_iru_table_insert(ws_iru_table *table, uint32_t entry, uint32_t element,
                                         const uint64_t *targets, uint32_t *into);

/* The entry with the most elements, the lowest among equals; the table must not be empty. */
uint32_t ws_iru_table_fullest(const ws_iru_table *table);
/* Moves up to `wanted` elements of an entry to `elements`, the oldest first, and returns their number. */
uint32_t ws_iru_table_take(ws_iru_table *table, uint32_t entry, uint32_t wanted, uint32_t *elements);

/* What the unit does with elements that have the same target. MIN and FADD leave the same accesses. */
enum ws_iru_filter { WS_IRU_FILTER_AUTO, WS_IRU_FILTER_NONE, WS_IRU_FILTER_MIN, WS_IRU_FILTER_FADD };
extern const char *const ws_iru_filter_names[]; /* for a parameter; ends with NULL */

/* The filter that `auto` stands for, by the operation of the access that the elements are used for. */
enum ws_iru_filter ws_iru_filter_of(const ws_static *access, const char *opcode);

#endif
