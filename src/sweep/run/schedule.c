#include "sweep/run/schedule.h"

#include <stdlib.h>

/* The passes of one kernel, or (timed) of one trace. */
typedef struct lot {
    size_t next, end;
    bool begun;
} lot;

struct ws_schedule {
    const ws_plan *plan;
    lot *lots;
    size_t lot_count, first_untouched;
    size_t *lot_of;     /* each worker's lot; lot_count: none yet */
    ws_buffer back;     /* a stack of items that come back */
    uint32_t *given_up; /* per pass: its points behind this one are given up; UINT32_MAX: none */
};

static void make_lots(ws_schedule *s) {
    for (size_t i = 0; i < s->plan->pass_count; i++) {
        bool same = i && s->plan->passes[i].lot == s->plan->passes[i - 1].lot;
        if (!same) s->lots[s->lot_count++].next = i;
        s->lots[s->lot_count - 1].end = i + 1;
    }
}

ws_schedule *ws_schedule_new(const ws_plan *plan, uint32_t workers, ws_error *err) {
    ws_schedule *s = calloc(1, sizeof *s);
    bool ok = s && (s->lots = calloc(plan->pass_count + 1, sizeof *s->lots)) &&
              (s->lot_of = calloc(workers, sizeof *s->lot_of)) &&
              (s->given_up = calloc(plan->pass_count + 1, sizeof *s->given_up));
    if (!ok) {
        ws_no_memory(err);
        ws_schedule_free(s);
        return NULL;
    }
    s->plan = plan;
    make_lots(s);
    for (size_t i = 0; i < plan->pass_count; i++) s->given_up[i] = UINT32_MAX;
    for (uint32_t i = 0; i < workers; i++) s->lot_of[i] = s->lot_count;
    return s;
}

void ws_schedule_free(ws_schedule *s) {
    if (!s) return;
    ws_buffer_free(&s->back);
    free(s->lots);
    free(s->lot_of);
    free(s->given_up);
    free(s);
}

static size_t left(const lot *l) {
    return l->end - l->next;
}

static size_t choose_lot(ws_schedule *s, int worker) {
    size_t mine = s->lot_of[worker];
    if (mine < s->lot_count && left(&s->lots[mine])) return mine;
    while (s->first_untouched < s->lot_count && s->lots[s->first_untouched].begun) s->first_untouched++;
    if (s->first_untouched < s->lot_count) return s->first_untouched;
    size_t best = s->lot_count;
    for (size_t i = 0; i < s->lot_count; i++)
        if (left(&s->lots[i]) && (best == s->lot_count || left(&s->lots[i]) > left(&s->lots[best]))) best = i;
    return best;
}

bool ws_schedule_next(ws_schedule *s, int worker, ws_item *item) {
    if (s->back.size) {
        s->back.size -= sizeof *item;
        memcpy(item, s->back.data + s->back.size, sizeof *item);
        return true;
    }
    size_t chosen = choose_lot(s, worker);
    if (chosen == s->lot_count) return false;
    s->lot_of[worker] = chosen;
    s->lots[chosen].begun = true;
    uint32_t pass = (uint32_t)s->lots[chosen].next++;
    *item = (ws_item){pass, 0, s->plan->passes[pass].count, 0};
    return true;
}

bool ws_schedule_failed(ws_schedule *s, const ws_item *item, bool blameless, bool *last, ws_error *err) {
    *last = false;
    if (item->count > 1) {
        uint32_t half = item->count / 2;
        ws_buffer_put(&s->back, &(ws_item){item->pass, item->first + half, item->count - half, 0},
                      sizeof *item);
        ws_buffer_put(&s->back, &(ws_item){item->pass, item->first, half, 0}, sizeof *item);
    } else if (blameless && item->attempt + 1 < WS_ATTEMPTS) {
        ws_buffer_put(&s->back, &(ws_item){item->pass, item->first, 1, item->attempt + 1}, sizeof *item);
    } else {
        *last = true;
    }
    return !s->back.failed || ws_no_memory(err);
}

bool ws_schedule_is_given_up(const ws_schedule *s, const ws_item *item) {
    return item->first > s->given_up[item->pass];
}

bool ws_schedule_give_up(ws_schedule *s, const ws_item *item, ws_item *behind) {
    uint32_t *from = &s->given_up[item->pass];
    if (item->first < *from) *from = item->first;
    for (size_t at = 0; at < s->back.size; at += sizeof *behind) {
        memcpy(behind, s->back.data + at, sizeof *behind);
        if (behind->pass != item->pass || !ws_schedule_is_given_up(s, behind)) continue;
        s->back.size -= sizeof *behind;
        memmove(s->back.data + at, s->back.data + at + sizeof *behind, s->back.size - at);
        return true;
    }
    return false;
}
