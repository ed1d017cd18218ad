/* Decodes the static instructions once (unit, latency, registers), and then prepares CTA by CTA: lane addresses become
 * accesses (accesses.c), and all that the CTA's warps need is copied into one allocation. */
#include "timed/stream.h"

#include "base/array.h"
#include "base/buffer.h"
#include "base/divisor.h"
#include "base/hash.h"
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
    ws_timed_static *statics;
    bool is_cut; /* some of these ask the partition slot's owner */
    ws_branching *branching;
    uint32_t register_count, register_words;
    ws_register_sets *registers;
    ws_buffer insts, accesses, flow, values, masks, branches; /* of the CTA being prepared */
    ws_buffer outcomes;                                       /* of the warp being prepared */
};

/* The number of elements in each buffer up to the end of a warp. */
typedef struct ends {
    size_t insts, accesses, flow, values, masks, branches;
} ends;

/* ---- static instructions */

/* Whether it is double precision (SASS): DADD, DFMA, DSETP and so on. */
static bool is_double(const ws_trace *trace, const ws_static *s) {
    return ws_trace_opcode(trace, s->opcode)[0] == 'D';
}

/* Whether it is F2F, F2I, I2F or FRND, or a conversion that also packs (F2FP, F2IP, I2FP). */
static bool is_conversion(const ws_trace *trace, const ws_static *s) {
    const char *opcode = ws_trace_opcode(trace, s->opcode);
    return strncmp(opcode, "F2", 2) == 0 || strncmp(opcode, "I2F", 3) == 0 || strncmp(opcode, "FRND", 4) == 0;
}

/* Whether it computes with two half-precision numbers per lane, of the instructions that Accel-Sim takes for such. */
static bool is_half(const ws_trace *trace, const ws_static *s) {
    static const char *const halves[] = {"HADD2", "HFMA2", "HMUL2_32I", "HSET2", "HSETP2"};
    const char *opcode = ws_trace_opcode(trace, s->opcode);
    for (unsigned i = 0; i < WS_COUNT(halves); i++)
        if (strncmp(opcode, halves[i], strlen(halves[i])) == 0) return true;
    return false;
}

/* Whether it is LDC or ULDC: these are no memory instructions here, as constants are as close as registers. */
static bool loads_constant(const ws_trace *trace, const ws_static *s) {
    const char *opcode = ws_trace_opcode(trace, s->opcode);
    return strncmp(opcode + (*opcode == 'U'), "LDC", 3) == 0;
}

/* Whether the uniform datapath executes it, for the whole warp, on a GPU that has one. */
static bool is_uniform(const ws_trace *trace, const ws_static *s) {
    static const char *const others[] = {"R2UR", "S2UR", "REDUX", "VOTEU"};
    const char *opcode = ws_trace_opcode(trace, s->opcode);
    bool uniform = *opcode == 'U';
    for (unsigned i = 0; i < WS_COUNT(others); i++)
        uniform |= strncmp(opcode, others[i], strlen(others[i])) == 0;
    return uniform;
}

/* Returns the class that decides where it executes and for how long. */
static ws_class class_of(const ws_trace *trace, const ws_static *s, const ws_core_params *core) {
    if (s->class_ == WS_CLASS_MEM && loads_constant(trace, s)) return WS_CLASS_INT;
    bool floats = s->class_ == WS_CLASS_SFU || s->class_ == WS_CLASS_FP;
    if (floats && core->conversions == WS_CONVERSIONS_INT && is_conversion(trace, s)) return WS_CLASS_INT;
    return (ws_class)s->class_;
}

/* Returns the kind of unit that executes it. A kind that the SM lacks is replaced by another. */
static enum ws_unit unit_of(const ws_trace *trace, const ws_static *s, const ws_core_params *core,
                            bool branches_apart) {
    enum ws_unit fp = core->fp_units ? WS_UNIT_FP : WS_UNIT_INT, integer = core->int_units ? WS_UNIT_INT : fp;
    enum ws_unit sfu = core->sfu_units ? WS_UNIT_SFU : fp;
    if (core->uniform_units && is_uniform(trace, s)) return WS_UNIT_UNIFORM;
    switch (class_of(trace, s, core)) {
    case WS_CLASS_MEM:
        return WS_UNIT_MEMORY;
    case WS_CLASS_FP:
        if (!is_double(trace, s)) return fp;
        return core->dp_units ? WS_UNIT_DP : sfu;
    case WS_CLASS_SFU:
        return sfu;
    case WS_CLASS_TENSOR:
        return core->tensor_units ? WS_UNIT_TENSOR : fp;
    case WS_CLASS_BRANCH:
        return branches_apart ? WS_UNIT_BRANCH : integer;
    default:
        return integer;
    }
}

