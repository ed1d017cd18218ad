#include "base/array.h"
#include "base/buffer.h"
#include "cli/command.h"
#include "cli/help/bundled.h"
#include "cli/help/describe.h"
#include "cli/help/energies.h"
#include "cli/help/formats.h"
#include "cli/help/names.h"
#include "cli/inputs/gpus.h"
#include "cli/output.h"
#include "cli/usage.h"
#include "store/functions.h"
#include "sweep/energy/energy.h"
#include "warpsweep/trace.h"

#include <string.h>

enum { JSON, NAMES };

enum { INDENT = 24 };

/* ---- JSON */

static json_t *gpus_json(const ws_preset_info *gpus, size_t count) {
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        cli_json_append(&array, json_pack("{s:s, s:s}", "gpu", gpus[i].name, "summary", gpus[i].summary));
    return array;
}

static json_t *timed_json(void) {
    json_t *parameters = json_array();
    size_t count;
    const ws_component *const *components = ws_fidelity_components(WS_FIDELITY_TIMED, &count);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < components[i]->param_count; j++)
            cli_json_append(&parameters, cli_param_json(components[i], &components[i]->params[j]));
    return parameters;
}

static json_t *mechanisms_json(void) {
    json_t *mechanisms = json_array();
    for (const ws_mechanism *const *m = ws_mechanisms(); *m; m++)
        cli_json_append(&mechanisms, cli_mechanism_json(*m));
    return mechanisms;
}

static json_t *formats_json(void) {
    json_t *formats = json_array();
    for (const cli_format *f = cli_formats; f->name; f++)
        cli_json_append(&formats, json_pack("{s:s, s:s}", "format", f->name, "summary", f->summary));
    return formats;
}

static json_t *functions_json(void) {
    json_t *functions = json_array();
    for (const ws_sql_function *f = ws_sql_functions; f->name; f++)
        cli_json_append(&functions, json_pack("{s:s, s:s, s:s}", "name", f->name, "arguments", f->arguments,
                                              "help", f->help));
    return functions;
}

static void add_energy_json(void *array, const char *name, const char *summary) {
    cli_json_append(array, json_pack("{s:s, s:s}", "energy", name, "summary", summary));
}

static bool print_json(const ws_preset_info *gpus, size_t count, ws_error *err) {
    json_t *analyses = json_array();
    for (const ws_analysis *const *a = ws_analyses(); *a; a++)
        cli_json_append(&analyses, cli_analysis_json(*a));
    json_t *energies = json_array();
    bool listed = cli_energies_list(add_energy_json, &energies, err);
    json_t *root =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "analyses", analyses, "gpus", gpus_json(gpus, count),
                  "energies", energies, "mechanisms", mechanisms_json(), "timed_parameters", timed_json(),
                  "formats", formats_json(), "functions", functions_json());
    if (!listed || !root) {
        json_decref(root);
        return listed && ws_no_memory(err);
    }
    cli_put_json(root);
    return true;
}

/* ---- words */

static bool is_of(const ws_component *component, enum ws_fidelity fidelity) {
    size_t count;
    const ws_component *const *components = ws_fidelity_components(fidelity, &count);
    for (size_t i = 0; i < count; i++)
        if (components[i] == component) return true;
    return false;
}

static void add_name(ws_buffer *line, const char *name) {
    if (line->size) ws_buffer_put(line, ", ", 2);
    ws_buffer_put(line, name, strlen(name));
}

/* Prints "title name, name .." in wrapped lines, and empties `line`. */
static void print_names(const char *title, ws_buffer *line) {
    ws_buffer_put(line, "", 1);
    if (!line->failed && line->size > 1) {
        int room = INDENT - 2;
        if ((int)strlen(title) < room)
            printf("  %-*s", room, title);
        else
            printf("  %s\n%*s", title, INDENT, "");
        cli_print_wrapped((const char *)line->data, INDENT, stdout);
    }
    line->size = 0;
}

