/* Each allocation of a timed replay fails in turn, and of opening a trace, of loading a specification, of commands, of
 * queries and of a page: every time the error says so or the result is whole, and nothing crashes or leaks. */
#include "../support/folder.h"
#include "../support/forest.h"
#include "../support/generate.h"
#include "../support/mechanism_run.h"
#include "base/array.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/run/programs.h"
#include "report/figure/filtered.h"
#include "report/figure/renamed.h"
#include "store/sqlite.h"
#include "sweep/grid/baselines.h"
#include "warpsweep/report.h"

#include <errno.h>
#include <jansson.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- what the linker puts in place of the allocator (--wrap); main() gives it to libraries */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t size);

static uint64_t allocations, failing; /* since attempt() began; number of the one that fails, 0: none */

static bool only_json; /* other allocations do not count */

static bool fails(bool json) {
    if ((only_json && !json) || ++allocations != failing) return false;
    errno = ENOMEM;
    return true;
}

void *__wrap_malloc(size_t size) {
    return fails(false) ? NULL : __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size) {
    return fails(false) ? NULL : __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t size) {
    return fails(false) ? NULL : __real_realloc(old, size);
}
void *__wrap_aligned_alloc(size_t align, size_t size) {
    return fails(false) ? NULL : __real_aligned_alloc(align, size);
}
char *__wrap_strdup(const char *text) {
    return fails(false) ? NULL : __real_strdup(text);
}
char *__wrap_strndup(const char *text, size_t size) {
    return fails(false) ? NULL : __real_strndup(text, size);
}

/* ---- */

/* What is tried: it writes the same each time, or fails with an error. */
typedef bool work(const void *context, FILE *out, ws_error *err);

/* Does the work while allocation number `fail` fails. Returns what it wrote, which the caller frees; NULL with an
 * error. */
static char *attempt(work *w, const void *context, uint64_t fail, ws_error *err) {
    char *written = NULL;
    size_t size;
    FILE *out = open_memstream(&written, &size);
    assert_non_null(out);
    *err = WS_NO_ERROR;
    allocations = 0;
    failing = fail;
    bool done = w(context, out, err);
    failing = 0;
    fclose(out);
    if (done) return written;
    free(written);
    return NULL;
}

/* The store passes SQLite's words on, others those of the system. */
static bool is_of_memory(const ws_error *err) {
    return err->code == WS_ERROR_MEMORY ||
           (err->code == WS_ERROR_DATABASE && strstr(err->text, "out of memory")) ||
           (err->code == WS_ERROR_IO && strstr(err->text, strerror(ENOMEM)));
}

/* Lets each allocation of the work fail in turn, of many only `most`, at equal distances. */
static void fail_each(const char *what, work *w, const void *context, uint64_t most) {
    ws_error err;
    char *whole = attempt(w, context, 0, &err);
    if (!whole) fail_msg("%s: %s", what, err.text);
    const uint64_t count = allocations, step = count / most + 1;
    assert_true(count > 20);
    for (uint64_t i = 1; i <= count; i += step) {
        char *written = attempt(w, context, i, &err);
        if (!written && !is_of_memory(&err))
            fail_msg("%s: allocation %llu: %s", what, (unsigned long long)i, err.text);
        if (written && strcmp(written, whole) != 0)
            fail_msg("%s: allocation %llu: no error, but other output: %s", what, (unsigned long long)i,
                     written);
        free(written);
    }
    free(whole);
}

/* ---- a timed replay */

typedef struct replay {
    const ws_trace *trace;
    const ws_config *config;
} replay;

/* Runs one launch on a new GPU. */
static bool run(const void *context, FILE *out, ws_error *err) {
    const replay *r = context;
    ws_timed_counters counters;
    ws_timed *timed = ws_timed_new(r->trace, r->config, err);
    bool ok = timed && ws_timed_run(timed, 1, &counters, err);
    if (ok) fprintf(out, "%llu cycles", (unsigned long long)counters.cycles);
    ws_timed_free(timed);
    return ok;
}

static void fail_each_of_run(const ws_trace *trace, const char *settings) {
    ws_config *config = mechanism_config(settings);
    fail_each(settings, run, &(replay){trace, config}, UINT64_MAX - 1);
    ws_config_free(config);
}

