#include "replay/order.h"

#include "base/bits.h"
#include "replay/batch.h"

#include <stdlib.h>
#include <string.h>

enum { SCHEDULERS_MAX = 8, NO_SLOT = WS_SLOTS };

/* A position in the instructions of a warp. */
typedef struct inst_place {
    const ws_inst *inst;
    const uint64_t *addresses, *values; /* NULL unless kept */
} inst_place;

/* An SM. Warps are arrays over its warp slots; sets of warps are masks. CTA slot k owns the warp slots from k *
 * warps_per_cta to (k + 1) * warps_per_cta - 1. */
typedef struct sm_state {
    uint64_t eligible;
    uint64_t opened;              /* warps whose barrier opened in this step: eligible from the next one on */
    uint64_t ended;               /* CTA slots whose CTA ended in this step */
    uint8_t last[SCHEDULERS_MAX]; /* slot that each scheduler issued from last, or NO_SLOT */
    /* Warps that a load delays, as a ring in the order in which they wake: all wait equally long. */
    uint64_t sleep_until[WS_SLOTS];
    uint8_t sleeper[WS_SLOTS];
    uint32_t sleep_first, sleep_count;

    uint64_t free_ctas;                                  /* set of free CTA slots */
    uint64_t unfinished[WS_SLOTS], at_barrier[WS_SLOTS]; /* per CTA slot: sets of its warps */
    uint32_t cta[WS_SLOTS];                              /* per CTA slot: the CTA's ordinal */
    uint8_t by_age[WS_SLOTS];                            /* CTA slots in use, the oldest CTA first */
    uint32_t resident;                                   /* their number */

    uint32_t left[WS_SLOTS]; /* issues left in the run */
    const ws_run *run[WS_SLOTS];
    const ws_request *request[WS_SLOTS];
    const uint64_t *address[WS_SLOTS]; /* of the run's lanes; NULL unless kept */
    inst_place inst[WS_SLOTS];         /* the next instruction, where they are kept */
    uint32_t warp[WS_SLOTS];           /* number within the kernel */
} sm_state;

typedef struct engine {
    ws_order_machine machine;
    ws_dispatcher *dispatcher;
    ws_prepared *prepared;
    const ws_tap *taps;
    size_t tap_count;
    ws_order_counters *counters;

    uint64_t now;
    bool some_ended;
    sm_state *sms;
    uint64_t *wake; /* per SM: next step with an eligible warp, or NEVER */
    uint64_t scheduler_slots[SCHEDULERS_MAX];
    uint64_t cta_slots[WS_SLOTS];  /* per CTA slot: its warp slots */
    uint8_t cta_of_slot[WS_SLOTS]; /* per warp slot */
    uint32_t keeps;                /* what `prepared` keeps */
    ws_batch batch;
    ws_inst_batch insts;
} engine;

#define NEVER UINT64_MAX

/* ---- batches */

static void flush_instructions(engine *e) {
    if (e->insts.count == 0) return;
    ws_instructions view = ws_inst_batch_view(&e->insts, e->keeps);
    for (size_t i = 0; i < e->tap_count; i++)
        if (e->taps[i].instructions) e->taps[i].instructions(e->taps[i].context, &view);
    e->insts.count = 0;
}

static void flush_requests(engine *e) {
    if (e->batch.count == 0) return;
    ws_requests view =
        ws_batch_view(&e->batch, ws_prepared_line_addresses(e->prepared), e->keeps & WS_WANT_LANES);
    for (size_t i = 0; i < e->tap_count; i++)
        if (e->taps[i].requests) e->taps[i].requests(e->taps[i].context, &view);
    e->counters->requests += e->batch.count;
    e->batch.count = 0;
}

/* Instructions go first: a tap must see an instruction before its requests. */
static void flush(engine *e) {
    flush_instructions(e);
    flush_requests(e);
}

static ws_issuer issuer_of(const engine *e, uint32_t sm, const sm_state *s, unsigned slot) {
    return (ws_issuer){e->now, s->warp[slot], s->cta[e->cta_of_slot[slot]], (uint16_t)sm, (uint8_t)slot};
}