static void print_table(const ws_table *table, ws_buffer *line) {
    for (size_t i = 0; i < table->column_count; i++) add_name(line, table->columns[i].name);
    for (size_t i = 0; i < table->ratio_count; i++) add_name(line, table->ratios[i].name);
    print_names(table->name, line);
}

static void print_parameters(const ws_component *component, const char *title, ws_buffer *line) {
    for (size_t i = 0; i < component->param_count; i++) add_name(line, component->params[i].name);
    print_names(title, line);
}

/* Prints the parameters of one fidelity that the other has, too (`shared`), or that it does not have. */
static void print_replay(enum ws_fidelity fidelity, enum ws_fidelity other, bool shared, ws_buffer *line) {
    size_t count;
    const ws_component *const *components = ws_fidelity_components(fidelity, &count);
    for (size_t i = 0; i < count; i++)
        if (shared == is_of(components[i], other)) print_parameters(components[i], components[i]->name, line);
}

static void print_analysis(const ws_analysis *a, ws_buffer *line) {
    printf("\n%s: %s\n", a->name, a->summary);
    if (a->component) print_parameters(a->component, "parameters", line);
    for (const ws_table *const *table = a->tables; *table; table++) print_table(*table, line);
    if (a->comparison) print_table(a->comparison, line);
    if (ws_energy_suits(a)) print_table(&ws_energy_table, line);
}

static void print_mechanism(const ws_mechanism *m) {
    cli_print_named(m->name, m->summary, INDENT, stdout);
    printf("%*s(%s; %s=%s)\n", INDENT, "", m->source, ws_mechanism_switch(m)->name, m->name);
}

static void print_line(void *context, const char *name, const char *summary) {
    (void)context;
    cli_print_named(name, summary, INDENT, stdout);
}

/* What a section of the list is printed from. */
typedef struct sections {
    const ws_preset_info *gpus;
    size_t gpu_count;
    ws_buffer line;
    ws_error *err;
} sections;

static bool print_analyses(sections *s) {
    fputs("ANALYSES and the columns of their tables\n", stdout);
    for (const ws_analysis *const *a = ws_analyses(); *a; a++) print_analysis(*a, &s->line);
    return true;
}

static bool print_mechanisms(sections *s) {
    (void)s;
    fputs("MECHANISMS in the replay cycle by cycle, and what turns each one on\n", stdout);
    for (const ws_mechanism *const *m = ws_mechanisms(); *m; m++) print_mechanism(*m);
    return true;
}

static bool print_replay_parameters(sections *s) {
    fputs("PARAMETERS of every replay\n", stdout);
    print_replay(WS_FIDELITY_ORDER, WS_FIDELITY_TIMED, true, &s->line);
    fputs("\nPARAMETERS of the replay without latencies (fidelity order)\n", stdout);
    print_replay(WS_FIDELITY_ORDER, WS_FIDELITY_TIMED, false, &s->line);
    fputs("\nPARAMETERS of the replay cycle by cycle (fidelity timed, 'run')\n", stdout);
    print_replay(WS_FIDELITY_TIMED, WS_FIDELITY_ORDER, false, &s->line);
    return true;
}

static bool print_analysis_parameters(sections *s) {
    fputs("PARAMETERS of analyses\n", stdout);
    for (const ws_analysis *const *a = ws_analyses(); *a; a++)
        if ((*a)->component) print_parameters((*a)->component, (*a)->name, &s->line);
    return true;
}

static bool print_gpus(sections *s) {
    fputs("GPUS to run on\n", stdout);
    for (size_t i = 0; i < s->gpu_count; i++) print_line(NULL, s->gpus[i].name, s->gpus[i].summary);
    return true;
}

static bool print_energies(sections *s) {
    fputs("TABLES of energies\n", stdout);
    return cli_energies_list(print_line, NULL, s->err);
}

static bool print_figures(sections *s) {
    ws_figure *figures;
    size_t count;
    if (!cli_figures_list(&figures, &count, s->err)) return false;
    fputs("FIGURES to plot\n", stdout);
    for (size_t i = 0; i < count; i++) print_line(NULL, figures[i].name, figures[i].title);
    ws_figures_free(figures, count);
    return true;
}