/* Mechanisms run with their defaults, but for those that are turned on here. The reorder unit has a test of its own. */
static void each_allocation_fails(void **state) {
    (void)state;
    static const char *const settings[] = {"gpu.clusters=1,gpu.sms_per_cluster=2,mechanism.cluster=icc",
                                           "gpu.clusters=3,mechanism.fetch=coarse,coarse.lines=4",
                                           "gpu.clusters=2,mechanism.front=mrpb,limit.warp_instructions=9",
                                           ("gpu.clusters=2,mechanism.core=ilp,ilp.prediction=gshare,"
                                            "core.dependences=one_in_flight"),
                                           "gpu.clusters=1,l1.banks=4,l1.bank_by=set,core.coalescers=2"};
    ws_trace *trace = generate_random(2, 32);
    for (size_t i = 0; i < WS_COUNT(settings); i++) fail_each_of_run(trace, settings[i]);
    for (const ws_mechanism *const *m = ws_mechanisms(); *m; m++) {
        char on[64], defaults[128];
        snprintf(on, sizeof on, "%s=%s", ws_mechanism_switch(*m)->name, (*m)->name);
        size_t i = 0;
        while (i < WS_COUNT(settings) && !strstr(settings[i], on)) i++;
        snprintf(defaults, sizeof defaults, "gpu.clusters=2,%s", on);
        if (i == WS_COUNT(settings) && !(*m)->partition) fail_each_of_run(trace, defaults);
    }
    ws_trace_close(trace);
}

/* The tables that hold the instructions of a block grow with their number, and each growth can fail. */
static void many_instructions(void **state) {
    (void)state;
    enum { MANY = 300 };
    generate_inst code[MANY + 1] = {{.kind = 0}};
    for (uint32_t i = 0; i < MANY; i++) code[i] = (generate_inst){.pc = i, .mask = UINT32_MAX, .kind = 'i'};
    ws_trace *trace = generate_code("llvm", (const generate_inst *const[]){code, NULL});
    fail_each_of_run(trace, "gpu.clusters=1");
    ws_trace_close(trace);
}

/* A warp loads indices and then the elements they lead to, so that the reorder unit has something to do. */
static void the_reorder_unit(void **state) {
    (void)state;
    static const generate_inst code[] = {
        {.pc = 1, .mask = UINT32_MAX, .kind = 'l', .dst = 1, .line = 3},
        {.pc = 2, .mask = UINT32_MAX, .kind = 'l', .dst = 2, .a = 1, .line = 5},
        {.kind = 0}};
    const char *settings =
        "gpu.clusters=1,mechanism.partition=reorder,reorder.index_pc=1,reorder.access_pc=2";
    ws_trace *trace = generate_code("llvm", (const generate_inst *const[]){code, NULL});
    assert_int_equal(mechanism_run(trace, 1, settings).counts[0], 1); /* request */
    fail_each_of_run(trace, settings);
    ws_trace_close(trace);
}

/* ---- traces */

/* Opens the trace of this path. */
static bool open_trace(const void *path, FILE *out, ws_error *err) {
    ws_trace *trace = ws_trace_open(path, err);
    if (trace) fprintf(out, "%s", ws_trace_kernel(trace, 1)->short_name);
    ws_trace_close(trace);
    return trace != NULL;
}

static void opening(void **state) {
    (void)state;
    fail_each("open", open_trace, "traces/bfs.wst", UINT64_MAX - 1);
}

/* ---- specifications */

/* Reads a specification, and which of its points are compared. */
static bool load_spec(const void *path, FILE *out, ws_error *err) {
    ws_spec *spec = ws_spec_load(path, ws_analyses(), NULL, err);
    ws_grid *grid = spec ? ws_grid_new(spec, err) : NULL;
    if (grid)
        fprintf(out, "%s %zu %zu %zu %zu", spec->name, spec->derived_count, spec->gpu_count, grid->count,
                (size_t)grid->outside);
    for (size_t i = 0; grid && i < spec->axis_count; i++)
        fprintf(out, "; %s %zu %d %d", spec->axes[i].name, json_array_size(spec->axes[i].values),
                spec->axes[i].baseline != NULL, ws_grid_compares_equals(spec, grid, i));
    const bool done = grid != NULL;
    ws_grid_free(grid);
    ws_spec_free(spec);
    return done;
}

