#include "cli/help/names.h"

#include "base/array.h"
#include "base/buffer.h"
#include "cli/command.h"
#include "cli/help/bundled.h"
#include "cli/help/energies.h"
#include "cli/help/formats.h"
#include "cli/inputs/gpus.h"
#include "store/functions.h"
#include "sweep/plan/record.h"
#include "warpsweep/analysis.h"
#include "warpsweep/mechanism.h"
#include "warpsweep/store.h"

#include <stdlib.h>
#include <string.h>

typedef struct names {
    ws_buffer list; /* of copies of names */
    bool ok;        /* false: an error is in `err` */
    ws_error *err;
} names;

static char **first(const names *n, size_t *count) {
    *count = n->list.size / sizeof(char *);
    return (char **)(void *)n->list.data;
}

static void add(names *n, const char *name) {
    char *copy = strdup(name);
    if (copy)
        ws_buffer_put(&n->list, &copy, sizeof copy);
    else
        n->list.failed = true;
}

static void free_names(names *n) {
    size_t count;
    char **name = first(n, &count);
    for (size_t i = 0; i < count; i++) free(name[i]);
    ws_buffer_free(&n->list);
}

static int compare(const void *left, const void *right) {
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static bool print(names *n, FILE *out, ws_error *err) {
    size_t count;
    char **name = first(n, &count);
    if (n->list.failed) return ws_no_memory(err);
    if (count) qsort(name, count, sizeof *name, compare);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || strcmp(name[i - 1], name[i]) != 0) fprintf(out, "%s\n", name[i]);
    return true;
}

/* ---- kinds */

static void add_analyses(names *n) {
    for (const ws_analysis *const *a = ws_analyses(); *a; a++) add(n, (*a)->name);
}

static void add_commands(names *n) {
    for (const cli_command *const *c = cli_commands; *c; c++) add(n, (*c)->name);
}

static void add_energy(void *n, const char *name, const char *summary) {
    (void)summary;
    add(n, name);
}

static void add_energies(names *n) {
    n->ok = cli_energies_list(add_energy, n, n->err);
}

static void add_figures(names *n) {
    ws_figure *figures;
    size_t count;
    if (!(n->ok = cli_figures_list(&figures, &count, n->err))) return;
    for (size_t i = 0; i < count; i++) add(n, figures[i].name);
    ws_figures_free(figures, count);
}

static void add_formats(names *n) {
    for (const cli_format *f = cli_formats; f->name; f++) add(n, f->name);
}

static void add_functions(names *n) {
    for (const ws_sql_function *f = ws_sql_functions; f->name; f++) add(n, f->name);
}

static void add_gpus(names *n) {
    ws_preset_info *gpus;
    size_t count;
    if (!(n->ok = cli_gpus_list(&gpus, &count, n->err))) return;
    for (size_t i = 0; i < count; i++) add(n, gpus[i].name);
    ws_presets_free(gpus, count);
}

static void add_mechanisms(names *n) {
    for (const ws_mechanism *const *m = ws_mechanisms(); *m; m++) add(n, (*m)->name);
}

static void add_metrics(names *n) {
    for (const ws_analysis *const *a = ws_analyses(); *a; a++)
        for (const ws_table *const *t = (*a)->tables; *t; t++) {
            for (size_t i = 0; i < (*t)->column_count; i++) add(n, (*t)->columns[i].name);
            for (size_t i = 0; i < (*t)->ratio_count; i++) add(n, (*t)->ratios[i].name);
        }
    for (const ws_analysis *const *a = ws_analyses(); *a; a++)
        for (size_t i = 0; (*a)->comparison && i < (*a)->comparison->ratio_count; i++)
            add(n, (*a)->comparison->ratios[i].name);
    for (size_t i = 0; i < ws_energy_table.ratio_count; i++) add(n, ws_energy_table.ratios[i].name);
    for (size_t i = 0; i < ws_front_table.column_count; i++) add(n, ws_front_table.columns[i].name);
    for (size_t i = 0; i < ws_kernel_counters.column_count; i++) add(n, ws_kernel_counters.columns[i].name);
}

static void add_component(names *n, const ws_component *component) {
    for (size_t i = 0; i < component->param_count; i++) add(n, component->params[i].name);
}

static void add_parameters(names *n) {
    for (int f = 0; f < 2; f++) {
        size_t count;
        const ws_component *const *components =
            ws_fidelity_components(f ? WS_FIDELITY_TIMED : WS_FIDELITY_ORDER, &count);
        for (size_t i = 0; i < count; i++) add_component(n, components[i]);
    }
    for (const ws_analysis *const *a = ws_analyses(); *a; a++)
        if ((*a)->component) add_component(n, (*a)->component);
}

static const struct {
    const char *kind;
    void (*add)(names *n);
} kinds[] = {
#define X(kind, after) {#kind, add_##kind},
    CLI_NAME_KINDS(X)
#undef X
};

bool cli_expect_kind(const char *kind, ws_error *err) {
    for (size_t i = 0; i < WS_COUNT(kinds); i++)
        if (strcmp(kind, kinds[i].kind) == 0) return true;
    return ws_fail(err, WS_ERROR_USAGE, "expected " CLI_NAME_KINDS_LISTED ", found '%s'", kind);
}

bool cli_print_names(const char *kind, FILE *out, ws_error *err) {
    names n = {.ok = true, .err = err};
    for (size_t i = 0; i < WS_COUNT(kinds); i++)
        if (strcmp(kind, kinds[i].kind) == 0) kinds[i].add(&n);
    bool ok = n.ok && print(&n, out, err);
    free_names(&n);
    return ok;
}
