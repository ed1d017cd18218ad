#include "analysis/parts/branches.h"

#include "base/room.h"
#include "replay/straight_run.h"

#include <stdlib.h>

/* A branch of which some lanes have not executed another instruction yet. A lane is pending at one branch at most. */
typedef struct pending {
    uint64_t lanes;
    uint32_t inst;
    uint32_t next_pc; /* where lanes continued; defined once some did */
    bool went_on;
} pending;

typedef struct slot {
    uint32_t warp; /* the one that ran in it last */
    uint32_t count;
    size_t room;
    pending *pending;
    ws_straight_run run;
} slot;

struct branches {
    uint32_t slot_count;
    bool predicated;
    uint64_t *divergent;
    slot slots[];
};

branches *branches_new(uint32_t slots, bool predicated, uint64_t *divergent) {
    branches *b = calloc(1, sizeof *b + slots * sizeof *b->slots);
    if (!b) return NULL;
    b->slot_count = slots;
    b->predicated = predicated;
    b->divergent = divergent;
    return b;
}

void branches_free(branches *b) {
    if (!b) return;
    for (uint32_t i = 0; i < b->slot_count; i++) free(b->slots[i].pending);
    free(b);
}

/* `lanes` continue at `pc` after branch `p`. Returns whether its other lanes can still show that it diverges. */
static bool go_on(branches *b, pending *p, uint64_t lanes, uint32_t pc) {
    bool diverges = p->went_on && p->next_pc != pc;
    b->divergent[p->inst] += diverges;
    p->next_pc = pc;
    p->went_on = true;
    p->lanes &= ~lanes;
    return !diverges && p->lanes != 0;
}

static bool append(slot *s, pending p) {
    if (!WS_ROOM_FOR(s->pending, s->room, s->count + 1)) return false;
    s->pending[s->count++] = p;
    return true;
}

static void pending_go_on(branches *b, slot *s, uint32_t pc, uint64_t mask) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        pending p = s->pending[i];
        if (!(p.lanes & mask) || go_on(b, &p, mask, pc)) s->pending[kept++] = p;
    }
    s->count = kept;
}

bool branches_step(branches *b, uint32_t slot_index, uint32_t warp, uint32_t inst, const ws_static *st,
                   uint64_t mask, bool can_jump) {
    slot *s = &b->slots[slot_index];
    if (s->warp != warp) *s = (slot){.warp = warp, .pending = s->pending, .room = s->room};
    pending_go_on(b, s, st->pc, mask);
    uint64_t others = ws_straight_run_step(&s->run, st, mask, can_jump);
    if (!can_jump) return true;
    if (b->predicated && mask && others) {
        b->divergent[inst]++;
        return true;
    }
    if ((mask & (mask - 1)) == 0) return true; /* one lane does not diverge */
    return append(s, (pending){.lanes = mask, .inst = inst});
}
