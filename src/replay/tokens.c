#include "replay/tokens.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 64 };

/* What an instruction makes of its sources. */
enum rule {
    RULE_COMPUTE, /* uniform if its sources are */
    RULE_SCALAR,  /* the same, but the hardware executes it once per warp anyway */
    RULE_LOAD,    /* uniform if its lanes read one address */
    RULE_MERGE,   /* paths meet: uniform if all lanes came by the same path and its sources are uniform */
    RULE_THREAD,  /* never uniform: it depends on the thread, or on what the trace does not have */
    RULE_CALL,    /* never uniform, nor is any register after it: arguments are passed unseen */
};

typedef struct instruction {
    uint8_t rule;
    uint8_t result_words; /* the number of consecutive registers of which each destination names the first */
    uint8_t wide_from;    /* the first of the sources that name the first of two registers, up to the last */
} instruction;

struct ws_tokens {
    const ws_static *statics;
    instruction *instructions; /* per static instruction */
    size_t words;              /* length of ws_token_warp.uniform */
    /* The byte that a warp's tokens are filled with at first. In an llvm trace all are uniform: values are written
     * before they are read, except where paths meet; a source that was never written then belongs to a path that was
     * not taken, and the path that was brings a constant. */
    int at_first;
};

/* ---- what instructions do */