static void loading(void **state) {
    (void)state;
    static const char *const texts[] = {
        "{\"name\": \"s\", \"description\": \"words\", \"traces\": [\"a.wst\"], \"kernels\": \"1-3\", "
        "\"analysis\": \"window\", \"base\": {\"limit.ctas\": 9}, "
        "\"axes\": {\"window.kind\": [\"fifo\", \"sliding\"], \"window.size\": {\"range\": [1, 9, 2]}}, "
        "\"derived\": {\"window.scope\": \"'sm'\"}, \"where\": \"window_size > 0\"}",
        "{\"name\": \"s\", \"traces\": [\"a.wst\"], \"analysis\": \"timed\", "
        "\"axes\": {\"mechanism.front\": [\"none\", \"mrpb\"], \"l2.latency\": [100, 200], \"zip\": "
        "{\"l1.ways\": [4, 4, 8], \"l1.size_B\": [16384, 16384, 32768]}}, \"baseline\": {\"l1.ways\": 8}}"};
    char path[200];
    for (size_t i = 0; i < WS_COUNT(texts); i++) {
        snprintf(path, sizeof path, "%s", folder_write_text("spec.json", texts[i]));
        fail_each("spec", load_spec, path, 2000);
    }
}

/* ---- commands */

/* Runs a command, given as its name and its words up to a NULL. */
static bool run_command(const void *context, FILE *out, ws_error *err) {
    const char *const *words = context;
    char *argv[12] = {(char *)(uintptr_t) "warpsweep"};
    int argc = 1, status = 0;
    for (; words[argc - 1]; argc++) argv[argc] = (char *)(uintptr_t)words[argc - 1];
    const cli_command *command = cli_command_find(words[0], err);
    static cli_args args;
    args = (cli_args){0};
    FILE *terminal = stdout;
    stdout = out;
    if (command && cli_parse(command, argc, argv, &args, err)) status = command->run(&args, err);
    if (err->code == WS_ERROR_NONE) cli_flush_output(err);
    stdout = terminal;
    return err->code == WS_ERROR_NONE && status == 0;
}

typedef struct programs {
    const ws_trace *trace;
    const char *with;
    const ws_config *config;
} programs;

/* Runs two programs, and prints what they did as JSON. */
static bool run_programs(const void *context, FILE *out, ws_error *err) {
    const programs *p = context;
    FILE *terminal = stdout;
    stdout = out;
    bool ok = cli_run_programs(p->trace, p->with, "gpu", p->config, true, err) && cli_flush_output(err);
    stdout = terminal;
    return ok;
}

/* The path of a trace of few loads. */
static const char *small_trace(void) {
    static char path[200];
    ws_error err;
    snprintf(path, sizeof path, "%s", folder_path("small.wst"));
    const char *text = folder_write_text("small.csv", "address\n0\n4\n8\n4096\n8192\n");
    char *told = attempt(run_command, (const char *[]){"import", text, "-o", path, NULL}, 0, &err);
    if (!told) fail_msg("%s", err.text);
    free(told);
    return path;
}

/* A GPU of the user's. */
static void explaining_a_gpu(void **state) {
    (void)state;
    static const char text[] =
        "{\"name\": \"own\", \"summary\": \"a GPU of one's own\", \"parameters\": {\"l2.latency\": "
        "{\"value\": 12, \"source\": \"measured\"}, \"dram.core_MHz\": {\"value\": 712.5, \"source\": "
        "\"s\"}}}";
    const char *path = folder_write_text("own.json", text);
    fail_each("help", run_command, (const char *[]){"help", path, NULL}, UINT64_MAX - 1);
}

static void commands(void **state) {
    (void)state;
    const char *path = small_trace();
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = ws_trace_open(path, &err);
    ws_config *config = mechanism_config("gpu.clusters=1,mechanism.front=mrpb");
    fail_each("check", run_command, (const char *[]){"check", path, NULL}, UINT64_MAX - 1);
    fail_each("info", run_command, (const char *[]){"info", path, NULL}, UINT64_MAX - 1);
    fail_each("info", run_command, (const char *[]){"info", path, "--json", NULL}, UINT64_MAX - 1);
    fail_each("run", run_command, (const char *[]){"run", path, "--json", "--hotspots", "3", NULL}, 1000);
    fail_each("run --set", run_command,
              (const char *[]){"run", path, "--concurrent", "--set", "l2.latency=99,l1.write=evict", NULL},
              1000);
    fail_each("run --with", run_programs, &(programs){trace, path, config}, 1000);
    ws_config_free(config);
    ws_trace_close(trace);
}

/* ---- a results database */

typedef struct question {
    ws_store *store;
    const char *sql; /* NULL: the whole page */
    ws_query_format format;
} question;

