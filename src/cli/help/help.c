/* The command `help`: searches everything that has a name, and explains what bears the one asked for. */
#include "base/array.h"
#include "base/buffer.h"
#include "base/ends.h"
#include "base/nearest.h"
#include "cli/command.h"
#include "cli/help/bundled.h"
#include "cli/help/describe.h"
#include "cli/help/energies.h"
#include "cli/help/formats.h"
#include "cli/help/manual.h"
#include "cli/help/mentions.h"
#include "cli/help/names.h"
#include "cli/inputs/gpus.h"
#include "cli/installed.h"
#include "cli/sweep/measures.h"
#include "cli/usage.h"
#include "store/functions.h"
#include "sweep/plan/record.h"
#include "sweep/spec/spec.h"
#include "warpsweep/mechanism.h"
#include "warpsweep/store.h"
#include "warpsweep/trace.h"

#include <limits.h>
#include <string.h>

enum { MAN, BASH };

enum { HITS_MAX = 64 };

/* A search for one name through everything that has one; all that bear it are printed, each once. */
typedef struct search {
    const char *name;
    ws_nearest nearest;
    const void *hits[HITS_MAX];
    size_t hit_count;
    ws_preset_info *gpus; /* none if their files are missing; all else can still be explained */
    size_t gpu_count;
    ws_figure *figures; /* the same */
    size_t figure_count;
    json_t *measures; /* of `characterize`; NULL if their file is missing */
    bool is_energy_table;
} search;

/* True if `thing`, called `candidate`, is to be printed now. `candidate` must live as long as the search. */
static bool hit(search *s, const char *candidate, const void *thing) {
    ws_nearest_offer(&s->nearest, candidate);
    if (strcmp(s->name, candidate) != 0 || s->hit_count == HITS_MAX) return false;
    for (size_t i = 0; i < s->hit_count; i++)
        if (s->hits[i] == thing) return false;
    if (s->hit_count) fputc('\n', stdout);
    s->hits[s->hit_count++] = thing;
    return true;
}

static bool has_component(const ws_analysis *analysis, enum ws_fidelity fidelity,
                          const ws_component *component) {
    const ws_component *components[WS_COMPONENTS_MAX];
    size_t count = 0;
    if (ws_analysis_takes(analysis, fidelity)) ws_analysis_components(analysis, fidelity, components, &count);
    for (size_t i = 0; i < count; i++)
        if (components[i] == component) return true;
    return false;
}

/* Prints which analyses have a component, unless all do, or one of them owns it. */
static void print_takers(const ws_component *component) {
    ws_buffer names = {0};
    bool all = true, own = false;
    for (const ws_analysis *const *a = ws_analyses(); *a; a++) {
        const bool has = has_component(*a, ws_analysis_fidelity(*a), component);
        all = all && has;
        if (!has && !has_component(*a, WS_FIDELITY_TIMED, component)) continue;
        own = own || (*a)->component == component;
        const char *words[] = {names.size ? ", " : "of the analyses ", (*a)->name,
                               has ? "" : " (fidelity timed)"};
        for (size_t i = 0; i < WS_COUNT(words); i++) ws_buffer_put(&names, words[i], strlen(words[i]));
    }
    ws_buffer_put(&names, "", 1);
    if (!all && !own && !names.failed) cli_print_wrapped((const char *)names.data, 0, stdout);
    ws_buffer_free(&names);
}

static void print_param(const ws_component *component, const ws_param *p) {
    char column[80], text[512];
    ws_param_column(p->name, column, sizeof column);
    snprintf(text, sizeof text, "parameter of %s (%s); column %s", component->name, component->summary,
             column);
    cli_print_wrapped(text, 0, stdout);
    print_takers(component);
    cli_describe_param(p, stdout);
}

static void search_component(search *s, const ws_component *component) {
    for (size_t i = 0; i < component->param_count; i++) {
        const ws_param *p = &component->params[i];
        char column[80];
        ws_param_column(p->name, column, sizeof column);
        bool is_column = strcmp(s->name, column) == 0;
        if (hit(s, is_column ? s->name : p->name, p)) print_param(component, p);
    }
}

/* Finds the parameters that may have the name as a value: their help says what each value is. */
static void search_values(search *s, const ws_component *const *components, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < components[i]->param_count; k++) {
            const ws_param *p = &components[i]->params[k];
            for (const char *const *value = p->choices; value && *value; value++)
                if (hit(s, *value, p)) print_param(components[i], p);
        }
}

