/* What a launch gives the irregular accesses reorder unit to do: the elements that an index load reads, the accesses
 * that each of them is used for, and all requests around. */
#ifndef WS_ANALYSIS_IRU_GATHER_H
#define WS_ANALYSIS_IRU_GATHER_H

#include "replay/coalesce.h"
#include "replay/iru_table.h"
#include "replay/lines.h"
#include "warpsweep/replay.h"

enum {
    WS_IRU_ACCESS_PCS = 3,               /* accesses that a user can name */
    WS_IRU_FEEDS_MAX = 8,                /* index loads of one launch */
    WS_IRU_LINES_MAX = WS_LANES_MAX * 9, /* ws_coalesce_room() at its largest */
};
#define WS_IRU_NONE UINT32_MAX

/* Executions of one instruction. Requests of atomics and reductions: lanes that touch the same word are split. */
typedef struct ws_iru_counts {
    uint64_t instructions, lanes, requests;
} ws_iru_counts;

/* One access by one lane, with what an element holds. */
typedef struct ws_iru_access {
    uint64_t address;
    uint32_t element;
    uint32_t inst;     /* static instruction */
    uint32_t round;    /* how often this element has been used by it before */
    uint32_t previous; /* access of the element, or WS_IRU_NONE */
} ws_iru_access;

typedef struct ws_iru_element {
    uint64_t address;     /* that it is loaded from */
    uint32_t last_access; /* or WS_IRU_NONE */
} ws_iru_element;

/* An index load of the launch. Elements, requests and accesses stand in the order of the replay. */
typedef struct ws_iru_feed {
    uint32_t pc;
    ws_iru_element *elements;
    uint8_t *lanes; /* per request, which is an execution of the load */
    ws_iru_access *accesses;
    uint32_t element_count, element_room, request_count, request_room, access_count, access_room;
    ws_iru_counts *before; /* per static instruction: accesses with elements, by the warps that loaded them */
    uint64_t unlinked;     /* lane accesses of lanes that had not executed the load */
    struct iru_holder *holder; /* per SM and warp slot: the elements that its lanes hold */
} ws_iru_feed;

/* A request to an L1; or the point where the unit answers a request to it. */
typedef struct ws_iru_event {
    uint32_t line; /* its number; of an answer, the request */
    uint16_t sm;
    uint8_t op;     /* ws_memory_op; WS_MEMORY_NONE: an answer */
    uint8_t feed;   /* answers, and the index load's own requests: 1 + the feed; else 0 */
    uint8_t fed_by; /* bits of the feeds whose elements the access uses */
} ws_iru_event;

typedef struct ws_iru_gather {
    const ws_trace *trace;
    ws_coalescer coalescer;
    uint32_t sms, static_count;
    int64_t index_pc, access_pc[WS_IRU_ACCESS_PCS]; /* -1: those that the trace names */
    bool *is_index_load;                            /* per static instruction: it may be one */
    ws_lines lines;
    uint64_t *line_address; /* per line number: the line */
    size_t line_room;
    ws_iru_feed feeds[WS_IRU_FEEDS_MAX];
    uint32_t feed_count;
    ws_iru_event *events;
    size_t event_count, event_room;
    const char *trouble; /* NULL, or why there can be no result; "" if out of memory */
} ws_iru_gather;

/* False if out of memory. Free it in any case. */
bool ws_iru_gather_init(ws_iru_gather *gather, const ws_stream_info *stream, int64_t index_pc,
                        const int64_t access_pc[WS_IRU_ACCESS_PCS]);
void ws_iru_gather_free(ws_iru_gather *gather);
void ws_iru_gather_batch(ws_iru_gather *gather, const ws_instructions *batch);

/* The feed with most accesses, of several the first; `feed_count` without any. */
uint32_t ws_iru_gather_chosen(const ws_iru_gather *gather);

/* The requests of one execution of `s`: the lines, and how many requests they make. */
unsigned ws_iru_requests(const ws_coalescer *coalescer, const ws_static *s, const uint64_t *addresses,
                         unsigned lanes, ws_coalesced lines[WS_IRU_LINES_MAX], unsigned *line_count);

/* The number of a line. False if out of memory. */
bool ws_iru_line(ws_iru_gather *gather, uint64_t line, uint32_t *number);

#endif
