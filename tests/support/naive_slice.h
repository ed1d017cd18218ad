/* A naive twin of an L2 slice (timed/memory/slice.c): it looks at all that it has in every cycle. Its lists have
 * everything in order of arrival. */
#ifndef WS_TESTS_NAIVE_SLICE_H
#define WS_TESTS_NAIVE_SLICE_H

#include "naive_cache.h"
#include "timed/engine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { NAIVE_ITEMS_MAX = 256 };

/* Whose a request is: an SM's, for data; an SM's, for the owner of the partition slot; or that owner's, for data. */
enum whose { DATA, OWNERS, BY_OWNER };

/* A request, or what it asks for of one of the L2's lines: then `line`, `sectors` and `words` are those of that line,
 * and `asked` is the line of the L1 that the request is for. */
typedef struct naive_item {
    uint64_t line, when, asked;
    uint32_t serial; /* of the request that it came from */
    uint32_t weight;
    enum ws_packet_kind kind;
    enum whose whose;
    uint8_t sectors;
    uint64_t words; /* writes: those that are written entirely */
    uint8_t also;   /* reads: set of the other lines of its group that it wants */
    bool updates;   /* an atomic that carries data; if not, it is a load that has bypassed an L1 */
    bool tied;      /* a reply that goes together with the one before it */
} naive_item;

typedef struct naive_list {
    naive_item at[NAIVE_ITEMS_MAX];
    uint32_t count;
} naive_list;

typedef struct naive_entry {
    uint64_t line;
    uint8_t sectors;
    naive_way *way; /* where the data go */
    bool came;      /* they have come: those that are left in `waiting` leave one by one */
    naive_list waiting;
} naive_entry;

/* A read of a sector that is on its way, from the port to its answer, and those that get their data with it. */
typedef struct naive_read_entry {
    naive_item asks;
    naive_list others;
} naive_read_entry;

typedef struct naive_slice {
    naive_cache tags;
    uint32_t l1_sectors, l2_sectors; /* of a line */
    naive_list port, requests, to_dram;
    naive_list waiting, replies; /* in the queue in front of the network's port, and in its buffer */
    naive_list data;             /* from DRAM, until they leave */
    naive_list told;             /* what the owner of the partition slot is told in this cycle */
    naive_entry entry[32];       /* the newest first */
    uint32_t entry_count;
    naive_read_entry read[32]; /* of the coalescer */
    uint32_t read_count;
    uint64_t tags_free, misses_gone;
    uint64_t last_in;   /* cycle in which the last request reaches the queue in front of the tags */
    uint64_t data_last; /* cycle in which the last of the data leave */
    uint64_t failed;    /* last cycle in which the request at the head failed; 0: it has not */
    ws_slice_counters counters;
    /* Numbers of: lines served beside the first of their request; things the owner was told; requests split off for a
     * sector; reads of what was written while it was on its way; data whose line was gone when they came;
     * reads that came between data and the last of those that wait for them. */
    uint64_t beside, told_all, apart, overwritten, lost, late;
    uint64_t several; /* lines of the L2 served after others for the same request */
} naive_slice;

static inline void naive_join(naive_list *l, naive_item i) {
    assert_true(l->count < NAIVE_ITEMS_MAX);
    l->at[l->count++] = i;
}

static inline naive_item naive_leave(naive_list *l) {
    naive_item first = l->at[0];
    memmove(l->at, l->at + 1, --l->count * sizeof *l->at);
    return first;
}

/* Only what is there: a list has room for a hundred times as much, and this is done in every cycle. */
static inline void naive_copy_list(naive_list *to, const naive_list *from) {
    memcpy(to->at, from->at, from->count * sizeof *from->at);
    to->count = from->count;
}

static inline uint32_t naive_count(uint32_t sectors) {
    return (uint32_t)__builtin_popcount(sectors);
}

static inline uint64_t naive_later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* The number of DRAM cycles that have begun by the end of a core cycle. */
uint64_t naive_begun(const ws_engine *engine, uint64_t cycle);
/* The entry for some of the line's `sectors`, or NULL. */
naive_entry *naive_find_entry(naive_slice *slice, uint64_t line, uint8_t sectors);

/* One cycle: a reply comes to the port, a request leaves the other one, data leave, the tags serve a request. */
void naive_step(const ws_engine *engine, naive_slice *slice, uint64_t now);
/* What the queue to DRAM cannot take in cycle `now` stays in the miss queue; before each step, and before something
 * leaves the queue to DRAM in the next cycle. */
void naive_keep_misses(const ws_engine *engine, naive_slice *slice, uint64_t now);
/* The data of a read come from DRAM. */
void naive_fill(naive_slice *slice, uint64_t now, const naive_item *read);

/* Parts of these, for what a slice knows or does early: all who wait for an MSHR entry are answered; the port's first
 * request leaves it; the first `data` of the data leave, as if there were no other replies; a reply comes to the
 * port. */
void naive_answer_all(naive_slice *slice, uint64_t now, const naive_entry *entry);
void naive_leave_port(const ws_engine *engine, naive_slice *slice, uint64_t now);
void naive_go_ahead(const ws_engine *engine, naive_slice *slice, uint32_t data);
void naive_move_up(const ws_engine *engine, naive_slice *slice, uint64_t now);

#endif
