/* Walks the registry: what must hold for every analysis, mechanism and parameter, including those to be added. */
#include "../support/every.h"
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/random.h"
#include "../support/stream.h"
#include "../support/values.h"
#include "base/array.h"
#include "timed/slots.h"
#include "warpsweep/mechanism.h"

#include <ctype.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Expects a name of the form [a-zA-Z][a-zA-Z0-9_]*, so that SQL needs no quoting. */
static void expect_name(const char *name) {
    bool ok = isalpha((unsigned char)name[0]);
    for (const char *c = name; *c; c++) ok = ok && (isalnum((unsigned char)*c) || *c == '_');
    if (!ok) fail_msg("'%s' is no plain name", name);
}

/* Expects a column's name that a query can use without quotes. */
static void expect_column(const char *name) {
    expect_name(name);
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    char *sql = sqlite3_mprintf("SELECT %s FROM (SELECT 1 AS \"%w\")", name, name);
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK) fail_msg("'%s' is a word of SQL", name);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    sqlite3_free(sql);
}

static void expect_text(const char *text, const char *of) {
    if (!text || strlen(text) < 8) fail_msg("%s: no text", of);
}

/* `help NAME` and the table `metric` show each help text by itself, so it must not begin with a reference to another
 * one. */
static void expect_help(const char *help, const char *of) {
    static const char *const referring[] = {"Those ", "These ", "Of ",   "In which ", "The same", "Another ",
                                            "Its ",   "It ",    "They ", "Their ",    "As ",      "Found "};
    expect_text(help, of);
    for (size_t i = 0; i < WS_COUNT(referring); i++)
        if (!strncmp(help, referring[i], strlen(referring[i])))
            fail_msg("%s: the help begins with '%s' and refers to that of another name", of, referring[i]);
}

static size_t components_of(const ws_analysis *a, const ws_component **out) {
    size_t count;
    ws_analysis_components(a, ws_analysis_fidelity(a), out, &count);
    assert_true(count <= WS_COMPONENTS_MAX);
    return count;
}

static void names_and_texts_are_there(void **state) {
    (void)state;
    for (const ws_analysis *const *a = ws_analyses(); *a; a++) {
        expect_name((*a)->name);
        expect_text((*a)->summary, (*a)->name);
        if (!(*a)->source || !*(*a)->source) fail_msg("%s: no source: a document, or 'our own'", (*a)->name);
        ws_error err = WS_NO_ERROR;
        if (!ws_analysis_check(*a, &err)) fail_msg("%s", err.text);
        const ws_component *components[WS_COMPONENTS_MAX];
        size_t count = components_of(*a, components);
        for (size_t i = 0; i < count; i++) {
            const ws_component *c = components[i];
            expect_name(c->name);
            expect_text(c->summary, c->name);
            for (size_t p = 0; p < c->param_count; p++) {
                char column[64];
                ws_param_column(c->params[p].name, column, sizeof column);
                expect_name(column);
                expect_help(c->params[p].help, c->params[p].name);
                size_t prefix = strlen(c->name);
                if (strncmp(c->params[p].name, c->name, prefix) != 0 || c->params[p].name[prefix] != '.')
                    fail_msg("expected the prefix %s., found %s", c->name, c->params[p].name);
            }
        }
        for (const ws_table *const *t = (*a)->tables; *t; t++) {
            expect_name((*t)->name);
            expect_text((*t)->summary, (*t)->name);
            for (size_t i = 0; i < (*t)->column_count; i++) {
                expect_column((*t)->columns[i].name);
                expect_help((*t)->columns[i].help, (*t)->columns[i].name);
            }
            for (size_t i = 0; i < (*t)->ratio_count; i++) {
                expect_column((*t)->ratios[i].name);
                expect_help((*t)->ratios[i].help, (*t)->ratios[i].name);
            }
        }
    }
}

