/* Which request a bank serves next, and the timing of DRAM commands: a DRAM cycle of a channel's banks. For channel.c
 * alone, whose turn has all of this inline: going ahead, it keeps the banks in a local variable, which a function that
 * took its address would make the host write and read all the time.
 *
 * What a bank may do next changes only when a command is issued or a request is chosen. */
#ifndef WS_TIMED_MEMORY_DRAM_SCHEDULE_H
#define WS_TIMED_MEMORY_DRAM_SCHEDULE_H

#include "base/inline.h"
#include "timed/engine.h"

/* Returns the queue that a request is to wait in. */
WS_INLINE enum ws_dram_queue ws_dram_queue_for(const ws_dram_banks *b, bool writes) {
    return writes && b->kind.keeps_writes_apart ? WS_DRAM_OF_WRITES : WS_DRAM_SHARED;
}
WS_INLINE bool ws_dram_has_room(const ws_dram_banks *b, enum ws_dram_queue queue) {
    return b->room[queue] > 0;
}

/* The place for what is added to the counts next. */
WS_INLINE ws_dram_addition *next_addition(ws_dram_banks *b) {
    return b->addition++;
}

/* ---- when banks are ready */

/* Returns cycle `when` as a time: UINT8_MAX if that is later than the banks go ahead. */
WS_INLINE uint8_t as_later_time(const ws_dram_banks *b, uint64_t when) {
    uint64_t after = when - b->from;
    return after < UINT8_MAX ? (uint8_t)after : UINT8_MAX;
}
/* The same for a cycle that may be before b->from: it counts as that. */
WS_INLINE uint8_t as_time(const ws_dram_banks *b, uint64_t when) {
    return as_later_time(b, ws_later(when, b->from));
}

WS_INLINE bool is_high(const ws_dram_banks *b, unsigned bank) {
    return b->kind.has_two_halves && bank >= WS_BANKS_ABREAST;
}

/* Sets the bank's next command, and returns the cycle from which that may be issued. For the compiler `command` has to
 * be a constant, here and in what follows. */
WS_INLINE uint64_t set_command(ws_dram_banks *b, unsigned bank, enum ws_dram_command command) {
    ws_dram_bank *own = &b->bank[bank];
    own->command = (uint8_t)command;
    if (command == WS_DRAM_WRITE) b->writing |= 1u << bank;
    uint64_t when = ws_later(own->ok[command], b->group[own->group].ok[command]);
    if (is_high(b, bank))
        b->high.ready[command] =
            ws_bytes_with(b->high.ready[command], bank - WS_BANKS_ABREAST, as_time(b, when));
    else
        b->low.ready[command] = ws_bytes_with(b->low.ready[command], bank, as_time(b, when));
    return ws_later(when, b->ok[command]);
}

/* To be called when the bank has issued its command: it needs it no longer. */
WS_INLINE void leave(ws_dram_banks *b, unsigned bank, enum ws_dram_command command) {
    if (command == WS_DRAM_WRITE) b->writing &= ~(1u << bank);
    if (is_high(b, bank))
        b->high.ready[command] |= ws_bytes_only(bank - WS_BANKS_ABREAST);
    else
        b->low.ready[command] |= ws_bytes_only(bank);
}

/* Sets its next command to a column command. */
WS_INLINE uint64_t set_column(ws_dram_banks *b, unsigned bank, bool writes) {
    return writes ? set_command(b, bank, WS_DRAM_WRITE) : set_command(b, bank, WS_DRAM_READ);
}

/* Makes the banks of the group that need `command` not ready before cycle `until`. */
WS_INLINE void hold(ws_dram_banks *b, const ws_dram_group *group, enum ws_dram_command command,
                    uint64_t until) {
    ws_bank_bytes time = ws_bytes_of_all(as_later_time(b, until));
    b->low.ready[command] = ws_bytes_later(b->low.ready[command], group->low & time);
    if (b->kind.has_two_halves)
        b->high.ready[command] = ws_bytes_later(b->high.ready[command], group->high & time);
}

/* Has the channel allow `command` from cycle `when` on, which is to come. */
WS_INLINE void allow_from(ws_dram_banks *b, enum ws_dram_command command, uint64_t when) {
    b->ok[command] = when;
    b->channel[command] = ws_bytes_of_all(as_later_time(b, when));
}

WS_INLINE void set_any_command(ws_dram_banks *b, unsigned bank, uint8_t command) {
    if (command == WS_DRAM_READ)
        set_command(b, bank, WS_DRAM_READ);
    else if (command == WS_DRAM_WRITE)
        set_command(b, bank, WS_DRAM_WRITE);
    else if (command == WS_DRAM_PRECHARGE)
        set_command(b, bank, WS_DRAM_PRECHARGE);
    else
        set_command(b, bank, WS_DRAM_ACTIVATE);
}

