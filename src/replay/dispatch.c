#include "replay/dispatch.h"

#include <stdlib.h>

/* A run of consecutive CTAs that have not started, the next `rest` of which belong to the block that `sm` has begun. */
typedef struct cta_pool {
    uint32_t next, end;
    uint32_t rest, sm;
} cta_pool;

/* Where the next CTA goes: the SM that takes it, and the pool that it comes from. */
typedef struct ws_place {
    uint32_t sm;
    cta_pool *pool;
} ws_place;

struct ws_dispatch_turns {
    uint32_t next;  /* the cluster (global_rr: the SM) whose turn it is */
    uint32_t *in;   /* per cluster: the SM in it whose turn it is */
    uint64_t round; /* the last one that has begun */
    uint32_t left;  /* two_level_rr: clusters whose turn in it is still to come, from `next` on */
    uint64_t *took; /* with a pool per cluster: the round in which it got its last CTA; 0: none */
};

struct ws_dispatcher {
    bool (*find)(ws_dispatcher *d, ws_place *place);
    uint32_t clusters, sms_per_cluster, sms, ctas_per_sm;
    ws_dispatch_turns *turns, *own; /* own: those that it frees, or NULL */
    uint64_t round;                 /* 0: there are no rounds */
    uint32_t *free;                 /* per SM: free CTA slots */
    cta_pool *pools;                /* one, or one per cluster */
    uint32_t waiting;               /* CTAs in all pools */
};

/* ---- policies: each finds the next place while CTAs are waiting, and moves the turn on. False: no SM can take one. */

/* Finds the first SM of the cluster with `need` free slots, beginning with the one whose turn it is. */
static bool find_in_cluster(ws_dispatcher *d, uint32_t cluster, uint32_t need, uint32_t *sm) {
    for (uint32_t i = 0; i < d->sms_per_cluster; i++) {
        uint32_t within = (d->turns->in[cluster] + i) % d->sms_per_cluster;
        *sm = cluster * d->sms_per_cluster + within;
        if (d->free[*sm] < need) continue;
        d->turns->in[cluster] = (within + 1) % d->sms_per_cluster;
        return true;
    }
    return false;
}

static bool has_taken(const ws_dispatcher *d, uint32_t cluster) {
    return d->round && d->turns->took[cluster] == d->round;
}

/* A round goes over the clusters once: one without room for a CTA of a launch gets none of the launch behind it either,
 * before the next round. */
static bool find_two_level_rr(ws_dispatcher *d, ws_place *place) {
    uint32_t left = d->round ? d->turns->left : d->clusters;
    place->pool = d->pools;
    for (uint32_t i = 0; i < left; i++) {
        uint32_t cluster = (d->turns->next + i) % d->clusters;
        if (!find_in_cluster(d, cluster, 1, &place->sm)) continue;
        d->turns->next = (cluster + 1) % d->clusters;
        d->turns->left = left - i - 1;
        return true;
    }
    return false;
}

static bool find_global_rr(ws_dispatcher *d, ws_place *place) {
    place->pool = d->pools;
    for (uint32_t i = 0; i < d->sms; i++) {
        place->sm = (d->turns->next + i) % d->sms;
        if (d->free[place->sm] == 0) continue;
        d->turns->next = (place->sm + 1) % d->sms;
        return true;
    }
    return false;
}

static bool find_greedy(ws_dispatcher *d, ws_place *place) {
    place->pool = d->pools;
    for (uint32_t cluster = 0; cluster < d->clusters; cluster++)
        if (find_in_cluster(d, cluster, 1, &place->sm)) return true;
    return false;
}

/* Finds a place in a cluster for the next CTA of its pool, which begins a block of `count` or goes on with one. */
static bool find_in_pool(ws_dispatcher *d, uint32_t cluster, uint32_t count, ws_place *place) {
    cta_pool *pool = place->pool = &d->pools[cluster];
    if (pool->next == pool->end || has_taken(d, cluster)) return false;
    if (pool->rest == 0) {
        if (!find_in_cluster(d, cluster, count, &pool->sm)) return false;
        pool->rest = count;
    }
    place->sm = pool->sm;
    pool->rest--;
    d->turns->took[cluster] = d->round;
    return true;
}

static bool find_pooled(ws_dispatcher *d, ws_place *place, uint32_t count) {
    for (uint32_t cluster = 0; cluster < d->clusters; cluster++)
        if (find_in_pool(d, cluster, count, place)) return true;
    return false;
}

static bool find_distributed(ws_dispatcher *d, ws_place *place) {
    return find_pooled(d, place, 1);
}

