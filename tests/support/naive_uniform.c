#include "base/array.h"
#include "naive.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { REGISTERS = 300, SMS = 16, ENTRIES = 64, OPERANDS = 12 };

/* What is known of a warp: which registers have the same value in all lanes. */
typedef struct knowledge {
    bool started, after_branch;
    bool uniform[REGISTERS];
} knowledge;

static bool is(const char *opcode, const char *name) {
    size_t length = strlen(name);
    return strncmp(opcode, name, length) == 0 && (opcode[length] == 0 || opcode[length] == '.');
}

static bool computes(const ws_static *s) {
    return s->class_ == WS_CLASS_INT || s->class_ == WS_CLASS_FP || s->class_ == WS_CLASS_SFU;
}

static bool same_addresses(const inst_record *r) {
    for (int i = 1; i < __builtin_popcountll(r->mask); i++)
        if (r->address[i] != r->address[0]) return false;
    return true;
}

/* The number of registers that one register name in a SASS instruction stands for. */
static int words_of(const char *opcode, const ws_static *s) {
    if (s->op != WS_MEMORY_NONE) return is(opcode, "LDSM") ? 4 : (s->width_B + 3) / 4;
    if (s->class_ == WS_CLASS_TENSOR) return 8;
    static const char *const two[] = {"CS2R", "IMAD.WIDE", "DFMA", "F2F.F64.F32", "I2F.F64"};
    for (size_t i = 0; i < WS_COUNT(two); i++)
        if (is(opcode, two[i])) return 2;
    return 1;
}

/* Executes an instruction on what is known of its warp. Returns true if it is uniform by its tokens. Knows only the
 * opcodes that the tests use. */
static bool step(knowledge *k, const inst_record *r, const ws_static *s, const char *opcode, bool sass,
                 bool full) {
    bool all_wide = sass && (is(opcode, "DFMA") || is(opcode, "F2F.F32.F64") || is(opcode, "F2I.F64"));
    bool last_wide = sass && is(opcode, "IMAD.WIDE");
    if (!k->started)
        for (int i = 0; i < REGISTERS; i++) k->uniform[i] = !sass;
    k->started = true;
    bool sources = full;
    for (int i = 0; i < s->src_count; i++) {
        if (s->src[i] == WS_REGISTER_ZERO) continue;
        bool wide = all_wide || (last_wide && i > 0 && i == s->src_count - 1);
        sources = sources && k->uniform[s->src[i]] && (!wide || k->uniform[s->src[i] + 1]);
    }
    bool load =
        s->op == WS_MEMORY_LOAD &&
        (s->space == WS_SPACE_GLOBAL || s->space == WS_SPACE_SHARED || s->space == WS_SPACE_CONSTANT) &&
        !is(opcode, "LDSM");
    bool call = !sass && s->class_ == WS_CLASS_BRANCH && strncmp(opcode, "call:", 5) == 0;
    bool phi = !sass && is(opcode, "phi");
    bool thread = s->class_ == WS_CLASS_TENSOR;
    static const char *const hidden[] = {
        "S2R", "CS2R", "SEL", "P2R", "IADD3.X", "ISETP.EX", "call:get_local_id", "call:get_global_id"};
    for (size_t i = 0; i < WS_COUNT(hidden); i++) thread |= is(opcode, hidden[i]);
    thread |= s->class_ == WS_CLASS_MEM && !load;
    bool scalar = sass && (is(opcode, "UIADD3") || is(opcode, "R2UR"));
    bool result = thread || call ? false
                  : load         ? full && same_addresses(r)
                  : phi          ? sources && k->after_branch
                                 : sources;
    bool writes = r->mask != 0;
    if (call && writes) memset(k->uniform, 0, sizeof k->uniform);
    for (int d = 0; writes && d < s->dst_count; d++)
        for (int w = 0; s->dst[d] != WS_REGISTER_ZERO && w < (sass ? words_of(opcode, s) : 1); w++)
            k->uniform[s->dst[d] + w] = result;
    if (!phi) k->after_branch = full && s->class_ == WS_CLASS_BRANCH;
    return sources && computes(s) && !thread && !scalar && !phi && s->src_count + s->dst_count > 0;
}

/* An entry of a reuse buffer, with the moment of its last use. */
typedef struct entry {
    uint64_t used; /* 0: free */
    uint32_t pc, opcode;
    unsigned count;
    uint64_t operands[OPERANDS];
} entry;

static bool spared(entry *buffer, int entries, uint64_t now, uint32_t pc, uint32_t opcode,
                   const uint64_t *operands, unsigned count) {
    entry *found = NULL, *oldest = buffer;
    for (int i = 0; i < entries; i++) {
        if (buffer[i].used > 0 && buffer[i].pc == pc % 1024 && buffer[i].opcode == opcode) found = &buffer[i];
        if (buffer[i].used < oldest->used) oldest = &buffer[i];
    }
    bool same = found && found->count == count;
    for (unsigned i = 0; same && i < count; i++) same = found->operands[i] == operands[i];
    entry *e = found ? found : oldest;
    *e = (entry){.used = now, .pc = pc % 1024, .opcode = opcode, .count = count};
    for (unsigned i = 0; i < count; i++) e->operands[i] = operands[i];
    return same;
}

naive_redundancy naive_uniform(const stream *s, const ws_trace *trace, uint32_t pc_step, bool by_token,
                               int entries) {
    const ws_trace_info *info = ws_trace_get_info(trace);
    bool sass = strcmp(info->isa, "sass") == 0;
    uint32_t warps = 1;
    for (size_t i = 0; i < s->inst_count; i++)
        warps = s->insts[i].warp >= warps ? s->insts[i].warp + 1 : warps;
    knowledge *known = calloc(warps, sizeof *known);
    entry(*buffers)[ENTRIES] = calloc(SMS, sizeof *buffers);
    assert_non_null(known);
    assert_non_null(buffers);
    naive_redundancy n = {0};
    for (size_t i = 0; i < s->inst_count; i++) {
        const inst_record *r = &s->insts[i];
        const ws_static *fixed = &ws_trace_statics(trace)[r->inst];
        bool full = __builtin_popcountll(r->mask) == (int)info->warp_size;
        bool token = step(&known[r->warp], r, fixed, ws_trace_opcode(trace, fixed->opcode), sass, full);
        if (!r->issued) continue;
        n.warps++;
        for (int lane = 0; lane < 64; lane++) n.threads += r->mask >> lane & 1;
        if (!full || !computes(fixed)) continue;
        unsigned operands = (unsigned)fixed->result_values + fixed->source_values;
        bool value = r->values && operands > 0 && __builtin_popcount(r->uniform) == (int)operands;
        n.candidates++;
        n.both += value && token;
        n.by_value += value && !token;
        n.by_token += token && !value;
        if (!(by_token ? token : value)) continue;
        n.intra++;
        if (value && fixed->source_values <= 3)
            n.inter += spared(buffers[r->sm], entries, i + 1, fixed->pc / pc_step, fixed->opcode, r->values,
                              operands);
    }
    free(known);
    free(buffers);
    return n;
}
