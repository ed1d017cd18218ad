#include "mechanism/parts/reorder_unit.h"

#include "base/room.h"
#include "replay/set_index.h"

#include <stdlib.h>

/* Ring of elements, each with the cycle from which it may be taken. */
typedef struct fifo {
    uint32_t *element;
    uint64_t *when;
    uint32_t first, count, room;
} fifo;

enum { WAYS = 2 };

typedef struct partition {
    uint32_t *lines;                  /* its lines of the index array, in array order */
    uint32_t line_count, asked, used; /* lines in all; asked for; with all elements classified */
    uint32_t classified;              /* classified elements of line `used` */
    fifo *bank;                       /* per bank: own elements */
    ws_iru_table table;               /* its entries of the hash */
    uint64_t replier_free;            /* the cycle from which its replier can give another answer */
    fifo out[WAYS], in[WAYS];         /* per direction: own elements for the ring; those that came over it */
} partition;

typedef struct request {
    uint64_t arrived;
    uint32_t number, at, wanted; /* at: the partition */
} request;

struct reorder_unit {
    reorder_setup setup;
    const reorder_work *work;
    const reorder_ports *ports;
    partition *partitions;
    uint64_t held;   /* elements in the hash */
    uint64_t *ready; /* per line: the cycle from which its data can be used; REORDER_NEVER: not known yet */
    /* per element: the first and the last one merged into it; the next one in the list that it is in itself. `answer`:
     * scratch, the elements of one answer */
    uint32_t *merged, *last, *next, *answer;
    request *requests; /* in the order of their arrival */
    uint32_t asked, answered;
    size_t room;
    uint64_t oldest_from; /* the cycle of the last answer */
    uint64_t counts[REORDER_UNIT_COUNTS];
};

/* ---- queues */

static bool fifo_init(fifo *f, uint32_t room) {
    *f = (fifo){.room = room};
    f->element = malloc(room * sizeof *f->element);
    f->when = malloc(room * sizeof *f->when);
    return f->element && f->when;
}

static void fifo_free(fifo *f) {
    free(f->element);
    free(f->when);
}

static void put(fifo *f, uint32_t element, uint64_t when) {
    uint32_t at = (f->first + f->count++) % f->room;
    f->element[at] = element;
    f->when[at] = when;
}

static uint32_t head(const fifo *f) {
    return f->element[f->first];
}

static bool is_ready(const fifo *f, uint64_t now) {
    return f->count && f->when[f->first] <= now;
}

static void pop(fifo *f) {
    f->first = (f->first + 1) % f->room;
    f->count--;
}

/* ---- where an element belongs */

static uint32_t entry_of(const reorder_unit *u, uint32_t element) {
    uint64_t target = u->work->targets[element];
    if (target == WS_IRU_NO_TARGET) target = u->work->elements[element].address;
    return ws_set_of(u->setup.hash, target / u->setup.line_B, u->setup.sets);
}

static uint32_t partition_of(const reorder_unit *u, uint32_t entry) {
    return entry % u->setup.partitions;
}

static uint32_t bank_of(const reorder_unit *u, uint32_t entry) {
    return entry / u->setup.partitions % u->setup.banks;
}

static uint32_t hops(const reorder_unit *u, uint32_t from, uint32_t to, uint32_t way) {
    uint32_t partitions = u->setup.partitions, up = (to + partitions - from) % partitions;
    return way == 0 || up == 0 ? up : partitions - up;
}

/* The direction of the shorter way: 0 up, 1 down. If both are equally long, even partitions send up, odd ones down. */
static uint32_t way_to(const reorder_unit *u, uint32_t from, uint32_t to) {
    uint32_t up = hops(u, from, to, 0), down = hops(u, from, to, 1);
    if (u->setup.ways == 1 || up < down) return 0;
    return up > down || from % 2;
}

/* ---- banks */

static void note_merged(reorder_unit *u, uint32_t element, uint32_t into) {
    if (u->merged[into] == REORDER_NOBODY)
        u->merged[into] = element;
    else
        u->next[u->last[into]] = element;
    u->last[into] = element;
    u->counts[REORDER_FILTERED]++;
}

/* Moves the head of a queue into its entry of the hash. False: the entry is full. */
static bool insert(reorder_unit *u, fifo *from) {
    uint32_t element = head(from), into;
    const uint64_t *targets = u->work->filter == WS_IRU_FILTER_NONE ? NULL : u->work->targets;
    uint32_t entry = entry_of(u, element);
    enum ws_iru_inserted done = ws_iru_table_insert(&u->partitions[partition_of(u, entry)].table,
                                                    entry / u->setup.partitions, element, targets, &into);
    if (done == WS_IRU_FULL) return false;
    if (done == WS_IRU_MERGED)
        note_merged(u, element, into);
    else
        u->held++;
    u->counts[REORDER_ELEMENTS]++;
    pop(from);
    return true;
}