/* Whether it is a load that has to see what other SMs have written, of the kinds that Accel-Sim takes for one. */
static bool is_strong(const ws_trace *trace, const ws_static *s) {
    const char *opcode = ws_trace_opcode(trace, s->opcode);
    return (strncmp(opcode, "LDG", 3) == 0 || strncmp(opcode, "LDL", 3) == 0) && strstr(opcode, ".STRONG") &&
           strstr(opcode, ".GPU");
}

/* Whether its accesses go to the network without asking the L1. */
static bool passes_l1(const ws_trace *trace, const ws_static *s, const ws_core_params *core) {
    if (ws_memory_is_atomic(s->op)) return true;
    if (core->global_past_l1 && ws_static_is_global_or_local(s) && s->space != WS_SPACE_LOCAL) return true;
    return core->strong_past_l1 && is_strong(trace, s);
}

static void set_timing(ws_timed_static *t, const ws_trace *trace, const ws_static *s,
                       const ws_core_params *core, bool branches_apart) {
    bool is_dp = s->class_ == WS_CLASS_FP && is_double(trace, s);
    if (t->unit == WS_UNIT_UNIFORM) {
        t->latency = (uint16_t)core->uniform_latency;
        t->interval = (uint16_t)core->uniform_interval;
        return;
    }
    switch (class_of(trace, s, core)) {
    case WS_CLASS_FP:
        t->latency = (uint16_t)(is_dp ? core->dp_latency : core->fp_latency);
        t->interval = (uint16_t)(is_dp ? core->dp_interval : core->fp_interval);
        if (core->half_interval && is_half(trace, s)) t->interval = (uint16_t)core->half_interval;
        return;
    case WS_CLASS_SFU:
        t->latency = (uint16_t)core->sfu_latency;
        t->interval = (uint16_t)core->sfu_interval;
        return;
    case WS_CLASS_TENSOR:
        t->latency = (uint16_t)core->tensor_latency;
        t->interval = (uint16_t)core->tensor_interval;
        return;
    case WS_CLASS_BRANCH:
    case WS_CLASS_EXIT:
    case WS_CLASS_BARRIER:
        if (s->class_ != WS_CLASS_BRANCH) {
            t->latency = t->interval = 1;
            return;
        }
        if (core->branch_units && !branches_apart) break;
        t->latency = (uint16_t)core->branch_latency;
        t->interval = (uint16_t)core->branch_interval;
        return;
    default:
        break;
    }
    t->latency = (uint16_t)core->int_latency;
    t->interval = (uint16_t)core->int_interval;
}

/* Whether branches have units of their own: never in code for GPUs before Volta, as the simulator's tables of
 * instructions say. Exits and barriers never do. */
static bool branches_are_apart(const ws_timed_stream *p, const ws_core_params *core) {
    uint32_t version = ws_trace_kernel(p->trace, p->kernel)->isa_version;
    return core->branch_units && !(version && version < 70);
}

/* Numbers registers densely, in the order in which the static instructions name them. False for the zero register,
 * unless it is waited for. */
static bool number_register(ws_timed_stream *p, const ws_core_params *core, uint32_t *numbers,
                            ws_timed_static *t, uint16_t reg) {
    if (reg == WS_REGISTER_ZERO && !core->zero_register) return false;
    if (!numbers[reg]) numbers[reg] = ++p->register_count;
    t->regs[t->reg_count++] = (uint16_t)(numbers[reg] - 1);
    return true;
}

/* Sets `reads` and `writes`. A register that is named twice as a source is read once. */
static void set_banks(ws_timed_static *t, const ws_static *s, unsigned banks) {
    for (unsigned r = 0; r < s->src_count; r++) {
        unsigned first = 0;
        while (s->src[first] != s->src[r]) first++;
        if (first == r) t->reads += UINT64_C(1) << 4 * (s->src[r] % banks);
    }
    for (unsigned r = 0; r < s->dst_count; r++) t->writes |= UINT64_C(1) << 4 * (s->dst[r] % banks);
}

static bool set_registers(ws_timed_stream *p, uint32_t statics) {
    p->register_words = p->register_count / 64 + 1;
    p->registers = calloc(((size_t)statics + 1) * p->register_words, sizeof *p->registers);
    if (!p->registers) return false;
    for (uint32_t i = 0; i < statics; i++)
        for (unsigned r = 0; r < p->statics[i].reg_count; r++) {
            unsigned reg = p->statics[i].regs[r];
            ws_register_sets *sets = &p->registers[(size_t)i * p->register_words + reg / 64];
            sets->named |= UINT64_C(1) << reg % 64;
            if (r < p->statics[i].dst_count) sets->written |= UINT64_C(1) << reg % 64;
        }
    return true;
}

