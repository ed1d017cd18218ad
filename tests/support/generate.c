#include "generate.h"

#include "folder.h"
#include "random.h"
#include "trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Fails the test with the library's message unless `ok`. */
static void expect(bool ok, const ws_error *err) {
    if (!ok) fail_msg("%s", err->text);
}

static ws_writer *begin_isa(const char *isa, uint32_t warp_size) {
    ws_error err = WS_NO_ERROR;
    ws_writer *writer = ws_writer_new(folder_path("generated.wst"), isa, "generate", warp_size, 0, &err);
    expect(writer != NULL, &err);
    return writer;
}

static ws_writer *begin(uint32_t warp_size) {
    return begin_isa("test", warp_size);
}

/* Closes the writer and opens what it wrote; the file goes away when the trace is closed. */
static ws_trace *end(ws_writer *writer) {
    ws_error err = WS_NO_ERROR;
    expect(ws_writer_finish(writer, &err), &err);
    ws_writer_free(writer);
    return trace_written("generated.wst");
}

static uint32_t intern(ws_writer *writer, ws_static s, const char *opcode) {
    s.opcode = ws_writer_opcode(writer, opcode, strlen(opcode));
    return ws_writer_static(writer, &s);
}

/* ---- random */

enum { PROGRAM_MAX = 12 };

enum pattern { COALESCED, BROADCAST, STRIDED, SCATTERED, PATTERNS };

/* One instruction of a random program, and how its addresses come about. */
typedef struct step {
    ws_static instruction;
    uint32_t id;
    enum pattern pattern;
    uint64_t base;
    int64_t stride;
    uint32_t region_B;
} step;

typedef struct program {
    step steps[PROGRAM_MAX];
    uint32_t count, repeats;
    uint64_t operands; /* state of the random numbers for registers and values; 0: the trace has neither */
} program;

/* Gives an instruction registers, and says how many of its operands have values. */
static void random_operands(uint64_t *random, ws_static *s) {
    s->dst_count = (uint8_t)random_below(random, 2);
    s->src_count = (uint8_t)random_below(random, 4);
    for (int i = 0; i < s->dst_count; i++) s->dst[i] = (uint16_t)random_below(random, 8);
    for (int i = 0; i < s->src_count; i++)
        s->src[i] = (uint16_t)(random_one_in(random, 8) ? WS_REGISTER_ZERO : random_below(random, 8));
    if (s->class_ == WS_CLASS_META) return;
    s->result_values = s->dst_count;
    s->source_values = (uint8_t)random_below(random, 4);
}

/* Most accesses get an index load: the last load before them in the program. The first and the last instruction are
 * made loads, so that at least the last one has an index load. */
static void random_index(uint64_t *random, const program *p, bool is_last, ws_static *s) {
    if (p->count == 0 || is_last) {
        *s = (ws_static){.pc = s->pc, .class_ = WS_CLASS_MEM, .op = WS_MEMORY_LOAD, .space = WS_SPACE_GLOBAL};
        s->width_B = s->text_width_B = 4;
    }
    if (s->op == WS_MEMORY_NONE || (!is_last && random_one_in(random, 4))) return;
    for (uint32_t i = 0; i < p->count; i++)
        if (p->steps[i].instruction.op == WS_MEMORY_LOAD) {
            s->index_count = 1;
            s->index_pc[0] = p->steps[i].instruction.pc;
        }
}

/* An opcode; some instructions are memory barriers, or loads that must bypass the L1. */
static const char *random_opcode(const ws_static *s) {
    bool some = s->pc / 16 % 3 == 0;
    if (s->class_ != WS_CLASS_MEM) return some && s->class_ == WS_CLASS_OTHER ? "MEMBAR.SC.GPU" : "OTHER";
    return some && s->op == WS_MEMORY_LOAD ? "LDG.E.STRONG.GPU" : "MEM";
}

