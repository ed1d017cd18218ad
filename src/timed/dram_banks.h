/* The banks of a DRAM channel. FR-FCFS chooses which request a bank serves: the oldest one for the open row, else the
 * oldest. Of the commands that the banks then need one is issued per DRAM cycle, columns before rows, or with two
 * command buses one of each.
 *
 * A command may be issued once the channel, its bank's group and its bank allow it: each notes by command the first
 * DRAM cycle in which it does. Banks are ready when their group and themselves allow their next command: a set, so that
 * a cycle costs no look at the single banks. A wheel of such sets says which banks get a look in which cycle. */
#ifndef WS_TIMED_DRAM_BANKS_H
#define WS_TIMED_DRAM_BANKS_H

#include "timed/agenda.h"
#include "warpsweep/timed.h"

#include <stdbool.h>
#include <stdint.h>

enum { WS_DRAM_BANKS_MAX = 32 };

enum ws_dram_command { WS_DRAM_READ, WS_DRAM_WRITE, WS_DRAM_PRECHARGE, WS_DRAM_ACTIVATE, WS_DRAM_COMMANDS };

typedef struct ws_dram_request {
    uint32_t id; /* of a read its slice's MSHR entry, of a write-back its packet */
    uint32_t row;
    uint32_t next; /* in the ring of those that wait for its bank */
    uint8_t weight, bursts, slice;
    bool writes;
} ws_dram_request;

typedef struct ws_dram_bank {
    uint64_t ok[WS_DRAM_COMMANDS];
    ws_dram_request current; /* being served while the bank is busy */
    uint32_t row;            /* the open one, or WS_DRAM_NO_ROW */
    uint32_t latest;         /* of the ring: before the oldest */
    uint8_t group;
    uint8_t command; /* enum ws_dram_command: the next one, while the bank is busy */
} ws_dram_bank;

#define WS_DRAM_NO_ROW UINT32_MAX

typedef struct ws_dram_group {
    uint64_t ok[WS_DRAM_COMMANDS];
} ws_dram_group;

typedef struct ws_channel_counters {
    uint64_t reads, writes, activates, row_hits, requests;
} ws_channel_counters;

enum { WS_DRAM_WHEEL = 64 }; /* cycles */

typedef struct ws_dram_banks {
    const ws_dram_params *dram;
    uint64_t next_command;  /* no command can be issued before */
    int64_t room;           /* for requests that wait, in sectors and write-backs; the last may exceed it */
    uint32_t waiting, busy; /* sets of banks: that have requests waiting; that serve one */
    uint32_t ready;         /* of the busy ones: whose next command its group and itself allow */
    uint32_t next[WS_DRAM_COMMANDS]; /* of the busy ones: by their next command */
    uint32_t turn;                   /* the bank that is first */
    uint32_t groupmates;             /* the first group's banks, and beyond */
    uint32_t free;                   /* place of a request + 1, or 0 */
    uint64_t ok[WS_DRAM_COMMANDS];
    uint64_t burst_step;           /* from one burst of a request to the next */
    uint64_t next_look, looks;     /* the wheel's cycles with banks: the first, and all as a set */
    uint32_t wheel[WS_DRAM_WHEEL]; /* by cycle: busy banks that may be ready then */
    ws_dram_request *requests;     /* [dram.queue] */
    ws_dram_group group[WS_DRAM_BANKS_MAX];
    ws_dram_bank bank[WS_DRAM_BANKS_MAX];
    ws_channel_counters counters;
} ws_dram_banks;

bool ws_dram_banks_init(ws_dram_banks *banks, const ws_dram_params *dram); /* false without memory */
void ws_dram_banks_free(ws_dram_banks *banks);

static inline bool ws_dram_has_room(const ws_dram_banks *b) {
    return b->room > 0;
}
/* A request for the bank; there is room. */
void ws_dram_add(ws_dram_banks *banks, uint32_t bank, ws_dram_request request);

static inline bool ws_dram_may_choose(const ws_dram_banks *b) {
    return b->waiting & ~b->busy;
}
/* One idle bank, in turn, takes its next request; there is one. */
void ws_dram_choose(ws_dram_banks *banks, uint64_t now);
/* The commands of one DRAM cycle. The request whose column is one of them, or NULL; it is done, and valid until the
 * next call. */
const ws_dram_request *ws_dram_issue(ws_dram_banks *banks, uint64_t now);
/* The cycle in which the last burst of a request begins. */
static inline uint64_t ws_dram_last_burst(const ws_dram_banks *b, const ws_dram_request *request,
                                          uint64_t first) {
    return first + (request->bursts - 1u) * b->burst_step;
}

#endif
