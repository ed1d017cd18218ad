/* Launches of several CUDA streams: those of a stream run one after another, those of others at the same time.
 * (stream.h is about another kind: the instructions of a launch.)
 *
 * As in GPGPU-Sim's trace mode, the first core.concurrent_launches launches of the trace that have not ended are looked
 * at: one of them begins once no other one of its stream runs. It takes a place of ws_engine.launches that is free. */
#include "replay/limit.h"
#include "timed/l1/l1.h"
#include "timed/memory/slice.h"
#include "timed/network/cluster.h"
#include "timed/turns.h"

#include <stdlib.h>

static uint64_t stream_of(const ws_engine *e, uint32_t launch) {
    return ws_trace_kernel(e->trace, launch)->stream;
}

/* ---- life */

/* Numbers the streams. Returns how many there are. */
static uint32_t number_streams(ws_engine *e) {
    ws_streams *s = &e->streams;
    uint32_t streams = 0;
    for (uint32_t i = 0; i < s->end - s->first; i++) {
        uint32_t same = i;
        while (same > 0 && stream_of(e, s->first + same - 1) != stream_of(e, s->first + i)) same--;
        s->launch[i].stream = same ? s->launch[same - 1].stream : streams++;
    }
    return streams;
}

/* Finds out what CTAs take at most; of shared memory, the sum over streams. */
static bool sum_needs(ws_engine *e, ws_error *err) {
    ws_streams *s = &e->streams;
    int64_t *most = calloc(number_streams(e), sizeof *most);
    if (!most) return ws_no_memory(err);
    for (uint32_t i = 0; i < s->end - s->first; i++) {
        ws_launch l = ws_launch_describe(e, 0, s->first + i, s->launch[i].ctas);
        int64_t *of_stream = &most[s->launch[i].stream],
                shared_B = (int64_t)l.kernel->shared_B * ws_launch_ctas_on_sm(e, &l);
        if (l.occupancy.warps_per_cta > s->warps_per_cta) s->warps_per_cta = l.occupancy.warps_per_cta;
        if (shared_B <= *of_stream) continue;
        s->shared_B[l.side] += shared_B - *of_stream;
        *of_stream = shared_B;
    }
    free(most);
    return true;
}

bool ws_streams_init(ws_engine *e, uint32_t first, uint32_t count, const ws_config *config,
                     ws_timed_stream_options options, ws_error *err) {
    ws_streams *s = &e->streams;
    *s = (ws_streams){
        .first = first, .next = first, .end = first + count, .config = config, .options = options};
    s->launch = calloc(count, sizeof *s->launch);
    if (!s->launch) return ws_no_memory(err);
    for (uint32_t i = 0; i < count; i++)
        if (!ws_limit_ctas(e->trace, &e->counting, first + i, config, &s->launch[i].ctas, err) ||
            !ws_launch_fits(e, 0, first + i, err))
            return false;
    return sum_needs(e, err);
}

void ws_streams_free(ws_engine *e) {
    free(e->streams.launch);
    e->streams = (ws_streams){0};
}

/* ---- ends and begins */

static ws_stream_launch *launch_in(const ws_engine *e, const ws_launch *l) {
    return &e->streams.launch[l->kernel->index - e->streams.first];
}

static void end_launch(ws_engine *e, ws_launch *l) {
    ws_stream_launch *in = launch_in(e, l);
    in->share = l->counters;
    in->share.cycles = e->now - l->launched;
    in->share.ctas = l->started;
    l->is_free = true;
}

static bool begin_launch(ws_engine *e, ws_launch *l, uint32_t index) {
    const ws_streams *s = &e->streams;
    bool ok = l->stream ? ws_launch_turn(e, l, index, s->launch[index - s->first].ctas, e->err)
                        : ws_launch_init(e, l, index, s->config, s->options, e->err);
    if (!ok) return false;
    ws_launch_begin(e, l);
    launch_in(e, l)->begin = l->launched - e->launched;
    return true;
}

/* Whether a launch of the stream runs. */
static bool is_busy(const ws_engine *e, uint64_t stream) {
    for (const ws_launch *l = e->launches; l < e->launches + e->launch_count; l++)
        if (!l->is_free && l->kernel->stream == stream) return true;
    return false;
}

static ws_launch *free_place(ws_engine *e) {
    ws_launch *l = e->launches;
    while (!l->is_free) l++;
    return l;
}

/* ---- their turn */

static uint32_t count_running(const ws_engine *e) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < e->launch_count; i++) count += !e->launches[i].is_free;
    return count;
}

/* Has more launches come up, and the copies before them. */
static void come_up(ws_engine *e) {
    ws_streams *s = &e->streams;
    for (uint32_t up = count_running(e) + s->waiting_count; up < e->launch_count && s->next < s->end; up++) {
        ws_place_copies(e, s->next);
        s->waiting[s->waiting_count++] = s->next++;
    }
}

/* Begins the launches that have come up and whose streams are not busy. */
static bool begin_launches(ws_engine *e) {
    ws_streams *s = &e->streams;
    uint32_t left = 0;
    for (uint32_t i = 0; i < s->waiting_count; i++) {
        uint32_t index = s->waiting[i];
        if (is_busy(e, stream_of(e, index)))
            s->waiting[left++] = index;
        else if (!begin_launch(e, free_place(e), index))
            return false;
    }
    s->waiting_count = left;
    return true;
}

bool ws_streams_begin(ws_engine *e) {
    for (uint32_t i = 0; i < e->launch_count; i++) e->launches[i].is_free = true;
    come_up(e);
    return begin_launches(e);
}

bool ws_streams_go_on(ws_engine *e) {
    bool any_ended = false;
    for (ws_launch *l = e->launches; l < e->launches + e->launch_count; l++) {
        if (l->is_free || !ws_launch_has_ended(e, l)) continue;
        end_launch(e, l);
        any_ended = true;
    }
    if (!any_ended) return true;
    come_up(e);
    if (!begin_launches(e)) return false;
    e->finished = count_running(e) == 0;
    return true;
}

/* ---- L1s */

void ws_streams_enter(ws_engine *e, const ws_sm *sm) {
    uint32_t sms = (uint32_t)e->sms_per_cluster.value, cluster = sm->index / sms, first = cluster * sms;
    if (!ws_cluster_is_idle(e, cluster) || ws_cluster_idle_from(e, cluster) > e->now) return;
    for (uint32_t i = first; i < first + sms; i++)
        if (e->sms[i].made) ws_l1_empty(&e->sms[i]);
    if (e->cluster_slot) e->cluster_slot->renew(e->clusters[cluster]);
}