/* Whether it is an integer or single-precision instruction. Others execute in their units only where the SM lacks their
 * own; loads from constant memory, which do anyway, are loads. */
static bool is_plain_alu(const ws_trace *trace, const ws_static *s, const ws_core_params *core,
                         enum ws_unit unit) {
    ws_class class_ = class_of(trace, s, core);
    bool of_kind = class_ == WS_CLASS_INT || (class_ == WS_CLASS_FP && !is_double(trace, s));
    return of_kind && s->class_ != WS_CLASS_MEM && (unit == WS_UNIT_INT || unit == WS_UNIT_FP);
}

static bool is_arithmetic(const ws_static *s) {
    return s->class_ == WS_CLASS_INT || s->class_ == WS_CLASS_FP || s->class_ == WS_CLASS_SFU ||
           s->class_ == WS_CLASS_TENSOR;
}

static bool decode_statics(ws_timed_stream *p, const ws_core_params *core) {
    uint32_t count = ws_trace_get_info(p->trace)->static_count;
    uint32_t *numbers = calloc(UINT16_MAX + 1, sizeof *numbers);
    p->statics = calloc((size_t)count + 1, sizeof *p->statics);
    if (!numbers || !p->statics) {
        free(numbers);
        return false;
    }
    const ws_static *statics = ws_trace_statics(p->trace);
    bool apart = branches_are_apart(p, core);
    for (uint32_t i = 0; i < count; i++) {
        const ws_static *s = &statics[i];
        ws_timed_static *t = &p->statics[i];
        t->unit = (uint8_t)unit_of(p->trace, s, core, apart);
        t->op = s->op;
        t->pc = s->pc;
        t->shared = t->unit == WS_UNIT_MEMORY && s->op != WS_MEMORY_NONE && !ws_static_is_global_or_local(s);
        t->past_l1 = passes_l1(p->trace, s, core);
        t->arithmetic = is_arithmetic(s);
        t->plain_alu = is_plain_alu(p->trace, s, core, (enum ws_unit)t->unit);
        t->barrier = s->class_ == WS_CLASS_BARRIER;
        t->fence = strncmp(ws_trace_opcode(p->trace, s->opcode), "MEMBAR", 6) == 0;
        t->exit = s->class_ == WS_CLASS_EXIT;
        t->jumps = ws_can_jump(s, ws_trace_opcode(p->trace, s->opcode));
        ws_async_decode(t, s, ws_trace_opcode(p->trace, s->opcode));
        set_timing(t, p->trace, s, core, apart);
        if (t->shared) t->latency = (uint16_t)core->shared_latency;
        for (unsigned r = 0; r < s->dst_count; r++)
            t->dst_count += number_register(p, core, numbers, t, s->dst[r]);
        for (unsigned r = 0; r < s->src_count; r++) number_register(p, core, numbers, t, s->src[r]);
        if (p->options.register_banks) set_banks(t, s, p->options.register_banks);
    }
    free(numbers);
    return set_registers(p, count);
}

/* ---- life */

