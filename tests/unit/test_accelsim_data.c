/* Real Accel-Sim traces: their published counts, and every instruction compared with what a second, slow reader
 * decodes. Reads $WARPSWEEP_TESTDATA; skipped without it. */
#include "warpsweep/trace.h"

#include "../support/accelsim_sample.h"
#include "../support/accelsim_twin.h"
#include "../support/folder.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Returns the path of a data set, or skips the test if it is missing. The result is one of four rotating buffers. */
static const char *data_path(const char *name) {
    static char paths[4][512];
    static unsigned next;
    char *path = paths[next++ % 4];
    const char *root = getenv("WARPSWEEP_TESTDATA");
    snprintf(path, sizeof paths[0], "%s/%s", root ? root : "", name);
    if (root && access(path, R_OK) == 0) return path;
    print_message("# skipped: $WARPSWEEP_TESTDATA/%s is not there\n", name);
    skip();
    return NULL;
}

static ws_trace *import(const char *source) {
    ws_error err = WS_NO_ERROR;
    const char *out = folder_path("out.wst");
    if (!ws_import(source, out, NULL, &err)) fail_msg("%s", err.text);
    ws_trace *trace = ws_trace_open(out, &err);
    if (!trace || !ws_trace_check(trace, &err)) fail_msg("%s", err.text);
    return trace;
}

/* ---- totals */

enum { UNCOUNTED = -1 };

typedef struct expectation {
    const char *source;
    int64_t kernels, memcpys, ctas, warps, warp_instructions, trace_memory_lines, memory_instructions,
        requests, sectors;
} expectation;

static void check_count(const char *name, int64_t expected, uint64_t found) {
    if (expected != UNCOUNTED && (uint64_t)expected != found)
        fail_msg("%s: expected %lld, found %llu", name, (long long)expected, (unsigned long long)found);
}

static void check_totals(const expectation *e) {
    ws_trace *trace = import(data_path(e->source));
    ws_counters totals = ws_trace_totals(trace);
    check_count("kernels", e->kernels, ws_trace_get_info(trace)->kernel_count);
    check_count("memcpys", e->memcpys, ws_trace_get_info(trace)->memcpy_count);
    check_count("ctas", e->ctas, totals.ctas);
    check_count("warps", e->warps, totals.warps);
    check_count("warp_instructions", e->warp_instructions, totals.warp_instructions);
    check_count("trace_memory_lines", e->trace_memory_lines, totals.trace_memory_lines);
    check_count("memory_instructions", e->memory_instructions, totals.memory_instructions);
    check_count("requests", e->requests, totals.requests);
    check_count("sectors", e->sectors, totals.sectors);
    ws_trace_close(trace);
}

static void bfs_has_the_counts_of_its_manifest(void **state) {
    (void)state;
    check_totals(
        &(expectation){"accelsim/bfs-rodinia-v3", 16, 14, 128, 2048, 159509, 38584, 30949, 69908, 90629});
}

static void mlp_has_the_counts_of_its_manifest(void **state) {
    (void)state;
    check_totals(&(expectation){"accelsim/mlp-train-v5", 33, 5, UNCOUNTED, 1169, 79040, 9745, UNCOUNTED,
                                UNCOUNTED, UNCOUNTED});
}

static void vecadd_of_tracer_1_2_has_the_counts_of_its_manifest(void **state) {
    (void)state;
    check_totals(&(expectation){"accelsim/vecadd-v1.2/GPU_0", 1, 0, 98, 3136, 46941, 9375, UNCOUNTED,
                                UNCOUNTED, UNCOUNTED});
}

/* The expected sectors (reads and writes together) were counted by an independent script. */
static void published_kernels_have_their_counts(void **state) {
    (void)state;
    static const expectation cases[] = {
        {"../reference/traces/atax_kernel1.traceg.xz", 1, 0, 8, 64, 48576, 24640, 24640, UNCOUNTED,
         270592 + 32768},
        {"../reference/traces/syrk.traceg.xz", 1, 0, 32, 256, 119296, 49664, 49664, UNCOUNTED,
         541696 + 66560},
        {"../reference/traces/2DCONV.traceg.xz", 1, 0, 576, 4608, 225000, 45840, 45840, UNCOUNTED,
         190236 + 18336},
        {"../reference/traces/transpose_naive.traceg.xz", 1, 0, 256, 2048, 77824, 16384, 16384, UNCOUNTED,
         32768 + 262144},
        {"../reference/traces/vecadd.traceg.xz", 1, 0, 512, 4096, 106496, 12288, 12288, UNCOUNTED,
         32768 + 16384},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) check_totals(&cases[i]);
}

