/* Sizes of the irregular accesses reorder unit, for the analysis `iru` and the mechanism `reorder`. */
#ifndef WS_REPLAY_IRU_SIZES_H
#define WS_REPLAY_IRU_SIZES_H

/* An element as the unit stores it (IRU 4, tab. 1). */
enum {
    WS_IRU_INDEX_BITS = 24,
    WS_IRU_SECONDARY_BITS = 32,
    WS_IRU_POSITION_BITS = 24, /* inferred: it is not published */
    WS_IRU_ELEMENT_BITS = WS_IRU_INDEX_BITS + WS_IRU_SECONDARY_BITS + WS_IRU_POSITION_BITS
};

/* Buffers of a partition, of 4, as published (IRU tab. 1). */
#define WS_IRU_PREFETCHER_KIB 1.7
#define WS_IRU_CLASSIFIER_KIB 1.2
#define WS_IRU_RING_KIB       2.8
/* All of them, with 2 KiB for requests; for SQL. */
#define WS_IRU_BUFFERS_KIB "7.7"

#endif