/* Mechanisms have what the replay relies on, and there is an owner for each slot that names one. */
static void mechanisms_are_complete(void **state) {
    (void)state;
    for (const ws_mechanism *const *m = ws_mechanisms(); *m; m++) {
        ws_error err = WS_NO_ERROR;
        if (!ws_mechanism_check(*m, &err)) fail_msg("%s", err.text);
        expect_name((*m)->name);
        expect_text((*m)->summary, (*m)->name);
        assert_string_equal((*m)->component->name, (*m)->name);
        for (size_t p = 0; p < (*m)->component->param_count; p++)
            assert_ptr_equal(ws_mechanism_of_param((*m)->component->params[p].name), *m);
    }
#define X(name, what) assert_non_null(ws_mechanism_##name.dispatch);
    WS_DISPATCH_MECHANISMS(X)
#undef X
#define X(name, what) assert_non_null(ws_mechanism_##name.core);
    WS_CORE_MECHANISMS(X)
#undef X
#define X(name, what) assert_non_null(ws_mechanism_##name.front);
    WS_FRONT_MECHANISMS(X)
#undef X
#define X(name, what) assert_non_null(ws_mechanism_##name.fetch);
    WS_FETCH_MECHANISMS(X)
#undef X
#define X(name, what) assert_non_null(ws_mechanism_##name.cluster);
    WS_CLUSTER_MECHANISMS(X)
#undef X
#define X(name, what) assert_non_null(ws_mechanism_##name.partition);
    WS_PARTITION_MECHANISMS(X)
#undef X
}

static void expect_incomplete(const ws_mechanism *m, const char *words) {
    ws_error err = WS_NO_ERROR;
    if (ws_mechanism_check(m, &err)) fail_msg("expected a refusal: %s", words);
    assert_int_equal(err.code, WS_ERROR_INTERNAL);
    if (!strstr(err.text, words)) fail_msg("expected in it: %s; found: %s", words, err.text);
}