/* To be called before the banks go ahead from cycle `now` on. */
WS_INLINE void ws_dram_begin(ws_dram_banks *b, uint64_t now) {
    b->from = now;
    b->addition = b->additions;
    ws_bank_bytes never = ws_bytes_of_all(UINT8_MAX);
    b->low = b->high = (ws_banks_half){.ready = {never, never, never, never}};
    for (uint32_t banks = b->busy; banks; banks &= banks - 1) {
        unsigned bank = (unsigned)__builtin_ctz(banks);
        set_any_command(b, bank, b->bank[bank].command);
    }
    b->channel[WS_DRAM_READ] = ws_bytes_of_all(as_time(b, b->ok[WS_DRAM_READ]));
    b->channel[WS_DRAM_ACTIVATE] = ws_bytes_of_all(as_time(b, b->ok[WS_DRAM_ACTIVATE]));
}

/* Return from when on each bank may issue the column command, or the row command, that it needs. The channel always
 * allows a precharge. Most requests are reads: usually no bank needs to write. */
WS_INLINE ws_bank_bytes column_times(const ws_dram_banks *b, const ws_banks_half *half) {
    ws_bank_bytes reads = ws_bytes_later(half->ready[WS_DRAM_READ], b->channel[WS_DRAM_READ]);
    if (!b->writing) return reads;
    ws_bank_bytes channel = ws_bytes_of_all(as_time(b, b->ok[WS_DRAM_WRITE]));
    return ws_bytes_earlier(reads, ws_bytes_later(half->ready[WS_DRAM_WRITE], channel));
}
WS_INLINE ws_bank_bytes row_times(const ws_dram_banks *b, const ws_banks_half *half) {
    return ws_bytes_earlier(half->ready[WS_DRAM_PRECHARGE],
                            ws_bytes_later(half->ready[WS_DRAM_ACTIVATE], b->channel[WS_DRAM_ACTIVATE]));
}

WS_INLINE ws_bank_bytes as_times(const ws_dram_banks *b, uint64_t now) {
    return ws_bytes_of_all((uint8_t)(now - b->from));
}

/* Return the set of banks that may issue a column command, or a row command, in cycle `now`. */
WS_INLINE uint32_t due_columns(const ws_dram_banks *b, uint64_t now) {
    uint32_t banks = ws_bytes_not_after(column_times(b, &b->low), as_times(b, now));
    if (b->kind.has_two_halves)
        banks |= ws_bytes_not_after(column_times(b, &b->high), as_times(b, now)) << WS_BANKS_ABREAST;
    return banks;
}
WS_INLINE uint32_t due_rows(const ws_dram_banks *b, uint64_t now) {
    uint32_t banks = ws_bytes_not_after(row_times(b, &b->low), as_times(b, now));
    if (b->kind.has_two_halves)
        banks |= ws_bytes_not_after(row_times(b, &b->high), as_times(b, now)) << WS_BANKS_ABREAST;
    return banks;
}

/* Returns the first cycle in which a command may be issued; if none may while the banks go ahead, the first one after
 * that, or WS_NEVER if no bank is busy. */
WS_INLINE uint64_t next_due(const ws_dram_banks *b) {
    ws_bank_bytes times = ws_bytes_earlier(column_times(b, &b->low), row_times(b, &b->low));
    if (b->kind.has_two_halves)
        times = ws_bytes_earlier(times, ws_bytes_earlier(column_times(b, &b->high), row_times(b, &b->high)));
    return b->busy ? b->from + ws_bytes_earliest(times) : WS_NEVER;
}

/* ---- the queue of writes */

/* To be called when the number of write-backs has changed: requests are chosen from their queue from dram.write_high of
 * them on, until fewer than dram.write_low are left. */
WS_INLINE void set_source(ws_dram_banks *b) {
    const ws_dram_params *d = b->dram;
    int64_t writes = d->write_queue - b->room[WS_DRAM_OF_WRITES];
    bool few = writes < (b->looked_source ? d->write_low : d->write_high);
    b->source = few ? WS_DRAM_SHARED : WS_DRAM_OF_WRITES;
}

/* With dram.write_queue: looks at which queue requests are chosen from, as each cycle with an idle bank does. To be
 * called for the cycle before `now`, which then stands for all since the last look, before a request is added in cycle
 * `now`; and for cycle `now` itself, before one is chosen. */
