#include "naive_warpman.h"

#include <stdlib.h>
#include <string.h>

#define NOT_YET UINT64_MAX

typedef struct simulation {
    const naive_warpman *n;
    naive_warpman_life *lives;
    uint64_t *time;  /* cycles that each warp takes */
    uint32_t *sm_of; /* per CTA; UINT32_MAX: not sent yet */
    uint64_t *sent;  /* per SM: the last cycle in which it was sent a CTA */
    uint64_t now;
    uint32_t level; /* CTAs that fit on an SM as a whole */
} simulation;

static bool started(const simulation *s, uint32_t warp) {
    return s->lives[warp].start != NOT_YET;
}
static bool over(const simulation *s, uint32_t warp) {
    return started(s, warp) && s->lives[warp].end <= s->now;
}

static bool is_over(const simulation *s, uint32_t cta) {
    for (uint32_t w = 0; w < s->n->warps_per_cta; w++)
        if (!over(s, cta * s->n->warps_per_cta + w)) return false;
    return true;
}
static bool is_partial(const simulation *s, uint32_t cta) {
    for (uint32_t w = 0; w < s->n->warps_per_cta; w++)
        if (!started(s, cta * s->n->warps_per_cta + w)) return true;
    return false;
}

typedef struct census {
    uint32_t ctas, partial, resident, held; /* resident: warps that run; held: warps that have slots */
} census;

static census count(const simulation *s, uint32_t sm) {
    census c = {0};
    for (uint32_t cta = 0; cta < s->n->ctas; cta++) {
        if (s->sm_of[cta] != sm || is_over(s, cta)) continue;
        c.ctas++;
        c.partial += is_partial(s, cta);
        for (uint32_t w = 0; w < s->n->warps_per_cta; w++) {
            uint32_t warp = cta * s->n->warps_per_cta + w;
            if (!started(s, warp)) continue;
            c.resident += !over(s, warp);
            c.held += !over(s, warp) || !s->n->temporal;
        }
    }
    return c;
}

static bool warps_fit(const simulation *s, const census *c, uint32_t warps) {
    const naive_warpman *n = s->n;
    uint32_t all = c->held + warps;
    if (!n->spatial && all > s->level * n->warps_per_cta) return false;
    return all <= n->sm_warps && all * n->warp_registers <= n->sm_registers;
}

static bool one_warp_fits(const simulation *s, const census *c) {
    const naive_warpman *n = s->n;
    uint32_t threshold = n->threshold > n->warps_per_cta ? n->threshold : n->warps_per_cta;
    return warps_fit(s, c, 1) && (!n->threshold || c->resident < threshold);
}

static bool takes_cta(const simulation *s, uint32_t sm) {
    census c = count(s, sm);
    if (c.partial || c.ctas == s->n->sm_ctas) return false;
    if ((c.ctas + 1) * s->n->cta_shared_B > s->n->sm_shared_B) return false;
    return warps_fit(s, &c, s->n->warps_per_cta) || one_warp_fits(s, &c);
}

static void start_warp(simulation *s, uint32_t warp, uint32_t sm) {
    s->lives[warp].sm = sm;
    s->lives[warp].start = s->now;
    s->lives[warp].end = s->now + s->time[warp];
}

/* Starts the CTA's warps, in the order of their numbers: all of them, or as long as there is room for one more. */
static void start_warps(simulation *s, uint32_t cta, uint32_t sm, bool all) {
    for (uint32_t w = 0; w < s->n->warps_per_cta; w++) {
        uint32_t warp = cta * s->n->warps_per_cta + w;
        census c = count(s, sm);
        if (!started(s, warp) && (all || one_warp_fits(s, &c))) start_warp(s, warp, sm);
    }
}

static void send(simulation *s, uint32_t cta, uint32_t sm) {
    census c = count(s, sm);
    bool whole = warps_fit(s, &c, s->n->warps_per_cta);
    s->sm_of[cta] = sm;
    s->sent[sm] = s->now;
    start_warps(s, cta, sm, whole);
}

static uint32_t level_of(const naive_warpman *n) {
    uint32_t ctas = 0;
    while (ctas < n->sm_ctas && (ctas + 1) * n->warps_per_cta <= n->sm_warps &&
           (ctas + 1) * n->warps_per_cta * n->warp_registers <= n->sm_registers &&
           (ctas + 1) * n->cta_shared_B <= n->sm_shared_B)
        ctas++;
    return ctas;
}

/* Chooses the next CTA's SM, the first in turn that takes it, as soon as there is one; the CTA then waits for a later
 * cycle if that SM has been sent one in this cycle. */
static void dispatch(simulation *s) {
    const naive_warpman *n = s->n;
    uint32_t next = 0, turn = 0, chosen = UINT32_MAX;
    for (; next < n->ctas; s->now++) {
        for (uint32_t cta = 0; cta < next; cta++)
            if (is_partial(s, cta)) start_warps(s, cta, s->sm_of[cta], false);
        while (next < n->ctas) {
            for (uint32_t i = 0; i < n->sms && chosen == UINT32_MAX; i++)
                if (takes_cta(s, (turn + i) % n->sms)) chosen = (turn + i) % n->sms;
            if (chosen == UINT32_MAX) break;
            turn = (chosen + 1) % n->sms;
            if (s->sent[chosen] == s->now) break;
            send(s, next++, chosen);
            chosen = UINT32_MAX;
        }
    }
    for (bool left = true; left; s->now++) {
        left = false;
        for (uint32_t cta = 0; cta < n->ctas; cta++)
            if (is_partial(s, cta)) start_warps(s, cta, s->sm_of[cta], false), left = true;
    }
}

void naive_warpman_dispatch(const naive_warpman *n, naive_warpman_life *lives) {
    uint32_t warps = n->ctas * n->warps_per_cta;
    simulation s = {.n = n, .lives = lives, .now = 0, .level = level_of(n)};
    s.time = calloc(warps, sizeof *s.time);
    s.sm_of = malloc(n->ctas * sizeof *s.sm_of);
    s.sent = malloc(n->sms * sizeof *s.sent);
    for (uint32_t w = 0; w < warps; w++) {
        s.time[w] = lives[w].end - lives[w].start;
        lives[w] = (naive_warpman_life){.start = NOT_YET};
    }
    memset(s.sent, 0xff, n->sms * sizeof *s.sent);
    memset(s.sm_of, 0xff, n->ctas * sizeof *s.sm_of);
    dispatch(&s);
    free(s.time);
    free(s.sm_of);
    free(s.sent);
}