static bool starts(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_any(const char *text, const char *const *words) {
    for (; *words; words++)
        if (strcmp(text, *words) == 0) return true;
    return false;
}

/* True if one of the opcode's parts after dots is `part`: "IMAD.WIDE.U32" has "WIDE". */
static bool has_part(const char *opcode, const char *part) {
    size_t length = strlen(part);
    for (const char *dot = strchr(opcode, '.'); dot; dot = strchr(dot + 1, '.'))
        if (strncmp(dot + 1, part, length) == 0 && (dot[length + 1] == 0 || dot[length + 1] == '.'))
            return true;
    return false;
}

/* True for loads that give all lanes one value if these read one address. Local memory has a private copy per lane
 * behind the same address, and generic addresses may lie in local memory. */
static bool is_shared_load(const ws_static *s) {
    return s->op == WS_MEMORY_LOAD && s->space != WS_SPACE_LOCAL && s->space != WS_SPACE_GENERIC;
}

static enum rule rule_of_llvm(const char *opcode, const ws_static *s) {
    static const char *const of_block[] = {"get_group_id",
                                           "get_num_groups",
                                           "get_local_size",
                                           "get_global_size",
                                           "get_enqueued_local_size",
                                           "get_global_offset",
                                           "get_work_dim",
                                           NULL};
    if (starts(opcode, "phi")) return s->src_count < WS_SRC_MAX ? RULE_MERGE : RULE_THREAD;
    if (!starts(opcode, "call:")) return RULE_COMPUTE;
    if (s->class_ == WS_CLASS_BRANCH) return RULE_CALL;
    if (!starts(opcode, "call:get_")) return RULE_COMPUTE;
    char name[32];
    const char *from = opcode + strlen("call:");
    size_t length = strcspn(from, ".");
    if (length >= sizeof name) return RULE_THREAD;
    memcpy(name, from, length);
    name[length] = 0;
    return is_any(name, of_block) ? RULE_COMPUTE : RULE_THREAD;
}

/* The trace lists neither special registers as sources nor the predicates that instructions select or copy by. */
static enum rule rule_of_sass(const char *opcode, const ws_static *s) {
    static const char *const hidden[] = {"S2R", "CS2R", "P2R",   "SEL",  "FSEL",     "VOTE", "ELECT",
                                         "B2R", "LEPC", "MATCH", "MOVM", "SETCTAID", NULL};
    static const char *const once_per_warp[] = {"S2UR", "R2UR", "P2UR", "VOTEU", "REDUX", "CREDUX", NULL};
    char name[16];
    size_t length = strcspn(opcode, ".");
    if (length >= sizeof name) return RULE_THREAD;
    memcpy(name, opcode, length);
    name[length] = 0;
    if (is_any(name, hidden) || s->class_ == WS_CLASS_TENSOR) return RULE_THREAD;
    if (has_part(opcode, "X") || has_part(opcode, "EX")) return RULE_THREAD; /* a carry goes in */
    return name[0] == 'U' || is_any(name, once_per_warp) ? RULE_SCALAR : RULE_COMPUTE;
}

static enum rule rule_of(bool sass, const char *opcode, const ws_static *s) {
    if (s->op != WS_MEMORY_NONE)
        return is_shared_load(s) && !starts(opcode, "LDSM") ? RULE_LOAD : RULE_THREAD;
    if (s->class_ == WS_CLASS_MEM && !starts(opcode, "LDC")) return RULE_THREAD;
    return sass ? rule_of_sass(opcode, s) : rule_of_llvm(opcode, s);
}

/* The formats of numbers among the opcode's parts after dots: F2F.F64.F32 has two. */
typedef struct formats {
    unsigned count;
    bool of_float[2], wide[2];
} formats;

static formats formats_of(const char *opcode) {
    formats f = {.count = 0};
    for (const char *dot = strchr(opcode, '.'); dot && f.count < 2; dot = strchr(dot + 1, '.')) {
        size_t digits = dot[1] ? strspn(dot + 2, "0123456789") : 0;
        if (!digits || !strchr("FSU", dot[1]) || (dot[2 + digits] && dot[2 + digits] != '.')) continue;
        f.of_float[f.count] = dot[1] == 'F';
        f.wide[f.count++] = strtoul(dot + 2, NULL, 10) == 64;
    }
    return f;
}

/* Which operands of an instruction of SASS have 64 bits: the result, and the sources from `from` on. */
typedef struct widths {
    bool result;
    unsigned from;
} widths;

enum { NO_SOURCE = WS_SRC_MAX };

/* F2F.F32.F64 converts to the first format from the second. Where there is one, F2I and I2F tell by its kind whether it
 * is that of the result; the other has 32 bits. */
static widths widths_of_conversion(const char *opcode) {
    formats f = formats_of(opcode);
    bool of_result[2] = {true, false};
    if (starts(opcode, "F2I") || starts(opcode, "I2F"))
        for (int i = 0; i < 2; i++) of_result[i] = f.of_float[i] == starts(opcode, "I2F");
    widths w = {false, NO_SOURCE};
    for (unsigned i = 0; i < f.count; i++) {
        if (f.wide[i] && of_result[i]) w.result = true;
        if (f.wide[i] && !of_result[i]) w.from = 0;
    }
    return w;
}

static bool is_conversion(const char *opcode) {
    return starts(opcode, "F2F.") || starts(opcode, "F2I.") || starts(opcode, "I2F.") ||
           starts(opcode, "I2I.");
}

/* IMAD.WIDE multiplies 32 bits by 32, and adds 64: its third source, or the second where one is no register. */
static widths widths_of(const char *opcode, const ws_static *s) {
    if (is_conversion(opcode)) return widths_of_conversion(opcode);
    if (has_part(opcode, "WIDE")) {
        bool adds = s->src_count > 1 && !starts(opcode, "IMUL");
        return (widths){true, adds ? s->src_count - 1u : NO_SOURCE};
    }
    bool wide =
        has_part(opcode, "64") || has_part(opcode, "F64") || (opcode[0] == 'D' && s->class_ == WS_CLASS_FP);
    return (widths){wide, wide ? 0 : NO_SOURCE};
}

/* In SASS, an operand of more than 32 bits names the first of its registers. */
static instruction instruction_of(bool sass, const char *opcode, const ws_static *s) {
    instruction in = {.rule = (uint8_t)rule_of(sass, opcode, s), .result_words = 1, .wide_from = NO_SOURCE};
    if (!sass) return in;
    widths w = widths_of(opcode, s);
    in.wide_from = (uint8_t)w.from;
    if (s->op != WS_MEMORY_NONE)
        in.result_words = starts(opcode, "LDSM") ? 4 : (uint8_t)((s->width_B + 3) / 4);
    else if (s->class_ == WS_CLASS_TENSOR)
        in.result_words = 8;
    else if (w.result || starts(opcode, "CS2R"))
        in.result_words = 2;
    return in;
}

/* ---- life */

static uint32_t register_count(const ws_static *statics, uint32_t count) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (int d = 0; d < statics[i].dst_count; d++)
            if (statics[i].dst[d] != WS_REGISTER_ZERO && statics[i].dst[d] > most) most = statics[i].dst[d];
        for (int r = 0; r < statics[i].src_count; r++)
            if (statics[i].src[r] != WS_REGISTER_ZERO && statics[i].src[r] > most) most = statics[i].src[r];
    }
    return most + 1;
}

ws_tokens *ws_tokens_new(const ws_trace *trace) {
    const ws_trace_info *info = ws_trace_get_info(trace);
    const ws_static *statics = ws_trace_statics(trace);
    bool sass = strcmp(info->isa, "sass") == 0;
    ws_tokens *t = calloc(1, sizeof *t);
    if (!t || !(t->instructions = calloc((size_t)info->static_count + 1, sizeof *t->instructions))) {
        ws_tokens_free(t);
        return NULL;
    }
    t->statics = statics;
    t->at_first = sass ? 0 : 0xff;
    t->words =
        register_count(statics, info->static_count) / WORD + 1; /* with room behind the last register */
    for (uint32_t i = 0; i < info->static_count; i++)
        t->instructions[i] = instruction_of(sass, ws_trace_opcode(trace, statics[i].opcode), &statics[i]);
    return t;
}