WS_INLINE void ws_dram_look_at_writes(ws_dram_banks *b, uint64_t now) {
    uint32_t all = (uint32_t)((UINT64_C(1) << b->dram->banks) - 1);
    if (now <= b->looked) return;
    if (~b->busy & all) b->looked_source = b->source;
    b->looked = now;
    set_source(b);
}

/* ---- requests wait, and are chosen */

#define NO_PLACE UINT32_MAX

/* Adds a request for the bank. There must be room. Returns it; `id`, `row`, `bursts` and `slice` are for the caller to
 * set. */
WS_INLINE ws_dram_request *ws_dram_add(ws_dram_banks *b, uint32_t bank, bool writes, uint32_t weight) {
    enum ws_dram_queue queue = ws_dram_queue_for(b, writes);
    uint32_t at = b->free - 1, *latest = &b->bank[b->kind.keeps_order ? 0 : bank].latest[queue],
             bit = 1u << bank;
    bool others = b->waiting[queue] & (b->kind.keeps_order ? UINT32_MAX : bit);
    ws_dram_request *request = &b->requests[at];
    b->free = request->next;
    b->room[queue] -= weight;
    request->weight = (uint8_t)weight;
    request->bank = (uint8_t)bank;
    request->writes = writes;
    request->next = at;
    if (others) {
        request->next = b->requests[*latest].next;
        b->requests[*latest].next = at;
    } else
        b->waiting[queue] |= bit;
    *latest = at;
    if (queue == WS_DRAM_OF_WRITES) set_source(b);
    return request;
}

/* Returns the place in the ring just before the oldest request for the row, or NO_PLACE. */
WS_INLINE uint32_t before_row(const ws_dram_banks *b, uint32_t latest, uint32_t row) {
    uint32_t before = latest;
    do {
        uint32_t next = b->requests[before].next;
        if (b->requests[next].row == row) return before;
        before = next;
    } while (before != latest);
    return NO_PLACE;
}

/* The same for the request that FR-FCFS chooses: the oldest one for the bank's row, else the oldest. A queue beside
 * another one goes on with its own row first, which is no longer open if the other one has been served meanwhile
 * (GPGPU-Sim: m_last_row). */
WS_INLINE uint32_t before_the_chosen(const ws_dram_banks *b, const ws_dram_bank *own,
                                     enum ws_dram_queue queue) {
    uint32_t latest = own->latest[queue],
             row = b->kind.keeps_writes_apart && own->keeps_row[queue] ? own->kept_row[queue] : own->row,
             before = before_row(b, latest, row);
    return before == NO_PLACE ? latest : before;
}

/* FIFO: takes the oldest request, and returns it. Then the next one's bank is the one that waits. */
WS_INLINE uint32_t take_oldest(ws_dram_banks *b, enum ws_dram_queue queue) {
    uint32_t *latest = &b->bank[0].latest[queue], at = b->requests[*latest].next, next = b->requests[at].next;
    b->waiting[queue] = at == *latest ? 0 : 1u << b->requests[next].bank;
    b->requests[*latest].next = next;
    b->room[queue] += b->requests[at].weight;
    return at;
}

/* FR-FCFS: takes the request that it chooses out of the bank's ring, and returns it. */
WS_INLINE uint32_t take_chosen(ws_dram_banks *b, unsigned bank, enum ws_dram_queue queue) {
    ws_dram_bank *own = &b->bank[bank];
    uint32_t before = before_the_chosen(b, own, queue), at = b->requests[before].next;
    bool last = at == before;
    b->requests[before].next = b->requests[at].next;
    if (at == own->latest[queue]) own->latest[queue] = before;
    b->waiting[queue] ^= (uint32_t)last << bank;
    b->room[queue] += b->requests[at].weight;
    if (b->kind.keeps_writes_apart) {
        own->kept_row[queue] = b->requests[at].row;
        own->keeps_row[queue] = !last && before_row(b, own->latest[queue], own->kept_row[queue]) != NO_PLACE;
        set_source(b);
    }
    return at;
}

/* Returns the bank among `banks` whose turn comes first. */
WS_INLINE unsigned first_of(const ws_dram_banks *b, uint32_t banks) {
    uint32_t ahead = banks >> b->turn << b->turn;
    return (unsigned)__builtin_ctz(ahead ? ahead : banks);
}

WS_INLINE unsigned behind(const ws_dram_banks *b, unsigned bank) {
    return (bank + 1) & ((unsigned)b->dram->banks - 1);
}

WS_INLINE enum ws_dram_queue source(const ws_dram_banks *b) {
    return b->kind.keeps_writes_apart ? b->source : WS_DRAM_SHARED;
}