static void a_list_without_its_files_is_refused(void **state) {
    (void)state;
    ws_error err;
    size_t files = folder_count();
    assert_false(ws_import(data_path("accelsim/list-only"), folder_path("none.wst"), NULL, &err));
    assert_int_equal(err.code, WS_ERROR_IO);
    assert_non_null(strstr(err.text, "accelsim/list-only/kernelslist.g:1: expected the file "));
    assert_non_null(strstr(err.text, "accelsim/list-only/kernel-1-ctx_0x3e293ea0.traceg.xz, found none"));
    assert_int_equal(folder_count(), files);
}

/* ---- the tracer's own statistics */

/* The launch number of a kernel's file in the list, or 0 if it is not listed. */
static uint32_t launch_of(const char *list, const char *name) {
    char line[256];
    uint32_t launch = 0;
    FILE *file = fopen(list, "r");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        launch += strncmp(line, "kernel", 6) == 0;
        if (strcmp(line, name) == 0) {
            fclose(file);
            return launch;
        }
    }
    if (file) fclose(file);
    return 0;
}

/* Checks a row "kernel-1.trace.xz, name, gx, gy, gz, blocks, bx, by, bz, threads, instructions,..". Returns false if
 * the list does not name the file. */
static bool check_stats_row(char *row, const char *list, const ws_trace *trace) {
    char *fields[11] = {0}, name[64];
    const char *suffix = strstr(row, ".trace") + strlen(".trace");
    snprintf(name, sizeof name, "%.*sg%.*s", (int)(suffix - row), row, (int)strcspn(suffix, ","), suffix);
    uint32_t launch = launch_of(list, name);
    if (launch == 0) return false;
    for (int i = 0; i < 11; i++) {
        fields[i] = row;
        row = strstr(row, i < 10 ? ", " : ",");
        assert_non_null(row);
        *row = '\0';
        row += i < 10 ? 2 : 1;
    }
    const ws_kernel *kernel = ws_trace_kernel(trace, launch);
    const uint32_t *dims[] = {&kernel->grid.x,  &kernel->grid.y,  &kernel->grid.z, NULL,
                              &kernel->block.x, &kernel->block.y, &kernel->block.z};
    assert_string_equal(kernel->name, fields[1]);
    for (int i = 0; i < 7; i++)
        if (dims[i]) assert_int_equal(*dims[i], atoi(fields[i + 2]));
    assert_int_equal(kernel->counters.ctas, atoi(fields[5]));
    assert_int_equal(kernel->counters.warp_instructions, atoll(fields[10]));
    return true;
}

static void check_stats(const char *set, unsigned launches) {
    char name[128], list[512], *row = NULL;
    size_t room = 0;
    unsigned count = 0;
    snprintf(name, sizeof name, "accelsim/%s/kernelslist.g", set);
    snprintf(list, sizeof list, "%s", data_path(name));
    snprintf(name, sizeof name, "accelsim/%s/stats.csv", set);
    FILE *stats = fopen(data_path(name), "r");
    ws_trace *trace = import(list);
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, launches);
    assert_true(getline(&row, &room, stats) > 0); /* the header row */
    while (getline(&row, &room, stats) > 0) count += check_stats_row(row, list, trace);
    assert_int_equal(count, launches);
    ws_trace_close(trace);
    fclose(stats);
    free(row);
}

/* These sets contain no LDGSTS, which the tracer counts twice. */
static void counts_agree_with_the_tracers_own(void **state) {
    (void)state;
    check_stats("pytorch-step-v5-xz", 114);
    check_stats("flashinfer-gemm-v5-xz", 8);
    check_stats("matmul-v4", 1);
}

/* ---- every instruction */

/* Walks an imported trace instruction by instruction. */
typedef struct walk {
    ws_trace *trace;
    ws_reader *reader;
    uint32_t kernel, ordinal, warp, inst;
    ws_cta cta;
    uint64_t count;
} walk;

static void walk_begin(walk *w, const char *source) {
    ws_error err;
    *w = (walk){.trace = import(source)};
    w->reader = ws_reader_new(w->trace, &err);
    assert_non_null(w->reader);
}

static void walk_end(walk *w) {
    assert_int_equal(w->count, ws_trace_totals(w->trace).warp_instructions);
    ws_reader_free(w->reader);
    ws_trace_close(w->trace);
}