/* What a mechanism lacks is named before the replay stumbles over it. */
static void what_a_mechanism_lacks_is_named(void **state) {
    (void)state;
#define WITHOUT(member, words)                                                                               \
    do {                                                                                                     \
        ws_mechanism m = ws_mechanism_mrpb;                                                                  \
        m.member = 0;                                                                                        \
        expect_incomplete(&m, words);                                                                        \
    } while (0)
    WITHOUT(name, "a mechanism without a name");
    WITHOUT(version, "mechanism mrpb: expected a summary, a source, and a version from 1 on, found none");
    WITHOUT(component, "expected a component");
    WITHOUT(table, "expected a table");
    WITHOUT(structure_count, "cost and structures, or neither");
    WITHOUT(cost, "cost and structures, or neither");
    WITHOUT(front, "expected one slot that a parameter names, found 0");
    WITHOUT(l1_by, "expected l1_by beside l1");
#undef WITHOUT
    ws_mechanism m = ws_mechanism_mrpb;
    m.structure_count = WS_COSTS_MAX + 1;
    expect_incomplete(&m, "mechanism mrpb: expected at most 8 structures, found 9");
    m.structure_count = ws_mechanism_mrpb.structure_count;
    ws_front_slot front = *m.front;
    m.front = &front;
    front.step = NULL;
    expect_incomplete(&m, "mechanism mrpb: expected front.step, found none");
    front.step = ws_mechanism_mrpb.front->step, front.offer = NULL;
    expect_incomplete(&m, "front: offer alone, or all functions of whole instructions");
    front.offer = ws_mechanism_mrpb.front->offer, front.unshare = free;
    expect_incomplete(&m, "front: share and unshare, or neither");
    ws_mechanism scalar = ws_mechanism_scalar;
    ws_core_slot core = *scalar.core;
    scalar.core = &core;
#define ALONE(mechanism, member)                                                                             \
    do {                                                                                                     \
        core = *ws_mechanism_##mechanism.core;                                                               \
        core.member = NULL;                                                                                  \
        expect_incomplete(&mechanism, "mechanism " #mechanism ": expected core: share and unshare, ");       \
    } while (0)
    ALONE(scalar, share);
    ALONE(scalar, unshare);
    ALONE(scalar, inserts);
    ALONE(scalar, inserted);
    ws_mechanism ilp = ws_mechanism_ilp;
    ilp.core = &core;
    ALONE(ilp, steers);
    ALONE(ilp, is_for);
    ALONE(ilp, waits);
    ALONE(ilp, waits_for_all);
    ALONE(ilp, registers);
    ALONE(ilp, fewer_registers);
    ALONE(ilp, registers_parameter);
#undef ALONE
    m.component = &ws_warppool_component;
    expect_incomplete(&m, "mechanism mrpb: expected a component of that name, found warppool");
    ws_component renamed = ws_warppool_component;
    renamed.name = "mrpb";
    m.component = &renamed;
    expect_incomplete(&m, "mechanism mrpb: expected parameters mrpb.*, found warppool.");
    m.component = &ws_mrpb_component;
    m.table = &ws_warppool_table;
    expect_incomplete(&m,
                      "expected a table mrpb_counters of 1 to 16 columns of WS_TYPE_INT with WS_ADDS_SUM or "
                      "_MAX, found warppool_");
    ws_column column = ws_mrpb_table.columns[0];
    ws_table table = ws_mrpb_table;
    table.columns = &column, table.column_count = 1;
    m.table = &table;
    column.adds = WS_ADDS_SAME;
    expect_incomplete(&m, "WS_ADDS_SUM or _MAX, found mrpb_counters");
}

/* A mechanism without `cost` adds no storage. */
static void a_mechanism_may_cost_nothing(void **state) {
    (void)state;
    size_t count;
    const ws_component *const *components = ws_fidelity_components(WS_FIDELITY_TIMED, &count);
    ws_config *config = ws_config_new(components, count);
    ws_mechanism free_of_cost = ws_mechanism_mrpb;
    free_of_cost.structures = NULL, free_of_cost.structure_count = 0, free_of_cost.cost = NULL;
    ws_error err = WS_NO_ERROR;
    if (!ws_mechanism_check(&free_of_cost, &err)) fail_msg("%s", err.text);
    ws_mechanism_set set = {.at = {&free_of_cost}, .count = 1};
    ws_added_cost costs[WS_ADDED_COSTS_MAX];
    assert_int_equal(ws_added_costs(config, &set, costs), 0);
    ws_config_free(config);
}

static void names_are_found_or_guessed(void **state) {
    (void)state;
    const char *nearest = NULL;
    for (const ws_analysis *const *a = ws_analyses(); *a; a++)
        assert_ptr_equal(ws_analysis_find((*a)->name, &nearest), *a);
    assert_null(ws_analysis_find("windw", &nearest));
    assert_string_equal(nearest, "window");
    assert_null(ws_analysis_find("sesquipedalian", &nearest));
    assert_null(nearest);
    assert_null(ws_analysis_find("windw", NULL));
}

static void defaults_are_legal_and_survive_json(void **state) {
    (void)state;
    for (const ws_analysis *const *a = ws_analyses(); *a; a++) {
        if (!ws_analysis_takes(*a, WS_FIDELITY_ORDER)) continue;
        ws_error err = WS_NO_ERROR;
        ws_config *config = config_for(*a), *copy = config_for(*a);
        if (!ws_config_validate(config, &err)) fail_msg("%s: %s", (*a)->name, err.text);
        json_t *all = ws_config_json(config), *value;
        const char *name;
        json_object_foreach(all, name, value) if (!ws_config_set(copy, name, value, name, &err))
            fail_msg("%s", err.text);
        json_t *again = ws_config_json(copy);
        assert_true(json_equal(all, again));
        for (const char *const *dim = (*a)->dims; dim && *dim; dim++)
            if (!ws_config_param(config, *dim)) fail_msg("%s: dims: no parameter %s", (*a)->name, *dim);
        json_decref(all);
        json_decref(again);
        ws_config_free(config);
        ws_config_free(copy);
    }
}

/* ---- results */

enum { KERNELS = 2 };

/* Returns all rows of an analysis over the kernels of a trace, at points that one instance answers; they are checked
 * against its tables. NULL if a configuration does not validate, a CTA does not fit, or the trace lacks what the
 * analysis needs. */
static char *results_of(const ws_trace *trace, const ws_analysis *a, ws_config *const *configs, size_t count,
                        size_t batch_max) {
    ws_error err = WS_NO_ERROR;
    const void *params[VALUES_MAX + 1] = {NULL};
    for (size_t i = 0; i < count; i++) {
        if (!ws_config_validate(configs[i], &err)) return NULL;
        if (a->component) params[i] = ws_config_get(configs[i], a->component);
    }
    ws_replayer *replayer = ws_replayer_new(trace, 0, &err);
    assert_non_null(replayer);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bool fits = true;
    for (uint32_t kernel = 1; kernel <= KERNELS; kernel++) {
        stream s = {0};
        ws_tap tap = a->instructions ? stream_tap_all(&s, trace) : stream_tap(&s);
        ws_stream_info info = stream_info(trace, kernel, configs[0]);
        ws_order_counters counters = {0};
        info.counters = &counters;
        ws_replayer_want(replayer, a->wants ? a->wants(params[0]) : 0);
        fits = fits && ws_replay_order(replayer, kernel, configs[0], &tap, 1, &counters, &err);
        char *rows = stream_analyse(&s, a, params, count, &info, batch_max, NULL);
        fits = fits && rows;
        fprintf(out, "kernel %u\n%s", kernel, rows ? rows : "");
        free(rows);
        stream_free(&s);
    }
    fclose(out);
    ws_replayer_free(replayer);
    if (fits) return text;
    free(text);
    return NULL;
}

static char *results(const ws_trace *trace, const ws_analysis *a, ws_config *config, size_t batch_max) {
    return results_of(trace, a, &config, 1, batch_max);
}

static void results_do_not_depend_on_batches_or_runs(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        for (const ws_analysis *const *a = ws_analyses(); *a; a++) {
            if (!ws_analysis_takes(*a, WS_FIDELITY_ORDER)) continue;
            ws_config *config = config_for(*a);
            char *once = results(trace, *a, config, WS_BATCH_MAX);
            static const size_t sizes[] = {WS_BATCH_MAX, 1, 7, 100};
            /* traces of even seeds have all that an analysis may need */
            if (!once && seed % 2 == 0) fail_msg("%s: no results", (*a)->name);
            for (int i = 0; once && i < 4; i++) {
                char *again = results(trace, *a, config, sizes[i]);
                assert_string_equal(again, once);
                free(again);
            }
            free(once);
            ws_config_free(config);
        }
        ws_trace_close(trace);
    }
}

