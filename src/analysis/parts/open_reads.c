#include "analysis/parts/open_reads.h"

#include <stdlib.h>

/* Places of ended loads stay at the end of the list, with their memory. */
typedef struct open_load {
    uint64_t issued;
    uint32_t cta, warp;
    ws_open_read *reads;
    size_t count, room;
} open_load;

typedef struct sm_loads {
    open_load *loads;
    size_t count, room;
} sm_loads;

struct ws_open_reads {
    uint32_t sm_count;
    sm_loads sms[];
};

ws_open_reads *ws_open_reads_new(uint32_t sms) {
    ws_open_reads *r = calloc(1, sizeof *r + sms * sizeof *r->sms);
    if (r) r->sm_count = sms;
    return r;
}

void ws_open_reads_free(ws_open_reads *r) {
    if (!r) return;
    for (uint32_t sm = 0; sm < r->sm_count; sm++) {
        for (size_t i = 0; i < r->sms[sm].room; i++) free(r->sms[sm].loads[i].reads);
        free(r->sms[sm].loads);
    }
    free(r);
}

static bool grow_loads(sm_loads *s) {
    size_t room = s->room ? 2 * s->room : 16;
    open_load *loads = realloc(s->loads, room * sizeof *loads);
    if (!loads) return false;
    for (size_t i = s->room; i < room; i++) loads[i] = (open_load){0};
    s->loads = loads;
    s->room = room;
    return true;
}

static bool grow_reads(open_load *load) {
    size_t room = load->room ? 2 * load->room : 8;
    ws_open_read *reads = realloc(load->reads, room * sizeof *reads);
    if (!reads) return false;
    load->reads = reads;
    load->room = room;
    return true;
}

/* Returns the load, or NULL. The latest ones come first: most accesses are of them. */
static open_load *find_load(const sm_loads *s, uint64_t issued, uint32_t cta, uint32_t warp) {
    for (size_t i = s->count; i-- > 0;) {
        open_load *load = &s->loads[i];
        if (load->issued == issued && load->warp == warp && load->cta == cta) return load;
    }
    return NULL;
}

static open_load *add_load(sm_loads *s, const ws_timed_access *a) {
    if (s->count == s->room && !grow_loads(s)) return NULL;
    open_load *load = &s->loads[s->count++];
    load->issued = a->issued;
    load->cta = a->cta;
    load->warp = a->warp;
    load->count = 0;
    return load;
}

ws_open_read *ws_open_reads_find(ws_open_reads *r, const ws_timed_access *a, bool *is_new) {
    sm_loads *s = &r->sms[a->sm];
    open_load *load = find_load(s, a->issued, a->cta, a->warp);
    if (!load && !(load = add_load(s, a))) return NULL;
    *is_new = false;
    for (size_t i = load->count; i-- > 0;)
        if (load->reads[i].line == a->line) return &load->reads[i];
    if (load->count == load->room && !grow_reads(load)) return NULL;
    *is_new = true;
    load->reads[load->count] = (ws_open_read){.line = a->line};
    return &load->reads[load->count++];
}

void ws_open_reads_end(ws_open_reads *r, const ws_timed_load *ended) {
    sm_loads *s = &r->sms[ended->sm];
    open_load *load = find_load(s, ended->issued, ended->cta, ended->warp);
    if (!load) return;
    open_load *last = &s->loads[--s->count], place = *load;
    *load = *last;
    *last = place;
}
