/* Prepares CTA by CTA: lane addresses become accesses (accesses.c), and all that the CTA's warps need comes into one
 * allocation. */
#include "timed/launch/stream.h"

#include "base/buffer.h"
#include "base/divisor.h"
#include "base/hash.h"
#include "base/inline.h"
#include "replay/coalesce.h"

#include <stdlib.h>

struct ws_timed_stream {
    const ws_trace *trace;
    uint32_t kernel;
    ws_access_rules rules, rules_past_l1;
    ws_divisor shared_banks;
    uint64_t word_of[64]; /* per bank of shared memory, while an instruction's passes are counted */
    ws_timed_stream_options options;
    uint64_t all_lanes;
    uint32_t warp_size;
    ws_local_place place; /* that of the warp being prepared */
    ws_reader *reader;
    const ws_static *of_trace; /* the static instructions as the trace has them */
    const ws_timed_statics *statics;
    ws_branching *branching;
    /* What is being prepared: `made` becomes the CTA's allocation, as its accesses are most of it and should be written
     * only once. It holds room for the CTA itself and, behind that, the accesses; the others are copied to its end. */
    ws_buffer made, insts, flow, values, masks, branches;
    size_t latest_B;    /* the allocation of the CTA before, as the next one may need the same */
    ws_buffer outcomes; /* of the warp being prepared */
};

/* The number of elements in each buffer up to the end of a warp. */
typedef struct ends {
    size_t insts, accesses, flow, values, masks, branches;
} ends;

/* ---- life */

ws_timed_stream *ws_timed_stream_new(const ws_trace *trace, uint32_t kernel, const ws_timed_statics *statics,
                                     const ws_core_params *core, const ws_l1_params *l1,
                                     const ws_timed_stream_options *options, ws_error *err) {
    ws_timed_stream *p = calloc(1, sizeof *p);
    if (!p) {
        ws_no_memory(err);
        return NULL;
    }
    p->trace = trace;
    p->of_trace = ws_trace_statics(trace);
    p->statics = statics;
    p->kernel = kernel;
    p->warp_size = ws_trace_get_info(trace)->warp_size;
    p->rules = ws_access_rules_of(core, l1, p->warp_size);
    p->rules.mappings = options->mappings;
    p->rules_past_l1 = p->rules;
    if (core->atomic_sectors) p->rules_past_l1.access = WS_ACCESS_SECTOR;
    p->shared_banks = ws_divisor_of((uint64_t)core->shared_banks);
    p->options = *options;
    p->all_lanes = ws_trace_get_info(trace)->warp_size == 64 ? UINT64_MAX : UINT32_MAX;
    p->reader = options->reader ? options->reader : ws_reader_new(trace, err);
    bool reads = p->reader && (!options->values || ws_reader_with_values(p->reader, err));
    if (reads && options->branch_ctas) {
        p->branching = ws_branching_new(trace, options->ahead, kernel, options->branch_ctas, err);
        reads = p->branching != NULL;
    }
    if (reads) return p;
    ws_timed_stream_free(p);
    return NULL;
}

void ws_timed_stream_free(ws_timed_stream *p) {
    if (!p) return;
    if (!p->options.reader) ws_reader_free(p->reader);
    ws_branching_free(p->branching);
    ws_buffer_free(&p->insts);
    ws_buffer_free(&p->made);
    ws_buffer_free(&p->flow);
    ws_buffer_free(&p->values);
    ws_buffer_free(&p->masks);
    ws_buffer_free(&p->branches);
    ws_buffer_free(&p->outcomes);
    free(p);
}

const ws_branch *ws_timed_stream_branches(const ws_timed_stream *p) {
    return p->branching ? ws_branching_of(p->branching) : NULL;
}
bool ws_timed_stream_turn(ws_timed_stream *p, uint32_t kernel, uint32_t branch_ctas, ws_error *err) {
    if (kernel == p->kernel) return true;
    p->kernel = kernel;
    if (!p->branching) return true;
    ws_branching_free(p->branching);
    p->branching = ws_branching_new(p->trace, p->options.ahead, kernel, branch_ctas, err);
    return p->branching != NULL;
}

/* ---- CTAs */

/* Returns the largest number of distinct words in one of the banks, of which there are at most 64. `lane_of`: per hash
 * of a word the lane that named it first, + 1. */
static unsigned most_words_in_a_bank(const ws_timed_stream *p, const uint64_t *addresses, unsigned lanes) {
    enum { HASH_BITS = 7 };
    uint8_t lane_of[(1 << HASH_BITS) + WS_LANES_MAX] = {0}, words_in[64] = {0};
    unsigned most = 0;
    for (unsigned i = 0; i < lanes; i++) {
        uint64_t word = addresses[i] / 4;
        unsigned at = ws_hash(word, 64 - HASH_BITS);
        while (lane_of[at] && addresses[lane_of[at] - 1] / 4 != word) at++;
        if (lane_of[at]) continue;
        lane_of[at] = (uint8_t)(i + 1);
        unsigned words = ++words_in[ws_remainder(word, p->shared_banks)];
        if (words > most) most = words;
    }
    return most;
}