/* Moves to the next instruction. Before the first one, the walk stands in an empty CTA. */
static void walk_next(walk *w) {
    ws_error err;
    w->inst++;
    while (w->warp >= w->cta.warp_count || w->inst >= w->cta.warps[w->warp].inst_count) {
        w->inst = 0;
        if (++w->warp < w->cta.warp_count) continue;
        w->warp = 0;
        bool fresh = w->kernel == 0 || ++w->ordinal >= ws_trace_kernel(w->trace, w->kernel)->counters.ctas;
        if (fresh) {
            w->ordinal = 0;
            assert_true(++w->kernel <= ws_trace_get_info(w->trace)->kernel_count);
        }
        if (!ws_reader_cta(w->reader, w->kernel, w->ordinal, &w->cta, &err)) fail_msg("%s", err.text);
    }
    w->count++;
}

/* Checks the decoded class of the data sets' opcodes against a table of opcode prefixes. */
static void check_opcode(const ws_static *s, const twin_inst *t) {
    static const struct {
        const char *start;
        ws_memory_op op;
        ws_space space;
    } known[] = {{"LDG", WS_MEMORY_LOAD, WS_SPACE_GLOBAL}, {"STG", WS_MEMORY_STORE, WS_SPACE_GLOBAL},
                 {"LDS", WS_MEMORY_LOAD, WS_SPACE_SHARED}, {"STS", WS_MEMORY_STORE, WS_SPACE_SHARED},
                 {"LDL", WS_MEMORY_LOAD, WS_SPACE_LOCAL},  {"STL", WS_MEMORY_STORE, WS_SPACE_LOCAL}};
    ws_memory_op op = WS_MEMORY_NONE;
    ws_space space = WS_SPACE_NONE;
    for (size_t i = 0; t->width && i < WS_COUNT(known); i++)
        if (strncmp(t->opcode, known[i].start, 3) == 0) {
            op = known[i].op;
            space = known[i].space;
        }
    assert_int_equal(s->op, op);
    assert_int_equal(s->space, space);
    assert_int_equal(s->class_ == WS_CLASS_EXIT, strcmp(t->opcode, "EXIT") == 0);
    assert_int_equal(s->class_ == WS_CLASS_BARRIER, strncmp(t->opcode, "BAR.", 4) == 0);
    if (op) assert_int_equal(s->class_, WS_CLASS_MEM);
}

static void check_registers(const uint16_t *ours, unsigned count, const int *theirs, int their_count) {
    assert_int_equal(count, their_count);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(ours[i], theirs[i] == 255 ? WS_REGISTER_ZERO : theirs[i]);
}

static void check_inst(void *context, const twin_inst *t) {
    walk *w = context;
    walk_next(w);
    const ws_warp *warp = &w->cta.warps[w->warp];
    const ws_static *s = &ws_trace_statics(w->trace)[warp->static_id[w->inst]];
    const uint64_t *address = warp->addresses + warp->address_at[w->inst];
    assert_true(w->cta.id.x == t->x && w->cta.id.y == t->y && w->cta.id.z == t->z && warp->id == t->warp);
    assert_int_equal(warp->mask[w->inst], t->mask);
    assert_int_equal(s->pc, t->pc);
    assert_int_equal(s->immediate, t->immediate);
    assert_int_equal(s->source_line, t->source_line);
    assert_string_equal(ws_trace_opcode(w->trace, s->opcode), t->opcode);
    check_registers(s->dst, s->dst_count, t->dst, t->dst_count);
    check_registers(s->src, s->src_count, t->src, t->src_count);
    check_opcode(s, t);
    assert_int_equal(s->width_B, t->width);
    assert_int_equal(s->text_width_B, t->width);
    for (int lane = 0; t->width && lane < 32; lane++)
        if (t->mask >> lane & 1) assert_int_equal(*address++, t->address[lane]);
    assert_ptr_equal(address, warp->addresses + warp->address_at[w->inst + 1]);
}

/* Compares all files of a list, in its order, with the slow reader. */
static void check_list(const char *set) {
    char name[384], list[512], line[256];
    walk w;
    snprintf(name, sizeof name, "accelsim/%s/kernelslist.g", set);
    snprintf(list, sizeof list, "%s", data_path(name));
    walk_begin(&w, list);
    FILE *file = fopen(list, "r");
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (strncmp(line, "kernel", 6) != 0) continue;
        snprintf(name, sizeof name, "accelsim/%s/%s", set, line);
        twin_read(data_path(name), false, check_inst, &w);
    }
    fclose(file);
    walk_end(&w);
}

