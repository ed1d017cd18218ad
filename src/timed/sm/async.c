/* Asynchronous copies from global to shared memory (PTX cp.async; SASS LDGSTS, LDGDEPBAR, DEPBAR).
 *
 * A copy is a load without a destination, so no register makes anything wait for it. A warp collects its copies in
 * groups: LDGDEPBAR closes the present one, and after DEPBAR.LE SB0, n the warp's next instruction issues once all
 * copies of all closed groups but the last n have their data. Writing the data to shared memory takes no time of its
 * own. Traces do not tell which scoreboard a DEPBAR names: each is taken for one that waits for copies, and for nothing
 * else. */
#include "base/array.h"
#include "timed/sm/core.h"

#include <stdlib.h>
#include <string.h>

static enum ws_async_role role_of(const char *opcode) {
    static const struct {
        char mnemonic[12];
        enum ws_async_role role;
    } roles[] = {{"LDGSTS", WS_ASYNC_COPY}, {"LDGDEPBAR", WS_ASYNC_COMMIT}, {"DEPBAR", WS_ASYNC_WAIT}};
    size_t length = strcspn(opcode, ".");
    for (size_t i = 0; i < WS_COUNT(roles); i++)
        if (strlen(roles[i].mnemonic) == length && memcmp(opcode, roles[i].mnemonic, length) == 0)
            return roles[i].role;
    return WS_ASYNC_NONE;
}

/* A trace without immediates has 0: such a wait is for all groups. */
static uint16_t open_groups_of(const ws_static *s) {
    if (s->immediate < 0) return 0;
    return s->immediate > UINT16_MAX ? UINT16_MAX : (uint16_t)s->immediate;
}

/* Only what the load/store unit gives to the L1 is noted as a copy when it issues. */
void ws_async_decode(ws_timed_static *t, const ws_static *s, const char *opcode) {
    t->async = (uint8_t)role_of(opcode);
    if (t->async == WS_ASYNC_COPY && !ws_static_is_global_or_local(s)) t->async = WS_ASYNC_NONE;
    if (t->async == WS_ASYNC_WAIT) t->open_groups = open_groups_of(s);
}

static bool make(ws_sm *s) {
    s->async = calloc(1, sizeof *s->async);
    for (unsigned i = 0; s->async && i < WS_SLOTS; i++) s->async->warps[i].last = WS_NO_LOAD;
    return s->async;
}

/* Grows `copies` to as many places as there are for loads. */
static bool grow(ws_sm *s) {
    ws_async_copy *copies = realloc(s->async->copies, s->load_places.room * sizeof *copies);
    if (!copies) return false;
    s->async->copies = copies;
    s->async->room = s->load_places.room;
    return true;
}

void ws_async_copy_issued(ws_engine *e, ws_sm *s, unsigned warp, uint32_t load) {
    if ((!s->async && !make(s)) || (s->async->room <= load && !grow(s))) {
        e->failed = true;
        return;
    }
    ws_async_copy *copies = s->async->copies;
    ws_async_warp *w = &s->async->warps[warp];
    copies[load] = (ws_async_copy){.group = w->group, .before = w->last, .after = WS_NO_LOAD};
    if (w->last != WS_NO_LOAD) copies[w->last].after = load;
    w->last = load;
}

static void await_groups(ws_sm *s, unsigned warp, uint32_t open) {
    ws_async_warp *w = &s->async->warps[warp];
    w->until = w->group > open ? w->group - open : 0;
    w->awaited = 0;
    for (uint32_t at = w->last; at != WS_NO_LOAD; at = s->async->copies[at].before)
        w->awaited += s->async->copies[at].group < w->until;
    if (w->awaited) s->copying |= UINT64_C(1) << warp;
}

void ws_async_issued(ws_sm *s, unsigned warp, const ws_timed_static *inst) {
    if (!s->async) return;
    if (inst->async == WS_ASYNC_COMMIT) s->async->warps[warp].group++;
    if (inst->async == WS_ASYNC_WAIT) await_groups(s, warp, inst->open_groups);
}

/* Takes the copy out of its warp's list, and lets the warp go on if it was the last copy that it waited for. */
void ws_async_copied(ws_engine *e, ws_sm *s, unsigned warp, uint32_t load) {
    if (e->failed) return; /* then the copy may not have been noted */
    ws_async_warp *w = &s->async->warps[warp];
    ws_async_copy *copies = s->async->copies, *copy = &copies[load];
    if (copy->before != WS_NO_LOAD) copies[copy->before].after = copy->after;
    *(copy->after != WS_NO_LOAD ? &copies[copy->after].before : &w->last) = copy->before;
    if (!(s->copying >> warp & 1) || copy->group >= w->until || --w->awaited) return;
    s->copying &= ~(UINT64_C(1) << warp);
    ws_sm_look(e, s, warp);
}

void ws_async_free(ws_sm *s) {
    if (s->async) free(s->async->copies);
    free(s->async);
}
