/* The operand values and index loads of the bundled traces, compared with what the instructions, earlier accesses to
 * memory and the host programs' data say they must be. */
#include "warpsweep/trace.h"

#include "../support/every.h"
#include "../support/random.h"
#include "../support/trace.h"
#include "base/array.h"

#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- walking through a trace */

/* One warp instruction with its operands. */
typedef struct execution {
    const ws_trace *trace;
    const ws_kernel *kernel;
    uint32_t cta, warp, static_id;
    const ws_static *s;
    const char *opcode;
    uint64_t mask;
    const uint64_t *addresses;
    uint32_t uniform;
    uint64_t value[WS_OPERANDS_MAX]; /* by operand; valid where the operand is uniform */
} execution;

typedef void visitor(const execution *e, void *context);

static void visit_warp(execution *e, const ws_warp *warp, visitor *visit, void *context) {
    e->warp = warp->id;
    for (uint32_t i = 0; i < warp->inst_count; i++) {
        const uint64_t *value = warp->values + warp->value_at[i];
        e->static_id = warp->static_id[i];
        e->s = &ws_trace_statics(e->trace)[e->static_id];
        e->opcode = ws_trace_opcode(e->trace, e->s->opcode);
        e->mask = warp->mask[i];
        e->addresses = warp->addresses + warp->address_at[i];
        e->uniform = warp->uniform[i];
        for (unsigned o = 0; o < WS_OPERANDS_MAX; o++)
            if (e->uniform >> o & 1) e->value[o] = *value++;
        assert_ptr_equal(value, warp->values + warp->value_at[i + 1]);
        visit(e, context);
    }
}

/* Visits every `step`-th launch, starting with `first`. */
static void visit_launches(const ws_trace *trace, uint32_t first, uint32_t step, visitor *visit,
                           void *context) {
    ws_error err = WS_NO_ERROR;
    ws_reader *reader = ws_reader_new(trace, &err);
    if (!ws_reader_with_values(reader, &err)) fail_msg("%s", err.text);
    for (uint32_t k = first; k <= ws_trace_get_info(trace)->kernel_count; k += step) {
        execution e = {.trace = trace, .kernel = ws_trace_kernel(trace, k)};
        for (e.cta = 0; e.cta < e.kernel->counters.ctas; e.cta++) {
            ws_cta cta;
            if (!ws_reader_cta(reader, k, e.cta, &cta, &err)) fail_msg("%s", err.text);
            for (uint32_t w = 0; w < cta.warp_count; w++) visit_warp(&e, &cta.warps[w], visit, context);
        }
    }
    ws_reader_free(reader);
}

static ws_trace *open_trace(const char *path) {
    ws_trace *trace = trace_open(path);
    assert_true(ws_trace_get_info(trace)->features & WS_FEATURE_VALUES);
    assert_true(ws_trace_get_info(trace)->features & WS_FEATURE_INDEX_FLOW);
    return trace;
}