static void bfs_is_decoded_as_by_the_twin(void **state) {
    (void)state;
    check_list("bfs-rodinia-v3");
}

static void mlp_is_decoded_as_by_the_twin(void **state) {
    (void)state;
    check_list("mlp-train-v5");
}

static void pytorch_is_decoded_as_by_the_twin(void **state) {
    (void)state;
    check_list("pytorch-step-v5-xz");
}

static void flashinfer_is_decoded_as_by_the_twin(void **state) {
    (void)state;
    check_list("flashinfer-gemm-v5-xz");
}

static void matmul_is_decoded_as_by_the_twin(void **state) {
    (void)state;
    check_list("matmul-v4");
}

static void vecadd_is_decoded_as_by_the_twin(void **state) {
    (void)state;
    check_list("vecadd-v1.2/GPU_0");
}

static void syrk_is_decoded_as_by_the_twin(void **state) {
    (void)state;
    static const char name[] = "../reference/traces/syrk.traceg.xz";
    walk w;
    walk_begin(&w, data_path(name));
    twin_read(data_path(name), false, check_inst, &w);
    walk_end(&w);
}

/* ---- raw and grouped */

typedef struct raw_inst {
    twin_inst inst;
    size_t number; /* line number in the file */
} raw_inst;

typedef struct raw_trace {
    raw_inst *insts;
    size_t count, room;
} raw_trace;

static void collect(void *context, const twin_inst *t) {
    raw_trace *raw = context;
    if (raw->count == raw->room) {
        raw->room = raw->room ? raw->room * 2 : 1024;
        raw->insts = realloc(raw->insts, raw->room * sizeof *raw->insts);
        assert_non_null(raw->insts);
    }
    raw->insts[raw->count] = (raw_inst){*t, raw->count};
    raw->count++;
}

static uint64_t place(const twin_inst *t) {
    return (uint64_t)t->z << 48 | (uint64_t)t->y << 32 | (uint64_t)t->x << 16 | t->warp;
}

static int by_place_and_number(const void *a, const void *b) {
    const raw_inst *one = a, *two = b;
    uint64_t first = place(&one->inst), second = place(&two->inst);
    if (first == second) return (one->number > two->number) - (one->number < two->number);
    return first < second ? -1 : 1;
}

/* The raw trace, grouped by CTA and warp here, equals the .traceg that Accel-Sim's own tools made of it. */
static void raw_and_grouped_traces_tell_the_same(void **state) {
    (void)state;
    static const char *const names[] = {"kernel-21720", "kernel-28498", "kernel-28505"};
    for (size_t i = 0; i < WS_COUNT(names); i++) {
        char name[128];
        raw_trace raw = {0};
        walk w;
        snprintf(name, sizeof name, "accelsim/opacus-raw-grouped-v3/%s.traceg", names[i]);
        walk_begin(&w, data_path(name));
        snprintf(name, sizeof name, "accelsim/opacus-raw-grouped-v3/%s.trace", names[i]);
        twin_read(data_path(name), true, collect, &raw);
        qsort(raw.insts, raw.count, sizeof *raw.insts, by_place_and_number);
        for (size_t k = 0; k < raw.count; k++) check_inst(&w, &raw.insts[k].inst);
        walk_end(&w);
        free(raw.insts);
    }
}

/* Importing raw files gives the same trace as importing the grouped ones, with the counts that their tracers
 * printed. */
static void raw_files_are_grouped(void **state) {
    (void)state;
    static const char *const names[] = {"kernel-21720", "kernel-28498", "kernel-28505"};
    for (size_t i = 0; i < WS_COUNT(names); i++) {
        char raw[128], grouped[128];
        snprintf(raw, sizeof raw, "accelsim/opacus-raw-grouped-v3/%s.trace", names[i]);
        snprintf(grouped, sizeof grouped, "accelsim/opacus-raw-grouped-v3/%s.traceg", names[i]);
        ws_trace *one = sample_import_good(data_path(raw), NULL);
        sample_assert_same(one, sample_import_good(data_path(grouped), NULL));
    }
    static const char *const vecadds[] = {"accelsim/vecadd-raw-v3/kernelslist",
                                          "accelsim/vecadd-lineinfo-raw-v5/kernel-1-ctx_0x1868c30.trace"};
    ws_trace *traces[2];
    for (int i = 0; i < 2; i++) traces[i] = sample_import_good(data_path(vecadds[i]), NULL);
    ws_counters totals = ws_trace_totals(traces[0]);
    assert_int_equal(totals.warp_instructions, 71974);
    assert_int_equal(totals.trace_memory_lines, 9375);
    assert_int_equal(totals.warps, 3136);
    assert_int_equal(ws_trace_totals(traces[1]).warp_instructions, 46941);
    assert_true(ws_trace_get_info(traces[1])->features & WS_FEATURE_SOURCE_LINE);
    assert_false(ws_trace_get_info(traces[0])->features & WS_FEATURE_SOURCE_LINE);
    for (int i = 0; i < 2; i++) ws_trace_close(traces[i]);
}