/* True if the next element that has come over the ring is for this bank of partition `at`. */
static bool is_for(const reorder_unit *u, const fifo *in, uint32_t at, uint32_t bank, uint64_t now) {
    if (!is_ready(in, now)) return false;
    uint32_t entry = entry_of(u, head(in));
    return partition_of(u, entry) == at && bank_of(u, entry) == bank;
}

static bool run_banks(reorder_unit *u, uint32_t at, uint64_t now) {
    partition *p = &u->partitions[at];
    bool moved = false;
    for (uint32_t b = 0; b < u->setup.banks; b++) {
        fifo *from = &p->bank[b];
        for (uint32_t way = u->setup.ways; way-- > 0;)
            if (is_for(u, &p->in[way], at, b, now)) from = &p->in[way];
        if (is_ready(from, now)) moved |= insert(u, from);
    }
    return moved;
}

/* ---- ring */

static void hand_on(reorder_unit *u, fifo *from, fifo *to, uint64_t now) {
    put(to, head(from), now + u->setup.hop_cycles);
    pop(from);
    u->counts[REORDER_RING]++;
}

static bool run_link(reorder_unit *u, uint32_t at, uint32_t way, uint64_t now) {
    uint32_t partitions = u->setup.partitions, next = (at + (way ? partitions - 1 : 1)) % partitions;
    fifo *in = &u->partitions[at].in[way], *out = &u->partitions[at].out[way],
         *to = &u->partitions[next].in[way];
    bool passes = is_ready(in, now) && partition_of(u, entry_of(u, head(in))) != at;
    if (passes && to->count < to->room)
        hand_on(u, in, to, now);
    else if (!passes && is_ready(out, now) && to->count + 1 < to->room)
        hand_on(u, out, to, now);
    else
        return false;
    return true;
}

/* ---- classifier and prefetcher */

static bool classify(reorder_unit *u, uint32_t at, uint64_t now) {
    partition *p = &u->partitions[at];
    uint64_t taken = 0; /* set of the queues that have taken an element in this cycle */
    bool moved = false;
    while (p->used < p->asked && u->ready[p->lines[p->used]] <= now) {
        const reorder_line *line = &u->work->lines[p->lines[p->used]];
        uint32_t element = line->first + p->classified, entry = entry_of(u, element);
        uint32_t home = partition_of(u, entry), bank = bank_of(u, entry), way = way_to(u, at, home);
        fifo *queue = home == at ? &p->bank[bank] : &p->out[way];
        uint64_t bit = UINT64_C(1) << (home == at ? bank : u->setup.banks + way);
        if (taken & bit || queue->count == queue->room) return moved;
        taken |= bit;
        put(queue, element, now + 1);
        moved = true;
        if (++p->classified < line->count) continue;
        p->classified = 0;
        p->used++;
    }
    return moved;
}

static bool prefetch(reorder_unit *u, uint32_t at) {
    partition *p = &u->partitions[at];
    if (p->asked == p->line_count || p->asked - p->used >= u->setup.prefetches) return false;
    if (!u->ports->prefetch(u->ports->context, p->lines[p->asked])) return true; /* tries again next cycle */
    p->asked++;
    u->counts[REORDER_PREFETCHES]++;
    return true;
}

/* ---- replier */

#define NO_PARTITION UINT32_MAX

static bool is_free(const reorder_unit *u, uint32_t p, uint64_t now) {
    return u->partitions[p].replier_free <= now && u->ports->can_answer(u->ports->context, p);
}

/* The number of an entry of partition `p` in the whole hash. */
static uint32_t fullest_of(const reorder_unit *u, uint32_t p) {
    return ws_iru_table_fullest(&u->partitions[p].table) * u->setup.partitions + p;
}

static bool is_fuller(const reorder_unit *u, uint32_t p, uint32_t than) {
    uint32_t most = u->partitions[p].table.most, most_than = u->partitions[than].table.most;
    return most > most_than || (most == most_than && fullest_of(u, p) < fullest_of(u, than));
}

/* The partition with the fullest entry, of equal ones the lowest; `free_at`: of those whose replier is free in that
 * cycle, REORDER_NEVER: of all. NO_PARTITION: none of them has an element. */
