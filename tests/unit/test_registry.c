/* Walks the registry: what must hold for every analysis and every parameter, also for those of later. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/random.h"
#include "../support/stream.h"
#include "../support/values.h"
#include "warpsweep/mechanism.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* [a-zA-Z][a-zA-Z0-9_]*, so that SQL needs no quoting. */
static void expect_name(const char *name) {
    bool ok = isalpha((unsigned char)name[0]);
    for (const char *c = name; *c; c++) ok = ok && (isalnum((unsigned char)*c) || *c == '_');
    if (!ok) fail_msg("'%s' is no plain name", name);
}

static void expect_text(const char *text, const char *of) {
    if (!text || strlen(text) < 8) fail_msg("%s: no text", of);
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
        assert_true((*a)->version >= 1);
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
                expect_text(c->params[p].help, c->params[p].name);
                assert_true(strncmp(c->params[p].name, c->name, strlen(c->name)) == 0);
                assert_int_equal(c->params[p].name[strlen(c->name)], '.');
            }
        }
        for (const ws_table *const *t = (*a)->tables; *t; t++) {
            expect_name((*t)->name);
            expect_text((*t)->summary, (*t)->name);
            for (size_t i = 0; i < (*t)->column_count; i++) {
                expect_name((*t)->columns[i].name);
                expect_text((*t)->columns[i].help, (*t)->columns[i].name);
            }
            for (size_t i = 0; i < (*t)->ratio_count; i++) {
                expect_name((*t)->ratios[i].name);
                expect_text((*t)->ratios[i].help, (*t)->ratios[i].name);
            }
        }
    }
}

/* What the replay relies on, too: room for the counts, and an owner for each slot that names one. */
static void mechanisms_are_complete(void **state) {
    (void)state;
    for (const ws_mechanism *const *m = ws_mechanisms(); *m; m++) {
        char table[64];
        const ws_table *t = (*m)->table;
        expect_name((*m)->name);
        expect_text((*m)->summary, (*m)->name);
        assert_true((*m)->source && *(*m)->source && (*m)->cost);
        assert_string_equal((*m)->component->name, (*m)->name);
        snprintf(table, sizeof table, "%s_counters", (*m)->name);
        assert_string_equal(t->name, table);
        assert_in_range(t->column_count, 1, WS_MECHANISM_COUNTS_MAX);
        for (size_t i = 0; i < t->column_count; i++) assert_int_equal(t->columns[i].type, WS_TYPE_INT);
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
            assert_non_null(ws_config_param(config, *dim));
        json_decref(all);
        json_decref(again);
        ws_config_free(config);
        ws_config_free(copy);
    }
}

/* ---- results */

enum { KERNELS = 2 };

/* All rows of an analysis, which fit its tables, over the kernels of a trace; NULL when the configuration does not
 * validate, a CTA does not fit, or the trace lacks what the analysis takes. */
static char *results(const ws_trace *trace, const ws_analysis *a, const ws_config *config, size_t batch_max) {
    ws_error err = WS_NO_ERROR;
    if (!ws_config_validate(config, &err)) return NULL;
    ws_replayer *replayer = ws_replayer_new(trace, 0, &err);
    assert_non_null(replayer);
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    bool fits = true;
    for (uint32_t kernel = 1; kernel <= KERNELS; kernel++) {
        stream s = {0};
        ws_tap tap = a->instructions ? stream_tap_all(&s, trace) : stream_tap(&s);
        ws_stream_info info = ws_stream_info_of(trace, kernel, config);
        const void *params = a->component ? ws_config_get(config, a->component) : NULL;
        ws_order_counters counters = {0};
        info.counters = &counters;
        ws_replayer_want(replayer, a->wants ? a->wants(params) : 0);
        fits = fits && ws_replay_order(replayer, kernel, config, &tap, 1, &counters, &err);
        char *rows = stream_analyse(&s, a, &params, 1, &info, batch_max, NULL);
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

static void results_do_not_depend_on_batches_or_runs(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        for (const ws_analysis *const *a = ws_analyses(); *a; a++) {
            if (!ws_analysis_takes(*a, WS_FIDELITY_ORDER)) continue;
            ws_config *config = config_for(*a);
            char *once = results(trace, *a, config, WS_BATCH_MAX);
            static const size_t sizes[] = {WS_BATCH_MAX, 1, 7, 100};
            assert_true(once || seed % 2); /* traces of even seeds have all that an analysis may need */
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

/* ---- liveness: each parameter changes some result somewhere */

static bool changes(const ws_analysis *a, const ws_param *p) {
    /* Parameters that bite only beside others. */
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
        for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
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
        for (size_t p = 0; (*a)->component && p < (*a)->component->param_count; p++)
            if (ws_analysis_takes(*a, WS_FIDELITY_ORDER) && !changes(*a, &(*a)->component->params[p]))
                fail_msg("%s changes nothing", (*a)->component->params[p].name);
    const ws_component *const replays[] = {&ws_gpu_component, &ws_sm_component, &ws_coalesce_component,
                                           &ws_order_component};
    for (size_t i = 0; i < sizeof replays / sizeof *replays; i++)
        for (size_t p = 0; p < replays[i]->param_count; p++) {
            bool live = false;
            for (const ws_analysis *const *a = ws_analyses(); *a && !live; a++)
                live = ws_analysis_takes(*a, WS_FIDELITY_ORDER) && changes(*a, &replays[i]->params[p]);
            if (!live) fail_msg("%s changes nothing", replays[i]->params[p].name);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_texts_are_there),
        cmocka_unit_test(mechanisms_are_complete),
        cmocka_unit_test(names_are_found_or_guessed),
        cmocka_unit_test(defaults_are_legal_and_survive_json),
        cmocka_unit_test(results_do_not_depend_on_batches_or_runs),
        cmocka_unit_test(every_parameter_is_live),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
