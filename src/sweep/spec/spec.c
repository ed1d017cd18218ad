#include "sweep/spec/spec.h"

#include "base/ascii.h"
#include "param/json.h"
#include "param/json_file.h"
#include "store/names.h"
#include "sweep/energy/energy.h"
#include "sweep/energy/tables.h"
#include "sweep/spec/baseline.h"
#include "sweep/spec/gpus.h"
#include "sweep/spec/points.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const ws_spec_keys[] = {"name",     "description", "traces", "with", "kernels", "analysis",
                                    "fidelity", "gpu",         "base",   "axes", "derived", "where",
                                    "sampling", "baseline",    "energy", NULL};

static bool check_keys(const ws_spec *spec, ws_error *err) {
    if (!json_is_object(spec->root)) return ws_fail_kind("$", "an object", spec->root, err);
    if (json_object_get(spec->root, "parts") && json_object_get(spec->root, "pictures"))
        return ws_fail(
            err, WS_ERROR_SPEC,
            "$: expected a sweep, found the measures of 'warpsweep characterize', which reads them itself");
    return ws_check_keys(spec->root, ws_spec_keys, "$", "a key of a sweep (`warpsweep help sweep`)", err);
}

/* ---- the parts of a specification */

static bool read_name(ws_spec *spec, ws_error *err) {
    const json_t *name = json_object_get(spec->root, "name"),
                 *description = json_object_get(spec->root, "description");
    if (description && !json_is_string(description))
        return ws_fail_kind("$.description", "a string", description, err);
    if (!json_is_string(name)) return ws_fail_kind("$.name", "a string (the view is called so)", name, err);
    spec->name = json_string_value(name);
    bool ok = strlen(spec->name) <= 64 && ws_is_plain_name(spec->name, strlen(spec->name));
    if (ok && strncasecmp(spec->name, "sqlite_", strlen("sqlite_")) == 0)
        return ws_fail(
            err, WS_ERROR_SPEC,
            "$.name: expected a name that views may have, found \"%s\": SQLite keeps sqlite_ for itself",
            spec->name);
    if (ok && ws_store_needs_quotes(spec->name))
        return ws_fail(
            err, WS_ERROR_SPEC,
            "$.name: expected a name that queries can use without quotes, found \"%s\", a word of SQL",
            spec->name);
    if (ok) return true;
    return ws_fail(err, WS_ERROR_SPEC,
                   "$.name: expected at most 64 letters, digits and _, a letter first, found \"%.80s\"",
                   spec->name);
}

/* Reads a string, or an array of strings, into an array of pointers. */
static bool read_strings(const json_t *node, const char *path, const char *expected, const char ***strings,
                         size_t *count, ws_error *err) {
    bool list = json_is_array(node);
    if (!list && !json_is_string(node)) return ws_fail_kind(path, expected, node, err);
    *count = list ? json_array_size(node) : 1;
    *strings = calloc(*count + 1, sizeof **strings);
    if (!*strings) return ws_fail(err, WS_ERROR_MEMORY, "%s: out of memory", path);
    if (*count == 0)
        return ws_fail(err, WS_ERROR_SPEC, "%s: expected %s, found an empty array", path, expected);
    for (size_t i = 0; i < *count; i++) {
        const json_t *item = list ? json_array_get(node, i) : node;
        char at[64];
        snprintf(at, sizeof at, "%s[%zu]", path, i);
        if (!json_is_string(item)) return ws_fail_kind(at, "a string", item, err);
        (*strings)[i] = json_string_value(item);
    }
    return true;
}

static bool read_traces(ws_spec *spec, ws_error *err) {
    return read_strings(json_object_get(spec->root, "traces"), "$.traces",
                        "a path or a pattern of .wst files, or an array of them", &spec->patterns,
                        &spec->pattern_count, err);
}

/* Reads "with": programs that run at the same time as those of "traces". */
static bool read_with(ws_spec *spec, ws_error *err) {
    const json_t *node = json_object_get(spec->root, "with");
    if (!node) return true;
    if (spec->fidelity != WS_FIDELITY_TIMED)
        return ws_fail(
            err, WS_ERROR_SPEC,
            "$.with: expected an analysis in fidelity timed, where programs run at the same time, found "
            "%s in fidelity order",
            spec->analysis->name);
    return read_strings(node, "$.with", "a path or a pattern of .wst files, or an array of them", &spec->with,
                        &spec->with_count, err);
}

