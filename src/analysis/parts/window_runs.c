#include "analysis/parts/window_runs.h"

#include <stdlib.h>
#include <string.h>

enum { NO_GROUP = UINT16_MAX };

/* The requests of one instance, under one occupant, in the batch. */
typedef struct group {
    uint32_t instance, occupant;
    uint32_t begin, end; /* in the sorted arrays */
} group;

struct window_runs {
    enum window_scope scope;
    bool all;
    uint32_t instances, sms_per_cluster;
    uint8_t cta_slot[WS_SLOTS]; /* per warp slot */
    uint32_t *occupant;         /* per instance: 1 + the warp or CTA in it last, 0 = none yet */
    uint16_t *group_of;         /* per instance: its group in this batch, or NO_GROUP */

    uint32_t group_count, next;
    group groups[WS_BATCH_MAX];
    uint16_t member_of[WS_BATCH_MAX]; /* per request: its group, or NO_GROUP */

    bool whole; /* the batch is a single run as it stands: nothing is sorted */
    ws_requests batch;
    uint8_t loads[WS_BATCH_MAX];                                        /* WS_MEMORY_LOAD, for memcmp() */
    uint32_t line[WS_BATCH_MAX], warp[WS_BATCH_MAX], cta[WS_BATCH_MAX]; /* sorted by group */
    uint16_t sm[WS_BATCH_MAX];
    uint8_t op[WS_BATCH_MAX], slot[WS_BATCH_MAX];
};

static uint32_t instances_of(const ws_stream_info *stream, enum window_scope scope) {
    switch (scope) {
    case WINDOW_WARP:
    case WINDOW_CTA:
        return stream->sms * WS_SLOTS;
    case WINDOW_SM:
        return stream->sms;
    case WINDOW_CLUSTER:
        break;
    }
    return stream->sms / stream->sms_per_cluster;
}

window_runs *window_runs_new(const ws_stream_info *stream, enum window_scope scope, bool all) {
    window_runs *r = calloc(1, sizeof *r);
    if (!r) return NULL;
    r->scope = scope;
    r->all = all;
    r->instances = instances_of(stream, scope);
    r->sms_per_cluster = stream->sms_per_cluster;
    for (unsigned slot = 0; slot < WS_SLOTS; slot++)
        r->cta_slot[slot] = (uint8_t)(slot / stream->warps_per_cta);
    r->occupant = calloc(r->instances, sizeof *r->occupant);
    r->group_of = malloc(r->instances * sizeof *r->group_of);
    if (!r->occupant || !r->group_of) {
        window_runs_free(r);
        return NULL;
    }
    memset(r->group_of, 0xff, r->instances * sizeof *r->group_of);
    memset(r->loads, WS_MEMORY_LOAD, sizeof r->loads);
    return r;
}

void window_runs_free(window_runs *r) {
    if (!r) return;
    free(r->occupant);
    free(r->group_of);
    free(r);
}

uint32_t window_runs_instances(const window_runs *r) {
    return r->instances;
}

/* Gives the instance of each request, and its occupant: the slots of an SM are taken over by one warp, or CTA, after
 * another. SMs and clusters have no occupants (NULL). */
static void find_instances(const window_runs *r, const ws_requests *b, uint32_t *instance,
                           const uint32_t **occupant) {
    *occupant = NULL;
    switch (r->scope) {
    case WINDOW_WARP:
        for (size_t i = 0; i < b->count; i++) instance[i] = b->sm[i] * WS_SLOTS + b->slot[i];
        *occupant = b->warp;
        return;
    case WINDOW_CTA:
        for (size_t i = 0; i < b->count; i++) instance[i] = b->sm[i] * WS_SLOTS + r->cta_slot[b->slot[i]];
        *occupant = b->cta;
        return;
    case WINDOW_SM:
        for (size_t i = 0; i < b->count; i++) instance[i] = b->sm[i];
        return;
    case WINDOW_CLUSTER:
        for (size_t i = 0; i < b->count; i++) instance[i] = b->sm[i] / r->sms_per_cluster;
        return;
    }
}

/* Returns the group of a request's instance; if its occupant changes within the batch, a new group begins. */
static uint16_t group_of(window_runs *r, uint32_t instance, uint32_t occupant) {
    uint16_t g = r->group_of[instance];
    if (g != NO_GROUP && r->groups[g].occupant == occupant) return g;
    g = (uint16_t)r->group_count++;
    r->groups[g] = (group){.instance = instance, .occupant = occupant};
    r->group_of[instance] = g;
    return g;
}

/* Finds the group of each wanted request, and counts the group's members in `end`. */
static void count_groups(window_runs *r, const ws_requests *b) {
    uint32_t instance[WS_BATCH_MAX];
    const uint32_t *occupant;
    find_instances(r, b, instance, &occupant);
    for (size_t i = 0; i < b->count; i++) {
        if (!r->all && b->op[i] != WS_MEMORY_LOAD) {
            r->member_of[i] = NO_GROUP;
            continue;
        }
        r->member_of[i] = group_of(r, instance[i], occupant ? occupant[i] : 0);
        r->groups[r->member_of[i]].end++;
    }
}

static void sort_by_group(window_runs *r, const ws_requests *b) {
    uint32_t begin = 0;
    for (uint32_t g = 0; g < r->group_count; g++) {
        uint32_t count = r->groups[g].end;
        r->groups[g].begin = r->groups[g].end = begin;
        begin += count;
        r->group_of[r->groups[g].instance] = NO_GROUP;
    }
    for (size_t i = 0; i < b->count; i++) {
        if (r->member_of[i] == NO_GROUP) continue;
        uint32_t at = r->groups[r->member_of[i]].end++;
        r->line[at] = b->line[i];
        r->warp[at] = b->warp[i];
        r->cta[at] = b->cta[i];
        if (!r->all) continue; /* the rest is undefined in a stream of loads (window_run) */
        r->sm[at] = b->sm[i];
        r->slot[at] = b->slot[i];
        r->op[at] = b->op[i];
    }
}

void window_runs_batch(window_runs *r, const ws_requests *b) {
    r->batch = *b;
    r->next = r->group_count = 0;
    r->whole = r->instances == 1 && (r->all || memcmp(b->op, r->loads, b->count) == 0);
    if (r->whole) return;
    count_groups(r, b);
    sort_by_group(r, b);
}

bool window_runs_next(window_runs *r, window_run *run) {
    if (r->whole) {
        const ws_requests *b = &r->batch;
        *run = (window_run){.count = b->count,
                            .line = b->line,
                            .warp = b->warp,
                            .cta = b->cta,
                            .op = b->op,
                            .sm = b->sm,
                            .slot = b->slot};
        return r->next++ == 0;
    }
    if (r->next == r->group_count) return false;
    const group *g = &r->groups[r->next++];
    uint32_t before = r->occupant[g->instance]; /* also 0 after batches that were `whole` */
    *run = (window_run){.instance = g->instance,
                        .fresh = before != 0 && before != g->occupant + 1,
                        .count = g->end - g->begin,
                        .line = r->line + g->begin,
                        .warp = r->warp + g->begin,
                        .cta = r->cta + g->begin,
                        .op = r->op + g->begin,
                        .sm = r->sm + g->begin,
                        .slot = r->slot + g->begin};
    r->occupant[g->instance] = g->occupant + 1;
    return true;
}