static bool ask(const void *context, FILE *out, ws_error *err) {
    const question *q = context;
    return q->sql ? ws_query(q->store, q->sql, q->format, 0, out, err)
                  : ws_report(q->store, "page", NULL, out, NULL, NULL, err);
}

/* The command that sweeps two axes, one of which is compared. */
static const char *const *small_sweep(void) {
    static const char spec[] =
        "{\"name\": \"s\", \"traces\": \"%s\", \"analysis\": \"timed\", \"base\": {\"gpu.clusters\": 1}, "
        "\"axes\": {\"mechanism.front\": [\"none\", \"mrpb\"], \"l2.latency\": [100, 200, 300]}}";
    static char db[200], path[200];
    static const char *const words[] = {"sweep", path, "--db", db, "-j", "1", NULL};
    char text[1000];
    snprintf(text, sizeof text, spec, small_trace());
    snprintf(path, sizeof path, "%s", folder_write_text("s.json", text));
    snprintf(db, sizeof db, "%s", folder_path("s.db"));
    return words;
}

/* Runs a command that has to succeed. */
static void must_run(const char *const *words) {
    ws_error err;
    char *told = attempt(run_command, words, 0, &err);
    if (!told) fail_msg("%s", err.text);
    free(told);
}

/* The database of that sweep. */
static ws_store *small_results(void) {
    const char *const *words = small_sweep();
    ws_error err = WS_NO_ERROR;
    must_run(words);
    ws_store *store = ws_store_open_readonly(words[3], &err);
    if (!store) fail_msg("%s", err.text);
    return store;
}

/* Records a run and a sweep, and asks what the database says of them. */
static bool record(const void *context, FILE *out, ws_error *err) {
    static const char *const axes[] = {"tree.height", "tree.slope", NULL}, *const at[] = {"tree.slope", NULL};
    static const char *const argv[] = {"warpsweep", "sweep", "s.json", NULL};
    static const char what[] =
        "SELECT axes, baseline, compared_at, argv, libraries, (SELECT group_concat(sql) FROM sqlite_schema) "
        "FROM sweep, run WHERE argv <> '[]'";
    ws_store *store = ((const question *)(uintptr_t)context)->store;
    json_t *one = json_integer(1);
    const ws_baseline_axis baseline[] = {{"tree.height", one}, {NULL, NULL}};
    const ws_sweep_row sweep = {.name = "heights", .axes = axes, .baseline = baseline, .compared_at = at};
    const ws_run_row row = {"heights", "s.json", "{}", argv, 1};
    const bool done = (one || ws_no_memory(err)) && ws_store_begin(store, err) &&
                      ws_store_begin_run(store, &row, err) && ws_store_sweep(store, &sweep, err) &&
                      ws_query(store, what, WS_QUERY_CSV, 0, out, err);
    sqlite3_exec(ws_store_sqlite(store), "ROLLBACK", NULL, NULL, NULL);
    json_decref(one);
    return done;
}

static void recording(void **state) {
    (void)state;
    static const ws_ratio growth[] = {{"growth", "", "1.0 * this.leaves / base.leaves", "of leaves"}};
    static const ws_table against = {"growth", "trees and the first", NULL, 0, growth, 1};
    static const ws_experiment compared = {.name = "forest",
                                           .summary = "trees",
                                           .source = "a book",
                                           .version = 3,
                                           .components = forest_components,
                                           .component_count = 1,
                                           .tables = forest_tables,
                                           .comparison = &against};
    ws_store *store = forest_open("forest.db");
    forest_describe(store, &compared);
    fail_each("record", record, &(question){.store = store}, 300);
    only_json = true;
    fail_each("record", record, &(question){.store = store}, UINT64_MAX - 1);
    only_json = false;
    ws_store_close(store);
}

/* Opens a database by the first call of SQLite in a program: that is what allocates most. */
static bool open_store(const void *path, FILE *out, ws_error *err) {
    sqlite3_shutdown();
    ws_store *store = ws_store_open_readonly(path, err);
    if (store) fprintf(out, "opened");
    ws_store_close(store);
    return store != NULL;
}

static void opening_a_database(void **state) {
    (void)state;
    char path[200];
    snprintf(path, sizeof path, "%s", folder_path("grown.db"));
    ws_store_close(forest_open("grown.db"));
    fail_each("database", open_store, path, UINT64_MAX - 1);
}