/* Whether no two lanes name different words of one bank. `word_of`: room for a word per bank. Inlined for each kind of
 * divisor. */
WS_INLINE bool words_have_own_banks(uint64_t *word_of, ws_divisor banks, const uint64_t *addresses,
                                    unsigned lanes) {
    uint64_t named = 0, differs = 0;
    for (unsigned i = 0; i < lanes; i++) {
        uint64_t word = addresses[i] / 4, bank = ws_remainder(word, banks);
        differs |= (word ^ word_of[bank]) & (UINT64_C(0) - (named >> bank & 1));
        word_of[bank] = word;
        named |= UINT64_C(1) << bank;
    }
    return !differs;
}

/* Returns the number of passes of lanes that go through the banks of shared memory together. */
static unsigned passes_together(ws_timed_stream *p, const uint64_t *addresses, unsigned lanes) {
    ws_divisor banks = p->shared_banks, power = {.value = banks.value, .is_power = true};
    bool one_pass = banks.is_power ? words_have_own_banks(p->word_of, power, addresses, lanes)
                                   : words_have_own_banks(p->word_of, banks, addresses, lanes);
    return one_pass ? 1 : most_words_in_a_bank(p, addresses, lanes);
}

/* Returns the number of passes of an instruction, of which each group of lanes goes through the banks on its own. */
static unsigned bank_passes(ws_timed_stream *p, uint64_t mask, const uint64_t *addresses, unsigned lanes) {
    if (p->rules.whole_warps) return passes_together(p, addresses, lanes);
    unsigned passes = 0, group = p->rules.group_lanes;
    for (uint64_t rest = mask; rest; rest = rest >> (group - 1) >> 1) { /* a group may have all 64 lanes */
        unsigned active = (unsigned)__builtin_popcountll(rest & UINT64_MAX >> (64 - group));
        if (active) passes += passes_together(p, addresses, active);
        addresses += active;
    }
    return passes;
}

/* Appends the accesses to interleaved local memory: word i of all threads, then word i + 1. An access of several words
 * becomes one to each of them. */
static unsigned put_words(ws_timed_stream *p, const ws_access_rules *rules, const ws_static *s, uint64_t mask,
                          const uint64_t *addresses, unsigned lanes) {
    ws_static word = *s;
    uint64_t places[WS_LANES_MAX];
    unsigned words = ws_local_words(s->width_B), count = 0;
    if (words > 1) word.width_B = WS_LOCAL_WORD_B;
    for (unsigned i = 0; i < words; i++) {
        unsigned nth = rules->order == WS_ORDER_DESCENDING ? words - 1 - i : i;
        ws_local_addresses(&p->place, WS_LOCAL_WORD_B, nth, mask, addresses, places);
        count += ws_accesses_put(rules, &p->made, &word, places, mask, lanes);
    }
    return count;
}

/* The same for each group of lanes that are coalesced together. */
static unsigned put_local(ws_timed_stream *p, const ws_access_rules *rules, const ws_static *s, uint64_t mask,
                          const uint64_t *addresses, unsigned lanes) {
    if (rules->whole_warps) return put_words(p, rules, s, mask, addresses, lanes);
    unsigned size = rules->group_lanes, groups = (p->warp_size + size - 1) / size, count = 0;
    for (unsigned i = 0; i < groups; i++) {
        unsigned first = size * (rules->order == WS_ORDER_DESCENDING ? groups - 1 - i : i);
        uint64_t group = mask & (UINT64_MAX >> (64 - size)) << first,
                 before = mask & ((UINT64_C(1) << first) - 1);
        if (group)
            count += put_words(p, rules, s, group, addresses + __builtin_popcountll(before),
                               (unsigned)__builtin_popcountll(group));
    }
    return count;
}

static unsigned put_accesses(ws_timed_stream *p, uint32_t static_id, uint64_t mask, const uint64_t *addresses,
                             unsigned lanes) {
    const ws_static *s = &p->of_trace[static_id];
    const ws_access_rules *rules = p->statics->at[static_id].past_l1 ? &p->rules_past_l1 : &p->rules;
    if (s->space == WS_SPACE_LOCAL && p->place.threads) return put_local(p, rules, s, mask, addresses, lanes);
    return ws_accesses_put(rules, &p->made, s, addresses, mask, lanes);
}