/* Visits all traces; with sanitizers, each EVERY-th. */
static void visit_all(visitor *visit, void *context) {
    glob_t found;
    assert_int_equal(glob("traces/*.wst", 0, NULL, &found), 0);
    assert_int_equal(glob("traces/*/*.wst", GLOB_APPEND, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i += EVERY) {
        ws_trace *trace = open_trace(found.gl_pathv[i]);
        visit_launches(trace, 1, 1, visit, context);
        ws_trace_close(trace);
    }
    globfree(&found);
}

static unsigned operand_count(const ws_static *s) {
    return s->result_values + s->source_values;
}

static void fail_at(const execution *e, const char *what) {
    fail_msg("%s, kernel %u, CTA %u, warp %u, pc %x (%s): %s", ws_trace_path(e->trace), e->kernel->index,
             e->cta, e->warp, e->s->pc, e->opcode, what);
}

/* ---- instructions */

static double number(uint64_t bits) {
    const uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return (double)value;
}

static uint64_t bits(double value) {
    const float single = (float)value;
    uint32_t word;
    memcpy(&word, &single, sizeof word);
    return word;
}

/* Opcodes that compute() evaluates; operations in upper case work on f32, the others on i32 and i64. */
static const struct {
    const char *name;
    char operation;
} operations[] = {
    {"add", '+'}, {"sub", '-'},  {"mul", '*'},  {"and", '&'},  {"or", '|'},           {"xor", '^'},
    {"shl", '<'}, {"fadd", 'A'}, {"fsub", 'S'}, {"fmul", 'M'}, {"call:fmuladd", 'F'},
};

/* The operation of an opcode like "add.i32", or 0 for opcodes not in the table. */
static char operation_of(const char *opcode) {
    const size_t length = strcspn(opcode, ".");
    const char *type = opcode + length;
    for (size_t i = 0; i < WS_COUNT(operations); i++) {
        const char operation = operations[i].operation;
        const bool is_float = operation >= 'A' && operation <= 'Z';
        if (strlen(operations[i].name) != length || memcmp(operations[i].name, opcode, length) != 0) continue;
        if (is_float ? !strcmp(type, ".f32") : !strcmp(type, ".i32") || !strcmp(type, ".i64"))
            return operation;
    }
    return 0;
}

/* The data are whole numbers small enough for f32 arithmetic to be exact. */
static uint64_t compute(char operation, const uint64_t *x) {
    switch (operation) {
    case '+':
        return x[0] + x[1];
    case '-':
        return x[0] - x[1];
    case '*':
        return x[0] * x[1];
    case '&':
        return x[0] & x[1];
    case '|':
        return x[0] | x[1];
    case '^':
        return x[0] ^ x[1];
    case '<':
        return x[0] << x[1];
    case 'A':
        return bits(number(x[0]) + number(x[1]));
    case 'S':
        return bits(number(x[0]) - number(x[1]));
    case 'M':
        return bits(number(x[0]) * number(x[1]));
    default:
        return bits(number(x[0]) * number(x[1]) + number(x[2]));
    }
}

typedef struct instruction_counts {
    uint64_t computed, all_uniform, broadcasts, thread_ids;
} instruction_counts;

static bool is_one_lane(uint64_t mask) {
    return mask && !(mask & (mask - 1));
}

/* Lanes that load from one address get one value. */
static void check_broadcast(const execution *e, instruction_counts *counts) {
    if (e->s->op != WS_MEMORY_LOAD) return;
    for (int lane = 1; lane < __builtin_popcountll(e->mask); lane++)
        if (e->addresses[lane] != e->addresses[0]) return;
    counts->broadcasts++;
    if (e->uniform != 1) fail_at(e, "one address gives values that differ");
}

/* In a one-dimensional block each thread has an id of its own, while block ids and sizes are the same for all
 * threads. */
static void check_ids(const execution *e, instruction_counts *counts) {
    const bool is_thread =
        strncmp(e->opcode, "call:get_global_id", 18) == 0 || strncmp(e->opcode, "call:get_local_id", 17) == 0;
    const bool is_shared = strncmp(e->opcode, "call:get_group_id", 17) == 0 ||
                           strncmp(e->opcode, "call:get_global_size", 20) == 0;
    if (is_thread && e->kernel->block.y == 1 && !is_one_lane(e->mask)) {
        counts->thread_ids++;
        if (e->uniform) fail_at(e, "threads with one number");
    }
    if (is_shared && e->uniform != 3) fail_at(e, "a block with several numbers");
}

/* If all sources of a computation are uniform, so is its result, and where compute() knows the opcode the result is
 * the computed one. */
static void check_instruction(const execution *e, instruction_counts *counts) {
    const unsigned operands = operand_count(e->s), results = e->s->result_values;
    assert_int_equal(e->uniform >> operands, 0);
    if (e->s->class_ == WS_CLASS_META) assert_int_equal(operands, 0);
    if (is_one_lane(e->mask)) assert_int_equal(e->uniform, (1u << operands) - 1);
    check_broadcast(e, counts);
    check_ids(e, counts);

    const uint32_t sources = ((1u << operands) - 1) >> results << results;
    const bool is_pure =
        e->s->class_ == WS_CLASS_INT || e->s->class_ == WS_CLASS_FP || e->s->class_ == WS_CLASS_SFU;
    if (!is_pure || (e->uniform & sources) != sources) return;
    counts->all_uniform++;
    if (!(e->uniform & 1)) fail_at(e, "equal sources give a result that differs");
    const char operation = operation_of(e->opcode);
    if (!operation) return;
    counts->computed++;
    uint64_t result = compute(operation, e->value + results);
    if (strstr(e->opcode, "32")) result = (uint32_t)result;
    if (e->value[0] != result) fail_at(e, "the result does not follow from the sources");
}

/* ---- memory */

enum { FIRST_ADDRESS = 0x10000000, MEMORY_B = 1 << 25 };

/* The known bytes of global memory. */
typedef struct memory {
    char digest[33]; /* of the trace that the bytes belong to */
    uint8_t byte[MEMORY_B];
    bool known[MEMORY_B];
    uint64_t loads_compared;
} memory;

/* A load returns what the latest load or store said about the address, unless a store of unknown values (those that
 * differ among lanes) came between. Warps of a CTA do not exchange data in global memory, so the order in which they
 * are visited does not matter. */
static void check_access(const execution *e, memory *m) {
    if (e->s->space != WS_SPACE_GLOBAL || e->s->op == WS_MEMORY_NONE) return;
    if (strcmp(m->digest, ws_trace_get_info(e->trace)->digest) != 0) {
        strcpy(m->digest, ws_trace_get_info(e->trace)->digest);
        memset(m->known, 0, sizeof m->known);
    }
    const bool is_load = e->s->op == WS_MEMORY_LOAD, is_known = e->s->op <= WS_MEMORY_STORE && e->uniform & 1;
    bool compared = false;
    if (is_load && !is_known) return;
    for (uint32_t lane = 0; lane < (uint32_t)__builtin_popcountll(e->mask); lane++)
        for (uint64_t b = 0; b < e->s->width_B; b++) {
            const uint64_t at = e->addresses[lane] - FIRST_ADDRESS + b;
            const uint8_t byte = is_known ? (uint8_t)(e->value[0] >> 8 * b) : 0;
            assert_true(at < MEMORY_B);
            if (is_load && m->known[at] && m->byte[at] != byte)
                fail_at(e, "not what was stored or loaded there");
            compared = compared || (is_load && m->known[at]);
            m->byte[at] = byte;
            m->known[at] = is_known;
        }
    m->loads_compared += compared;
}

/* ---- data of the host programs */

typedef struct vector {
    uint64_t address, count, executions;
    float *numbers;
} vector;

/* Draws numbers as the host programs do: whole numbers from -8 to 8. */
static vector draw(const ws_memcpy *copy, uint64_t seed) {
    vector v = {.address = copy->address, .count = copy->bytes / 4};
    v.numbers = calloc(v.count, sizeof *v.numbers);
    for (uint64_t i = 0; i < v.count; i++)
        v.numbers[i] = (float)((random_next(&seed) >> 32) * 17 >> 32) - 8.0F;
    return v;
}

static void check_vector_load(const execution *e, void *context) {
    vector *v = context;
    if (e->s->op != WS_MEMORY_LOAD || e->addresses[0] - v->address >= 4 * v->count) return;
    v->executions++;
    assert_int_equal(e->uniform, 1);
    assert_int_equal(e->value[0], bits((double)v->numbers[(e->addresses[0] - v->address) / 4]));
}

/* In atax_1 all lanes of a warp read the same element of x. */
static void test_data(void **state) {
    (void)state;
    ws_trace *trace = open_trace("traces/atax.wst");
    vector x = draw(ws_trace_memcpy(trace, 1), 2);
    visit_launches(trace, 1, 2, check_vector_load, &x);
    assert_int_equal(x.count, 768);
    assert_int_equal(x.executions, 3840 / 32 * 768);
    free(x.numbers);
    ws_trace_close(trace);
}

/* ---- index loads */

/* The latest index loads of the current warp, and what is known of the accesses that they feed. */
typedef struct index_flow {
    uint32_t kernel, cta, warp;
    struct {
        uint64_t mask, value;
        bool uniform;
    } loaded[64];       /* by pc: the result of the latest load */
    uint64_t base[256]; /* by static id: the address of the indexed array */
    uint32_t followed, accesses;
    uint64_t fed_pcs, feeding_pcs;
} index_flow;

static void check_indirect(const execution *e, void *context) {
    index_flow *flow = context;
    if (flow->kernel != e->kernel->index || flow->cta != e->cta || flow->warp != e->warp)
        memset(flow->loaded, 0, sizeof flow->loaded);
    flow->kernel = e->kernel->index, flow->cta = e->cta, flow->warp = e->warp;
    assert_true(e->s->pc < 64 && e->static_id < 256);
    for (unsigned i = 0; i < e->s->index_count; i++) {
        const uint32_t pc = e->s->index_pc[i];
        flow->fed_pcs |= UINT64_C(1) << e->s->pc;
        flow->feeding_pcs |= UINT64_C(1) << pc;
        flow->accesses++;
        assert_int_equal(flow->loaded[pc].mask & e->mask, e->mask); /* each lane has loaded an index before */
        if (!flow->loaded[pc].uniform) continue;
        flow->followed++;
        const uint64_t base = e->addresses[0] - e->s->width_B * flow->loaded[pc].value;
        if (!flow->base[e->static_id]) flow->base[e->static_id] = base;
        assert_int_equal(flow->base[e->static_id], base);
    }
    if (e->s->op != WS_MEMORY_LOAD) return;
    flow->loaded[e->s->pc].mask = e->mask;
    flow->loaded[e->s->pc].uniform = e->uniform & 1;
    flow->loaded[e->s->pc].value = e->value[0];
}

/* The range of addresses that the only index load of `flow` reads. */
typedef struct reads {
    uint64_t pcs, first, last;
} reads;

static void find_reads(const execution *e, void *context) {
    reads *r = context;
    if (e->s->pc >= 64 || !(r->pcs >> e->s->pc & 1)) return;
    assert_int_equal(e->s->op, WS_MEMORY_LOAD);
    for (uint32_t i = 0; i < (uint32_t)__builtin_popcountll(e->mask); i++) {
        if (e->addresses[i] < r->first) r->first = e->addresses[i];
        if (e->addresses[i] > r->last) r->last = e->addresses[i];
    }
}

/* y[row] += values[i] * x[columns[i]]: only the load of x is indirect; it is fed by the load of columns[i]. */
static void test_index_loads_of_spmv(void **state) {
    (void)state;
    ws_trace *trace = open_trace("traces/spmv.wst");
    index_flow flow = {0};
    visit_launches(trace, 1, 2, check_indirect, &flow);
    assert_int_equal(__builtin_popcountll(flow.fed_pcs), 1);
    assert_int_equal(__builtin_popcountll(flow.feeding_pcs), 1);
    assert_true(flow.followed > 1000 && flow.followed < flow.accesses);
    const ws_memcpy *columns = ws_trace_memcpy(trace, 1), *x = ws_trace_memcpy(trace, 3);
    reads found = {.pcs = flow.feeding_pcs, .first = UINT64_MAX};
    visit_launches(trace, 1, 2, find_reads, &found);
    assert_int_equal(found.first, columns->address);
    assert_int_equal(found.last, columns->address + columns->bytes - 4);
    for (size_t i = 0; i < 256; i++) assert_true(!flow.base[i] || flow.base[i] == x->address);
    ws_trace_close(trace);
}

/* edges[i] feeds the accesses to visited, cost and next in the first kernel; the second kernel has no indirect
 * access. */
static void test_index_loads_of_bfs(void **state) {
    (void)state;
    ws_trace *trace = open_trace("traces/bfs.wst");
    index_flow flow = {0};
    visit_launches(trace, 1, 2, check_indirect, &flow);
    assert_int_equal(__builtin_popcountll(flow.fed_pcs), 3);
    assert_int_equal(__builtin_popcountll(flow.feeding_pcs), 1);
    assert_true(flow.followed > 10000 && flow.followed < flow.accesses);
    const ws_memcpy *edges = ws_trace_memcpy(trace, 1);
    reads found = {.pcs = flow.feeding_pcs, .first = UINT64_MAX};
    visit_launches(trace, 1, 2, find_reads, &found);
    assert_in_range(found.first, edges->address, edges->address + edges->bytes / 100);
    assert_in_range(found.last, edges->address + edges->bytes / 100 * 99, edges->address + edges->bytes - 4);
    uint32_t arrays = 0; /* copies 3, 4, 5 to the device: next, visited, cost */
    for (size_t i = 0; i < 256; i++) {
        if (!flow.base[i]) continue;
        const bool is_known = flow.base[i] == ws_trace_memcpy(trace, 3)->address ||
                              flow.base[i] == ws_trace_memcpy(trace, 4)->address ||
                              flow.base[i] == ws_trace_memcpy(trace, 5)->address;
        assert_true(is_known);
        arrays++;
    }
    assert_int_equal(arrays, 3);
    index_flow second = {0};
    visit_launches(trace, 2, 2, check_indirect, &second);
    assert_int_equal(second.accesses, 0);
    ws_trace_close(trace);
}

/* Adds to `names` the kernels with indirect accesses. */
static void find_indirect(const execution *e, char *names) {
    if (!e->s->index_count || strstr(names, e->kernel->name)) return;
    strcat(names, e->kernel->name);
    strcat(names, " ");
    assert_true(strlen(names) < 200);
    assert_int_not_equal(e->s->op, WS_MEMORY_NONE);
}

/* ---- all traces, in one walk */

typedef struct findings {
    instruction_counts counts;
    memory memory;
    char indirect[256];
} findings;

static void check(const execution *e, void *context) {
    findings *f = context;
    check_instruction(e, &f->counts);
    check_access(e, &f->memory);
    find_indirect(e, f->indirect);
}

static void test_all_traces(void **state) {
    (void)state;
    findings *f = calloc(1, sizeof *f);
    assert_non_null(f);
    strcpy(f->indirect, " ");
    visit_all(check, f);
    if (EVERY == 1) {
        assert_true(f->counts.all_uniform > 2000000);
        assert_true(f->counts.computed > f->counts.all_uniform / 4);
        assert_true(f->counts.broadcasts > 1000000);
        assert_true(f->counts.thread_ids > 10000);
        assert_true(f->memory.loads_compared > 1000000);
        /* All other kernels compute their addresses from thread ids and loop counters. */
        assert_string_equal(f->indirect,
                            " bfs_1 histogram histogram_shared spmv bfs_expand bfs_contract bfs_filter "
                            "pr_contract sssp_expand sssp_compaction sssp_filter ");
    }
    free(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_traces),
        cmocka_unit_test(test_data),
        cmocka_unit_test(test_index_loads_of_spmv),
        cmocka_unit_test(test_index_loads_of_bfs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
