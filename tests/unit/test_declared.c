/* What an analysis declares: its names, parameters, tables and functions. An analysis of the user's program that
 * declares something wrong is refused with a message that says what, before any of its functions is called. */
#include "sweep/run/instances.h"
#include "warpsweep/sweep.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* ---- one that is right, in parts that a test can change */

typedef struct fields {
    int64_t size;
    int kind;
} fields;
static const char *const kinds[] = {"plain", "other", NULL};
static const char *const dims[] = {"mine.size", NULL}, *const other_dims[] = {"gpu.clusters", NULL};

typedef struct declared {
    ws_param params[2];
    ws_component component;
    ws_column column;
    ws_ratio ratio;
    ws_table table;
    const ws_table *tables[2];
    ws_ratio grown;
    ws_table against;
    ws_front front;
    ws_analysis analysis;
} declared;

static void *create(const void *const *params, size_t points, const ws_stream_info *stream, ws_error *err) {
    (void)params, (void)points, (void)stream, (void)err;
    return NULL;
}

static bool finish(void *self, uint32_t first_point, ws_rows *rows, ws_error *err) {
    (void)self, (void)first_point, (void)rows, (void)err;
    return false;
}

static void destroy(void *self) {
    (void)self;
}

static void requests(void *self, const ws_requests *batch) {
    (void)self, (void)batch;
}

static void sample(void *self, const struct ws_timed_sample *taken) {
    (void)self, (void)taken;
}

static void warp_end(void *self, const struct ws_timed_warp_life *life) {
    (void)self, (void)life;
}

static declared d; /* its parts point to each other */

static void begin(void) {
    d = (declared){
        .params = {WS_INT(fields, size, "mine.size", "B", 1, 1, 9, "A size."),
                   WS_CHOICE(fields, kind, "mine.kind", 1, kinds, "A kind.")},
        .component = {.name = "mine",
                      .summary = "mine",
                      .source = "",
                      .params = d.params,
                      .param_count = 2,
                      .struct_size = sizeof(fields)},
        .column = {"things", WS_TYPE_INT, "things", WS_ADDS_SUM, "Things."},
        .ratio = {"share", "", "1.0 * things", "A share."},
        .table = {"mine", "mine", &d.column, 1, &d.ratio, 1},
        .tables = {&d.table, NULL},
        .grown = {"more", "", "1.0 * this.things / base.things", "Things against the baseline's."},
        .against = {"growth", "growth", NULL, 0, &d.grown, 1},
        .front = {"best", "kernel", "more", "more"},
        .analysis = {.name = "mine",
                     .summary = "mine",
                     .source = "our own",
                     .version = 1,
                     .dims = dims,
                     .component = &d.component,
                     .tables = d.tables,
                     .comparison = &d.against,
                     .front = &d.front,
                     .create = create,
                     .requests = requests,
                     .finish = finish,
                     .destroy = destroy},
    };
}

static void expect_wrong(const char *words) {
    ws_error err = WS_NO_ERROR;
    if (ws_analysis_check(&d.analysis, &err)) fail_msg("expected a refusal: %s", words);
    assert_int_equal(err.code, WS_ERROR_INTERNAL);
    if (!strstr(err.text, words)) fail_msg("expected in it: %s; found: %s", words, err.text);
    begin();
}

/* ---- tests */

static void all_analyses_are_right(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    begin();
    if (!ws_analysis_check(&d.analysis, &err)) fail_msg("%s", err.text);
    d.analysis.component = NULL, d.analysis.dims = NULL;
    if (!ws_analysis_check(&d.analysis, &err)) fail_msg("%s", err.text);
    for (const ws_analysis *const *a = ws_analyses(); *a; a++)
        if (!ws_analysis_check(*a, &err)) fail_msg("%s", err.text);
}