/* Sets what a memory instruction does beyond its issue. */
static __attribute__((noinline)) void put_memory(ws_timed_stream *p, ws_timed_inst *inst, const ws_static *s,
                                                 uint64_t mask, const uint64_t *addresses) {
    /* without active lanes it goes through shared memory all the same (GPGPU-Sim: ldst_unit::cycle) */
    if (!inst->lanes) {
        inst->shared_cycles = s->space == WS_SPACE_SHARED;
        return;
    }
    if (p->statics->at[inst->static_id].asks) return;
    if (ws_static_is_global_or_local(s))
        inst->access_count = (uint16_t)put_accesses(p, inst->static_id, mask, addresses, inst->lanes);
    else
        inst->shared_cycles = (uint8_t)bank_passes(p, mask, addresses, inst->lanes);
}

static inline bool is_issued(const ws_timed_stream *p, const ws_static *s) {
    return s->class_ != WS_CLASS_META || p->options.issue_meta;
}

static inline void put(ws_timed_stream *p, uint32_t static_id, uint64_t mask, const uint64_t *addresses) {
    const ws_static *s = &p->of_trace[static_id];
    if (!is_issued(p, s)) return;
    if (!ws_buffer_reserve(&p->insts, sizeof(ws_timed_inst))) return;
    ws_timed_inst *inst = (ws_timed_inst *)(void *)(p->insts.data + p->insts.size);
    *inst = (ws_timed_inst){.static_id = static_id, .lanes = (uint8_t)__builtin_popcountll(mask)};
    if (s->op != WS_MEMORY_NONE) put_memory(p, inst, s, mask, addresses);
    p->insts.size += sizeof *inst;
}

void ws_timed_stream_put(ws_timed_stream *p, uint32_t static_id, uint64_t mask, const uint64_t *addresses) {
    put(p, static_id, mask, addresses);
}

static bool one_address(const uint64_t *addresses, unsigned lanes) {
    return lanes == 0 || ws_survey_of(addresses, lanes, 1).one_address;
}

static void put_flow(ws_timed_stream *p, const ws_warp *warp, uint32_t i, bool issued, size_t first_value) {
    const ws_static *s = &p->of_trace[warp->static_id[i]];
    unsigned lanes = (unsigned)__builtin_popcountll(warp->mask[i]);
    ws_flow flow = {.static_id = warp->static_id[i],
                    .value_at = (uint32_t)(p->values.size / sizeof(uint64_t) - first_value),
                    .issued = issued,
                    .all_lanes = warp->mask[i] == p->all_lanes,
                    .no_lane = !lanes,
                    .one_address =
                        s->op != WS_MEMORY_NONE && one_address(warp->addresses + warp->address_at[i], lanes)};
    if (p->options.values) {
        flow.uniform = warp->uniform[i];
        const uint64_t *values = warp->values + warp->value_at[i];
        ws_buffer_put(&p->values, values, (warp->value_at[i + 1] - warp->value_at[i]) * sizeof *values);
    }
    ws_buffer_put(&p->flow, &flow, sizeof flow);
}

/* Returns the branch outcomes of all instructions of the warp; NULL if not asked for, or out of memory. */
static const uint8_t *outcomes_of(ws_timed_stream *p, const ws_warp *warp) {
    p->outcomes.size = 0;
    if (!p->branching || !ws_buffer_reserve(&p->outcomes, warp->inst_count)) return NULL;
    ws_branching_outcomes(p->branching, warp, p->outcomes.data);
    return p->outcomes.data;
}

/* Appends what only some slots ask for of an instruction. */
static void put_extras(ws_timed_stream *p, const ws_warp *warp, uint32_t i, const uint8_t *outcomes,
                       size_t first_value) {
    bool issued = is_issued(p, &p->of_trace[warp->static_id[i]]);
    if (p->options.flow) put_flow(p, warp, i, issued, first_value);
    if (issued && p->options.masks) ws_buffer_put(&p->masks, &warp->mask[i], sizeof warp->mask[i]);
    if (issued && outcomes) ws_buffer_put(&p->branches, &outcomes[i], sizeof outcomes[i]);
}

static void put_warp(ws_timed_stream *p, const ws_warp *warp) {
    const uint8_t *outcomes = outcomes_of(p, warp);
    size_t first_value = p->values.size / sizeof(uint64_t);
    bool extras = p->options.flow || p->options.masks || outcomes;
    for (uint32_t i = 0; i < warp->inst_count; i++) {
        if (extras) put_extras(p, warp, i, outcomes, first_value);
        put(p, warp->static_id[i], warp->mask[i], warp->addresses + warp->address_at[i]);
        if (p->statics->is_cut && p->statics->at[warp->static_id[i]].asks && warp->mask[i]) return;
    }
}