WS_INLINE bool ws_dram_may_choose(const ws_dram_banks *b) {
    return b->waiting[source(b)] & ~b->busy;
}

/* Makes one idle bank, in turn, take its next request. There must be one (ws_dram_may_choose). With FIFO there is no
 * other one that could have a turn. */
WS_INLINE void ws_dram_choose(ws_dram_banks *b, uint64_t now) {
    enum ws_dram_queue queue = source(b);
    unsigned bank = first_of(b, b->waiting[queue] & ~b->busy);
    ws_dram_bank *own = &b->bank[bank];
    own->current = b->kind.keeps_order ? take_oldest(b, queue) : take_chosen(b, bank, queue);
    const ws_dram_request *request = &b->requests[own->current];
    bool is_hit = own->row == request->row;
    b->busy |= 1u << bank;
    if (!b->kind.keeps_order) b->turn = behind(b, b->turn);
    uint8_t requests = request->weight, row_hits = (uint8_t)(request->weight - !is_hit);
    b->counts.requests += requests;
    b->counts.row_hits += row_hits;
    *next_addition(b) = (ws_dram_addition){.tick = now, .requests = requests, .row_hits = row_hits};
    uint64_t when = !own->is_open ? set_command(b, bank, WS_DRAM_ACTIVATE)
                    : is_hit      ? set_column(b, bank, request->writes)
                                  : set_command(b, bank, WS_DRAM_PRECHARGE);
    b->next_command = ws_earlier(b->next_command, when);
}

/* ---- commands */

/* Returns the cycle in which the last burst of a request begins, if its first begins in cycle `first`. */
WS_INLINE uint64_t ws_dram_last_burst(const ws_dram_banks *b, const ws_dram_request *request,
                                      uint64_t first) {
    return first + (request->bursts - 1u) * b->burst_step;
}

/* Frees the place of the request that the bank has served. */
WS_INLINE const ws_dram_request *end_request(ws_dram_banks *b, unsigned bank) {
    uint32_t at = b->bank[bank].current;
    b->busy &= ~(1u << bank);
    b->requests[at].next = b->free;
    b->free = at + 1;
    return &b->requests[at];
}

/* Issues a column command: one burst of a write, for whose next one the bank is ready as soon as its group takes it; or
 * all bursts of a read, which follow each other as fast as their bank group takes them, while the bus has room for
 * those of other groups in between. Returns the request if it is done, else NULL. */
WS_INLINE const ws_dram_request *issue_column(ws_dram_banks *b, unsigned bank, uint64_t now) {
    const ws_dram_params *d = b->dram;
    ws_dram_bank *own = &b->bank[bank];
    ws_dram_group *group = &b->group[own->group];
    ws_dram_request *request = &b->requests[own->current];
    uint8_t later = request->writes ? request->bursts - 1 : 0;
    request->bursts -= later;
    uint64_t bursts = request->bursts, last = ws_dram_last_burst(b, request, now),
             done = last + (uint64_t)d->burst_cycles, bus_free = now + bursts * (uint64_t)d->ccd,
             group_free = last + (uint64_t)d->ccdl;
    group->ok[WS_DRAM_READ] = group->ok[WS_DRAM_WRITE] = group_free;
    hold(b, group, WS_DRAM_READ, group_free);
    if (b->writing) hold(b, group, WS_DRAM_WRITE, group_free);
    if (request->writes) {
        leave(b, bank, WS_DRAM_WRITE);
        b->counts.writes += bursts;
        *next_addition(b) = (ws_dram_addition){.tick = now, .writes = (uint8_t)bursts};
        done += (uint64_t)d->wl;
        b->ok[WS_DRAM_WRITE] = bus_free;
        allow_from(b, WS_DRAM_READ, ws_later(bus_free, done + (uint64_t)d->cdlr));
        done += (uint64_t)d->wr;
    } else {
        leave(b, bank, WS_DRAM_READ);
        b->counts.reads += bursts;
        *next_addition(b) = (ws_dram_addition){.tick = now, .reads = (uint8_t)bursts};
        allow_from(b, WS_DRAM_READ, bus_free);
        uint64_t turned = done + (uint64_t)d->cl + 2, wl = (uint64_t)d->wl;
        b->ok[WS_DRAM_WRITE] = ws_later(bus_free, turned > wl ? turned - wl : last);
        group->ok[WS_DRAM_PRECHARGE] = last + (uint64_t)d->rtpl;
        hold(b, group, WS_DRAM_PRECHARGE, group->ok[WS_DRAM_PRECHARGE]);
    }
    own->ok[WS_DRAM_PRECHARGE] = ws_later(own->ok[WS_DRAM_PRECHARGE], done);
    if (!later) return end_request(b, bank);
    request->bursts = later;
    set_command(b, bank, WS_DRAM_WRITE);
    return NULL;
}