/* Returns the rows of one point, numbered as if there were no other points. */
static char *rows_of_point(const char *text, unsigned point) {
    char *rows = NULL, prefix[16];
    size_t size;
    FILE *out = open_memstream(&rows, &size);
    int length = snprintf(prefix, sizeof prefix, "%u ", point);
    for (const char *line = text, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        if (strncmp(line, "kernel", 6) == 0)
            fprintf(out, "%.*s\n", (int)(end - line), line);
        else if (strncmp(line, prefix, (size_t)length) == 0)
            fprintf(out, "0 %.*s\n", (int)(end - line) - length, line + length);
    }
    fclose(out);
    return rows;
}

/* Makes a configuration for the default of a dimension, and one for each other value that the analysis accepts. Returns
 * their number. */
static size_t configs_along(const ws_analysis *a, const char *dim, ws_config *configs[VALUES_MAX + 1]) {
    configs[0] = config_for(a);
    char values[VALUES_MAX][32];
    size_t value_count = values_other_than_default(ws_config_param(configs[0], dim), values), count = 1;
    for (size_t i = 0; i < value_count; i++) {
        ws_error err = WS_NO_ERROR;
        bool again = false;
        for (size_t j = 0; j < i; j++) again = again || strcmp(values[i], values[j]) == 0;
        if (again) continue;
        configs[count] = ws_config_copy(configs[0]);
        config_set(configs[count], dim, values[i]);
        if (ws_config_validate(configs[count], &err))
            count++;
        else
            ws_config_free(configs[count]);
    }
    return count;
}

