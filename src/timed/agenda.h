/* The agenda: which parts of the GPU take a turn in which cycle. It is a wheel of bit sets, so that cycles without work
 * cost nothing, and finding the parts that have work costs no look at the others. */
#ifndef WS_TIMED_AGENDA_H
#define WS_TIMED_AGENDA_H

#include <stdbool.h>
#include <stdint.h>

#define WS_NEVER UINT64_MAX

enum { WS_AGENDA_CYCLES = 1024 };

typedef struct ws_agenda {
    uint32_t parts, words;                    /* words per cycle, of 64 parts each */
    uint64_t *due;                            /* [words][WS_AGENDA_CYCLES] */
    uint64_t occupied[WS_AGENDA_CYCLES / 64]; /* set of cycles with a part due, perhaps of the present one */
    uint64_t now;
    uint64_t next; /* the first cycle after `now` in which a part is due; WS_NEVER: none is */
    bool polls;    /* all parts are due in all cycles: slower, with the same results (ws_agenda_poll) */
} ws_agenda;

bool ws_agenda_init(ws_agenda *agenda, uint32_t parts);
void ws_agenda_free(ws_agenda *agenda);

/* Returns cycle `when`, or the farthest one that the wheel holds if that is earlier. */
static inline uint64_t ws_agenda_within(const ws_agenda *a, uint64_t when) {
    return when - a->now < WS_AGENDA_CYCLES ? when : a->now + WS_AGENDA_CYCLES - 1;
}

/* Notes that the part takes a turn in cycle `when`; WS_NEVER is ignored. A cycle too far ahead becomes the farthest
 * that the wheel holds, so a part may find nothing to do in its turn and has to ask again. */
static inline void ws_agenda_add(ws_agenda *a, uint32_t part, uint64_t when) {
    if (when - a->now >= WS_AGENDA_CYCLES) {
        if (when == WS_NEVER) return;
        when = ws_agenda_within(a, when);
    }
    uint32_t at = (uint32_t)(when % WS_AGENDA_CYCLES);
    a->due[part / 64 * WS_AGENDA_CYCLES + at] |= UINT64_C(1) << part % 64;
    a->occupied[at / 64] |= UINT64_C(1) << at % 64;
    if (when < a->next && when > a->now) a->next = when;
}

/* From now on all parts are due in all cycles. */
void ws_agenda_poll(ws_agenda *agenda);

/* Returns the first cycle after the present one in which a part is due, or WS_NEVER. Nearly always it is among the
 * nearest ones, in one word; _later looks at the others. */
uint64_t ws_agenda_find_later(const ws_agenda *agenda);
static inline uint64_t ws_agenda_find_next(const ws_agenda *a) {
    uint64_t from = a->now + 1, soon = a->occupied[from % WS_AGENDA_CYCLES / 64] >> from % 64;
    return soon ? from + (uint64_t)__builtin_ctzll(soon) : ws_agenda_find_later(a);
}

/* Advances to a later cycle, `next` at the latest. */
static inline void ws_agenda_go_to(ws_agenda *a, uint64_t cycle) {
    a->occupied[a->now % WS_AGENDA_CYCLES / 64] &= ~(UINT64_C(1) << a->now % 64);
    a->now = cycle;
    if (cycle < a->next) return;
    a->next = ws_agenda_find_next(a);
    if (a->polls) ws_agenda_poll(a);
}

/* Returns whether a part is due in the current cycle that has not had its turn. */
static inline bool ws_agenda_has_turns(const ws_agenda *a) {
    const uint64_t *due = &a->due[a->now % WS_AGENDA_CYCLES];
    for (uint32_t word = 0; word < a->words; word++)
        if (due[word * WS_AGENDA_CYCLES]) return true;
    return false;
}

/* An iteration over the parts that are due in the current cycle. */
typedef struct ws_agenda_turns {
    uint64_t *due, *end; /* words of 64 parts */
    uint32_t first;      /* number of the first part in the word at `due` */
} ws_agenda_turns;

static inline ws_agenda_turns ws_agenda_turns_now(const ws_agenda *a) {
    uint64_t *due = &a->due[a->now % WS_AGENDA_CYCLES];
    return (ws_agenda_turns){.due = due, .end = due + (uint64_t)a->words * WS_AGENDA_CYCLES};
}

/* Removes and returns the lowest part that is due, parts that were added during the iteration included; false when none
 * is left. */
static inline bool ws_agenda_take(ws_agenda_turns *t, uint32_t *part) {
    for (; !*t->due; t->first += 64)
        if ((t->due += WS_AGENDA_CYCLES) == t->end) return false;
    *part = t->first + (uint32_t)__builtin_ctzll(*t->due);
    *t->due &= *t->due - 1;
    return true;
}

#endif