static bool print_formats(sections *s) {
    fputs("FORMATS of traces\n", stdout);
    for (const char *const *name = ws_import_formats(); *name; name++) add_name(&s->line, *name);
    print_names("to import", &s->line);
    add_name(&s->line, "wst");
    print_names("native", &s->line);
    return true;
}

static bool print_functions(sections *s) {
    fputs("FUNCTIONS in SQL, in addition to SQLite's own\n", stdout);
    for (const ws_sql_function *f = ws_sql_functions; f->name; f++) add_name(&s->line, f->name);
    print_names("aggregates", &s->line);
    return true;
}

static bool print_commands(sections *s) {
    (void)s;
    fputs("COMMANDS\n", stdout);
    for (const cli_command *const *c = cli_commands; *c; c++) print_line(NULL, (*c)->name, (*c)->summary);
    return true;
}

/* The sections of the list; `other`: one that only who asks for its kind sees. */
static const struct {
    const char *kind;
    bool (*print)(sections *s);
    bool other;
} all_sections[] = {
    {"analyses", print_analyses, false},
    {"metrics", print_analyses, true},
    {"mechanisms", print_mechanisms, false},
    {"parameters", print_replay_parameters, false},
    {"parameters", print_analysis_parameters, true}, /* the list has them with their analyses */
    {"gpus", print_gpus, false},
    {"energies", print_energies, false},
    {"figures", print_figures, true},
    {"formats", print_formats, false},
    {"functions", print_functions, false},
    {"commands", print_commands, true}};

/* Prints the sections of a kind; without one, the list. */
static bool print_text(const char *kind, const ws_preset_info *gpus, size_t count, ws_error *err) {
    sections s = {.gpus = gpus, .gpu_count = count, .err = err};
    bool ok = true;
    fputs("'warpsweep help NAME' explains each of these names.\n", stdout);
    for (size_t i = 0; ok && i < WS_COUNT(all_sections); i++) {
        if (kind ? strcmp(kind, all_sections[i].kind) != 0 : all_sections[i].other) continue;
        fputc('\n', stdout);
        ok = all_sections[i].print(&s);
    }
    if (ok && s.line.failed) ok = ws_no_memory(err);
    ws_buffer_free(&s.line);
    return ok;
}

static void print_all(const char *kind, bool json, ws_error *err) {
    ws_preset_info *gpus;
    size_t count;
    if (!cli_gpus_list(&gpus, &count, err)) return;
    if (json)
        print_json(gpus, count, err);
    else
        print_text(kind, gpus, count, err);
    ws_presets_free(gpus, count);
}

static int run(const cli_args *args, ws_error *err) {
    const char *kind = args->argument[0], *json = args->option[JSON], *names = args->option[NAMES];
    if (kind && !cli_expect_kind(kind, err)) return 0;
    if (json && (kind || names))
        ws_fail(err, WS_ERROR_USAGE, "--json has all names: expected neither KIND nor --names with it");
    else if (names && !kind)
        ws_fail(err, WS_ERROR_USAGE, "--names needs a KIND: " CLI_NAME_KINDS_LISTED);
    else if (names)
        cli_print_names(kind, stdout, err);
    else
        print_all(kind, json, err);
    return 0;
}

const cli_command cli_list = {
    .name = "list",
    .summary = "all names: analyses, metrics, mechanisms, parameters, GPUs, energies ..",
    .arguments = {{.name = "KIND", .optional = true, .help = "only " CLI_NAME_KINDS_LISTED}},
    .options = {[JSON] = {"json", 0, false, NULL,
                          "one JSON object, with types, units, bounds, defaults and help"},
                [NAMES] = {"names", 0, false, NULL, "only the names, one per line"}},
    .details =
        "These are the names that sweep specifications and SQL use; in SQL a parameter's '.' is a '_'.\n",
    .run = run,
};