static void send_requests(engine *e, uint32_t sm, sm_state *s, unsigned slot, const ws_run *run) {
    if (!ws_batch_has_room(&e->batch, run->requests)) flush(e);
    ws_batch_add(&e->batch, issuer_of(e, sm, s, slot), run, s->request[slot]);
    s->request[slot] += run->requests;
    if (e->keeps & WS_WANT_LANES) {
        ws_batch_add_lanes(&e->batch, run, s->address[slot]);
        s->address[slot] += run->lanes;
    }
    __builtin_prefetch(s->request[slot]);
    e->counters->memory_instructions++;
}

/* Sends the warp's next issued instruction, with the skipped ones before it (and at the warp's end, after it). */
static void send_instructions(engine *e, uint32_t sm, sm_state *s, unsigned slot) {
    inst_place *at = &s->inst[slot];
    const ws_inst *inst;
    do {
        inst = at->inst++;
        if (e->insts.count == WS_BATCH_MAX) flush_instructions(e);
        ws_inst_batch_add(&e->insts, issuer_of(e, sm, s, slot), inst, at->addresses, at->values);
        if (at->addresses && inst->flags & WS_INST_ACCESSES) at->addresses += ws_count_bits(inst->mask);
        if (at->values) at->values += ws_count_bits(inst->uniform);
    } while (!(inst->flags & WS_INST_CLOSES));
}

/* ---- warps that wait */

static void sleep_warp(engine *e, sm_state *s, unsigned slot) {
    uint32_t at = (s->sleep_first + s->sleep_count++) % WS_SLOTS;
    s->sleeper[at] = (uint8_t)slot;
    s->sleep_until[at] = e->now + 1 + e->machine.load_delay;
    s->eligible &= ~ws_bit(slot);
}

static void wake_warps(engine *e, sm_state *s) {
    while (s->sleep_count > 0 && s->sleep_until[s->sleep_first] <= e->now) {
        s->eligible |= ws_bit(s->sleeper[s->sleep_first]);
        s->sleep_first = (s->sleep_first + 1) % WS_SLOTS;
        s->sleep_count--;
    }
}

static void open_barrier_if_complete(sm_state *s, unsigned cta_slot) {
    if (s->at_barrier[cta_slot] != s->unfinished[cta_slot]) return;
    s->opened |= s->at_barrier[cta_slot];
    s->at_barrier[cta_slot] = 0;
}

static void wait_at_barrier(engine *e, sm_state *s, unsigned slot) {
    unsigned cta_slot = e->cta_of_slot[slot];
    s->eligible &= ~ws_bit(slot);
    s->at_barrier[cta_slot] |= ws_bit(slot);
    open_barrier_if_complete(s, cta_slot);
}

static void end_warp(engine *e, sm_state *s, unsigned slot) {
    unsigned cta_slot = e->cta_of_slot[slot];
    s->eligible &= ~ws_bit(slot);
    s->unfinished[cta_slot] &= ~ws_bit(slot);
    if (s->unfinished[cta_slot] == 0) {
        s->ended |= ws_bit(cta_slot);
        e->some_ended = true;
    } else {
        open_barrier_if_complete(s, cta_slot);
    }
}

/* ---- schedulers: each picks one of the candidates, of which there is at least one */

static unsigned pick_lrr(const sm_state *s, unsigned scheduler, uint64_t candidates) {
    unsigned last = s->last[scheduler];
    uint64_t behind = last >= WS_SLOTS - 1 ? 0 : candidates >> (last + 1) << (last + 1);
    return ws_lowest_bit(behind ? behind : candidates);
}

static unsigned pick_gto(const engine *e, const sm_state *s, unsigned scheduler, uint64_t candidates) {
    unsigned last = s->last[scheduler];
    if (last != NO_SLOT && candidates & ws_bit(last)) return last;
    unsigned i = 0;
    while (!(candidates & e->cta_slots[s->by_age[i]])) i++;
    return ws_lowest_bit(candidates & e->cta_slots[s->by_age[i]]);
}