static step random_step(uint64_t *random, program *p, ws_writer *writer, uint32_t pc, bool is_last) {
    static const uint8_t classes[] = {WS_CLASS_INT,     WS_CLASS_FP,   WS_CLASS_MEM,  WS_CLASS_MEM,
                                      WS_CLASS_MEM,     WS_CLASS_MEM,  WS_CLASS_META, WS_CLASS_BRANCH,
                                      WS_CLASS_BARRIER, WS_CLASS_OTHER};
    static const uint8_t ops[] = {WS_MEMORY_LOAD,  WS_MEMORY_LOAD,   WS_MEMORY_LOAD,
                                  WS_MEMORY_STORE, WS_MEMORY_ATOMIC, WS_MEMORY_REDUCTION};
    static const uint8_t spaces[] = {WS_SPACE_GLOBAL, WS_SPACE_GLOBAL, WS_SPACE_LOCAL, WS_SPACE_GENERIC,
                                     WS_SPACE_SHARED};
    static const uint8_t widths[] = {1, 2, 4, 4, 4, 8, 16};
    step s = {.instruction = {.pc = pc, .class_ = classes[random_below(random, sizeof classes)]}};
    s.region_B = 1000;
    if (s.instruction.class_ == WS_CLASS_MEM) {
        s.instruction.op = ops[random_below(random, sizeof ops)];
        s.instruction.space = spaces[random_below(random, sizeof spaces)];
        s.instruction.width_B = s.instruction.text_width_B = widths[random_below(random, sizeof widths)];
        s.pattern = (enum pattern)random_below(random, PATTERNS);
        s.base = (1 + random_below(random, 3)) * UINT64_C(0x10000) + (random_one_in(random, 3) ? 37 : 0);
        s.stride = (int64_t)random_below(random, 600) - 300;
        s.region_B = random_one_in(random, 2) ? 1000 : 20000;
    }
    if (p->operands) {
        random_index(&p->operands, p, is_last, &s.instruction);
        random_operands(&p->operands, &s.instruction);
    }
    s.id = intern(writer, s.instruction, random_opcode(&s.instruction));
    return s;
}

static program random_program(uint64_t *random, uint64_t operands, ws_writer *writer) {
    const uint32_t count = 2 + random_below(random, PROGRAM_MAX - 1);
    program p = {.repeats = 1 + random_below(random, 4), .operands = operands};
    for (; p.count < count; p.count++)
        p.steps[p.count] = random_step(random, &p, writer, 16 * p.count, p.count + 1 == count);
    return p;
}

static uint64_t random_mask(uint64_t *random, uint32_t warp_size) {
    uint64_t all = warp_size == 64 ? UINT64_MAX : UINT32_MAX;
    switch (random_below(random, 6)) {
    case 0:
        return random_next(random) & all;
    case 1:
        return UINT64_C(1) << random_below(random, warp_size);
    case 2:
        return random_one_in(random, 2) ? 0 : all >> random_below(random, warp_size);
    default:
        return all;
    }
}

static uint64_t address_of(const step *s, uint64_t *random, uint32_t thread, uint32_t repeat) {
    switch (s->pattern) {
    case COALESCED:
        return s->base + (uint64_t)thread % 512 * s->instruction.width_B + 256 * repeat;
    case BROADCAST:
        return s->base + 4 * repeat;
    case STRIDED:
        return s->base + 0x8000 + (uint64_t)(s->stride * (int64_t)(thread % 100));
    case SCATTERED:
    case PATTERNS:
        break;
    }
    return s->base + random_below(random, s->region_B);
}

/* Returns the set of uniform operands and writes their values, which are 0 to 2, so that they often recur. */
static uint32_t random_values(program *p, const step *s, uint64_t mask, uint64_t values[WS_OPERANDS_MAX]) {
    uint32_t uniform = 0, count = 0, operands = s->instruction.result_values + s->instruction.source_values;
    for (uint32_t i = 0; mask && i < operands; i++)
        if (!random_one_in(&p->operands, 3)) {
            uniform |= 1u << i;
            values[count++] = random_below(&p->operands, 3);
        }
    return uniform;
}

static void write_random_warp(ws_writer *writer, uint64_t *random, program *p, uint32_t warp_size,
                              uint32_t first_thread) {
    ws_error err = WS_NO_ERROR;
    uint64_t values[WS_OPERANDS_MAX];
    for (uint32_t repeat = 0; repeat < p->repeats; repeat++)
        for (uint32_t i = 0; i < p->count; i++) {
            const step *s = &p->steps[i];
            if (random_one_in(random, 8)) continue;
            uint64_t mask = random_mask(random, warp_size), addresses[WS_LANES_MAX];
            unsigned count = 0;
            for (uint32_t lane = 0; lane < warp_size; lane++)
                if (mask >> lane & 1) addresses[count++] = address_of(s, random, first_thread + lane, repeat);
            uint32_t uniform = random_values(p, s, mask, values);
            expect(ws_writer_inst_values(writer, s->id, mask, addresses, uniform, values, &err), &err);
        }
}

