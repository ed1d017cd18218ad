#include "analysis/parts/iru_core.h"

#include "replay/set_index.h"

#include <stdlib.h>

typedef struct run {
    const ws_iru_unit *unit;
    const ws_iru_work *work;
    ws_iru_replies *replies;
    ws_iru_table table;
    size_t *next;               /* per partition: its next element; element_count or more: none is left */
    size_t answered;            /* the number of requests answered */
    uint64_t step, oldest_from; /* oldest_from: the step of the last answer */
} run;

/* ---- replies */

/* Hands up to `wanted` elements of an entry to the oldest request, and returns their number. */
static uint32_t hand_out(run *r, uint32_t entry, uint32_t wanted) {
    size_t *end = &r->replies->first[r->answered + 1];
    uint32_t given = ws_iru_table_take(&r->table, entry, wanted, r->replies->element + *end);
    *end += given;
    return given;
}

/* Answers the oldest request from the fullest entries in turn, until it has as many elements as it wants. */
static void answer(run *r, uint64_t *counter) {
    r->replies->first[r->answered + 1] = r->replies->first[r->answered];
    for (uint32_t wanted = r->work->lanes[r->answered]; wanted > 0 && r->table.total > 0;)
        wanted -= hand_out(r, ws_iru_table_fullest(&r->table), wanted);
    r->answered++;
    r->oldest_from = r->step;
    ++*counter;
}

static bool is_waiting(const run *r) {
    return r->answered < r->work->request_count;
}

static void answer_from_entries(run *r) {
    while (is_waiting(r) && r->table.most >= r->work->lanes[r->answered]) answer(r, &r->replies->by_entry);
}

static void answer_late(run *r) {
    while (is_waiting(r) && r->step - r->oldest_from >= r->unit->timeout &&
           r->table.total >= r->work->lanes[r->answered]) {
        answer(r, &r->replies->by_timeout);
        answer_from_entries(r); /* the next one may want less than an entry has */
    }
}

/* ---- elements */

static uint32_t entry_of(const run *r, size_t element) {
    uint64_t target = r->work->target[element];
    if (target == WS_IRU_NO_TARGET) target = r->work->address[element];
    return ws_set_of(r->unit->hash, target >> r->unit->line_shift, r->unit->sets);
}

/* Inserts an element into its entry, or merges it into one there. False: the entry is full. */
static bool insert(run *r, size_t element) {
    const uint64_t *targets = r->unit->filter ? r->work->target : NULL;
    return ws_iru_table_insert(&r->table, entry_of(r, element), (uint32_t)element, targets,
                               &r->replies->merged_into[element]) != WS_IRU_FULL;
}

static uint64_t partition_of(const run *r, size_t element) {
    return r->work->address[element] / r->unit->interleave_B % r->unit->partitions;
}

static void move_on(run *r, uint32_t partition) {
    size_t *next = &r->next[partition];
    while (++*next < r->work->element_count && partition_of(r, *next) != partition) continue;
}

/* Takes the next element of each partition, and answers what that allows. False if no elements are left. */
static bool take_elements(run *r) {
    bool any = false;
    for (uint32_t p = 0; p < r->unit->partitions; p++) {
        if (r->next[p] >= r->work->element_count) continue;
        any = true;
        if (insert(r, r->next[p])) move_on(r, p);
        answer_from_entries(r);
    }
    return any;
}

/* ---- all */

static bool prepare(run *r) {
    const ws_iru_work *w = r->work;
    *r->replies =
        (ws_iru_replies){.first = calloc(w->request_count + 1, sizeof *r->replies->first),
                         .element = malloc((w->element_count + 1) * sizeof *r->replies->element),
                         .merged_into = malloc((w->element_count + 1) * sizeof *r->replies->merged_into)};
    r->next = calloc(r->unit->partitions, sizeof *r->next);
    if (!ws_iru_table_init(&r->table, r->unit->sets, r->unit->entry_elements) || !r->next ||
        !r->replies->first || !r->replies->element || !r->replies->merged_into)
        return false;
    for (size_t i = 0; i < w->element_count; i++) r->replies->merged_into[i] = WS_IRU_NOBODY;
    for (uint32_t p = 0; p < r->unit->partitions; p++) {
        r->next[p] = SIZE_MAX;
        move_on(r, p);
    }
    return true;
}

bool ws_iru_reorder(const ws_iru_unit *unit, const ws_iru_work *work, ws_iru_replies *replies) {
    run r = {.unit = unit, .work = work, .replies = replies};
    bool ok = prepare(&r);
    if (ok) {
        while (take_elements(&r)) {
            answer_late(&r);
            r.step++;
        }
        while (is_waiting(&r)) answer(&r, &replies->by_end);
        replies->steps = r.step;
    }
    ws_iru_table_free(&r.table);
    free(r.next);
    if (!ok) ws_iru_replies_free(replies);
    return ok;
}

void ws_iru_replies_free(ws_iru_replies *replies) {
    free(replies->first);
    free(replies->element);
    free(replies->merged_into);
    *replies = (ws_iru_replies){0};
}