static void issue(engine *e, uint32_t sm, sm_state *s, unsigned slot) {
    e->counters->warp_instructions++;
    if (e->keeps & WS_KEEP_INSTRUCTIONS) send_instructions(e, sm, s, slot);
    if (--s->left[slot] > 0) return;
    const ws_run *run = s->run[slot];
    e->counters->thread_instructions += run->threads;
    if (run->requests > 0) send_requests(e, sm, s, slot, run);
    if (run->flags & WS_RUN_ENDS) {
        end_warp(e, s, slot);
        return;
    }
    s->run[slot] = run + 1;
    s->left[slot] = run[1].issues;
    if (run->flags & WS_RUN_BARRIER)
        wait_at_barrier(e, s, slot);
    else if (run->flags & WS_RUN_DELAYS && e->machine.load_delay > 0)
        sleep_warp(e, s, slot);
}

/* One step of one SM. Returns the next step in which one of its warps is eligible, or NEVER. */
static uint64_t step_sm(engine *e, uint32_t sm) {
    sm_state *s = &e->sms[sm];
    wake_warps(e, s);
    for (unsigned k = 0; k < e->machine.schedulers; k++) {
        uint64_t candidates = s->eligible & e->scheduler_slots[k];
        if (!candidates) continue;
        unsigned slot = e->machine.scheduler == WS_SCHEDULER_LRR ? pick_lrr(s, k, candidates)
                                                                 : pick_gto(e, s, k, candidates);
        s->last[k] = (uint8_t)slot;
        issue(e, sm, s, slot);
    }
    s->eligible |= s->opened;
    s->opened = 0;
    if (s->eligible) return e->now + 1;
    return s->sleep_count > 0 ? s->sleep_until[s->sleep_first] : NEVER;
}

/* ---- CTAs */

static bool start_warp(engine *e, uint32_t sm, sm_state *s, unsigned cta_slot, const ws_prepared_warp *warp,
                       ws_error *err) {
    if (warp->id >= e->machine.warps_per_cta)
        return ws_fail(err, WS_ERROR_TRACE, "CTA %u: expected warps below %u, found warp %u",
                       s->cta[cta_slot], e->machine.warps_per_cta, warp->id);
    unsigned slot = cta_slot * e->machine.warps_per_cta + warp->id;
    s->warp[slot] = s->cta[cta_slot] * e->machine.warps_per_cta + warp->id;
    s->inst[slot] = (inst_place){warp->insts, warp->inst_addresses, warp->values};
    if (warp->run_count == 0) { /* it issues nothing */
        if (warp->insts && warp->inst_count > 0) send_instructions(e, sm, s, slot);
        return true;
    }
    s->run[slot] = warp->runs;
    s->left[slot] = warp->runs[0].issues;
    s->request[slot] = warp->requests;
    s->address[slot] = warp->addresses;
    s->unfinished[cta_slot] |= ws_bit(slot);
    /* The greedy scheduler must not stick to this slot because of the warp that had it before. */
    unsigned scheduler = slot % e->machine.schedulers;
    if (e->machine.scheduler == WS_SCHEDULER_GTO && s->last[scheduler] == slot) s->last[scheduler] = NO_SLOT;
    return true;
}

static void end_cta(engine *e, uint32_t sm, unsigned cta_slot) {
    sm_state *s = &e->sms[sm];
    s->free_ctas |= ws_bit(cta_slot);
    unsigned i = 0;
    while (s->by_age[i] != cta_slot) i++;
    memmove(s->by_age + i, s->by_age + i + 1, --s->resident - i);
    ws_dispatcher_ended(e->dispatcher, sm);
    if (e->keeps) flush(e); /* the batches point into the CTA */
    ws_prepared_release(e->prepared, s->cta[cta_slot]);
}