static void characteristics(void **state) {
    (void)state;
    static const char text[] =
        "{\"parts\": [{\"sweep\": {\"name\": \"c\", \"analysis\": \"window\"}, \"measures\": ["
        "{\"name\": \"r\", \"label\": \"r\", \"as\": \"number\", \"value\": \"min(requests)\", \"note\": "
        "\"'n'\"}, "
        "{\"name\": \"s\", \"label\": \"s\", \"as\": \"shares\", \"value\": \"json_object('x', 0.5)\"}, "
        "{\"name\": \"u\", \"label\": \"u\", \"as\": \"text\", \"value\": \"NULL\", \"unknown\": "
        "\"why\"}]}]}";
    char trace[200], db[200];
    snprintf(trace, sizeof trace, "%s", small_trace());
    snprintf(db, sizeof db, "%s", folder_path("c.db"));
    folder_write_text("characterize.json", text);
    setenv("WARPSWEEP_SWEEPS", folder_path("."), 1);
    const char *const words[] = {"characterize", trace, "traces/reduction.wst", "--db", db, NULL};
    must_run(words);
    only_json = true;
    fail_each("characterize", run_command, words, 200);
    only_json = false;
}

static void queries(void **state) {
    (void)state;
    static const char rows[] = "SELECT *, X'0aff' AS blob FROM s_by_kernel; -- the end",
                      means[] =
                          "SELECT spearman(cycles, l2_latency), pearson(cycles, l2_latency), median(cycles), "
                          "geomean_low(cycles) FROM s_by_kernel";
    ws_store *store = small_results();
    for (ws_query_format format = WS_QUERY_TABLE; format <= WS_QUERY_HTML; format++) {
        fail_each("rows", ask, &(question){store, rows, format}, 100);
        fail_each("means", ask, &(question){store, means, format}, 100);
    }
    ws_store_close(store);
}

static void the_page(void **state) {
    (void)state;
    ws_store *store = small_results();
    fail_each("report", ask, &(question){store, NULL, WS_QUERY_HTML}, 60);
    ws_store_close(store);
}

/* A refusal is as good as an answer, if it is the same each time. */
static bool told(bool done, FILE *out, ws_error *err) {
    if (done || err->code != WS_ERROR_USAGE) return done;
    fputs(err->text, out);
    *err = WS_NO_ERROR;
    return true;
}

typedef struct renaming {
    ws_store *store;
    const char *sql, *sweep;
} renaming;

/* Drops what was made; that takes part no more. */
static void drop_views(ws_store *store) {
    failing = 0;
    const int code =
        sqlite3_exec(ws_store_sqlite(store), "DROP VIEW IF EXISTS temp.other_by_kernel", NULL, NULL, NULL);
    assert_int_equal(code, SQLITE_OK);
}

/* Reads the views of `sweep` by the name that the query asks for. */
static bool rename_sweep(const void *context, FILE *out, ws_error *err) {
    const renaming *r = context;
    char *named = NULL;
    bool done = ws_rename_sweep(r->store, r->sql, r->sweep, &named, err) &&
                ws_query(r->store, r->sql, WS_QUERY_CSV, 0, out, err);
    if (done) fprintf(out, "%s", named ? named : "itself");
    free(named);
    drop_views(r->store);
    return told(done, out, err);
}