/* The last CTA of a pool with an odd number of CTAs waits for two free slots, too. */
static bool find_distributed_block(ws_dispatcher *d, ws_place *place) {
    return find_pooled(d, place, d->ctas_per_sm < 2 ? 1 : 2);
}

static const struct {
    bool (*find)(ws_dispatcher *d, ws_place *place);
    bool pool_per_cluster;
} policies[] = {
    [WS_DISPATCH_TWO_LEVEL_RR] = {find_two_level_rr, false},
    [WS_DISPATCH_GLOBAL_RR] = {find_global_rr, false},
    [WS_DISPATCH_GREEDY] = {find_greedy, false},
    [WS_DISPATCH_DISTRIBUTED] = {find_distributed, true},
    [WS_DISPATCH_DISTRIBUTED_BLOCK] = {find_distributed_block, true},
};

/* ---- dispatcher */

/* Gives each pool an equal share of consecutive CTAs; the first pools get one more if they do not divide evenly. */
static void fill_pools(cta_pool *pools, uint32_t count, uint32_t ctas) {
    uint32_t next = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t share = ctas / count + (i < ctas % count);
        pools[i] = (cta_pool){.next = next, .end = next + share};
        next += share;
    }
}

ws_dispatch_turns *ws_dispatch_turns_new(const ws_gpu_params *gpu) {
    ws_dispatch_turns *turns = calloc(1, sizeof *turns);
    if (!turns) return NULL;
    turns->in = calloc((size_t)gpu->clusters, sizeof *turns->in);
    turns->took = calloc((size_t)gpu->clusters, sizeof *turns->took);
    if (turns->in && turns->took) return turns;
    ws_dispatch_turns_free(turns);
    return NULL;
}

void ws_dispatch_turns_free(ws_dispatch_turns *turns) {
    if (!turns) return;
    free(turns->in);
    free(turns->took);
    free(turns);
}

ws_dispatcher *ws_dispatcher_new(const ws_gpu_params *gpu, uint32_t ctas_per_sm, uint32_t ctas,
                                 ws_dispatch_turns *turns) {
    ws_dispatcher *d = calloc(1, sizeof *d);
    if (!d) return NULL;
    d->find = policies[gpu->dispatch].find;
    d->clusters = (uint32_t)gpu->clusters;
    d->sms_per_cluster = (uint32_t)gpu->sms_per_cluster;
    d->sms = d->clusters * d->sms_per_cluster;
    d->ctas_per_sm = ctas_per_sm;
    uint32_t pools = policies[gpu->dispatch].pool_per_cluster ? d->clusters : 1;
    if (!turns) turns = d->own = ws_dispatch_turns_new(gpu);
    d->turns = turns;
    d->free = calloc(d->sms, sizeof *d->free);
    d->pools = calloc(pools, sizeof *d->pools);
    if (!d->turns || !d->free || !d->pools) {
        ws_dispatcher_free(d);
        return NULL;
    }
    for (uint32_t sm = 0; sm < d->sms; sm++) d->free[sm] = ctas_per_sm;
    fill_pools(d->pools, pools, ctas);
    d->waiting = ctas;
    return d;
}

void ws_dispatcher_free(ws_dispatcher *d) {
    if (!d) return;
    ws_dispatch_turns_free(d->own);
    free(d->free);
    free(d->pools);
    free(d);
}

bool ws_dispatcher_next(ws_dispatcher *d, uint32_t *sm, uint32_t *cta) {
    ws_place place;
    if (d->waiting == 0 || !d->find(d, &place)) return false;
    *sm = place.sm;
    *cta = place.pool->next++;
    d->waiting--;
    d->free[*sm]--;
    return true;
}

void ws_dispatcher_begin_round(ws_dispatcher *d, uint64_t round) {
    d->round = round;
    if (d->turns->round == round) return;
    d->turns->round = round;
    d->turns->left = d->clusters;
}

/* Whether the cluster has had its turn in this round. */
static bool has_had_turn(const ws_dispatcher *d, uint32_t cluster) {
    if (d->find != find_two_level_rr) return has_taken(d, cluster);
    return (cluster + d->clusters - d->turns->next) % d->clusters >= d->turns->left;
}

bool ws_dispatcher_rests(const ws_dispatcher *d) {
    for (uint32_t sm = 0; sm < d->sms && d->waiting; sm++)
        if (d->free[sm] && has_had_turn(d, sm / d->sms_per_cluster)) return true;
    return false;
}

void ws_dispatcher_ended(ws_dispatcher *d, uint32_t sm) {
    d->free[sm]++;
}

void ws_dispatcher_set_room(ws_dispatcher *d, uint32_t sm, uint32_t ctas) {
    d->free[sm] = ctas;
}