static void what_it_is_called(void **state) {
    (void)state;
    begin();
    d.analysis.name = NULL;
    expect_wrong("an analysis without a name");
    d.analysis.name = "my own";
    expect_wrong("analysis 'my own': expected a name of letters, digits and _, from a letter on");
    d.analysis.summary = NULL;
    expect_wrong("analysis mine: expected a summary, a source, and a version from 1 on");
    d.analysis.source = NULL;
    expect_wrong("expected a summary, a source, and a version");
    d.analysis.version = 0;
    expect_wrong("expected a summary, a source, and a version");
}

static void parameters(void **state) {
    (void)state;
    begin();
    d.component.name = NULL;
    expect_wrong("analysis mine: a component without a name");
    d.component.name = "l1";
    expect_wrong("analysis mine: component l1: the replay has one of that name");
    d.params[0].name = NULL;
    expect_wrong("a parameter without a name");
    d.params[0].name = "size";
    expect_wrong("parameter size: expected a name as mine.size");
    d.params[0].name = "mine.a size";
    expect_wrong("parameter mine.a size: expected a name as mine.size");
    d.params[1].name = "mine.size";
    expect_wrong("parameter mine.size: it is there twice");
    d.params[0].unit = NULL;
    expect_wrong("parameter mine.size: expected a unit");
    d.params[0].help = NULL;
    expect_wrong("parameter mine.size: expected a unit (\"\" for none) and a help text");
    d.params[0].type = WS_TYPE_TEXT;
    expect_wrong("parameter mine.size: expected a type of parameters");
    d.params[0].offset = sizeof(fields) - 4;
    expect_wrong("parameter mine.size: expected a field within the component's struct_size");
    d.params[0].offset = SIZE_MAX;
    expect_wrong("parameter mine.size: expected a field within");
    d.params[1].choices = NULL;
    expect_wrong("parameter mine.kind: expected choices, found none");
    d.params[1].def = 2; /* there are two */
    expect_wrong("parameter mine.kind: expected a default within its bounds");
    d.params[0].def = 10;
    expect_wrong("parameter mine.size: expected a default within its bounds");
    d.params[0].def = 0;
    expect_wrong("parameter mine.size: expected a default within its bounds");
    d.analysis.dims = other_dims;
    expect_wrong("dim gpu.clusters: expected a parameter of its component");
    d.analysis.component = NULL;
    expect_wrong("dim mine.size: expected a parameter of its component");
}

static void results(void **state) {
    (void)state;
    begin();
    d.analysis.tables = NULL;
    expect_wrong("analysis mine: expected a table, found none");
    d.tables[0] = NULL;
    expect_wrong("analysis mine: expected a table, found none");
    d.table.name = "my\"table";
    expect_wrong("table my\"table: expected a name of letters");
    d.column.name = "2nd";
    expect_wrong("column 2nd: expected a name of letters");
    d.column.unit = NULL;
    expect_wrong("column things: expected a unit");
    d.column.help = NULL;
    expect_wrong("column things: expected a unit");
    d.column.type = WS_TYPE_BOOL;
    expect_wrong("column things: expected WS_TYPE_INT, _REAL or _TEXT");
    d.ratio.name = "";
    expect_wrong("ratio : expected a name of letters");
    d.ratio.unit = NULL;
    expect_wrong("ratio share: expected a unit");
    d.ratio.sql = NULL;
    expect_wrong("ratio share: expected a unit (\"\" for none), SQL and a help text");
    d.ratio.help = NULL;
    expect_wrong("ratio share: expected a unit");
    d.table.column_count = 0;
    expect_wrong("table mine: expected a column, found none");
}

static void comparisons(void **state) {
    (void)state;
    begin();
    d.against.name = NULL;
    expect_wrong("analysis mine: a comparison without a name");
    d.against.columns = &d.column, d.against.column_count = 1;
    expect_wrong("comparison growth: expected ratios, found columns");
    d.grown.name = NULL;
    expect_wrong("analysis mine: a ratio without a name");
    d.grown.sql = NULL;
    expect_wrong("ratio more: expected a unit (\"\" for none), SQL and a help text");
    d.grown.name = "kernel", d.analysis.front = NULL;
    expect_wrong("table growth: the name kernel stands for two things");
}