/* Finds the replay's groups of parameters, by their prefix; and each parameter. */
static void search_replay(search *s, enum ws_fidelity fidelity) {
    size_t count;
    const ws_component *const *components = ws_fidelity_components(fidelity, &count);
    for (size_t i = 0; i < count; i++)
        if (hit(s, components[i]->name, components[i])) cli_describe_component(components[i], stdout);
    for (size_t i = 0; i < count; i++) search_component(s, components[i]);
}

static const ws_column *own_column(const char *table, const char *name) {
    for (const ws_table *t = ws_store_own_tables; t < ws_store_own_tables + ws_store_own_table_count; t++)
        for (size_t i = 0; i < t->column_count; i++)
            if (strcmp(t->name, table) == 0 && strcmp(t->columns[i].name, name) == 0) return &t->columns[i];
    return NULL;
}

static void search_view_column(search *s, const ws_column *column) {
    if (!column || !hit(s, column->name, column)) return;
    puts("column of a sweep's views");
    cli_describe_column(column, stdout);
}

/* Finds columns that the views of all sweeps have besides axes and metrics. */
static void search_views(search *s) {
    static const ws_column columns[] = {
        {"trace", WS_TYPE_TEXT, "", WS_ADDS_KEY,
         "Name of the file, without folders and .wst; 'a+b' of two programs."},
        {"kernel", WS_TYPE_TEXT, "", WS_ADDS_KEY,
         "Short name of the kernel. Others of the trace, or of the program beside it, with the same one have "
         "#2, "
         "#3 .. behind it."},
        {"launch", WS_TYPE_INT, "", WS_ADDS_KEY, "Number of the launch in its trace, from 1."},
        {"launches", WS_TYPE_INT, "launches", WS_ADDS_NOT, "How many a row of NAME_by_kernel puts together."},
        {"launch_set", WS_TYPE_INT, "", WS_ADDS_NOT,
         "Which launches a row of NAME_by_kernel puts together: rows of a kernel with the same number have "
         "the same, where points failed, too. Ratios to a baseline are of the same launches."},
        {"fidelity", WS_TYPE_TEXT, "", WS_ADDS_KEY,
         "order: who goes next, without latencies. timed: cycle by cycle."},
        {"note", WS_TYPE_TEXT, "", WS_ADDS_NOT,
         "Why a value of the row, or of the point that it compares, is unknown, which is NULL; NULL where "
         "nothing is. Each view but NAME_pareto (help on_front) has one: where several are joined, say whose "
         "(v.note), and what matches (USING). NATURAL JOIN would have notes match, too, and NULL matches "
         "nothing."},
    };
    for (size_t i = 0; i < WS_COUNT(columns); i++) search_view_column(s, &columns[i]);
    search_view_column(s, own_column("point", "truncated"));
}

/* Finds columns of a table. `what`, `name`: what they are, and of which table. */
static void search_columns(search *s, const ws_table *table, const char *what, const char *name) {
    for (size_t i = 0; i < table->column_count; i++) {
        if (!hit(s, table->columns[i].name, &table->columns[i])) continue;
        printf("%s%s (%s)\n", what, name, table->summary);
        cli_describe_column(&table->columns[i], stdout);
    }
}

/* Finds metrics of a table, but not in a table of the same name, which is described with all of them. */
static void search_table(search *s, const ws_table *table) {
    if (strcmp(s->name, table->name) == 0) return;
    search_columns(s, table, "metric in table ", table->name);
    for (size_t i = 0; i < table->ratio_count; i++) {
        if (!hit(s, table->ratios[i].name, &table->ratios[i])) continue;
        printf("metric in the views of table %s (%s)\n", table->name, table->summary);
        cli_describe_ratio(&table->ratios[i], stdout);
    }
}