static bool start_cta(engine *e, uint32_t sm, uint32_t ordinal, ws_error *err) {
    sm_state *s = &e->sms[sm];
    const ws_prepared_cta *cta = ws_prepared_acquire(e->prepared, ordinal, err);
    if (!cta) return false;
    unsigned cta_slot = ws_lowest_bit(s->free_ctas);
    s->free_ctas &= ~ws_bit(cta_slot);
    s->cta[cta_slot] = ordinal;
    s->unfinished[cta_slot] = s->at_barrier[cta_slot] = 0;
    s->by_age[s->resident++] = (uint8_t)cta_slot;
    e->counters->ctas++;
    for (uint32_t w = 0; w < cta->warp_count; w++)
        if (!start_warp(e, sm, s, cta_slot, &cta->warps[w], err)) return false;
    if (s->unfinished[cta_slot] == 0) end_cta(e, sm, cta_slot);
    s->eligible |= s->unfinished[cta_slot];
    return true;
}

static bool start_ctas(engine *e, uint64_t when, ws_error *err) {
    uint32_t sm, ordinal;
    while (ws_dispatcher_next(e->dispatcher, &sm, &ordinal)) {
        if (!start_cta(e, sm, ordinal, err)) return false;
        if (e->sms[sm].eligible) e->wake[sm] = when;
    }
    return true;
}

static void end_ctas(engine *e) {
    for (uint32_t sm = 0; sm < e->machine.sms; sm++)
        for (; e->sms[sm].ended; e->sms[sm].ended &= e->sms[sm].ended - 1)
            end_cta(e, sm, ws_lowest_bit(e->sms[sm].ended));
    e->some_ended = false;
}

/* ---- run */

static uint64_t next_wake(const engine *e) {
    uint64_t next = NEVER;
    for (uint32_t sm = 0; sm < e->machine.sms; sm++)
        if (e->wake[sm] < next) next = e->wake[sm];
    return next;
}

static bool run(engine *e, ws_error *err) {
    if (!start_ctas(e, 0, err)) return false;
    while ((e->now = next_wake(e)) != NEVER) {
        for (uint32_t sm = 0; sm < e->machine.sms; sm++)
            if (e->wake[sm] <= e->now) e->wake[sm] = step_sm(e, sm);
        e->counters->steps = e->now + 1;
        if (!e->some_ended) continue;
        end_ctas(e);
        if (!start_ctas(e, e->now + 1, err)) return false;
    }
    flush(e);
    return true;
}

static void engine_free(engine *e) {
    if (!e) return;
    free(e->sms);
    free(e->wake);
    free(e);
}

static engine *engine_new(const ws_order_machine *machine) {
    engine *e = calloc(1, sizeof *e);
    if (!e) return NULL;
    e->machine = *machine;
    e->sms = calloc(machine->sms, sizeof *e->sms);
    e->wake = malloc(machine->sms * sizeof *e->wake);
    if (!e->sms || !e->wake) {
        engine_free(e);
        return NULL;
    }
    for (unsigned slot = 0; slot < machine->ctas_per_sm * machine->warps_per_cta; slot++) {
        e->scheduler_slots[slot % machine->schedulers] |= ws_bit(slot);
        e->cta_of_slot[slot] = (uint8_t)(slot / machine->warps_per_cta);
        e->cta_slots[e->cta_of_slot[slot]] |= ws_bit(slot);
    }
    for (uint32_t sm = 0; sm < machine->sms; sm++) {
        e->wake[sm] = NEVER;
        memset(e->sms[sm].last, NO_SLOT, sizeof e->sms[sm].last);
        for (unsigned i = 0; i < machine->ctas_per_sm; i++) e->sms[sm].free_ctas |= ws_bit(i);
    }
    return e;
}

bool ws_order_run(const ws_order_machine *machine, ws_dispatcher *dispatcher, ws_prepared *prepared,
                  const ws_tap *taps, size_t tap_count, ws_order_counters *counters, ws_error *err) {
    engine *e = engine_new(machine);
    if (!e) return ws_no_memory(err);
    *counters = (ws_order_counters){0};
    e->dispatcher = dispatcher;
    e->prepared = prepared;
    e->taps = taps;
    e->tap_count = tap_count;
    e->keeps = ws_prepared_keeps(prepared);
    e->counters = counters;
    bool ok = run(e, err);
    engine_free(e);
    return ok;
}