static void forget_kernels(ws_spec *spec) {
    for (size_t i = 0; i < spec->selection_count; i++) ws_selection_free(spec->selections[i]);
    free(spec->selections);
    spec->selections = NULL;
    spec->selection_count = 0;
}

static bool select_kernels(ws_spec *spec, const char **texts, size_t count, bool list, ws_error *err) {
    spec->selected_by = "$.kernels";
    spec->selections = calloc(count, sizeof *spec->selections);
    if (!spec->selections) return ws_no_memory(err);
    for (size_t i = 0; i < count; i++) {
        char at[64] = "$.kernels";
        if (list) snprintf(at, sizeof at, "$.kernels[%zu]", i);
        spec->selections[i] = ws_selection_new(texts[i], at, err);
        if (!spec->selections[i]) {
            if (err && err->code == WS_ERROR_USAGE) err->code = WS_ERROR_SPEC;
            return false;
        }
        spec->selection_count++;
    }
    return true;
}

static bool read_kernels(ws_spec *spec, ws_error *err) {
    const json_t *node = json_object_get(spec->root, "kernels");
    const char *all = "*", **texts = NULL;
    size_t count = 0;
    if (!node) return select_kernels(spec, &all, 1, false, err);
    bool ok = read_strings(node, "$.kernels",
                           "launch numbers \"1,3-5\", a regular expression, or an array of these", &texts,
                           &count, err) &&
              select_kernels(spec, texts, count, json_is_array(node), err);
    free(texts);
    return ok;
}

bool ws_spec_select(ws_spec *spec, const char *kernels, const char *where, ws_error *err) {
    ws_selection *selection = ws_selection_new(kernels, where, err);
    if (!selection) return false;
    forget_kernels(spec);
    spec->selected_by = where;
    spec->selections = calloc(1, sizeof *spec->selections);
    if (!spec->selections) {
        ws_selection_free(selection);
        return ws_no_memory(err);
    }
    spec->selections[spec->selection_count++] = selection;
    return true;
}

bool ws_spec_wants(const ws_spec *spec, const ws_kernel *kernel) {
    for (size_t i = 0; i < spec->selection_count; i++)
        if (ws_selection_has(spec->selections[i], kernel->index, kernel->name, kernel->short_name))
            return true;
    return false;
}

static bool has_table(const ws_analysis *a, const char *name) {
    char config[128];
    snprintf(config, sizeof config, "%s_config", a->name);
    if (strcasecmp(config, name) == 0) return true;
    for (const ws_table *const *table = a->tables; *table; table++)
        if (strcasecmp((*table)->name, name) == 0) return true;
    return false;
}

static bool name_is_no_table_of(const ws_spec *spec, const ws_analysis *const *analyses, ws_error *err) {
    for (; *analyses; analyses++)
        if (has_table(*analyses, spec->name))
            return ws_fail(err, WS_ERROR_SPEC,
                           "$.name: expected a name that no table of analysis %s has, found \"%s\"",
                           (*analyses)->name, spec->name);
    return true;
}

/* Fails if the sweep's view would have the name of a table; that of another analysis counts, too, since its sweeps go
 * into the same database. Checked here, so that a dry run says so. */
static bool name_is_no_table(const ws_spec *spec, const ws_analysis *const *analyses, ws_error *err) {
    if (ws_store_is_own_table(spec->name))
        return ws_fail(err, WS_ERROR_SPEC,
                       "$.name: expected a name that no table of the database has, found \"%s\"", spec->name);
    return name_is_no_table_of(spec, analyses, err) && name_is_no_table_of(spec, ws_analyses(), err);
}

