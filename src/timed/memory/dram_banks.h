/* The banks of a DRAM channel; what they do in a DRAM cycle is in dram_schedule.h. The scheduler chooses which request
 * a bank serves next: with FR-FCFS the oldest one for its open row, else the oldest; with FIFO only the oldest of all
 * may go to its bank. Of the commands that the banks then need, one is issued per DRAM cycle, column commands before
 * row commands; with two command buses, one of each.
 *
 * A command may be issued once the channel, its bank group and its bank allow it. Each of these notes, per command, the
 * first DRAM cycle in which it does (`ok`). A bank is ready when its group and itself allow its next command; from when
 * on all banks are is kept side by side (bank_times.h), so that a cycle costs no look at each bank. */
#ifndef WS_TIMED_MEMORY_DRAM_BANKS_H
#define WS_TIMED_MEMORY_DRAM_BANKS_H

#include "timed/agenda.h"
#include "timed/memory/bank_times.h"
#include "warpsweep/timed.h"

#include <stdbool.h>
#include <stdint.h>

enum { WS_DRAM_BANKS_MAX = 32 };

/* Where requests wait: write-backs have a queue of their own with dram.write_queue only. */
enum ws_dram_queue { WS_DRAM_SHARED, WS_DRAM_OF_WRITES, WS_DRAM_QUEUES };

enum ws_dram_command { WS_DRAM_READ, WS_DRAM_WRITE, WS_DRAM_PRECHARGE, WS_DRAM_ACTIVATE, WS_DRAM_COMMANDS };

typedef struct ws_dram_request {
    uint32_t id; /* a read's MSHR entry of its slice, or a write-back's packet */
    uint32_t row;
    uint32_t next; /* the next in the ring of requests that it waits in; of a free place: see `free` */
    uint8_t weight, bursts, slice, bank;
    bool writes;
} ws_dram_request;

typedef struct ws_dram_bank {
    uint64_t ok[WS_DRAM_COMMANDS];
    uint32_t row; /* the row opened last; at first 0, as in GPGPU-Sim, although no row is open */
    /* with dram.write_queue: the row of the queue's request chosen last, if requests for it were left then */
    uint32_t kept_row[WS_DRAM_QUEUES];
    bool keeps_row[WS_DRAM_QUEUES];
    uint32_t current; /* the request that it serves while the bank is busy */
    /* the latest of the ring of requests that wait for it, followed by the oldest; with FIFO, bank 0 has that of all */
    uint32_t latest[WS_DRAM_QUEUES];
    uint8_t group;
    uint8_t command; /* enum ws_dram_command: its next one, while it is busy */
    bool is_open;    /* a row is open */
} ws_dram_bank;

typedef struct ws_dram_group {
    uint64_t ok[WS_DRAM_COMMANDS];
    ws_bank_bytes low, high; /* true for its banks */
} ws_dram_group;

/* What the banks have counted: bursts, and requests and row hits in sectors and write-backs. */
typedef struct ws_dram_counts {
    uint64_t reads, writes, activates, row_hits, requests;
} ws_dram_counts;

/* What a bank has added to the counts in DRAM cycle `tick`. */
typedef struct ws_dram_addition {
    uint64_t tick;
    uint8_t reads, writes, activates, row_hits, requests;
} ws_dram_addition;

/* Cycles for which the banks go ahead, at most: fewer than a time of banks can tell apart. */
enum { WS_DRAM_AHEAD = UINT8_MAX - 1 };
/* most additions to the counts in a cycle: of a request that is chosen, of a column and of a row command */
enum { WS_DRAM_ADDITIONS = 3 };

/* What few GPUs' banks do: dram.write_queue, dram.scheduler=fifo, dram.command_buses=2, more of them than there are
 * abreast. */
typedef struct ws_banks_kind {
    bool keeps_writes_apart, keeps_order, has_two_buses, has_two_halves;
} ws_banks_kind;

/* Up to WS_BANKS_ABREAST banks: per command, from when on each that needs it next is ready. */
typedef struct ws_banks_half {
    ws_bank_bytes ready[WS_DRAM_COMMANDS];
} ws_banks_half;

/* Small, as whoever lets the banks go ahead has a copy of it; the rest is behind pointers. */
typedef struct ws_dram_banks {
    const ws_dram_params *dram;
    ws_banks_kind kind;
    uint64_t next_command; /* no command can be issued before this cycle */
    /* room for waiting requests, in sectors and write-backs; the last one may exceed it, so it can be negative */
    int64_t room[WS_DRAM_QUEUES];
    /* sets of banks: those that have waiting requests, with FIFO only that of the oldest; those that serve one */
    uint32_t waiting[WS_DRAM_QUEUES], busy;
    /* The queue that requests are chosen from (enum ws_dram_queue): now, and as of the last look at it in cycle
     * `looked`. */
    uint32_t source, looked_source;
    uint64_t looked;
    uint32_t writing; /* set of the busy banks that need to write next */
    uint32_t turn;    /* the bank that goes first */
    uint32_t free;    /* first free place in `requests` + 1, or 0; its `next` holds the next one likewise */
    uint64_t ok[WS_DRAM_COMMANDS];
    uint64_t burst_step; /* cycles from one burst of a request to its next */
    /* While the banks go ahead: the cycle from which they do, and times as cycles after it (as_time() in
     * dram_schedule.h); from when on the channel allows reads, and activates. */
    uint64_t from;
    ws_bank_bytes channel[WS_DRAM_COMMANDS];
    ws_banks_half low, high;
    /* [dram.queue + dram.write_queue + dram.banks]: those that wait, and those that banks serve */
    ws_dram_request *requests;
    ws_dram_group *group;
    ws_dram_bank *bank;
    ws_dram_counts counts;
    ws_dram_addition *additions; /* [WS_DRAM_ADDITIONS * WS_DRAM_AHEAD] */
    /* the place for the next of them; before it, the latest additions to `counts`: those since the banks began to go
     * ahead, at most WS_DRAM_AHEAD cycles ago */
    ws_dram_addition *addition;
} ws_dram_banks;

bool ws_dram_banks_init(ws_dram_banks *banks, const ws_dram_params *dram); /* false without memory */
void ws_dram_banks_free(ws_dram_banks *banks);                             /* accepts one whose init failed */
/* Returns what the banks had counted before DRAM cycle `end`, which the latest additions go back to. */
ws_dram_counts ws_dram_count(const ws_dram_banks *banks, uint64_t end);

#endif
