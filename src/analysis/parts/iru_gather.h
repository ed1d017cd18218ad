/* The work that a launch gives the irregular accesses reorder unit, gathered from a replay: the elements that index
 * loads read, the accesses that use each of them, and all other requests of the launch. iru_measure.h puts it through
 * the unit. */
#ifndef WS_ANALYSIS_PARTS_IRU_GATHER_H
#define WS_ANALYSIS_PARTS_IRU_GATHER_H

#include "replay/coalesce.h"
#include "replay/iru_table.h"
#include "replay/lines.h"
#include "warpsweep/replay.h"

enum {
    WS_IRU_ACCESS_PCS = 3, /* the number of accesses that a user can name */
    WS_IRU_FEEDS_MAX = 8,  /* the most index loads of one launch */
};
#define WS_IRU_NONE UINT32_MAX

/* Counts of executions. For each line, an atomic or reduction makes as many requests as there are lanes on the line's
 * most contended word. */
typedef struct ws_iru_counts {
    uint64_t instructions, lanes, requests;
} ws_iru_counts;

/* One access by one lane, at an address that follows from an element. */
typedef struct ws_iru_access {
    uint64_t address;
    uint32_t element;
    uint32_t inst;     /* static instruction */
    uint32_t round;    /* the number of earlier accesses by `inst` with the same element */
    uint32_t previous; /* the element's access before this one, or WS_IRU_NONE */
} ws_iru_access;

typedef struct ws_iru_element {
    uint64_t address;     /* of the element itself */
    uint32_t last_access; /* the last access that used it, or WS_IRU_NONE */
} ws_iru_element;

/* An index load of the launch. Elements, requests and accesses are in the order of the replay. */
typedef struct ws_iru_feed {
    uint32_t pc;
    ws_iru_element *elements;
    uint8_t *lanes; /* per request (an execution of the load): its active lanes */
    ws_iru_access *accesses;
    uint32_t element_count, element_room, request_count, request_room, access_count, access_room;
    ws_iru_counts *before;     /* per static instruction: accesses that use elements, as in the replay */
    uint64_t unlinked;         /* lane accesses by lanes that had not executed the load */
    struct iru_holder *holder; /* per SM and warp slot: the elements that its lanes hold */
} ws_iru_feed;

/* A line that an execution accesses; or the point at which the unit answers a request. Atomics and reductions have an
 * event for each word of a line, since a line takes as many requests as lanes meet on one word. */
typedef struct ws_iru_event {
    uint64_t lanes; /* those that access it; for an answer, those that ask */
    uint32_t line;  /* the line's number; for an answer, the number of the feed's request */
    uint32_t warp;
    uint16_t sm;
    uint8_t op;      /* ws_memory_op; WS_MEMORY_NONE: an answer */
    uint8_t feed;    /* for an answer or a request of an index load itself: 1 + its feed; else 0 */
    uint8_t fed_by;  /* set of the feeds whose elements the access uses */
    bool local;      /* to local memory */
    bool is_further; /* another word of the line of the event before */
} ws_iru_event;

typedef struct ws_iru_gather {
    const ws_trace *trace;
    ws_coalescer coalescer;
    uint32_t sms, warps, static_count;
    uint64_t local_threads; /* whose words are interleaved in local memory; 0: none are */
    int64_t index_pc, access_pc[WS_IRU_ACCESS_PCS]; /* -1: what the trace names */
    bool *is_index_load;                            /* per static instruction: it may be an index load */
    ws_lines lines;
    uint64_t *line_address; /* per line number: address / line size */
    size_t line_room;
    ws_iru_feed feeds[WS_IRU_FEEDS_MAX];
    uint32_t feed_count;
    ws_iru_event *events;
    size_t event_count, event_room;
    const char *trouble; /* why there can be no result; "": out of memory; NULL: no trouble */
} ws_iru_gather;

/* False if out of memory. Call ws_iru_gather_free() in either case. */
bool ws_iru_gather_init(ws_iru_gather *gather, const ws_stream_info *stream, int64_t index_pc,
                        const int64_t access_pc[WS_IRU_ACCESS_PCS]);
void ws_iru_gather_free(ws_iru_gather *gather);
void ws_iru_gather_batch(ws_iru_gather *gather, const ws_instructions *batch);

/* The number of the feed with the most accesses, the first among equals; `feed_count` if no feed has any. */
uint32_t ws_iru_gather_chosen(const ws_iru_gather *gather);

/* The number of parts of an execution of `s`, which are coalesced one after another: the words from interleaved local
 * memory, else all of it. */
unsigned ws_iru_parts(const ws_iru_gather *gather, const ws_static *s);
/* Coalesces the `nth` part: writes its lines, and returns the number of requests that it makes for them. */
unsigned ws_iru_requests(const ws_iru_gather *gather, const ws_static *s, unsigned nth,
                         const uint64_t *addresses, unsigned lanes, ws_coalesced lines[WS_COALESCED_MAX],
                         unsigned *line_count);

/* Gives the number of `line` (address / line size). False if out of memory. */
bool ws_iru_line(ws_iru_gather *gather, uint64_t line, uint32_t *number);

#endif
