#include "naive.h"

#include "analysis/parts/window.h"

#include <stdlib.h>
#include <string.h>

/* The number of the window (of a warp, CTA, SM or cluster) that a request belongs to. */
static uint32_t instance_of(const record *r, int scope, const ws_stream_info *info) {
    switch (scope) {
    case WINDOW_WARP:
        return r->warp;
    case WINDOW_CTA:
        return r->cta;
    case WINDOW_SM:
        return r->sm;
    default:
        return r->sm / info->sms_per_cluster;
    }
}

static void label(naive_merges *m, const record *r, const record *earlier) {
    if (r->warp == earlier->warp)
        m->same_warp++;
    else if (r->cta == earlier->cta)
        m->same_cta++;
    else
        m->other_cta++;
}

/* A sliding window: looks back from request `i` over the last `size` requests for one to the same line. */
static void slide(naive_merges *m, const stream *in, size_t i, uint32_t size) {
    for (size_t back = 1; back <= size && back <= i; back++)
        if (in->records[i - back].line == in->records[i].line) {
            label(m, &in->records[i], &in->records[i - back]);
            return;
        }
}

typedef struct tag {
    record first;
    uint32_t members;
    stream loads; /* the loads among its members */
} tag;

typedef struct tags {
    tag *tags;
    uint32_t count;
} tags;

static void leave(tags *t, uint32_t at) {
    stream_free(&t->tags[at].loads);
    t->count--;
    memmove(&t->tags[at], &t->tags[at + 1], (t->count - at) * sizeof *t->tags);
}

/* A store or atomic of a warp removes the tags that loads of this warp are members of. */
static void fence(tags *t, uint32_t warp) {
    for (uint32_t i = t->count; i-- > 0;)
        for (size_t k = 0; k < t->tags[i].loads.count; k++)
            if (t->tags[i].loads.records[k].warp == warp) {
                leave(t, i);
                break;
            }
}

static void queue(naive_merges *m, tags *t, const record *r, uint32_t size, const window_params *p) {
    if (size == 0) return;
    for (uint32_t i = 0; i < t->count; i++) {
        tag *at = &t->tags[i];
        if (at->first.line != r->line || (p->merges_max && at->members == p->merges_max)) continue;
        label(m, r, &at->first);
        at->members++;
        if (r->op == WS_MEMORY_LOAD) stream_add(&at->loads, *r);
        return;
    }
    if (t->count == size) leave(t, 0);
    tag *at = &t->tags[t->count++];
    *at = (tag){.first = *r, .members = 1};
    if (r->op == WS_MEMORY_LOAD) stream_add(&at->loads, *r);
}

/* Counts one window, from the requests of one instance. */
static void one_window(naive_merges *m, const stream *in, const window_params *p, uint32_t size) {
    stream entered = {0};
    tags t = {.tags = calloc((size_t)size + 1, sizeof *t.tags)};
    for (size_t i = 0; i < in->count; i++) {
        const record *r = &in->records[i];
        if (p->fences && r->op != WS_MEMORY_LOAD) fence(&t, r->warp);
        if (p->stream == WINDOW_LOADS && r->op != WS_MEMORY_LOAD) continue;
        m->requests++;
        stream_add(&entered, *r);
        if (p->kind == WINDOW_SLIDING)
            slide(m, &entered, entered.count - 1, size);
        else
            queue(m, &t, r, size, p);
    }
    while (t.count > 0) leave(&t, 0);
    free(t.tags);
    stream_free(&entered);
}

naive_merges naive_window(const stream *s, const ws_config *config, const ws_stream_info *info,
                          uint32_t size) {
    const window_params *p = ws_config_get(config, ws_analysis_find("window", NULL)->component);
    naive_merges m = {0};
    bool *done = calloc(s->count + 1, sizeof *done);
    for (size_t i = 0; i < s->count; i++) {
        if (done[i]) continue;
        uint32_t instance = instance_of(&s->records[i], p->scope, info);
        stream mine = {0};
        for (size_t k = i; k < s->count; k++) {
            if (instance_of(&s->records[k], p->scope, info) != instance) continue;
            stream_add(&mine, s->records[k]);
            done[k] = true;
        }
        one_window(&m, &mine, p, size);
        stream_free(&mine);
    }
    free(done);
    return m;
}