static void search_analysis(search *s, const ws_analysis *analysis) {
    const ws_component *components[WS_COMPONENTS_MAX];
    size_t count;
    if (hit(s, analysis->name, analysis)) {
        cli_describe_analysis(analysis, stdout);
        cli_describe_replay(analysis, stdout);
    }
    ws_analysis_components(analysis, ws_analysis_fidelity(analysis), components, &count);
    for (size_t i = 0; i < count; i++) search_component(s, components[i]);
    for (const ws_table *const *table = analysis->tables; *table; table++) {
        /* A table that has the name of its analysis is described with it. */
        if (strcmp((*table)->name, analysis->name) != 0 && hit(s, (*table)->name, *table))
            cli_describe_table(*table, stdout);
        search_table(s, *table);
    }
    if (!analysis->comparison) return;
    if (hit(s, analysis->comparison->name, analysis->comparison))
        cli_describe_table(analysis->comparison, stdout);
    search_table(s, analysis->comparison);
}

/* Finds what 'run --json' has under a name that is in no table. */
static void search_json(search *s) {
    static const ws_column fails = {
        "l2_reservation_fails", WS_TYPE_INT, "cycles", WS_ADDS_SUM,
        "\"reservation_fails\" of \"l2\": another name of its \"retries\", l2_retries."};
    if (!hit(s, fails.name, &fails)) return;
    puts("counter of 'warpsweep run --json'");
    cli_describe_column(&fails, stdout);
}

static void print_own_table(const ws_table *table) {
    printf("table %s: %s\n", table->name, table->summary);
    for (size_t i = 0; i < table->column_count; i++) cli_describe_column(&table->columns[i], stdout);
}

/* Finds the tables that every database has, and their columns. */
static void search_own_tables(search *s) {
    for (const ws_table *t = ws_store_own_tables; t < ws_store_own_tables + ws_store_own_table_count; t++) {
        if (hit(s, t->name, t)) print_own_table(t);
        search_columns(s, t, "column of table ", t->name);
    }
}

static void search_mechanisms(search *s) {
    for (const ws_mechanism *const *m = ws_mechanisms(); *m; m++) {
        if (!hit(s, (*m)->name, (*m)->component)) continue;
        printf("mechanism %s: %s\n(%s; turned on by %s=%s)\n\n", (*m)->name, (*m)->summary, (*m)->source,
               ws_mechanism_switch(*m)->name, (*m)->name);
        cli_describe_component((*m)->component, stdout);
        fputc('\n', stdout);
        cli_describe_table((*m)->table, stdout);
        if (!(*m)->structure_count) continue;
        fputc('\n', stdout);
        cli_describe_structures((*m)->name, (*m)->structures, (*m)->structure_count, stdout);
    }
    if (hit(s, "coalescers", &ws_coalescers_structure))
        cli_describe_structures("coalescers", &ws_coalescers_structure, 1, stdout);
}

static void search_formats(search *s) {
    for (const cli_format *f = cli_formats; f->name; f++)
        if (hit(s, f->name, f)) cli_print_format(f, stdout);
    if (hit(s, "formats", cli_formats)) cli_print_formats(stdout);
}

static void print_variable(const char *name, const char *help, FILE *out) {
    cli_print_named(name, help, 22, out);
}

static void search_environment(search *s) {
    if (!hit(s, "environment", &cli_gpus)) return;
    puts("Variables of the environment that warpsweep reads:\n");
    cli_print_variables(print_variable, stdout);
}

static void search_functions(search *s) {
    for (const ws_sql_function *f = ws_sql_functions; f->name; f++) {
        if (!hit(s, f->name, f)) continue;
        printf("function of SQL, an aggregate: %s(%s)\n", f->name, f->arguments);
        cli_print_wrapped(f->help, 0, stdout);
    }
}

static void search_measures(search *s) {
    const json_t *part, *m;
    size_t p, i;
    json_array_foreach(json_object_get(s->measures, "parts"), p, part) {
        json_array_foreach(json_object_get(part, "measures"), i, m) {
            if (hit(s, json_string_value(json_object_get(m, "name")), m))
                cli_measure_explain(part, m, stdout);
        }
    }
}

static bool search_gpus(search *s, ws_error *err) {
    bool ok = true;
    for (size_t i = 0; ok && i < s->gpu_count; i++)
        if (hit(s, s->gpus[i].name, &s->gpus[i])) ok = cli_print_gpu(s->name, stdout, err);
    return ok;
}