static bool read_analysis(ws_spec *spec, const ws_analysis *const *analyses, ws_error *err) {
    const json_t *node = json_object_get(spec->root, "analysis");
    if (!json_is_string(node)) return ws_fail_kind("$.analysis", "the name of an analysis", node, err);
    ws_nearest nearest = ws_nearest_to(json_string_value(node));
    for (const ws_analysis *const *a = analyses; *a; a++) {
        if (strcmp((*a)->name, nearest.name) == 0) spec->analysis = *a;
        ws_nearest_offer(&nearest, (*a)->name);
    }
    const char *what = analyses == ws_analyses()
                           ? "the name of an analysis (`warpsweep list`)"
                           : "the name of an analysis that this program has (ws_sweep_options.analyses)";
    if (!spec->analysis) return ws_fail_nearest("$.analysis", what, nearest.name, nearest, err);
    return name_is_no_table(spec, analyses, err);
}

static bool read_fidelity(ws_spec *spec, ws_error *err) {
    const json_t *node = json_object_get(spec->root, "fidelity");
    spec->fidelity = ws_analysis_fidelity(spec->analysis);
    if (node && !json_is_string(node)) return ws_fail_kind("$.fidelity", "\"order\" or \"timed\"", node, err);
    bool known = !node;
    for (int f = WS_FIDELITY_ORDER; node && f <= WS_FIDELITY_TIMED; f <<= 1) {
        if (strcmp(json_string_value(node), ws_fidelity_name(f)) != 0) continue;
        spec->fidelity = f;
        known = ws_analysis_takes(spec->analysis, f);
    }
    ws_analysis_components(spec->analysis, spec->fidelity, spec->components, &spec->component_count);
    if (known) return true;
    bool both = ws_analysis_takes(spec->analysis, WS_FIDELITY_ORDER) &&
                ws_analysis_takes(spec->analysis, WS_FIDELITY_TIMED);
    return ws_fail(err, WS_ERROR_SPEC, "$.fidelity: expected %s for analysis %s, found \"%.80s\"",
                   both                                                        ? "\"order\" or \"timed\""
                   : ws_analysis_fidelity(spec->analysis) == WS_FIDELITY_ORDER ? "\"order\""
                                                                               : "\"timed\"",
                   spec->analysis->name, json_string_value(node));
}

static bool read_energy(ws_spec *spec, ws_error *err) {
    const json_t *node = json_object_get(spec->root, "energy");
    char path[PATH_MAX];
    if (!node) return true;
    if (!json_is_string(node))
        return ws_fail_kind("$.energy", "the name of a table of energies, or its path", node, err);
    if (ws_energy_find(spec->folders.energies, json_string_value(node), path, sizeof path, err))
        spec->energy = ws_energy_load(path, spec->folders.energies, spec->analysis, err);
    return spec->energy || ws_fail_prefix(err, "$.energy");
}

/* ---- the whole */

static bool read_parts(ws_spec *spec, const ws_analysis *const *analyses, ws_error *err) {
    bool ok = check_keys(spec, err) && read_name(spec, err) && read_traces(spec, err) &&
              read_kernels(spec, err) && read_analysis(spec, analyses, err) && read_fidelity(spec, err) &&
              read_with(spec, err) && ws_spec_read_gpu(spec, err) && ws_spec_read_points(spec, err) &&
              ws_spec_read_baseline(spec, err) && read_energy(spec, err);
    return ok || ws_fail_prefix(err, "%s", spec->path);
}

ws_spec *ws_spec_load(const char *path, const ws_analysis *const *analyses, const ws_spec_folders *folders,
                      ws_error *err) {
    ws_spec *spec = calloc(1, sizeof *spec);
    bool ok = (spec && (spec->path = strdup(path))) || ws_no_memory(err);
    if (ok && folders) spec->folders = *folders;
    if (ok) spec->root = ws_json_load(path, &spec->text, err);
    if (ok && spec->root && read_parts(spec, analyses, err)) return spec;
    ws_spec_free(spec);
    return NULL;
}

void ws_spec_free(ws_spec *spec) {
    if (!spec) return;
    for (size_t i = 0; i < spec->axis_count; i++) json_decref(spec->axes[i].values);
    forget_kernels(spec);
    free(spec->axes);
    free(spec->derived);
    free(spec->patterns);
    free(spec->with);
    ws_spec_free_gpus(spec);
    ws_energy_free(spec->energy);
    json_decref(spec->root);
    free(spec->text);
    free(spec->path);
    free(spec);
}