static int drop_view(void *store, int columns, char **names, char **titles) {
    (void)columns, (void)titles;
    char *sql = sqlite3_mprintf("DROP VIEW temp.\"%w\"", names[0]);
    assert_int_equal(sqlite3_exec(ws_store_sqlite(store), sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_free(sql);
    return 0;
}

/* Reads its rows for which a condition, in place of a sweep, holds. */
static bool filter_views(const void *context, FILE *out, ws_error *err) {
    const renaming *r = context;
    bool done = ws_filter_views(r->store, r->sql, r->sweep, err) &&
                ws_query(r->store, r->sql, WS_QUERY_CSV, 0, out, err);
    failing = 0;
    char *names = sqlite3_mprintf("SELECT name FROM temp.sqlite_schema WHERE type = 'view'");
    assert_int_equal(sqlite3_exec(ws_store_sqlite(r->store), names, drop_view, r->store, NULL), SQLITE_OK);
    sqlite3_free(names);
    return told(done, out, err);
}

static bool tell_sweeps(const void *context, FILE *out, ws_error *err) {
    const renaming *r = context;
    char text[300];
    bool done = ws_tell_sweeps(r->store, r->sql, "figure", "other_by_kernel", text, sizeof text, err);
    if (done) fputs(text, out);
    drop_views(r->store);
    return done;
}

static bool plot(const void *context, FILE *out, ws_error *err) {
    const renaming *r = context;
    return told(ws_plot(r->store, "plots", r->sql, NULL, "none.svg", NULL, NULL, NULL, err), out, err);
}

static void expect_answer(work *w, const renaming *r, const char *words) {
    ws_error err;
    char *text = attempt(w, r, 0, &err);
    if (!text || !strstr(text, words)) fail_msg("expected %s, found %s", words, text ? text : err.text);
    free(text);
    fail_each(r->sql, w, r, 500);
}

/* What cannot be read is not taken for what is not there. */
static void figures_of_other_sweeps(void **state) {
    (void)state;
#define FROM_OTHER " FROM other_by_kernel ORDER BY cycles"
    static const char known[] = "SELECT kernel, mechanism_front, l2_latency, cycles FROM s_by_kernel",
                      fixed[] = "SELECT mechanism_front, l2_latency, gpu_clusters, cycles" FROM_OTHER,
                      fixed_of_one[] = "SELECT mechanism_front, l2_latency, mrpb_entries, cycles" FROM_OTHER,
                      one_axis[] = "SELECT l2_latency, cycles" FROM_OTHER,
                      absent[] = "SELECT l2_latency, missing, cycles" FROM_OTHER;
    ws_store *store = small_results();
    expect_answer(rename_sweep, &(renaming){store, fixed, "s"}, "other");
    expect_answer(rename_sweep, &(renaming){store, fixed_of_one, "s"}, "other");
    expect_answer(rename_sweep, &(renaming){store, known, "s"}, "itself");
    expect_answer(rename_sweep, &(renaming){store, absent, "s"},
                  "sweep s has no view that does for other_by_kernel");
    expect_answer(rename_sweep, &(renaming){store, fixed, "t"}, "the database has no sweep 't'; it has s");
    expect_answer(filter_views, &(renaming){store, known, "mechanism_front = 'none' AND cycles > 0"}, "none");
    expect_answer(filter_views, &(renaming){store, known, "cycles >= (SELECT min(cycles) FROM s_by_kernel)"},
                  "none");
    expect_answer(filter_views, &(renaming){store, known, "cycles < 0"}, "no row of s_by_kernel meets");
    expect_answer(filter_views, &(renaming){store, known, "quarks > 0"}, "no such column: quarks");
    expect_answer(tell_sweeps, &(renaming){store, fixed, NULL}, "draws its sweep s instead");
    expect_answer(tell_sweeps, &(renaming){store, one_axis, NULL}, "but does not tell all of its axes apart");
    expect_answer(tell_sweeps, &(renaming){store, absent, NULL}, "it has the views of s");
    char path[200];
    snprintf(path, sizeof path, "%s",
             folder_write_text("none.sql", "SELECT kernel, cycles FROM s_by_kernel WHERE 0"));
    expect_answer(plot, &(renaming){store, path, NULL},
                  "no result of sweep s meets the conditions of its query");
    ws_store_close(store);
#undef FROM_OTHER
}

/* SQLite's own allocations. */
static sqlite3_mem_methods sqlite_memory;

static void *sqlite_malloc(int size) {
    return fails(false) ? NULL : sqlite_memory.xMalloc(size);
}
static void *sqlite_realloc(void *old, int size) {
    return fails(false) ? NULL : sqlite_memory.xRealloc(old, size);
}

static void *json_malloc(size_t size) {
    return fails(true) ? NULL : __real_malloc(size);
}

static void give_to_libraries(void) {
    json_set_alloc_funcs(json_malloc, free);
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &sqlite_memory);
    sqlite3_mem_methods ours = sqlite_memory;
    ours.xMalloc = sqlite_malloc;
    ours.xRealloc = sqlite_realloc;
    sqlite3_config(SQLITE_CONFIG_MALLOC, &ours);
}

int main(void) {
    give_to_libraries();
    setenv("WARPSWEEP_GPUS", "sweeps/gpus", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation_fails),
        cmocka_unit_test(many_instructions),
        cmocka_unit_test(the_reorder_unit),
        cmocka_unit_test(opening),
        cmocka_unit_test(loading),
        cmocka_unit_test(explaining_a_gpu),
        cmocka_unit_test(commands),
        cmocka_unit_test(recording),
        cmocka_unit_test(opening_a_database),
        cmocka_unit_test(characteristics),
        cmocka_unit_test(queries),
        cmocka_unit_test(the_page),
        cmocka_unit_test(figures_of_other_sweeps),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