static void fronts(void **state) {
    (void)state;
    static const char of_comparison[] =
        "front best: expected columns of the comparison as its group, benefit and cost";
    begin();
    d.front.name = NULL;
    expect_wrong("analysis mine: a front without a name");
    d.analysis.comparison = NULL;
    expect_wrong("front best: expected a comparison beside it");
    d.front.group = "things"; /* a column of the table only */
    expect_wrong(of_comparison);
    d.front.benefit = "nothing";
    expect_wrong(of_comparison);
    d.front.cost = NULL;
    expect_wrong(of_comparison);
}

static void names_that_are_taken(void **state) {
    (void)state;
    static const char taken[] = "table %s: every database has a table of that name; choose another name";
    static const char *const own[] = {"run",    "trace", "kernel",      "point",     "point_run",
                                      "metric", "sweep", "sweep_point", "Sweep_View"};
    begin();
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        char words[120];
        snprintf(words, sizeof words, taken, d.table.name = own[i]);
        expect_wrong(words);
    }
    d.table.name = "mine_config";
    expect_wrong("table mine_config: A_config is the table of the configurations of analysis A; choose");
    d.table.name = "SQLite_table";
    expect_wrong("table SQLite_table: SQLite keeps such names for itself; choose another name");
    d.table.name = "Window";
    expect_wrong("table Window: analysis window has one of that name; choose another");
    d.analysis.name = "window";
    expect_wrong("analysis window: warpsweep has one of that name; choose another");
}

static void names_that_stand_for_two_things(void **state) {
    (void)state;
    static const ws_column key = {"bin", WS_TYPE_INT, "", WS_ADDS_KEY, "A bin."};
    static const char *const shown[] = {"point",  "Note",     "trace", "kernel",    "launch",   "launches",
                                        "things", "fidelity", "gpu",   "truncated", "mine_size"};
    begin();
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        char words[120];
        snprintf(words, sizeof words, "table mine: the name %s stands for two things",
                 d.ratio.name = shown[i]);
        expect_wrong(words);
    }
    d.column.name = "core_int_latency"; /* a parameter of the timed replay alone */
    if (!ws_analysis_check(&d.analysis, &(ws_error){0}))
        fail_msg("expected no such name in a replay in order");
    d.analysis.fidelities = WS_FIDELITY_ORDER | WS_FIDELITY_TIMED;
    d.analysis.warp_end = warp_end;
    expect_wrong("table mine: the name core_int_latency stands for two things");

    ws_table more = {"mine", "more", &key, 1, NULL, 0};
    const ws_table *const tables[] = {&d.table, &more, NULL};
    d.analysis.tables = tables;
    expect_wrong("table mine: it is there twice; choose another name");
    static const char *const views[] = {"by_kernel", "Energy", "bins"};
    for (size_t i = 0; i < 3; i++) {
        char words[120];
        d.analysis.tables = tables;
        d.against.name = "bins";
        snprintf(words, sizeof words, "table %s: sweeps have another view of that name; choose",
                 more.name = views[i]);
        expect_wrong(words);
    }
    d.against.name = d.front.name = "bins";
    expect_wrong("table bins: sweeps have another view of that name; choose");
}

/* Those that a query cannot use without quotes; the others are names. */
static void words_of_sql(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    begin();
    d.table.name = "values";
    expect_wrong("analysis mine: table values: a word of SQL; choose another name");
    d.column.name = "Order";
    expect_wrong("analysis mine: table mine: the name Order is a word of SQL; choose another name");
    d.ratio.name = "index";
    expect_wrong("analysis mine: table mine: the name index is a word of SQL; choose another name");
    d.table.name = "rows", d.column.name = "first", d.ratio.name = "key";
    if (!ws_analysis_check(&d.analysis, &err)) fail_msg("%s", err.text);
}