/* A table of energies may be called like the GPU that it is of. */
static void search_energy_table(void *s_, const char *name, const char *summary) {
    search *s = s_;
    if (strcmp(s->name, name) != 0 || !hit(s, s->name, &ws_energy_table)) return;
    printf("table of energies %s, for the key \"energy\" ('warpsweep help energy'):\n", name);
    cli_print_wrapped(summary, 0, stdout);
    s->is_energy_table = true;
}

/* The columns that a view has for each component of its table of energies. */
static void search_energy_component(search *s) {
    static const struct {
        const char *ending, *what;
    } columns[] = {{"_J", "energy in J"},
                   {"_static_J", "energy in J that is drawn all the time"},
                   {"_dynamic_J", "energy in J that events take"},
                   {"_mm2", "area in mm2"}};
    for (size_t i = 0; i < WS_COUNT(columns); i++) {
        char component[128];
        if (!ws_ends_with(s->name, columns[i].ending)) continue;
        snprintf(component, sizeof component, "%.*s", (int)(strlen(s->name) - strlen(columns[i].ending)),
                 s->name);
        if (!cli_energies_have(component) || !hit(s, s->name, &columns[i])) continue;
        printf("column of the views NAME_energy: %s of the component %s\n", columns[i].what, component);
        cli_print_wrapped("The table 'metric' has its formula and sources; 'warpsweep help energy' lists the "
                          "tables of energies.",
                          0, stdout);
    }
}

static void search_instruction_sets(search *s) {
    static const char *const sets[][2] = {
        {"sass", "machine instructions of NVIDIA GPUs, as imported traces have"},
        {"llvm", "LLVM's intermediate code, as Oclgrind runs it; phi nodes and other instructions without a "
                 "counterpart on hardware are of class meta, and in no other sum"}};
    for (size_t i = 0; i < WS_COUNT(sets); i++) {
        if (!hit(s, sets[i][0], sets[i])) continue;
        printf("instruction set of a trace: %s\n", sets[i][0]);
        cli_print_wrapped(sets[i][1], 0, stdout);
    }
}

static void search_all_values(search *s) {
    const ws_component *components[WS_COMPONENTS_MAX];
    size_t count;
    for (const ws_analysis *const *a = ws_analyses(); *a; a++) {
        ws_analysis_components(*a, ws_analysis_fidelity(*a), components, &count);
        search_values(s, components, count);
    }
}

static void search_specification(search *s, ws_error *err) {
    static const char *const words[] = {"specification", "spec",  "zip",      "log2",
                                        "sobol",         "views", "by_kernel"};
    bool found = false;
    for (size_t i = 0; !found && i < WS_COUNT(words); i++) found = hit(s, words[i], "specification");
    for (const char *const *key = ws_spec_keys; !found && s->hit_count == 0 && *key; key++)
        found = hit(s, *key, "specification");
    if (found) cli_print_command(cli_command_find("sweep", err), stdout);
}

static void search_front(search *s, const ws_front *front) {
    if (hit(s, front->name, front)) {
        printf("view NAME_%s: %s\n", front->name, ws_front_table.summary);
        for (size_t i = 0; i < ws_front_table.column_count; i++)
            cli_describe_column(&ws_front_table.columns[i], stdout);
        cli_print_wrapped(
            "Beside them: the class of kernels, or 'all'; the axes; the speedup, and what it costs.", 0,
            stdout);
    }
    search_columns(s, &ws_front_table, "column of the views NAME_", front->name);
}

static void search_fronts(search *s) {
    for (const ws_analysis *const *a = ws_analyses(); *a; a++)
        if ((*a)->front) search_front(s, (*a)->front);
}

/* Many are called like what they show. */
static void search_bundled(search *s) {
    for (size_t i = 0; i < s->figure_count; i++)
        if (hit(s, s->figures[i].name, &s->figures[i])) cli_print_figure(&s->figures[i], stdout);
    char path[PATH_MAX];
    json_t *description = cli_specification(s->name, path);
    if (description && hit(s, s->name, description)) {
        printf("specification %s ('warpsweep sweep %s --db FILE')\n", s->name, path);
        cli_print_wrapped(json_string_value(description), 0, stdout);
    }
    json_decref(description);
}

static void search_kinds(search *s) {
    if (!cli_expect_kind(s->name, NULL) || !hit(s, s->name, s)) return;
    printf("kind of names: 'warpsweep list %s' has them all, and 'warpsweep help NAME' explains each\n",
           s->name);
}