static uint32_t fullest(const reorder_unit *u, uint64_t free_at) {
    uint32_t best = NO_PARTITION;
    for (uint32_t p = 0; p < u->setup.partitions; p++) {
        if (u->partitions[p].table.most == 0 || (best != NO_PARTITION && !is_fuller(u, p, best))) continue;
        if (free_at == REORDER_NEVER || is_free(u, p, free_at)) best = p;
    }
    return best;
}

/* Takes up to `wanted` elements from the fullest entries in turn into `answer`, of partition `home` first, and returns
 * their number. `*delay`: the cycles until those of other partitions have come to `home`. */
static uint32_t collect(reorder_unit *u, uint32_t wanted, uint32_t home, uint64_t *delay) {
    uint32_t count = 0, foreign = 0, farthest = 0;
    while (count < wanted && u->held > 0) {
        uint32_t from = count == 0 ? home : fullest(u, REORDER_NEVER);
        ws_iru_table *t = &u->partitions[from].table;
        uint32_t given = ws_iru_table_take(t, ws_iru_table_fullest(t), wanted - count, u->answer + count);
        uint32_t links = hops(u, from, home, way_to(u, from, home));
        u->counts[REORDER_RING] += (uint64_t)links * given;
        if (links > 0) foreign += given;
        if (links > farthest) farthest = links;
        count += given;
        u->held -= given;
    }
    *delay = foreign + farthest * u->setup.hop_cycles;
    return count;
}

static void answer(reorder_unit *u, uint32_t home, enum reorder_count cause, uint64_t now) {
    const request *r = &u->requests[u->answered];
    uint64_t delay;
    uint32_t count = collect(u, r->wanted, home, &delay);
    u->ports->answer(u->ports->context, r->number, home, u->answer, count, delay);
    u->partitions[home].replier_free = now + 1;
    u->answered++;
    u->oldest_from = now;
    u->counts[cause]++;
    u->counts[REORDER_DISABLED] += count == 0;
    u->counts[REORDER_WAITED] += now - r->arrived;
}

static uint64_t deadline(const reorder_unit *u) {
    uint64_t arrived = u->requests[u->answered].arrived;
    return (arrived > u->oldest_from ? arrived : u->oldest_from) + u->setup.timeout;
}

/* True if there is what the oldest request asks for; `*cause`: where from. */
static bool has_answer(const reorder_unit *u, uint64_t now, enum reorder_count *cause) {
    uint32_t wanted = u->requests[u->answered].wanted, most = 0;
    for (uint32_t p = 0; p < u->setup.partitions; p++)
        if (u->partitions[p].table.most > most) most = u->partitions[p].table.most;
    if (most >= wanted)
        *cause = REORDER_BY_ENTRY;
    else if (u->held >= wanted && now >= deadline(u))
        *cause = REORDER_BY_TIMEOUT;
    else if (u->counts[REORDER_ELEMENTS] == u->work->element_count)
        *cause = REORDER_BY_END;
    else
        return false;
    return true;
}

/* The partition that answers the oldest request; NO_PARTITION: none can in this cycle. */
static uint32_t home_of_answer(const reorder_unit *u, enum reorder_count cause, uint64_t now) {
    const request *r = &u->requests[u->answered];
    if (u->held == 0) return is_free(u, r->at, now) ? r->at : NO_PARTITION;
    uint32_t home = fullest(u, now);
    bool suffices =
        home != NO_PARTITION && (cause != REORDER_BY_ENTRY || u->partitions[home].table.most >= r->wanted);
    return suffices ? home : NO_PARTITION;
}

/* Answers the oldest requests, as many as there are free repliers. True if one has been answered, or only waits for a
 * replier. */
static bool reply(reorder_unit *u, uint64_t now) {
    bool moved = false;
    enum reorder_count cause;
    while (u->answered < u->asked && has_answer(u, now, &cause)) {
        uint32_t home = home_of_answer(u, cause, now);
        if (home == NO_PARTITION) return true;
        answer(u, home, cause, now);
        moved = true;
    }
    return moved;
}

/* ---- a cycle */

/* After a cycle in which nothing moved: the next one in which something can without new requests or data. */
static uint64_t next_move(const reorder_unit *u, uint64_t now) {
    uint64_t next = REORDER_NEVER;
    for (uint32_t i = 0; i < u->setup.partitions; i++) {
        const partition *p = &u->partitions[i];
        uint64_t ready = p->used < p->asked ? u->ready[p->lines[p->used]] : REORDER_NEVER;
        if (ready > now && ready < next) next = ready;
        for (uint32_t way = 0; way < u->setup.ways; way++) {
            uint64_t comes = p->in[way].count ? p->in[way].when[p->in[way].first] : REORDER_NEVER;
            if (comes > now && comes < next) next = comes;
        }
    }
    if (u->answered < u->asked && u->held >= u->requests[u->answered].wanted && deadline(u) > now &&
        deadline(u) < next)
        next = deadline(u);
    return next;
}