static void write_random_kernel(ws_writer *writer, uint64_t *random, uint64_t operands, const char *name,
                                uint64_t stream, uint32_t warp_size) {
    ws_error err = WS_NO_ERROR;
    program p = random_program(random, operands, writer);
    uint32_t ctas = 1 + random_below(random, 40), threads = 1 + random_below(random, 8 * warp_size);
    uint32_t warps = (threads + warp_size - 1) / warp_size;
    ws_kernel kernel = {.name = name,
                        .stream = stream,
                        .grid = {ctas, 1, 1},
                        .block = {threads, 1, 1},
                        .registers_per_thread = random_below(random, 64),
                        .shared_B = random_below(random, 12000)};
    expect(ws_writer_kernel(writer, &kernel, &err), &err);
    for (uint32_t cta = 0; cta < ctas; cta++) {
        if (random_one_in(random, 12)) continue;
        expect(ws_writer_cta(writer, (ws_dim3){cta, 0, 0}, &err), &err);
        bool idle = random_one_in(random, 12); /* a CTA whose warps do nothing */
        for (uint32_t warp = 0; warp < warps; warp++) {
            if (random_one_in(random, 12) && warp > 0) continue;
            expect(ws_writer_warp(writer, warp, &err), &err);
            if (!idle && !random_one_in(random, 12))
                write_random_warp(writer, random, &p, warp_size, (cta * warps + warp) * warp_size);
        }
    }
}

ws_trace *generate_streams(uint64_t seed, uint32_t warp_size, const uint64_t *streams) {
    uint64_t random = seed, operands = seed % 2 ? 0 : seed;
    ws_writer *writer = begin(warp_size);
    if (operands) ws_writer_add_features(writer, WS_FEATURE_REGISTERS);
    for (; *streams; streams++) write_random_kernel(writer, &random, operands, "kernel", *streams, warp_size);
    return end(writer);
}

ws_trace *generate_random(uint64_t seed, uint32_t warp_size) {
    uint64_t random = seed, operands = seed % 2 ? 0 : seed;
    ws_writer *writer = begin(warp_size);
    if (operands) ws_writer_add_features(writer, WS_FEATURE_REGISTERS);
    write_random_kernel(writer, &random, operands, "first", 0, warp_size);
    write_random_kernel(writer, &random, operands, "second", 1, warp_size);
    return end(writer);
}

/* ---- planned */

static void write_launch(const generate_plan *plan, ws_writer *writer, uint32_t id, uint32_t launch) {
    ws_error err = WS_NO_ERROR;
    struct generate_launch l = plan->launches ? plan->launches[launch]
                                              : (struct generate_launch){.ctas = plan->ctas,
                                                                         .warps = plan->warps_per_cta,
                                                                         .insts = plan->insts};
    ws_kernel kernel = {.name = "planned",
                        .stream = l.stream,
                        .grid = {l.ctas ? l.ctas : 1, 1, 1},
                        .block = {l.warps * plan->warp_size, 1, 1},
                        .shared_B = launch ? plan->more_shared_B : 0};
    if (plan->copy_B && plan->copy_before == launch)
        expect(ws_writer_memcpy(writer, plan->copy_address, plan->copy_B, &err), &err);
    expect(ws_writer_kernel(writer, &kernel, &err), &err);
    uint64_t all = plan->warp_size == 64 ? UINT64_MAX : UINT32_MAX, addresses[WS_LANES_MAX];
    for (uint32_t cta = 0; cta < l.ctas; cta++) {
        expect(ws_writer_cta(writer, (ws_dim3){cta, 0, 0}, &err), &err);
        for (uint32_t warp = 0; warp < l.warps; warp++) {
            expect(ws_writer_warp(writer, warp, &err), &err);
            for (uint32_t i = 0; i < l.insts; i++) {
                for (uint32_t lane = 0; plan->address && lane < plan->warp_size; lane++)
                    addresses[lane] = plan->address(launch * plan->ctas + cta, warp, i, lane);
                expect(ws_writer_inst(writer, id, all, addresses, &err), &err);
            }
        }
    }
}