/* Copies a buffer to `*at`, and advances `*at` past it. Returns where the copy begins. */
static const void *append(char **at, const ws_buffer *buffer) {
    char *to = *at;
    if (buffer->size) memcpy(to, buffer->data, buffer->size);
    *at += buffer->size;
    return to;
}

/* Ends the CTA's allocation: behind its accesses comes what its warps point to otherwise, with the strictest alignment
 * first. `head_B`: where the accesses begin. */
static ws_timed_cta *assemble(ws_timed_stream *p, const ws_cta *cta, size_t head_B, const ends *warp_ends) {
    size_t size_B =
        p->made.size + p->values.size + p->masks.size + p->insts.size + p->flow.size + p->branches.size;
    if (!ws_buffer_reserve(&p->made, size_B - p->made.size)) return NULL;
    ws_timed_cta *out = realloc(p->made.data, size_B); /* gives back what it does not need */
    if (!out) return NULL;
    char *at = (char *)out + p->made.size;
    p->made = (ws_buffer){0};
    p->latest_B = size_B;
    const ws_access *accesses = (const ws_access *)(const void *)((char *)out + head_B);
    const uint64_t *values = append(&at, &p->values);
    const uint64_t *masks = append(&at, &p->masks);
    const ws_timed_inst *insts = append(&at, &p->insts);
    const ws_flow *flow = append(&at, &p->flow);
    const uint8_t *branches = append(&at, &p->branches);
    out->warp_count = 0;
    ends begin = {0};
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        const ends *end = &warp_ends[w];
        if (end->insts > begin.insts)
            out->warps[out->warp_count++] =
                (ws_timed_warp){.id = cta->warps[w].id,
                                .inst_count = (uint32_t)(end->insts - begin.insts),
                                .insts = insts + begin.insts,
                                .accesses = accesses + begin.accesses,
                                .flow = p->options.flow ? flow + begin.flow : NULL,
                                .values = p->options.values ? values + begin.values : NULL,
                                .masks = p->options.masks ? masks + begin.masks : NULL,
                                .branches = p->branching ? branches + begin.branches : NULL};
        begin = *end;
    }
    return out;
}

static ends ends_now(const ws_timed_stream *p, size_t head_B) {
    return (ends){.insts = p->insts.size / sizeof(ws_timed_inst),
                  .accesses = (p->made.size - head_B) / sizeof(ws_access),
                  .flow = p->flow.size / sizeof(ws_flow),
                  .values = p->values.size / sizeof(uint64_t),
                  .masks = p->masks.size / sizeof(uint64_t),
                  .branches = p->branches.size};
}

static bool has_failed(const ws_timed_stream *p) {
    return p->made.failed || p->insts.failed || p->flow.failed || p->values.failed || p->masks.failed ||
           p->branches.failed || p->outcomes.failed;
}

ws_timed_cta *ws_timed_stream_cta(ws_timed_stream *p, uint32_t ordinal, ws_local_place place, ws_error *err) {
    ws_cta cta;
    if (!ws_reader_cta(p->reader, p->kernel, ordinal, &cta, err)) return NULL;
    ends warp_ends[WS_CTA_WARPS_MAX];
    size_t head_B = sizeof(ws_timed_cta) + cta.warp_count * sizeof(ws_timed_warp);
    p->insts.size = p->flow.size = p->values.size = p->masks.size = p->branches.size = 0;
    bool begun = ws_buffer_reserve(&p->made, head_B > p->latest_B ? head_B : p->latest_B);
    if (begun) p->made.size = head_B;
    for (uint32_t w = 0; begun && w < cta.warp_count; w++) {
        p->place = place;
        p->place.first_thread += (uint64_t)cta.warps[w].id * p->warp_size;
        put_warp(p, &cta.warps[w]);
        warp_ends[w] = ends_now(p, head_B);
    }
    ws_timed_cta *out = has_failed(p) ? NULL : assemble(p, &cta, head_B, warp_ends);
    p->insts.size = p->made.size = 0;
    if (!out) ws_no_memory(err);
    return out;
}

ws_timed_warp *ws_timed_stream_take(ws_timed_stream *p) {
    bool failed = p->insts.failed || p->made.failed;
    ws_timed_warp *out = failed ? NULL : malloc(sizeof *out + p->made.size + p->insts.size);
    if (out) {
        char *accesses = (char *)(out + 1), *insts = accesses + p->made.size;
        if (p->made.size) memcpy(accesses, p->made.data, p->made.size);
        if (p->insts.size) memcpy(insts, p->insts.data, p->insts.size);
        *out = (ws_timed_warp){.inst_count = (uint32_t)(p->insts.size / sizeof(ws_timed_inst)),
                               .insts = (const ws_timed_inst *)(const void *)insts,
                               .accesses = (const ws_access *)(const void *)accesses};
    }
    p->insts.size = p->made.size = 0;
    return out;
}