/* ---- the same program under another tracer, which writes a file for each CTA and a record for each memory
 * instruction, with the addresses of all lanes whatever their predicate */

typedef struct tally {
    uint64_t records, lanes;
} tally;

static tally tally_of_file(const char *path) {
    tally t = {0};
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("%s cannot be read", path);
    while (getline(&line, &room, file) > 0) {
        t.records += strncmp(line, "=====", 5) == 0;
        for (const char *at = line; (at = strstr(at, " 0x")); at++) t.lanes++;
    }
    free(line);
    fclose(file);
    return t;
}

static tally tally_of_cta(const ws_trace *trace, const ws_cta *cta) {
    tally t = {0};
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        const ws_warp *warp = &cta->warps[w];
        t.lanes += warp->address_at[warp->inst_count];
        for (uint32_t i = 0; i < warp->inst_count; i++)
            t.records += ws_trace_statics(trace)[warp->static_id[i]].op != WS_MEMORY_NONE;
    }
    return t;
}

static void bfs_agrees_with_another_tracer(void **state) {
    (void)state;
    static const uint32_t kernels[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    const char *root = data_path("other/ppt-gpu-bfs/memory_traces");
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = import(data_path("accelsim/bfs-rodinia-v3"));
    ws_reader *reader = ws_reader_new(trace, &err);
    for (size_t k = 0; k < WS_COUNT(kernels); k++) {
        tally all = {0};
        for (uint32_t c = 0; c < ws_trace_kernel(trace, kernels[k])->counters.ctas; c++) {
            char path[600];
            ws_cta cta;
            assert_true(ws_reader_cta(reader, kernels[k], c, &cta, &err));
            snprintf(path, sizeof path, "%s/kernel_%u_block_%u.mem", root, kernels[k], cta.id.x);
            const tally ours = tally_of_cta(trace, &cta), theirs = tally_of_file(path);
            assert_int_equal(ours.records, theirs.records);
            assert_true(ours.lanes <= theirs.lanes);
            /* no access of these kernels is predicated */
            if (kernels[k] <= 2) assert_int_equal(ours.lanes, theirs.lanes);
            all.records += ours.records, all.lanes += ours.lanes;
        }
        assert_int_equal(all.records, ws_trace_kernel(trace, kernels[k])->counters.trace_memory_lines);
        if (kernels[k] <= 2) assert_int_equal(all.lanes, kernels[k] == 1 ? 4169 : 4136);
    }
    ws_reader_free(reader);
    ws_trace_close(trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bfs_has_the_counts_of_its_manifest),
        cmocka_unit_test(mlp_has_the_counts_of_its_manifest),
        cmocka_unit_test(vecadd_of_tracer_1_2_has_the_counts_of_its_manifest),
        cmocka_unit_test(published_kernels_have_their_counts),
        cmocka_unit_test(a_list_without_its_files_is_refused),
        cmocka_unit_test(counts_agree_with_the_tracers_own),
        cmocka_unit_test(bfs_is_decoded_as_by_the_twin),
        cmocka_unit_test(bfs_agrees_with_another_tracer),
        cmocka_unit_test(mlp_is_decoded_as_by_the_twin),
        cmocka_unit_test(pytorch_is_decoded_as_by_the_twin),
        cmocka_unit_test(flashinfer_is_decoded_as_by_the_twin),
        cmocka_unit_test(matmul_is_decoded_as_by_the_twin),
        cmocka_unit_test(vecadd_is_decoded_as_by_the_twin),
        cmocka_unit_test(syrk_is_decoded_as_by_the_twin),
        cmocka_unit_test(raw_and_grouped_traces_tell_the_same),
        cmocka_unit_test(raw_files_are_grouped),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