ws_trace *generate_planned(const generate_plan *plan) {
    ws_writer *writer = begin_isa(plan->isa ? plan->isa : "test", plan->warp_size);
    if (!plan->without_registers) ws_writer_add_features(writer, WS_FEATURE_REGISTERS);
    uint32_t id = intern(writer, plan->instruction, plan->opcode);
    for (uint32_t launch = 0; launch <= plan->more_launches; launch++) write_launch(plan, writer, id, launch);
    return end(writer);
}

uint64_t generate_one_line(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)cta, (void)warp, (void)inst;
    return UINT64_C(0x10000) + 4 * lane;
}

uint64_t generate_a_line_each(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return UINT64_C(0x100000) + 128 * (inst + 64 * (warp + 8 * (uint64_t)cta)) + 4 * lane;
}

generate_plan generate_loads(uint32_t ctas, uint32_t warps_per_cta, uint32_t insts,
                             uint64_t (*address)(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane)) {
    return (generate_plan){.warp_size = 32,
                           .ctas = ctas,
                           .warps_per_cta = warps_per_cta,
                           .insts = insts,
                           .instruction = {.class_ = WS_CLASS_MEM,
                                           .op = WS_MEMORY_LOAD,
                                           .space = WS_SPACE_GLOBAL,
                                           .width_B = 4,
                                           .text_width_B = 4},
                           .opcode = "LDG.E",
                           .address = address};
}

/* ---- worked */

static void work_warp(const generate_work *plan, ws_writer *writer, uint32_t cta, uint32_t warp,
                      const uint32_t *ids) {
    ws_error err = WS_NO_ERROR;
    uint64_t addresses[32];
    for (uint32_t part = 0, inst = 0; part < plan->parts; part++) {
        if (part) expect(ws_writer_inst(writer, ids[1], UINT32_MAX, NULL, &err), &err);
        for (uint32_t left = plan->work(cta, warp, part); left; left--, inst++) {
            for (uint32_t lane = 0; plan->address && lane < 32; lane++)
                addresses[lane] = plan->address(cta, warp, inst, lane);
            expect(ws_writer_inst(writer, ids[0], UINT32_MAX, plan->address ? addresses : NULL, &err), &err);
        }
    }
}

ws_trace *generate_worked(const generate_work *plan) {
    ws_error err = WS_NO_ERROR;
    ws_writer *writer = begin(32);
    ws_writer_add_features(writer, WS_FEATURE_REGISTERS);
    ws_static one = {.class_ = WS_CLASS_INT, .dst_count = 1, .src_count = 1, .dst = {7}, .src = {7}},
              barrier = {.pc = 16, .class_ = WS_CLASS_BARRIER};
    if (plan->address) {
        one.class_ = WS_CLASS_MEM;
        one.op = WS_MEMORY_LOAD;
        one.space = WS_SPACE_GLOBAL;
        one.width_B = one.text_width_B = 4;
    }
    uint32_t ids[] = {intern(writer, one, plan->address ? "LDG.E" : "IADD3"),
                      intern(writer, barrier, "BAR.SYNC")};
    ws_kernel kernel = {.name = "worked",
                        .grid = {plan->ctas, 1, 1},
                        .block = {plan->warps_per_cta * 32, 1, 1},
                        .registers_per_thread = plan->registers_per_thread,
                        .shared_B = plan->shared_B};
    expect(ws_writer_kernel(writer, &kernel, &err), &err);
    for (uint32_t cta = 0; cta < plan->ctas; cta++) {
        expect(ws_writer_cta(writer, (ws_dim3){cta, 0, 0}, &err), &err);
        for (uint32_t warp = 0; warp < plan->warps_per_cta; warp++) {
            expect(ws_writer_warp(writer, warp, &err), &err);
            work_warp(plan, writer, cta, warp, ids);
        }
    }
    return end(writer);
}

/* ---- scripted */

enum script_inst {
    SCRIPT_LOAD,
    SCRIPT_STORE,
    SCRIPT_ATOMIC,
    SCRIPT_WAIT,
    SCRIPT_DIVERGENT,
    SCRIPT_OTHER,
    SCRIPT_BARRIER,
    SCRIPT_INSTS
};

