#include "mechanism/parts/ccws_scores.h"

#include "base/bits.h"

/* The most by which a score can exceed the base, so that the sum over all slots fits 64 bits. */
static const uint64_t EXCESS_MAX = UINT64_C(1) << 48;

void ccws_scores_init(ccws_scores *s, uint64_t base, double gain, double cap) {
    *s = (ccws_scores){.base = base, .gain = gain, .cap = cap, .next = UINT64_MAX};
}

static uint64_t excess(const ccws_scores *s, uint64_t now, uint32_t slot) {
    return s->until[slot] > now ? s->until[slot] - now : 0;
}

uint64_t ccws_scores_of(const ccws_scores *s, uint64_t now, uint32_t slot) {
    return s->base + excess(s, now, slot);
}

/* ---- who is admitted */

/* Returns the first cycle in which falling scores may change the admitted warps, if not all able ones are admitted.
 * Either one of the `raised` admitted warps above the base falls to it, the first of them in cycle `first_to_fall`; or
 * the sum of their scores, now `spare` above the cutoff, drops below it. */
static uint64_t next_change(uint64_t now, uint64_t spare, uint32_t raised, uint64_t first_to_fall) {
    uint64_t below = now + spare / raised + 1;
    return below < first_to_fall ? below : first_to_fall;
}

/* Chooses the admitted warps by the scores of cycle `now`, and when to choose again. */
static void choose(ccws_scores *s, uint64_t now) {
    uint64_t cutoff = s->base * ws_count_bits(s->active), sum = 0, first_to_fall = UINT64_MAX;
    uint32_t raised = 0;
    s->admitted = 0;
    while (s->above && s->until[s->order[s->above - 1]] <= now) s->above--;
    for (uint32_t i = 0; i < s->above && sum < cutoff; i++) {
        uint32_t slot = s->order[i];
        if (!(s->able & ws_bit(slot))) continue;
        s->admitted |= ws_bit(slot);
        sum += ccws_scores_of(s, now, slot);
        first_to_fall = s->until[slot];
        raised++;
    }
    for (uint64_t rest = s->able & ~s->admitted; rest && sum < cutoff; rest &= rest - 1) {
        s->admitted |= rest & -rest;
        sum += s->base;
    }
    bool all = s->admitted == s->able;
    s->next = all ? UINT64_MAX : next_change(now, sum - cutoff, raised, first_to_fall);
}

static void count_cycles(ccws_scores *s, uint64_t end) {
    if (s->admitted != s->able) {
        s->cut_cycles += end - s->at;
        s->admitted_in_them += (end - s->at) * ws_count_bits(s->admitted);
    }
    s->at = end;
}

void ccws_scores_account(ccws_scores *s, uint64_t now) {
    while (s->next <= now) {
        count_cycles(s, s->next);
        choose(s, s->next);
    }
    count_cycles(s, now);
}

uint64_t ccws_scores_admit(ccws_scores *s, uint64_t now, uint64_t active, uint64_t able) {
    ccws_scores_account(s, now);
    if (active != s->active || able != s->able) {
        s->active = active;
        s->able = able;
        choose(s, now);
    }
    return s->admitted;
}

/* ---- what changes scores */

/* Inserts the slot into `order`. */
static void put_in(ccws_scores *s, uint32_t slot) {
    uint32_t i = s->above++;
    for (; i > 0; i--) {
        uint32_t before = s->order[i - 1];
        if (s->until[before] > s->until[slot] || (s->until[before] == s->until[slot] && before < slot)) break;
        s->order[i] = s->order[i - 1];
    }
    s->order[i] = (uint8_t)slot;
}

static void take_out(ccws_scores *s, uint32_t slot) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->above; i++)
        if (s->order[i] != slot) s->order[kept++] = s->order[i];
    s->above = kept;
}

void ccws_scores_issued(ccws_scores *s, uint32_t slot) {
    s->instructions_of[slot]++;
    s->instructions++;
}

void ccws_scores_ended(ccws_scores *s, uint64_t now, uint32_t slot) {
    ccws_scores_account(s, now);
    take_out(s, slot);
    s->until[slot] = 0;
    s->hits -= s->hits_of[slot];
    s->instructions -= s->instructions_of[slot];
    s->hits_of[slot] = s->instructions_of[slot] = 0;
    choose(s, now);
}

static uint64_t floor_of(double score) {
    return score < (double)EXCESS_MAX ? (uint64_t)score : EXCESS_MAX;
}

void ccws_scores_hit(ccws_scores *s, uint64_t now, uint32_t slot, uint32_t active) {
    ccws_scores_account(s, now);
    s->hits_of[slot]++;
    s->hits++;
    double unit = (double)s->hits / (double)s->instructions * (double)(active * s->base);
    uint64_t score = ccws_scores_of(s, now, slot) + floor_of(unit * s->gain);
    if (s->cap > 0 && score > floor_of(unit * s->cap)) score = floor_of(unit * s->cap);
    uint64_t above = score > s->base ? score - s->base : 0;
    s->until[slot] = now + (above < EXCESS_MAX ? above : EXCESS_MAX);
    take_out(s, slot);
    if (above) put_in(s, slot);
    choose(s, now);
}

uint64_t ccws_scores_bits(uint64_t slots, uint64_t base, double cap) {
    uint64_t highest = cap > 0 ? floor_of(cap * (double)(slots * base)) : EXCESS_MAX;
    return slots * ws_bits_for(highest + 1) + 2 * 32;
}
