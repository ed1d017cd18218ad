/* The L1s of all SMs, as far as fidelity `order` can model them. A load looks its line up and, if it is absent, brings
 * it in at once: a second miss on a line that is still on its way, which would merge into an MSHR entry, counts as a
 * hit. So misses are the requests that leave the SM, given as many MSHR entries as it takes. */
#ifndef WS_ANALYSIS_PARTS_L1S_H
#define WS_ANALYSIS_PARTS_L1S_H

#include "analysis/parts/tags.h"
#include "base/inline.h"
#include "replay/set_index.h"
#include "warpsweep/replay.h"

/* What a store, atomic or reduction does to the L1. */
enum ws_l1s_write { WS_L1S_WRITE_EVICT, WS_L1S_WRITE_ALLOCATE, WS_L1S_WRITE_IGNORE };

typedef struct ws_l1s_params {
    int64_t sets, ways, seed;
    int index, replacement, write; /* enum ws_set_index, ws_tags_replacement, ws_l1s_write */
} ws_l1s_params;

extern const char *const ws_l1s_replacement_names[], *const ws_l1s_write_names[];

/* The parameters of an analysis that has L1s. `field_`: the ws_l1s_params in its struct; `name_`: the analysis. */
#define WS_L1S_PARAMS(struct_, field_, name_, sets_)                                                         \
    WS_INT(struct_, field_.sets, name_ ".sets", "sets", sets_, 1, 65536,                                     \
           "Sets of each SM's L1; its size is " name_ ".sets x " name_ ".ways x coalesce.line_B."),          \
        WS_INT(struct_, field_.ways, name_ ".ways", "lines", 4, 1, 65536, "Associativity of the L1."),       \
        WS_CHOICE(struct_, field_.index, name_ ".index", WS_INDEX_LINEAR, ws_set_index_names,                \
                  "Set of a line. " WS_SET_INDEX_HELP),                                                      \
        WS_CHOICE(struct_, field_.replacement, name_ ".replacement", WS_TAGS_LRU, ws_l1s_replacement_names,  \
                  "Which line leaves a full set. plru (tree): 1, 2, 4 .. 64 ways."),                         \
        WS_CHOICE(struct_, field_.write, name_ ".write", WS_L1S_WRITE_EVICT, ws_l1s_write_names,             \
                  "What a store, atomic or reduction does: evict its line (Fermi: write-evict, no "          \
                  "allocation; a store to local memory uses and keeps the line that it finds, and goes no "  \
                  "further), allocate as a load does, or nothing (ignore). Only evict and ignore leave "     \
                  "them out of the accesses."),                                                              \
        WS_INT(struct_, field_.seed, name_ ".seed", "", 1, 0, 1 << 30, "Seed of random replacement.")

/* In fidelity timed the L1s of the replay count instead. */
#define WS_L1S_NEEDS(name_)                                                                                  \
    {.param = name_ ".sets", .instead = "l1"}, {.param = name_ ".ways", .instead = "l1"},                    \
        {.param = name_ ".index", .instead = "l1"}, {.param = name_ ".replacement", .instead = "l1"},        \
        {.param = name_ ".write", .instead = "l1"}, {                                                        \
        .param = name_ ".seed", .instead = "l1"                                                              \
    }

/* What a request does to the L1: looks its line up and brings it in; uses it if it is there, as a write does that stays
 * in a line of local memory (as in src/timed/l1/local.c); removes it; nothing. */
typedef enum ws_l1s_deed { WS_L1S_ACCESS, WS_L1S_TOUCH, WS_L1S_EVICT, WS_L1S_PASS } ws_l1s_deed;
WS_INLINE ws_l1s_deed ws_l1s_deed_of(const ws_l1s_params *p, const ws_requests *b, size_t i) {
    if (b->op[i] == WS_MEMORY_LOAD || p->write == WS_L1S_WRITE_ALLOCATE) return WS_L1S_ACCESS;
    if (p->write == WS_L1S_WRITE_IGNORE) return WS_L1S_PASS;
    return b->op[i] == WS_MEMORY_STORE && b->local[i] ? WS_L1S_TOUCH : WS_L1S_EVICT;
}

/* Checks the rules that span these parameters; `name`: the analysis. False with an error. */
bool ws_l1s_validate(const ws_l1s_params *params, const char *name, ws_error *err);

/* All zero: no L1s. */
typedef struct ws_l1s {
    ws_l1s_params params;
    uint32_t sms;
    ws_tags *tags;    /* per SM */
    uint32_t *set_of; /* per line: its set + 1, 0 = not yet known; unused with a single set */
    size_t set_room;
} ws_l1s;

bool ws_l1s_init(ws_l1s *l1s, const ws_l1s_params *params, uint32_t sms); /* false if out of memory */
void ws_l1s_free(ws_l1s *l1s);                                            /* leaves none */

/* Makes room for the lines of a batch; to be called before its requests. False if out of memory. */
bool ws_l1s_batch(ws_l1s *l1s, const ws_requests *batch);

typedef enum ws_l1s_answer {
    WS_L1S_HIT,
    WS_L1S_MISS,
    WS_L1S_PASSED, /* a write that goes on, and does not allocate */
    WS_L1S_KEPT,   /* a write that stays in the line that it found: to local memory */
    WS_L1S_NO_MEMORY
} ws_l1s_answer;

/* Makes request `i` of the batch at its SM's L1. `*victim`: the warp that had brought in the evicted line, or
 * WS_TAGS_NOBODY. */
ws_l1s_answer ws_l1s_request(ws_l1s *l1s, const ws_requests *batch, size_t i, uint32_t *victim);

#endif