static void script_insts(ws_writer *writer, uint32_t *ids) {
    ws_static memory = {.class_ = WS_CLASS_MEM, .space = WS_SPACE_GLOBAL, .width_B = 4, .text_width_B = 4};
    ws_static insts[SCRIPT_INSTS];
    for (int i = 0; i < SCRIPT_INSTS; i++) {
        insts[i] = memory;
        insts[i].pc = 16 * (uint32_t)i;
        insts[i].op = WS_MEMORY_LOAD;
    }
    insts[SCRIPT_STORE].op = WS_MEMORY_STORE;
    insts[SCRIPT_ATOMIC].op = WS_MEMORY_ATOMIC;
    insts[SCRIPT_WAIT].dst_count = insts[SCRIPT_WAIT].src_count = 1;
    insts[SCRIPT_WAIT].dst[0] = insts[SCRIPT_WAIT].src[0] = 7;
    insts[SCRIPT_BARRIER] = (ws_static){.pc = 16 * SCRIPT_BARRIER, .class_ = WS_CLASS_BARRIER};
    static const char *const opcodes[] = {"LDG.E", "STG.E", "ATOMG.ADD", "LDG.E",
                                          "LDG.E", "LDG.E", "BAR.SYNC"};
    for (int i = 0; i < SCRIPT_INSTS; i++) ids[i] = intern(writer, insts[i], opcodes[i]);
}

ws_trace *generate_script(const char *const *warps) {
    ws_error err = WS_NO_ERROR;
    static const char letters[] = "LSAWDOB"; /* enum script_inst */
    ws_writer *writer = begin(32);
    ws_writer_add_features(writer, WS_FEATURE_REGISTERS);
    uint32_t ids[SCRIPT_INSTS], count = 0;
    script_insts(writer, ids);
    while (warps[count]) count++;
    ws_kernel kernel = {.name = "scripted", .grid = {1, 1, 1}, .block = {count * 32, 1, 1}};
    expect(ws_writer_kernel(writer, &kernel, &err), &err);
    expect(ws_writer_cta(writer, (ws_dim3){0, 0, 0}, &err), &err);
    for (uint32_t w = 0; w < count; w++) {
        expect(ws_writer_warp(writer, w, &err), &err);
        for (const char *word = warps[w]; *word;) {
            int inst = (int)(strchr(letters, *word) - letters);
            char *end_;
            uint64_t line = strtoull(word + 1, &end_, 10), addresses[32];
            for (uint32_t lane = 0; lane < 32; lane++)
                addresses[lane] = 128 * (line + (inst == SCRIPT_DIVERGENT ? 32 * lane : 0)) +
                                  4 * (inst == SCRIPT_OTHER ? 31 - lane : lane);
            expect(ws_writer_inst(writer, ids[inst], UINT32_MAX, inst == SCRIPT_BARRIER ? NULL : addresses,
                                  &err),
                   &err);
            for (word = end_; *word == ' ';) word++;
        }
    }
    return end(writer);
}

/* ---- coded */

typedef struct coded_kind {
    char kind;
    uint8_t class_, op;
    const char *opcode; /* NULL: the kind's letter */
} coded_kind;