static void functions(void **state) {
    (void)state;
    begin();
    d.analysis.create = NULL;
    expect_wrong("analysis mine: expected create, finish and destroy; create is NULL");
    d.analysis.finish = NULL;
    expect_wrong("analysis mine: expected create, finish and destroy; finish is NULL");
    d.analysis.destroy = NULL;
    expect_wrong("analysis mine: expected create, finish and destroy; destroy is NULL");
    d.analysis.sample = sample;
    expect_wrong("expected sample_cycles beside sample");
    d.analysis.fidelities = 4;
    expect_wrong("expected bits of WS_FIDELITY_ in fidelities");
    d.analysis.fidelities = WS_FIDELITY_TIMED;
    expect_wrong("requests and instructions are of fidelity order, which it does not take");
    d.analysis.warp_end = warp_end;
    expect_wrong(
        "access, issue, load_end, warp_end and sample are of fidelity timed, which it does not take");
    d.analysis.fidelities = WS_FIDELITY_ORDER | WS_FIDELITY_TIMED;
    expect_wrong("it takes fidelity timed, but has none of its functions");
}

static void *create_any(const void *const *params, size_t points, const ws_stream_info *stream,
                        ws_error *err) {
    (void)params, (void)points, (void)stream, (void)err;
    return &d;
}

static uint64_t never(const void *params) {
    (void)params;
    return 0;
}

/* What is wrong when one instance is to answer `count` points: a text that the next call overwrites. */
static const char *wrong_with(uint32_t count) {
    ws_combo combo = {.config = NULL};
    const ws_grid grid = {.combos = &combo, .count = 1};
    const ws_spec spec = {.analysis = &d.analysis};
    const ws_plan plan = {.spec = &spec, .grid = &grid};
    const ws_planned_point points[2] = {{.kernel = 0}};
    const ws_stream_info stream = {0};
    ws_instances instances;
    static ws_error err;
    err = WS_NO_ERROR;
    assert_false(ws_instances_new(&plan, points, count, &stream, &instances, &err));
    ws_instances_free(&instances);
    return err.text;
}

/* What its functions answer shows only when they are called. */
static void answers(void **state) {
    (void)state;
    begin();
    d.analysis.component = NULL;
    d.analysis.create = create_any;
    d.analysis.sample = sample;
    d.analysis.sample_cycles = never;
    assert_string_equal(wrong_with(1), "analysis mine: sample_cycles(): expected at least 1, found 0");
}

static void one_point_without_dims(void **state) {
    (void)state;
    begin();
    d.analysis.component = NULL;
    d.analysis.dims = NULL;
    d.analysis.create = create_any;
    assert_string_equal(wrong_with(2), "analysis mine: without dims: expected one point, found 2");
}

static void a_sweep_asks(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    begin();
    const ws_analysis *const list[] = {ws_analyses()[0], &d.analysis, NULL};
    const ws_sweep_options options = {.dry_run = true, .analyses = list};
    d.params[0].offset = sizeof(fields);
    assert_false(ws_sweep_run("nowhere.json", &options, NULL, &err));
    assert_non_null(strstr(err.text, "parameter mine.size: expected a field within"));
    begin();
    assert_false(ws_sweep_run("nowhere.json", &options, NULL, &err));
    assert_non_null(strstr(err.text, "nowhere.json"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_analyses_are_right),
        cmocka_unit_test(what_it_is_called),
        cmocka_unit_test(parameters),
        cmocka_unit_test(results),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(fronts),
        cmocka_unit_test(names_that_are_taken),
        cmocka_unit_test(names_that_stand_for_two_things),
        cmocka_unit_test(words_of_sql),
        cmocka_unit_test(functions),
        cmocka_unit_test(answers),
        cmocka_unit_test(one_point_without_dims),
        cmocka_unit_test(a_sweep_asks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