ws_timed_stream *ws_timed_stream_new(const ws_trace *trace, uint32_t kernel, const ws_core_params *core,
                                     const ws_l1_params *l1, const ws_timed_stream_options *options,
                                     ws_error *err) {
    ws_timed_stream *p = calloc(1, sizeof *p);
    if (!p) {
        ws_fail(err, WS_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    p->trace = trace;
    p->of_trace = ws_trace_statics(trace);
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
        p->branching = ws_branching_new(trace, kernel, options->branch_ctas, err);
        reads = p->branching != NULL;
    }
    if (reads && decode_statics(p, core)) return p;
    if (reads) ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    ws_timed_stream_free(p);
    return NULL;
}

void ws_timed_stream_free(ws_timed_stream *p) {
    if (!p) return;
    if (!p->options.reader) ws_reader_free(p->reader);
    ws_branching_free(p->branching);
    free(p->statics);
    free(p->registers);
    ws_buffer_free(&p->insts);
    ws_buffer_free(&p->accesses);
    ws_buffer_free(&p->flow);
    ws_buffer_free(&p->values);
    ws_buffer_free(&p->masks);
    ws_buffer_free(&p->branches);
    ws_buffer_free(&p->outcomes);
    free(p);
}

const ws_timed_static *ws_timed_stream_statics(const ws_timed_stream *p) {
    return p->statics;
}
const ws_branch *ws_timed_stream_branches(const ws_timed_stream *p) {
    return p->branching ? ws_branching_of(p->branching) : NULL;
}
const ws_register_sets *ws_timed_stream_registers(const ws_timed_stream *p, uint32_t *words) {
    *words = p->register_words;
    return p->registers;
}

bool ws_timed_stream_turn(ws_timed_stream *p, uint32_t kernel, uint32_t branch_ctas, ws_error *err) {
    if (kernel == p->kernel) return true;
    p->kernel = kernel;
    if (!p->branching) return true;
    ws_branching_free(p->branching);
    p->branching = ws_branching_new(p->trace, kernel, branch_ctas, err);
    return p->branching != NULL;
}

void ws_timed_stream_cut(ws_timed_stream *p, uint32_t pc) {
    const ws_static *statics = ws_trace_statics(p->trace);
    for (uint32_t i = 0; i < ws_trace_get_info(p->trace)->static_count; i++)
        if (statics[i].pc == pc && statics[i].op == WS_MEMORY_LOAD &&
            ws_static_is_global_or_local(&statics[i]))
            p->is_cut = p->statics[i].asks = true;
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
static inline __attribute__((always_inline)) bool
words_have_own_banks(uint64_t *word_of, ws_divisor banks, const uint64_t *addresses, unsigned lanes) {
    uint64_t named = 0, differs = 0;
    for (unsigned i = 0; i < lanes; i++) {
        uint64_t word = addresses[i] / 4, bank = ws_remainder(word, banks);
        differs |= (word ^ word_of[bank]) & (UINT64_C(0) - (named >> bank & 1));
        word_of[bank] = word;
        named |= UINT64_C(1) << bank;
    }
    return !differs;
}

/* Returns the number of passes through the banks of shared memory. */
static unsigned bank_passes(ws_timed_stream *p, const uint64_t *addresses, unsigned lanes) {
    ws_divisor banks = p->shared_banks, power = {.value = banks.value, .is_power = true};
    bool one_pass = banks.is_power ? words_have_own_banks(p->word_of, power, addresses, lanes)
                                   : words_have_own_banks(p->word_of, banks, addresses, lanes);
    return one_pass ? 1 : most_words_in_a_bank(p, addresses, lanes);
}

/* Where GPGPU-Sim puts local memory (LOCAL_GENERIC_START). */
#define LOCAL_BASE UINT64_C(0x1f880000)

/* Appends the accesses to interleaved local memory: word i of all threads, then word i + 1. An access of several words
 * becomes one to each of them. */
static unsigned put_local(ws_timed_stream *p, const ws_access_rules *rules, const ws_static *s, uint64_t mask,
                          const uint64_t *addresses, unsigned lanes) {
    ws_static word = *s;
    uint64_t places[WS_LANES_MAX];
    unsigned words = (s->width_B + 3u) / 4, count = 0;
    if (words > 1) word.width_B = 4;
    for (unsigned i = 0; i < words; i++) {
        uint64_t at = rules->order == WS_ORDER_DESCENDING ? words - 1 - i : i, rest = mask;
        for (unsigned k = 0; k < lanes; k++, rest &= rest - 1) {
            uint64_t thread = p->place.first_thread + (unsigned)__builtin_ctzll(rest),
                     offset = addresses[k] % WS_PROGRAM_SPACE_B, space = addresses[k] - offset;
            places[k] = space + LOCAL_BASE + 4 * ((offset / 4 + at) * p->place.threads + thread) + offset % 4;
        }
        count += ws_accesses_put(rules, &p->accesses, &word, places, mask, lanes);
    }
    return count;
}

static unsigned put_accesses(ws_timed_stream *p, uint32_t static_id, uint64_t mask, const uint64_t *addresses,
                             unsigned lanes) {
    const ws_static *s = &p->of_trace[static_id];
    const ws_access_rules *rules = p->statics[static_id].past_l1 ? &p->rules_past_l1 : &p->rules;
    if (s->space == WS_SPACE_LOCAL && p->place.threads) return put_local(p, rules, s, mask, addresses, lanes);
    return ws_accesses_put(rules, &p->accesses, s, addresses, mask, lanes);
}

/* Sets what a memory instruction does beyond its issue. */
static __attribute__((noinline)) void put_memory(ws_timed_stream *p, ws_timed_inst *inst, const ws_static *s,
                                                 uint64_t mask, const uint64_t *addresses) {
    /* without active lanes it goes through shared memory all the same (GPGPU-Sim: ldst_unit::cycle) */
    if (!inst->lanes) {
        inst->shared_cycles = s->space == WS_SPACE_SHARED;
        return;
    }
    if (p->statics[inst->static_id].asks) return;
    if (ws_static_is_global_or_local(s))
        inst->access_count = (uint16_t)put_accesses(p, inst->static_id, mask, addresses, inst->lanes);
    else
        inst->shared_cycles = (uint8_t)bank_passes(p, addresses, inst->lanes);
}

static inline bool is_issued(const ws_timed_stream *p, const ws_static *s) {
    return s->class_ != WS_CLASS_META || p->options.issue_meta;
}

static inline void put(ws_timed_stream *p, uint32_t static_id, uint64_t mask, const uint64_t *addresses) {
    const ws_static *s = &p->of_trace[static_id];
    if (!is_issued(p, s)) return;
    ws_timed_inst inst = {.static_id = static_id, .lanes = (uint8_t)__builtin_popcountll(mask)};
    if (s->op != WS_MEMORY_NONE) put_memory(p, &inst, s, mask, addresses);
    ws_buffer_put(&p->insts, &inst, sizeof inst);
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
        if (p->is_cut && p->statics[warp->static_id[i]].asks && warp->mask[i]) return;
    }
}

/* Copies a buffer to `*at`, and advances `*at` past it. Returns where the copy begins. */
static const void *append(char **at, const ws_buffer *buffer) {
    char *to = *at;
    if (buffer->size) memcpy(to, buffer->data, buffer->size);
    *at += buffer->size;
    return to;
}

/* Makes one allocation: the CTA, then what its warps point to, with the strictest alignment first. */
static ws_timed_cta *assemble(ws_timed_stream *p, const ws_cta *cta, const ends *warp_ends) {
    size_t head = sizeof(ws_timed_cta) + cta->warp_count * sizeof(ws_timed_warp);
    size_t size = head + p->accesses.size + p->values.size + p->masks.size + p->insts.size + p->flow.size +
                  p->branches.size;
    ws_timed_cta *out = malloc(size);
    if (!out) return NULL;
    char *at = (char *)out + head;
    const ws_access *accesses = append(&at, &p->accesses);
    const uint64_t *values = append(&at, &p->values);
    const uint64_t *masks = append(&at, &p->masks);
    const ws_timed_inst *insts = append(&at, &p->insts);
    const ws_flow *flow = append(&at, &p->flow);
    const uint8_t *branches = append(&at, &p->branches);
    out->size_B = size;
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

ws_timed_cta *ws_timed_stream_cta(ws_timed_stream *p, uint32_t ordinal, ws_local_place place, ws_error *err) {
    ws_cta cta;
    if (!ws_reader_cta(p->reader, p->kernel, ordinal, &cta, err)) return NULL;
    ends warp_ends[WS_CTA_WARPS_MAX];
    p->flow.size = p->values.size = p->masks.size = p->branches.size = 0;
    for (uint32_t w = 0; w < cta.warp_count; w++) {
        p->place = place;
        p->place.first_thread += (uint64_t)cta.warps[w].id * p->warp_size;
        put_warp(p, &cta.warps[w]);
        warp_ends[w] = (ends){.insts = p->insts.size / sizeof(ws_timed_inst),
                              .accesses = p->accesses.size / sizeof(ws_access),
                              .flow = p->flow.size / sizeof(ws_flow),
                              .values = p->values.size / sizeof(uint64_t),
                              .masks = p->masks.size / sizeof(uint64_t),
                              .branches = p->branches.size};
    }
    bool failed = p->insts.failed || p->accesses.failed || p->flow.failed || p->values.failed ||
                  p->masks.failed || p->branches.failed || p->outcomes.failed;
    ws_timed_cta *out = failed ? NULL : assemble(p, &cta, warp_ends);
    p->insts.size = p->accesses.size = 0;
    if (!out) ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    return out;
}

ws_timed_warp *ws_timed_stream_take(ws_timed_stream *p) {
    bool failed = p->insts.failed || p->accesses.failed;
    ws_timed_warp *out = failed ? NULL : malloc(sizeof *out + p->accesses.size + p->insts.size);
    if (out) {
        char *accesses = (char *)(out + 1), *insts = accesses + p->accesses.size;
        if (p->accesses.size) memcpy(accesses, p->accesses.data, p->accesses.size);
        if (p->insts.size) memcpy(insts, p->insts.data, p->insts.size);
        *out = (ws_timed_warp){.inst_count = (uint32_t)(p->insts.size / sizeof(ws_timed_inst)),
                               .insts = (const ws_timed_inst *)(const void *)insts,
                               .accesses = (const ws_access *)(const void *)accesses};
    }
    p->insts.size = p->accesses.size = 0;
    return out;
}