uint64_t reorder_unit_step(reorder_unit *u, uint64_t now) {
    bool moved = false;
    for (uint32_t p = 0; p < u->setup.partitions; p++) {
        moved |= run_banks(u, p, now);
        for (uint32_t way = 0; way < u->setup.ways; way++) moved |= run_link(u, p, way, now);
        moved |= classify(u, p, now);
        moved |= prefetch(u, p);
    }
    moved |= reply(u, now);
    return moved ? now + 1 : next_move(u, now);
}

void reorder_unit_arrived(reorder_unit *u, uint32_t line, uint64_t when) {
    u->ready[line] = when;
}

bool reorder_unit_ask(reorder_unit *u, uint32_t number, uint32_t at, uint32_t wanted, uint64_t now) {
    if (!WS_ROOM_FOR(u->requests, u->room, u->asked + 1)) return false;
    u->requests[u->asked++] = (request){.arrived = now, .number = number, .at = at, .wanted = wanted};
    u->counts[REORDER_REQUESTS]++;
    return true;
}

const uint32_t *reorder_unit_merged(const reorder_unit *u) {
    return u->merged;
}
const uint32_t *reorder_unit_next(const reorder_unit *u) {
    return u->next;
}
const uint64_t *reorder_unit_counts(const reorder_unit *u) {
    return u->counts;
}

/* ---- life */

static bool partition_init(reorder_unit *u, uint32_t number) {
    partition *p = &u->partitions[number];
    uint32_t partitions = u->setup.partitions,
             entries = (u->setup.sets + partitions - 1 - number) / partitions;
    p->lines = malloc((u->work->line_count + 1) * sizeof *p->lines);
    p->bank = calloc(u->setup.banks, sizeof *p->bank);
    bool ok = p->lines && p->bank && ws_iru_table_init(&p->table, entries, u->setup.entry_elements);
    for (uint32_t way = 0; ok && way < u->setup.ways; way++)
        ok = fifo_init(&p->out[way], u->setup.queue_elements) &&
             fifo_init(&p->in[way], u->setup.ring_elements / u->setup.ways);
    for (uint32_t b = 0; ok && b < u->setup.banks; b++) ok = fifo_init(&p->bank[b], u->setup.queue_elements);
    return ok;
}

static bool init(reorder_unit *u) {
    size_t elements = (size_t)u->work->element_count + 1;
    u->partitions = calloc(u->setup.partitions, sizeof *u->partitions);
    u->ready = malloc((u->work->line_count + 1) * sizeof *u->ready);
    u->merged = malloc(elements * sizeof *u->merged);
    u->last = malloc(elements * sizeof *u->last);
    u->next = malloc(elements * sizeof *u->next);
    u->answer = malloc(u->setup.entry_elements * sizeof *u->answer);
    bool ok = u->partitions && u->ready && u->merged && u->last && u->next && u->answer;
    for (uint32_t p = 0; ok && p < u->setup.partitions; p++) ok = partition_init(u, p);
    if (!ok) return false;
    for (uint32_t i = 0; i < u->work->element_count; i++) u->merged[i] = u->next[i] = REORDER_NOBODY;
    for (uint32_t i = 0; i < u->work->line_count; i++) {
        partition *p = &u->partitions[u->ports->partition_of(u->ports->context, u->work->lines[i].line)];
        p->lines[p->line_count++] = i;
        u->ready[i] = REORDER_NEVER;
    }
    return true;
}

reorder_unit *reorder_unit_new(const reorder_setup *setup, const reorder_work *work,
                               const reorder_ports *ports) {
    reorder_unit *u = calloc(1, sizeof *u);
    if (!u) return NULL;
    u->setup = *setup;
    u->work = work;
    u->ports = ports;
    if (init(u)) return u;
    reorder_unit_free(u);
    return NULL;
}

void reorder_unit_free(reorder_unit *u) {
    if (!u) return;
    for (uint32_t i = 0; u->partitions && i < u->setup.partitions; i++) {
        partition *p = &u->partitions[i];
        for (uint32_t b = 0; p->bank && b < u->setup.banks; b++) fifo_free(&p->bank[b]);
        for (uint32_t way = 0; way < WAYS; way++) fifo_free(&p->out[way]), fifo_free(&p->in[way]);
        ws_iru_table_free(&p->table);
        free(p->bank);
        free(p->lines);
    }
    free(u->partitions), free(u->ready), free(u->merged), free(u->last);
    free(u->next), free(u->answer), free(u->requests);
    free(u);
}