/* One instance that answers all values of a dimension gives the rows that one instance per value would give. */
static void points_of_a_group_do_not_depend_on_each_other(void **state) {
    (void)state;
    ws_trace *trace = generate_random(2, 32);
    for (const ws_analysis *const *a = ws_analyses(); *a; a++)
        for (const char *const *dim = (*a)->dims; dim && *dim; dim++) {
            if (!ws_analysis_takes(*a, WS_FIDELITY_ORDER)) continue;
            ws_config *configs[VALUES_MAX + 1];
            size_t count = configs_along(*a, *dim, configs);
            char *together = results_of(trace, *a, configs, count, WS_BATCH_MAX);
            if (count < 2 || !together) fail_msg("%s: no points along %s", (*a)->name, *dim);
            for (size_t i = 0; i < count; i++) {
                char *part = rows_of_point(together, (unsigned)i),
                     *alone = results(trace, *a, configs[i], WS_BATCH_MAX);
                if (strcmp(part, alone) != 0)
                    fail_msg("%s: point %zu along %s is not what it is alone:\n%.400s\nalone:\n%.400s",
                             (*a)->name, i, *dim, part, alone);
                free(part);
                free(alone);
                ws_config_free(configs[i]);
            }
            free(together);
        }
    ws_trace_close(trace);
}

/* Gives the lines of a stream other numbers, as they have after a replay that met them in another order, and others
 * between them. */
static void renumber_lines(stream *s) {
    enum { APART = 37 };
    uint64_t *addresses = calloc(s->line_count * APART + 1, sizeof *addresses);
    assert_non_null(addresses);
    for (size_t i = 0; i < s->count; i++) {
        uint64_t number = (s->line_count - 1 - s->records[i].line) * APART;
        addresses[number] = s->line_address[s->records[i].line];
        s->records[i].line = number;
    }
    free(s->line_address);
    s->line_address = addresses;
    s->line_count *= APART;
}

static void expect_addresses_alone_to_matter(const ws_trace *trace, const ws_analysis *a,
                                             const ws_config *config) {
    stream s = stream_replayed(trace, 1, config, a);
    char *once = stream_rows(&s, a, config, NULL);
    renumber_lines(&s);
    char *again = stream_rows(&s, a, config, NULL);
    if (once && strcmp(once, again) != 0)
        fail_msg("%s: the numbers of lines matter, not only their addresses", a->name);
    free(once);
    free(again);
    stream_free(&s);
}

/* With each value of each parameter of the analysis. */
static void results_do_not_depend_on_line_numbers(void **state) {
    (void)state;
    ws_trace *trace = generate_random(2, 32);
    for (const ws_analysis *const *a = ws_analyses(); *a; a++) {
        if (!ws_analysis_takes(*a, WS_FIDELITY_ORDER) || !(*a)->requests) continue;
        ws_config *config = config_for(*a);
        expect_addresses_alone_to_matter(trace, *a, config);
        ws_config_free(config);
        for (size_t p = 0; (*a)->component && p < (*a)->component->param_count; p++) {
            ws_config *configs[VALUES_MAX + 1];
            size_t count = configs_along(*a, (*a)->component->params[p].name, configs);
            for (size_t i = 0; i < count; i++) {
                if (i) expect_addresses_alone_to_matter(trace, *a, configs[i]);
                ws_config_free(configs[i]);
            }
        }
    }
    ws_trace_close(trace);
}

/* ---- liveness: each parameter changes some result somewhere */

static bool changes(const ws_analysis *a, const ws_param *p) {
    /* Settings that some parameters need to have an effect. */
    static const struct {
        const char *name[2], *value[2];
    } settings[] = {{{NULL}, {NULL}},
                    {{"gpu.sms_per_cluster"}, {"2"}},
                    {{"gpu.clusters"}, {"1"}},
                    {{"contention.replacement"}, {"\"random\""}},
                    {{"icl.sets", "icl.replacement"}, {"32", "\"random\""}},
                    {{"funnel.sets", "funnel.replacement"}, {"32", "\"random\""}},
                    {{"iru.index_pc", "iru.access_pc"}, {"0", "16"}},
                    {{"iru.hash_sets", "iru.partitions"}, {"8", "1"}}};
    char values[VALUES_MAX][32];
    size_t count = values_other_than_default(p, values);
    for (uint64_t seed = 1; seed <= 6; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        for (size_t s = 0; s < WS_COUNT(settings); s++) {
            ws_config *config = config_for(a);
            const char *const *name = settings[s].name;
            if (name[0] && !ws_config_param(config, name[0])) {
                ws_config_free(config);
                continue;
            }
            for (int i = 0; i < 2 && name[i]; i++) config_set(config, name[i], settings[s].value[i]);
            char *base = results(trace, a, config, WS_BATCH_MAX);
            assert_true(base || seed % 2); /* traces of even seeds have all that an analysis may need */
            bool differs = false;
            for (size_t i = 0; base && i < count && !differs; i++) {
                ws_config *other = ws_config_copy(config);
                config_set(other, p->name, values[i]);
                char *text = results(trace, a, other, WS_BATCH_MAX);
                differs = text && strcmp(text, base) != 0;
                free(text);
                ws_config_free(other);
            }
            free(base);
            ws_config_free(config);
            if (differs) {
                ws_trace_close(trace);
                return true;
            }
        }
        ws_trace_close(trace);
    }
    return false;
}