static bool search_all(search *s, ws_error *err) {
    for (const cli_command *const *c = cli_commands; *c; c++)
        if (hit(s, (*c)->name, *c)) cli_print_command(*c, stdout);
    search_views(s);
    for (const ws_analysis *const *a = ws_analyses(); *a; a++) search_analysis(s, *a);
    search_mechanisms(s);
    search_formats(s);
    search_environment(s);
    search_functions(s);
    if (hit(s, ws_energy_table.name, &ws_energy_table)) cli_print_energy(stdout);
    search_table(s, &ws_energy_table);
    if (s->hit_count) search_fronts(s); /* area_mm2 is in both */
    search_table(s, &ws_kernel_counters);
    search_json(s);
    search_replay(s, WS_FIDELITY_ORDER);
    search_replay(s, WS_FIDELITY_TIMED);
    search_measures(s);
    search_instruction_sets(s);
    if (!search_gpus(s, err)) return false;
    cli_energies_list(search_energy_table, s, NULL);
    if (s->is_energy_table && !cli_print_energy_table(s->name, stdout, err)) return false;
    /* Values come last: "warpman" is a mechanism before it is a value. */
    if (!s->hit_count) search_all_values(s);
    /* Some keys of a specification are also columns: "kernels", "baseline". */
    if (!s->hit_count) {
        search_specification(s, err);
        search_fronts(s);
        search_own_tables(s);
    }
    if (!s->hit_count) search_energy_component(s);
    if (!s->hit_count) search_bundled(s);
    if (!s->hit_count) search_kinds(s);
    if (s->hit_count) return true;
    bool mentioned = cli_print_mentions(s->name, stdout);
    if (s->nearest.best)
        return ws_fail(err, WS_ERROR_USAGE, "nothing is called '%s': did you mean '%s'?", s->name,
                       s->nearest.best);
    return mentioned ||
           ws_fail(err, WS_ERROR_USAGE,
                   "nothing is called '%s': 'warpsweep help' lists the commands, 'warpsweep list' all other "
                   "names",
                   s->name);
}

static json_t *load_measures(void) {
    char sweeps[PATH_MAX];
    bool found = cli_data_folder(&cli_sweeps, sweeps, sizeof sweeps, NULL);
    return found ? cli_measures_load(sweeps, NULL) : NULL;
}

static bool explain(const char *name, ws_error *err) {
    if (ws_preset_is_file(name)) return cli_print_gpu(name, stdout, err);
    search s = {.name = name, .nearest = ws_nearest_to(name)};
    cli_gpus_list(&s.gpus, &s.gpu_count, NULL);
    cli_bundled_figures(&s.figures, &s.figure_count);
    s.measures = load_measures();
    bool ok = search_all(&s, err);
    json_decref(s.measures);
    ws_figures_free(s.figures, s.figure_count);
    ws_presets_free(s.gpus, s.gpu_count);
    return ok;
}

static void explain_each(const cli_args *args, ws_error *err) {
    bool ok = explain(args->repeated[0], err);
    for (int i = 1; ok && i < args->repeated_count; i++) {
        fputc('\n', stdout);
        ok = explain(args->repeated[i], err);
    }
}

static int run(const cli_args *args, ws_error *err) {
    const char *name = args->argument[0], *man = args->option[MAN], *bash = args->option[BASH];
    if (!!name + !!man + !!bash > 1)
        ws_fail(err, WS_ERROR_USAGE, "expected one of NAME, --man and --bash, found several");
    else if (name)
        explain_each(args, err);
    else if (man)
        cli_print_manual(stdout);
    else if (bash)
        cli_print_completion(stdout);
    else
        cli_print_overview(stdout);
    return 0;
}

const cli_command cli_help = {
    .name = "help",
    .summary = "explain a name: of a command, analysis, parameter, metric, GPU, figure, format ..",
    .arguments =
        {{.name = "NAME",
          .optional = true,
          .help = "import, spec, csv, energy, window, window.size, gto, gtx480, geomean ..; or a file "
                  "of a GPU; or a term, which lists what it explains; without it, the commands are listed"}},
    .repeats = "NAME",
    .options = {[MAN] = {"man", 0, false, NULL, "the manual page, for 'man -l'"},
                [BASH] = {"bash", 0, false, NULL, "a script for bash to complete names: source it"}},
    .run = run,
};