static const coded_kind *kind_of(char kind) {
    static const coded_kind kinds[] = {{'i', WS_CLASS_INT, 0, NULL},
                                       {'f', WS_CLASS_FP, 0, NULL},
                                       {'d', WS_CLASS_FP, 0, "DADD"},
                                       {'u', WS_CLASS_SFU, 0, NULL},
                                       {'t', WS_CLASS_TENSOR, 0, NULL},
                                       {'o', WS_CLASS_OTHER, 0, NULL},
                                       {'l', WS_CLASS_MEM, WS_MEMORY_LOAD, NULL},
                                       {'s', WS_CLASS_MEM, WS_MEMORY_STORE, NULL},
                                       {'h', WS_CLASS_MEM, WS_MEMORY_LOAD, NULL},
                                       {'p', WS_CLASS_MEM, WS_MEMORY_LOAD, NULL},
                                       {'q', WS_CLASS_MEM, WS_MEMORY_STORE, NULL},
                                       {'a', WS_CLASS_MEM, WS_MEMORY_ATOMIC, NULL},
                                       {'e', WS_CLASS_MEM, WS_MEMORY_ATOMIC, NULL},
                                       {'g', WS_CLASS_MEM, WS_MEMORY_LOAD, "LDG.E.STRONG.GPU"},
                                       {'y', WS_CLASS_MEM, WS_MEMORY_LOAD, "LDG.E.STRONG.SYS"},
                                       {'k', WS_CLASS_MEM, 0, "LDC"},
                                       {'m', WS_CLASS_MEM, 0, "MEMBAR.SC.GPU"},
                                       {'b', WS_CLASS_BARRIER, 0, NULL},
                                       {'j', WS_CLASS_BRANCH, 0, NULL},
                                       {'c', WS_CLASS_BRANCH, 0, "CALL.REL.NOINC"},
                                       {'r', WS_CLASS_BRANCH, 0, "RET.REL.NODEC"},
                                       {'C', WS_CLASS_BRANCH, 0, "call:f"},
                                       {'R', WS_CLASS_BRANCH, 0, "ret"},
                                       {'x', WS_CLASS_EXIT, 0, NULL}};
    size_t k = 0;
    while (kinds[k].kind != kind) k++;
    return &kinds[k];
}

static uint8_t space_of(char kind) {
    if (kind == 'p' || kind == 'q') return WS_SPACE_LOCAL;
    return kind == 'h' || kind == 'e' ? WS_SPACE_SHARED : WS_SPACE_GLOBAL;
}

static ws_static static_of(const generate_inst *i) {
    const coded_kind *kind = kind_of(i->kind);
    ws_static s = {.pc = i->pc, .class_ = kind->class_, .op = kind->op};
    if (s.op) s.space = space_of(i->kind), s.width_B = s.text_width_B = 4;
    if (i->dst) s.dst[s.dst_count++] = i->dst;
    if (i->a) s.src[s.src_count++] = i->a;
    if (i->b) s.src[s.src_count++] = i->b;
    return s;
}

static void code_warp(ws_writer *writer, uint32_t warp, const generate_inst *i) {
    ws_error err = WS_NO_ERROR;
    expect(ws_writer_warp(writer, warp, &err), &err);
    for (; i->kind; i++) {
        uint64_t addresses[32]; /* of active lanes, one after the other */
        for (uint32_t lane = 0, n = 0; lane < 32; lane++)
            if (i->mask >> lane & 1) addresses[n++] = 128 * (uint64_t)i->line + 4 * lane;
        const char letter[2] = {i->kind, 0}, *opcode = kind_of(i->kind)->opcode;
        uint32_t id = intern(writer, static_of(i), opcode ? opcode : letter);
        expect(ws_writer_inst(writer, id, i->mask, addresses, &err), &err);
    }
}

static void code_launch(ws_writer *writer, uint32_t version, uint32_t ctas,
                        const generate_inst *const *warps) {
    ws_error err = WS_NO_ERROR;
    uint32_t count = 0;
    while (warps[count]) count++;
    ws_kernel kernel = {
        .name = "coded", .grid = {ctas, 1, 1}, .block = {count / ctas * 32, 1, 1}, .isa_version = version};
    expect(ws_writer_kernel(writer, &kernel, &err), &err);
    for (uint32_t cta = 0; cta < ctas; cta++) {
        expect(ws_writer_cta(writer, (ws_dim3){cta, 0, 0}, &err), &err);
        for (uint32_t w = 0; w < count / ctas; w++) code_warp(writer, w, *warps++);
    }
}

ws_trace *generate_coded_ctas(const char *isa, uint32_t ctas, const generate_inst *const *warps) {
    ws_writer *writer = begin_isa(isa, 32);
    ws_writer_add_features(writer, WS_FEATURE_REGISTERS);
    code_launch(writer, 0, ctas, warps);
    return end(writer);
}

ws_trace *generate_coded_versions(const char *isa, const uint32_t *versions,
                                  const generate_inst *const *warps) {
    ws_writer *writer = begin_isa(isa, 32);
    ws_writer_add_features(writer, WS_FEATURE_REGISTERS);
    for (; *versions; versions++) code_launch(writer, *versions, 1, warps);
    return end(writer);
}

ws_trace *generate_code(const char *isa, const generate_inst *const *warps) {
    return generate_coded_ctas(isa, 1, warps);
}
