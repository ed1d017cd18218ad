/* Walks the analyses of fidelity timed: one replay that answers all points of a group gives what a replay for each of
 * them gives, for every dimension of every analysis, including those to be added. */
#include "warpsweep/sweep.h"

#include "../support/every.h"
#include "../support/folder.h"
#include "../support/sql.h"
#include "../support/values.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static ws_sweep_report report;

/* Sweeps an analysis over one axis, `values` as JSON, into a database. False: the sweep is refused. */
static bool sweep(const ws_analysis *a, const ws_param *axis, const char *values, const char *db_name) {
    char text[2048], db[300], *trace = realpath("traces/graphs/pagerank-kron.wst", NULL);
    assert_non_null(trace);
    snprintf(db, sizeof db, "%s", folder_path(db_name)); /* folder_path() rotates */
    snprintf(text, sizeof text,
             "{\"name\": \"s\", \"traces\": \"%s\", \"kernels\": \"1\", \"analysis\": \"%s\", "
             "\"fidelity\": \"timed\", \"base\": {\"gpu.clusters\": 4, \"limit.ctas\": 8}, \"axes\": "
             "{\"%s\": [%s]}}",
             trace, a->name, axis->name, values);
    free(trace);
    ws_error err = WS_NO_ERROR;
    ws_sweep_options options = {.db = db, .jobs = 1};
    bool ok = ws_sweep_run(folder_write_text("spec.json", text), &options, &report, &err);
    if (ok && report.failed) fail_msg("%s: %s = %s: points have failed", a->name, axis->name, values);
    return ok;
}

static void default_of(const ws_param *p, char out[32]) {
    if (p->type == WS_TYPE_BOOL)
        snprintf(out, 32, "%s", p->def != 0 ? "true" : "false");
    else if (p->type == WS_TYPE_CHOICE)
        snprintf(out, 32, "\"%s\"", p->choices[(int)p->def]);
    else
        snprintf(out, 32, "%.17g", p->def);
}

/* Sweeps the default of a dimension and each other value that the analysis accepts by itself, into one database. Writes
 * these values as a list. */
static void sweep_each(const ws_analysis *a, const ws_param *dim, char *list, size_t size) {
    char values[VALUES_MAX + 1][32];
    size_t count = values_other_than_default(dim, values + 1) + 1, used = 0;
    default_of(dim, values[0]);
    for (size_t i = 0; i < count; i += i ? EVERY : 1) {
        bool again = false;
        for (size_t j = 0; j < i; j++) again = again || strcmp(values[i], values[j]) == 0;
        if (again || !sweep(a, dim, values[i], "each.db")) continue;
        used += (size_t)snprintf(list + used, size - used, "%s%s", used ? ", " : "", values[i]);
    }
}

static const ws_param *param_of(const ws_analysis *a, const char *name) {
    const ws_component *components[WS_COMPONENTS_MAX];
    size_t count;
    ws_analysis_components(a, WS_FIDELITY_TIMED, components, &count);
    for (size_t i = 0; i < count; i++)
        for (size_t p = 0; p < components[i]->param_count; p++)
            if (strcmp(components[i]->params[p].name, name) == 0) return &components[i]->params[p];
    fail_msg("%s: dims: no parameter %s", a->name, name);
    return NULL;
}

static void points_of_a_group_do_not_depend_on_each_other(void **state) {
    (void)state;
    size_t dims = 0;
    for (const ws_analysis *const *a = ws_analyses(); *a; a++) {
        if (!ws_analysis_takes(*a, WS_FIDELITY_TIMED)) continue;
        for (const char *const *name = (*a)->dims; name && *name; name++, dims++) {
            const ws_param *dim = param_of(*a, *name);
            char list[(VALUES_MAX + 1) * 34] = "";
            sweep_each(*a, dim, list, sizeof list);
            if (!strchr(list, ',')) fail_msg("%s: no points along %s", (*a)->name, *name);
            if (!sweep(*a, dim, list, "each.db") || report.done) fail_msg("each point is stored");
            if (!sweep(*a, dim, list, "together.db") || report.stored) fail_msg("no point is stored");
            char *each = sql_dump(folder_path("each.db")), *together = sql_dump(folder_path("together.db"));
            if (strcmp(each, together) != 0) fail_msg("%s: points along %s differ", (*a)->name, *name);
            free(each);
            free(together);
            remove(folder_path("each.db"));
            remove(folder_path("together.db"));
        }
    }
    assert_true(dims > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_of_a_group_do_not_depend_on_each_other),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