void ws_tokens_free(ws_tokens *t) {
    if (!t) return;
    free(t->instructions);
    free(t);
}

size_t ws_tokens_words(const ws_tokens *t) {
    return t->words;
}

/* ---- following a warp */

void ws_tokens_begin(const ws_tokens *t, ws_token_warp *w) {
    memset(w->uniform, t->at_first, t->words * sizeof *w->uniform);
    w->after_branch_of_all = false;
}

unsigned ws_tokens_read(const ws_tokens *t, uint32_t inst, uint32_t regs[WS_TOKEN_SOURCES]) {
    const ws_static *s = &t->statics[inst];
    unsigned count = 0;
    for (int i = 0; i < s->src_count; i++) {
        if (s->src[i] == WS_REGISTER_ZERO) continue;
        regs[count++] = s->src[i];
        if (i >= t->instructions[inst].wide_from) regs[count++] = s->src[i] + 1u;
    }
    return count;
}

bool ws_tokens_sources(const ws_tokens *t, const ws_token_warp *w, uint32_t inst) {
    uint32_t regs[WS_TOKEN_SOURCES];
    unsigned count = ws_tokens_read(t, inst, regs);
    for (unsigned i = 0; i < count; i++)
        if (!(w->uniform[regs[i] / WORD] >> regs[i] % WORD & 1)) return false;
    return true;
}

ws_token_effect ws_tokens_look(const ws_tokens *t, const ws_token_warp *w, const ws_token_inst *inst) {
    const ws_static *s = &t->statics[inst->inst];
    enum rule rule = t->instructions[inst->inst].rule;
    bool sources = inst->all_lanes && ws_tokens_sources(t, w, inst->inst);
    switch (rule) {
    case RULE_COMPUTE:
        return (ws_token_effect){.result = sources,
                                 .computes = sources && ws_computes(s) && s->src_count + s->dst_count > 0};
    case RULE_SCALAR:
        return (ws_token_effect){.result = sources};
    case RULE_LOAD:
        return (ws_token_effect){.result = inst->all_lanes && inst->one_address};
    case RULE_MERGE:
        return (ws_token_effect){.result = sources && w->after_branch_of_all};
    case RULE_CALL:
    case RULE_THREAD:
        break;
    }
    return (ws_token_effect){.result = false};
}

unsigned ws_tokens_written(const ws_tokens *t, const ws_token_inst *inst,
                           uint32_t regs[WS_TOKEN_DESTINATIONS]) {
    const ws_static *s = &t->statics[inst->inst];
    uint32_t words = inst->no_lane ? 0 : t->instructions[inst->inst].result_words;
    unsigned count = 0;
    for (int d = 0; d < s->dst_count; d++)
        for (uint32_t word = 0; s->dst[d] != WS_REGISTER_ZERO && word < words; word++)
            if ((s->dst[d] + word) / WORD < t->words) regs[count++] = s->dst[d] + word;
    return count;
}

void ws_tokens_write(const ws_tokens *t, ws_token_warp *w, const ws_token_inst *inst, bool uniform) {
    enum rule rule = t->instructions[inst->inst].rule;
    if (rule == RULE_CALL && !inst->no_lane) memset(w->uniform, 0, t->words * sizeof *w->uniform);
    uint32_t regs[WS_TOKEN_DESTINATIONS];
    unsigned count = ws_tokens_written(t, inst, regs);
    for (unsigned i = 0; i < count; i++) {
        uint64_t bit = UINT64_C(1) << regs[i] % WORD, *word = &w->uniform[regs[i] / WORD];
        *word = uniform ? *word | bit : *word & ~bit;
    }
    if (rule != RULE_MERGE)
        w->after_branch_of_all = inst->all_lanes && t->statics[inst->inst].class_ == WS_CLASS_BRANCH;
}

const char *ws_tokens_assumption(const ws_trace *trace) {
    return strcmp(ws_trace_get_info(trace)->isa, "sass") == 0
               ? "special registers (S2R) and predicates that choose, are copied or carry (SEL, P2R, .X) are "
                 "not in the trace: taken as thread-dependent; the uniform datapath is not redundant"
               : "where paths meet (phi), values are uniform only behind a branch of all lanes, and as far "
                 "as their registers tell; arguments of calls are taken as thread-dependent";
}
