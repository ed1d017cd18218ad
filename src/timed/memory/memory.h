/* The state of the memory side: L2 slices (slice.c) and DRAM channels (channel.c). Both live as long as the GPU. */
#ifndef WS_TIMED_MEMORY_MEMORY_H
#define WS_TIMED_MEMORY_MEMORY_H

#include "base/factor.h"
#include "timed/cache.h"
#include "timed/memory/dram_banks.h"
#include "timed/mshr.h"
#include "timed/queue.h"

/* ---- L2 slice */

typedef struct ws_slice_counters {
    uint64_t accesses, hits, pending_hits, misses, sector_misses, stalls, retries, merged;
} ws_slice_counters;

/* What a slice sends to DRAM; kept in ws_queued.where. */
enum ws_dram_kind { WS_DRAM_FETCH, WS_DRAM_WRITE_BACK, WS_DRAM_KINDS };

enum { WS_LINE_SECTORS_MAX = 8 }; /* sectors of a line */

/* An L2 slice. Its requests come from an output port of the network `requests`; its replies wait at an input port of
 * the network `replies`. */
typedef struct ws_slice {
    uint32_t index, channel;
    ws_cache tags;
    ws_mshr mshr;
    ws_mshr lrc; /* reads from the port to their answers, with those that joined them (lrc.h) */
    /* Requests that have left the port. Each becomes available to the tags in its `when`, in which it reaches the queue
     * in front of them; its weight is its number of sectors. */
    ws_queue in;
    /* first cycle from which no request may leave the port, if none leaves `in` until then */
    uint64_t gate_closes;
    /* Unless that is never: how many of the first requests of `in`, with how many sectors, can be in the queue in front
     * of the tags without closing the gate for those behind them. */
    uint32_t fitting, fitting_sectors;
    /* the `when` of the last request in `in` */
    uint64_t in_last;
    uint64_t gate; /* first cycle in which the next request may leave the port while the gate is open */
    /* Where the memory side is ahead of the SMs: spans of cycles in which the gate was closed, from `when` to `id`
     * cycles later. Those that requests at the port have passed are no longer here. */
    ws_queue closed;
    /* Fetches (MSHR entries, weight: sectors) and write-backs (packets, weight 1). `when` is the first DRAM cycle in
     * which they may enter the channel. */
    ws_queue to_dram;
    bool borrows; /* true while its own credit at the channel is in use */
    /* MSHR entries whose data will be back from DRAM. `when`: the cycle in which they are */
    ws_queue expected;
    uint64_t expected_last; /* the `when` of the last of them */
    uint64_t next_turn;     /* cycle in which it has its next turn at the latest, or WS_NEVER */
    /* Packets answered from DRAM. `when`: the cycle in which they leave; `where`: the MSHR entry that they leave. */
    ws_queue data;
    uint64_t data_last; /* the `when` of the last packet in `data` */
    /* per number of sectors: cycles for which they occupy the tags' data port or the miss queue */
    uint8_t cycles_of[WS_LINE_SECTORS_MAX + 1];
    /* Replies in the queue in front of the network's port: those for which the port had no room, each with the first
     * cycle in which it may move up, and those that are in the port, but not before a later cycle. One moves up per
     * cycle; port_free: the first cycle in which the next one may. */
    ws_queue waiting;
    uint64_t port_free;
    uint64_t misses_gone; /* first cycle in which the miss queue is empty (ws_slice_keep_misses) */
    uint64_t tags_free;   /* first cycle in which the tags accept the next request */
    /* the request at the head of `in` failed, and nothing has changed since that could make it succeed */
    bool stalled;
    /* no request can be served: there is no room for a reply or for a miss */
    bool blocked;
    /* cycle in which the request at the head failed; 0: it did not */
    uint64_t stalled_at;
    ws_slice_counters counters;
} ws_slice;

/* Notes which misses are still in the miss queue at the end of cycle `cycle`, as the queue to DRAM behind it, of that
 * capacity, has been full: all that this could not take. To be called before something leaves that queue in the next
 * cycle. */
static inline void ws_slice_keep_misses(ws_slice *s, uint64_t cycle, uint32_t capacity) {
    if (s->to_dram.weight <= capacity) return;
    uint64_t gone = cycle + s->to_dram.weight - capacity;
    if (s->misses_gone < gone) s->misses_gone = gone;
}

/* ---- DRAM channel */

/* Denominator of the clock ratio: fine enough for the clocks' phase to be right after millions of cycles, and small
 * enough for 2^64 to hold cycles times clocks. */
enum { WS_DRAM_CLOCK = 100000000 };

typedef struct ws_dram_clock {
    uint64_t value;          /* DRAM cycles per core cycle, times WS_DRAM_CLOCK */
    ws_factor ticks, cycles; /* DRAM cycles per core cycle, and the reverse */
} ws_dram_clock;

static inline ws_dram_clock ws_dram_clock_of(uint64_t value) {
    return (ws_dram_clock){.value = value,
                           .ticks = ws_factor_of(value, WS_DRAM_CLOCK),
                           .cycles = ws_factor_of(WS_DRAM_CLOCK, value)};
}

typedef struct ws_channel {
    uint32_t index, slice_count;
    struct ws_slice *slices; /* the slices of this channel */
    /* the next DRAM cycle in which a request might enter the channel, or WS_NEVER; none does if it lacks credit or the
     * banks are full then */
    uint64_t next_entry;
    bool starved;  /* a slice has a request that lacks credit */
    uint64_t tick; /* the next DRAM cycle in which the banks have something to do, or WS_NEVER */
    /* Requests between their entry and the banks. `when`: the first DRAM cycle in which the banks can choose them;
     * `where`: slice of the channel x WS_DRAM_KINDS + kind */
    ws_queue on_way;
    /* MSHR entries whose data are on the way back to a slice, with their credits, in DRAM cycle `when`; `where`: the
     * slice's index in `slices`. What has come back since the channel last gave back credits is still here. */
    ws_queue returning;
    uint64_t last_return; /* the `when` of the latest of them */
    /* Write-backs whose data are on their way to the banks, and whose credits come back in DRAM cycle `when`; `where`:
     * the slice's index in `slices` */
    ws_queue written;
    /* Per queue of the banks (enum ws_dram_queue): DRAM cycles at whose end it has become full or has room again, by
     * turns. `full`: whether it is, as far as requests have entered; `banks_full`: after the last one. */
    ws_queue changes[WS_DRAM_QUEUES];
    bool full[WS_DRAM_QUEUES], banks_full[WS_DRAM_QUEUES];
    /* Credits that the slices share, and how many of them are taken by sectors and write-backs that have entered the
     * channel and not come back. See has_credit() in channel.c. */
    int64_t shared, borrowed;
    uint32_t slice_turn;
    uint32_t read_bursts; /* bursts that reading one sector takes */
    ws_dram_banks banks;
} ws_channel;

#endif