WS_INLINE void issue_row(ws_dram_banks *b, unsigned bank, uint64_t now) {
    const ws_dram_params *d = b->dram;
    ws_dram_bank *own = &b->bank[bank];
    b->turn = behind(b, bank);
    if (own->command == WS_DRAM_PRECHARGE) {
        leave(b, bank, WS_DRAM_PRECHARGE);
        own->is_open = false;
        own->ok[WS_DRAM_ACTIVATE] = ws_later(own->ok[WS_DRAM_ACTIVATE], now + (uint64_t)d->rp);
        set_command(b, bank, WS_DRAM_ACTIVATE);
        return;
    }
    leave(b, bank, WS_DRAM_ACTIVATE);
    const ws_dram_request *request = &b->requests[own->current];
    own->row = request->row;
    own->is_open = true;
    b->counts.activates++;
    *next_addition(b) = (ws_dram_addition){.tick = now, .activates = 1};
    allow_from(b, WS_DRAM_ACTIVATE, now + (uint64_t)d->rrd);
    own->ok[WS_DRAM_READ] = now + (uint64_t)d->rcd;
    own->ok[WS_DRAM_WRITE] = d->rcd > d->wl + 1 ? now + (uint64_t)(d->rcd - d->wl - 1) : now;
    own->ok[WS_DRAM_PRECHARGE] = now + (uint64_t)d->ras;
    own->ok[WS_DRAM_ACTIVATE] = now + (uint64_t)d->rc;
    set_column(b, bank, request->writes);
}

/* ---- their order */

/* Maps a set of banks to the set of their places, counted from the bank whose turn it is. */
WS_INLINE uint32_t places_of(const ws_dram_banks *b, uint32_t banks) {
    uint64_t twice = (uint64_t)banks << b->dram->banks | banks;
    return (uint32_t)(twice >> b->turn & ((UINT64_C(1) << b->dram->banks) - 1));
}

/* The reverse of places_of(). */
WS_INLINE uint32_t at_places(const ws_dram_banks *b, uint32_t places) {
    uint64_t both = (uint64_t)places << b->turn;
    return (uint32_t)((both | both >> b->dram->banks) & ((UINT64_C(1) << b->dram->banks) - 1));
}

/* Returns those of `places` that come before the first of `others`. */
WS_INLINE uint32_t before(uint32_t places, uint32_t others) {
    return places & ((others & -others) - 1);
}

/* Returns those of `places` that lie beyond twice the place of the first of `rows`: GPGPU-Sim goes on from there. */
WS_INLINE uint32_t behind_row(uint32_t places, uint32_t rows) {
    unsigned from = 2 * (unsigned)__builtin_ctz(rows) + 2;
    return from < WS_DRAM_BANKS_MAX ? places >> from << from : 0;
}

/* Chooses among column and row commands that are due on one command bus. A row command goes only if its place is before
 * the column command's; then the column command goes too that is the first beyond twice the row command's place. */
WS_INLINE void share_bus(const ws_dram_banks *b, uint32_t *columns, uint32_t *rows) {
    uint32_t column_places = places_of(b, *columns), row_places = before(places_of(b, *rows), column_places);
    *rows = at_places(b, row_places);
    if (*rows) *columns = at_places(b, behind_row(column_places, row_places));
}

/* Issues the commands of DRAM cycle `now`. Returns the request that is done, as its last column command is among them,
 * or NULL. The request is valid until the next call. */
WS_INLINE const ws_dram_request *ws_dram_issue(ws_dram_banks *b, uint64_t now) {
    const ws_dram_request *done = NULL;
    bool apart = b->kind.has_two_buses;
    uint32_t columns = due_columns(b, now), rows = due_rows(b, now);
    if (!apart && columns && rows) share_bus(b, &columns, &rows);
    unsigned column = columns ? first_of(b, columns) : 0; /* before a row command moves the turn */
    /* On one bus the row command goes first: a read holds the ready banks of its group, and this one no longer is. */
    if (!apart && rows) issue_row(b, first_of(b, rows), now);
    if (columns) done = issue_column(b, column, now);
    if (apart) rows = due_rows(b, now);
    if (apart && rows) issue_row(b, first_of(b, rows), now);
    b->next_command = next_due(b);
    return done;
}

#endif