static void every_parameter_is_live(void **state) {
    (void)state;
    for (const ws_analysis *const *a = ws_analyses(); *a; a++)
        for (size_t p = 0; (*a)->component && p < (*a)->component->param_count; p += EVERY)
            if (ws_analysis_takes(*a, WS_FIDELITY_ORDER) && !changes(*a, &(*a)->component->params[p]))
                fail_msg("%s changes nothing", (*a)->component->params[p].name);
    const ws_component *const replays[] = {&ws_gpu_component, &ws_sm_component, &ws_coalesce_component,
                                           &ws_order_component};
    for (size_t i = 0; i < WS_COUNT(replays); i++)
        for (size_t p = 0; p < replays[i]->param_count; p += EVERY) {
            /* concerns CTAs that no GPU here holds: test_spatial, test_oversized */
            bool live = strcmp(replays[i]->params[p].name, "sm.oversized_ctas") == 0;
            for (const ws_analysis *const *a = ws_analyses(); *a && !live; a++)
                live = ws_analysis_takes(*a, WS_FIDELITY_ORDER) && changes(*a, &replays[i]->params[p]);
            if (!live) fail_msg("%s changes nothing", replays[i]->params[p].name);
        }
}

/* Whether what the parameter needs to have an effect leads to `target`, step by step. */
static bool needs_lead_to(const char *name, const char *target, int steps) {
    if (steps == 0) fail_msg("what %s needs leads in a circle", name);
    if (!name) return false;
    if (strcmp(name, target) == 0) return true;
    const ws_mechanism *mechanism = ws_mechanism_of_param(name);
    if (mechanism && needs_lead_to(ws_mechanism_switch(mechanism)->name, target, steps - 1)) return true;
    size_t count;
    const ws_component *const *components = ws_fidelity_components(WS_FIDELITY_TIMED, &count);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < components[i]->need_count; j++) {
            const ws_need *need = &components[i]->needs[j];
            if (strcmp(need->param, name) == 0 &&
                (needs_lead_to(need->of, target, steps - 1) || needs_lead_to(need->or_of, target, steps - 1)))
                return true;
        }
    return false;
}

/* A parameter that changes nothing at some values of others does so however it and others of the kind are set: no two
 * wait for each other. So a point tells the results of all others that differ only in such parameters. */
static void no_parameter_needs_itself(void **state) {
    (void)state;
    size_t count;
    const ws_component *const *components = ws_fidelity_components(WS_FIDELITY_TIMED, &count);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < components[i]->need_count; j++) {
            const ws_need *need = &components[i]->needs[j];
            if (needs_lead_to(need->of, need->param, 8) || needs_lead_to(need->or_of, need->param, 8))
                fail_msg("%s needs a value of itself", need->param);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_texts_are_there),
        cmocka_unit_test(mechanisms_are_complete),
        cmocka_unit_test(what_a_mechanism_lacks_is_named),
        cmocka_unit_test(a_mechanism_may_cost_nothing),
        cmocka_unit_test(names_are_found_or_guessed),
        cmocka_unit_test(no_parameter_needs_itself),
        cmocka_unit_test(defaults_are_legal_and_survive_json),
        cmocka_unit_test(results_do_not_depend_on_batches_or_runs),
        cmocka_unit_test(results_do_not_depend_on_line_numbers),
        cmocka_unit_test(points_of_a_group_do_not_depend_on_each_other),
        cmocka_unit_test(every_parameter_is_live),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
