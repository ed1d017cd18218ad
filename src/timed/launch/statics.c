#include "timed/launch/statics.h"

#include "base/array.h"
#include "replay/branching.h"
#include "trace/sass.h"

#include <stdlib.h>
#include <string.h>

/* ---- what each is */

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

/* Whether it is LDC, LDCU or ULDC: these are no memory instructions here, as constants are as close as registers. */
static bool loads_constant(const ws_trace *trace, const ws_static *s) {
    return ws_sass_space(ws_trace_opcode(trace, s->opcode)) == WS_SPACE_CONSTANT;
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

/* Returns the class that decides where it executes and for how long. What accesses memory goes through the load/store
 * unit, whatever class and name the trace gives it. */
static ws_class class_of(const ws_trace *trace, const ws_static *s, const ws_core_params *core) {
    bool is_constant = !ws_static_is_global_or_local(s) && loads_constant(trace, s);
    if (s->class_ == WS_CLASS_MEM && is_constant) return WS_CLASS_INT;
    if (s->op != WS_MEMORY_NONE) return WS_CLASS_MEM;
    bool floats = s->class_ == WS_CLASS_SFU || s->class_ == WS_CLASS_FP;
    if (floats && core->conversions == WS_CONVERSIONS_INT && is_conversion(trace, s)) return WS_CLASS_INT;
    return (ws_class)s->class_;
}

/* Returns the kind of unit that executes it. A kind that the SM lacks is replaced by another. */
static enum ws_unit unit_of(const ws_trace *trace, const ws_static *s, const ws_core_params *core,
                            bool branches_apart) {
    enum ws_unit fp = core->fp_units ? WS_UNIT_FP : WS_UNIT_INT, integer = core->int_units ? WS_UNIT_INT : fp;
    enum ws_unit sfu = core->sfu_units ? WS_UNIT_SFU : fp;
    if (core->uniform_units && s->op == WS_MEMORY_NONE && is_uniform(trace, s)) return WS_UNIT_UNIFORM;
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
        if (core->branch_units && !branches_apart) break;
        t->latency = (uint16_t)core->branch_latency;
        t->interval = (uint16_t)core->branch_interval;
        return;
    case WS_CLASS_EXIT:
    case WS_CLASS_BARRIER:
        t->latency = t->interval = 1;
        return;
    default:
        break;
    }
    t->latency = (uint16_t)core->int_latency;
    t->interval = (uint16_t)core->int_interval;
}

/* Whether branches have units of their own: never in code for GPUs before Volta, as the simulator's tables of
 * instructions say. Exits and barriers never do. */
bool ws_branches_are_apart(const ws_core_params *core, const ws_kernel *kernel) {
    return core->branch_units && !(kernel->isa_version && kernel->isa_version < 70);
}

/* Registers, numbered densely in the order in which the static instructions name them. */
typedef struct numbering {
    uint32_t count, of[UINT16_MAX + 1]; /* of: per register its number + 1, or 0 */
} numbering;

/* False for the zero register, unless it is waited for. */
static bool number_register(numbering *n, const ws_core_params *core, ws_timed_static *t, uint16_t reg) {
    if (reg == WS_REGISTER_ZERO && !core->zero_register) return false;
    if (!n->of[reg]) n->of[reg] = ++n->count;
    t->regs[t->reg_count++] = (uint16_t)(n->of[reg] - 1);
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

static void set_registers(ws_timed_statics *statics) {
    for (uint32_t i = 0; i < statics->count; i++)
        for (unsigned r = 0; r < statics->at[i].reg_count; r++) {
            unsigned reg = statics->at[i].regs[r];
            ws_register_sets *sets = &statics->registers[(size_t)i * statics->register_words + reg / 64];
            sets->named |= UINT64_C(1) << reg % 64;
            if (r < statics->at[i].dst_count) sets->written |= UINT64_C(1) << reg % 64;
        }
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

static void decode(ws_timed_static *t, const ws_trace *trace, const ws_static *s, const ws_core_params *core,
                   bool branches_apart) {
    const char *opcode = ws_trace_opcode(trace, s->opcode);
    t->unit = (uint8_t)unit_of(trace, s, core, branches_apart);
    t->op = s->op;
    t->pc = s->pc;
    t->shared = t->unit == WS_UNIT_MEMORY && s->op != WS_MEMORY_NONE && !ws_static_is_global_or_local(s);
    t->local = s->space == WS_SPACE_LOCAL;
    t->past_l1 = passes_l1(trace, s, core);
    t->arithmetic = is_arithmetic(s);
    t->plain_alu = is_plain_alu(trace, s, core, (enum ws_unit)t->unit);
    t->barrier = s->class_ == WS_CLASS_BARRIER;
    t->fence = strncmp(opcode, "MEMBAR", 6) == 0;
    t->exit = s->class_ == WS_CLASS_EXIT;
    t->jumps = ws_can_jump(s, opcode);
    ws_async_decode(t, s, opcode);
    set_timing(t, trace, s, core, branches_apart);
    if (t->shared) t->latency = (uint16_t)core->shared_latency;
}

static void decode_all(ws_timed_statics *statics, const ws_trace *trace, const ws_core_params *core,
                       uint32_t register_banks, numbering *numbers) {
    for (uint32_t i = 0; i < statics->count; i++) {
        const ws_static *s = &ws_trace_statics(trace)[i];
        ws_timed_static *t = &statics->at[i];
        decode(t, trace, s, core, statics->branches_apart);
        statics->store_locally |= t->op == WS_MEMORY_STORE && s->space == WS_SPACE_LOCAL;
        statics->load_past_l1 |= t->op == WS_MEMORY_LOAD && t->past_l1;
        for (unsigned r = 0; r < s->dst_count; r++)
            t->dst_count += number_register(numbers, core, t, s->dst[r]);
        for (unsigned r = 0; r < s->src_count; r++) number_register(numbers, core, t, s->src[r]);
        if (register_banks) set_banks(t, s, register_banks);
    }
}

/* ---- life */

bool ws_timed_statics_init(ws_timed_statics *statics, const ws_trace *trace, const ws_core_params *core,
                           uint32_t register_banks, bool branches_apart) {
    uint32_t count = ws_trace_get_info(trace)->static_count;
    *statics = (ws_timed_statics){.count = count, .branches_apart = branches_apart};
    numbering *numbers = calloc(1, sizeof *numbers);
    statics->at = calloc((size_t)count + 1, sizeof *statics->at);
    if (numbers && statics->at) {
        decode_all(statics, trace, core, register_banks, numbers);
        statics->register_words = numbers->count / 64 + 1;
        statics->registers =
            calloc(((size_t)count + 1) * statics->register_words, sizeof *statics->registers);
    }
    free(numbers);
    if (statics->registers) set_registers(statics);
    return statics->registers;
}

void ws_timed_statics_free(ws_timed_statics *statics) {
    free(statics->at);
    free(statics->registers);
    *statics = (ws_timed_statics){0};
}

/* ---- for a launch */

void ws_timed_statics_cut(ws_timed_statics *statics, const ws_trace *trace, uint32_t pc) {
    const ws_static *of_trace = ws_trace_statics(trace);
    for (uint32_t i = 0; i < statics->count; i++)
        if (of_trace[i].pc == pc && of_trace[i].op == WS_MEMORY_LOAD &&
            ws_static_is_global_or_local(&of_trace[i]))
            statics->is_cut = statics->at[i].asks = true;
}

void ws_timed_statics_mend(ws_timed_statics *statics) {
    for (uint32_t i = 0; statics->is_cut && i < statics->count; i++) statics->at[i].asks = false;
    statics->is_cut = false;
}
