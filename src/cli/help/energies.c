#include "cli/help/energies.h"

#include "base/array.h"
#include "base/buffer.h"
#include "cli/help/describe.h"
#include "cli/installed.h"
#include "cli/usage.h"
#include "param/json_file.h"
#include "sweep/energy/energy.h"

#include <limits.h>
#include <string.h>

enum { INDENT = 22 };

/* ---- the format */

static const struct {
    const char *key, *help;
} keys[] = {
    {"name, summary", "what the table is called, and what it describes"},
    {"like", "the name of another table, beside this one or of those listed here: what is not given here is "
             "taken from there, the clock and whole components"},
    {"clock_Hz", "{\"value\": cycles per second} of the cores"},
    {"components",
     "an object with the parts of the GPU, by names of your choice: small letters, digits and _"},
    {"  static_W",
     "{\"value\": watts, \"per\": what draws them}: \"SM\", \"partition\" (of memory: a DRAM channel with "
     "its L2 slices), \"GPU\", \"bit\" (of the storage that mechanisms add), or a counter of cycles (below) "
     "in each of which they are drawn"},
    {"  area_mm2", "{\"value\": mm2, \"per\": what takes it}, in the same way; the view has their sum"},
    {"    times",
     "in static_W and area_mm2, where they grow with a size: what they are multiplied by, an SQL "
     "expression over the parameters, as in \"derived\" ('warpsweep help spec'), such as that "
     "size over the one for which they are given: \"l2_size_B / 65536.0\""},
    {"  events", "an object of counters (below; those of a mechanism are none where it is off), each {\"J\": "
                 "joules}; below 0 for what is spared"},
    {"source", "beside every number: where it comes from .."},
    {"assumption", ".. and what was assumed; a number has one of them or both"},
};

static void print_keys(FILE *out) {
    for (size_t i = 0; i < WS_COUNT(keys); i++) {
        fprintf(out, "%-*s", INDENT, keys[i].key);
        cli_print_wrapped(keys[i].help, INDENT, out);
    }
}

static const char example[] =
    "{\"name\": \"mine\", \"summary\": \"40 nm\",\n"
    " \"clock_Hz\": {\"value\": 1.4e9, \"source\": \"XI tab. 8\"},\n"
    " \"components\": {\n"
    "   \"registers\": {\"static_W\": {\"value\": 0.09, \"per\": \"SM\", \"times\": \"sm_registers / "
    "16384.0\",\n"
    "                                \"source\": \"XI tab. 2\"}},\n"
    "   \"l1\": {\"events\": {\"l1_accesses\": {\"J\": 1e-10, \"assumption\": \"100 pJ per line\"},\n"
    "                     \"coarse_counters.fetched\": {\"J\": 1e-10, \"assumption\": \"the same\"}}}}}\n";

/* ---- the counters */

/* Prints a table's counters as a table of energies names them; those of the first table have no prefix. */
static void print_counters(const ws_table *table, bool first, FILE *out) {
    ws_buffer line = {0};
    for (size_t i = 0; i < table->column_count; i++) {
        const ws_column *c = &table->columns[i];
        if (c->adds != WS_ADDS_SUM) continue;
        if (line.size) ws_buffer_put(&line, ", ", 2);
        if (!first) {
            ws_buffer_put(&line, table->name, strlen(table->name));
            ws_buffer_put(&line, ".", 1);
        }
        ws_buffer_put(&line, c->name, strlen(c->name));
    }
    bool any = line.size;
    ws_buffer_put(&line, "", 1);
    if (any && !line.failed) {
        fprintf(out, "  ");
        cli_print_wrapped((const char *)line.data, 2, out);
    }
    ws_buffer_free(&line);
}

static void print_analysis(const ws_analysis *a, FILE *out) {
    fprintf(out, "\nCounters of analysis %s ('warpsweep help NAME' explains each):\n", a->name);
    for (const ws_table *const *t = a->tables; *t; t++) print_counters(*t, t == a->tables, out);
}

/* ---- the installed tables */

bool cli_energies_list(ws_energy_visit *visit, void *context, ws_error *err) {
    char folder[PATH_MAX];
    return !cli_data_folder(&cli_energies, folder, sizeof folder, NULL) ||
           ws_energy_tables(folder, visit, context, err);
}

static void print_table(void *out, const char *name, const char *summary) {
    cli_print_named(name, summary, INDENT, out);
}

static const char what[] =
    "A specification names a table (below), or gives the path of a JSON file. The sweep then has the view "
    "NAME_energy: a row for each point and kernel, with the columns below and, for each COMPONENT of the "
    "table, COMPONENT_J, COMPONENT_static_J and COMPONENT_dynamic_J, and COMPONENT_mm2 where it gives an "
    "area. Their formulas and sources are in the table 'metric'. Where a counter is unknown the energy is "
    "NULL, and 'note' says why.";
static const char with_baseline[] =
    "Sweeps with a baseline (axes mechanism.*, or the key \"baseline\") have the last three columns, and "
    "kernel_class ('warpsweep help kernel_class'):";

void cli_print_energy(FILE *out) {
    char folder[PATH_MAX];
    fputs("energy - tables of what events cost, and of areas, for the key \"energy\" of a sweep's "
          "specification\n\n",
          out);
    cli_print_wrapped(what, 0, out);
    fputc('\n', out);
    print_keys(out);
    fprintf(out, "\nExample:\n\n%s", example);
    for (const ws_analysis *const *a = ws_analyses(); *a; a++)
        if (ws_energy_suits(*a)) print_analysis(*a, out);
    fputc('\n', out);
    cli_print_wrapped(with_baseline, 0, out);
    fputc('\n', out);
    cli_describe_table(&ws_energy_table, out);
    if (!cli_data_folder(&cli_energies, folder, sizeof folder, NULL)) return;
    fputs("\ntables:\n", out);
    cli_energies_list(print_table, out, NULL);
}

/* ---- one of them */

/* Prints a number, called COMPONENT.NAME, with its unit and where it comes from. */
static void print_number(const char *component, const char *name, double value, const char *unit,
                         const json_t *number, FILE *out) {
    const char *per = json_string_value(json_object_get(number, "per")),
               *times = json_string_value(json_object_get(number, "times")),
               *source = json_string_value(json_object_get(number, "source")),
               *assumption = json_string_value(json_object_get(number, "assumption"));
    char label[160], amount[120];
    snprintf(label, sizeof label, "%s%s%s", component, *component ? "." : "", name);
    snprintf(amount, sizeof amount, "%g %s%s%s", value, unit, per ? " per " : "", per ? per : "");
    fprintf(out, "  %-46s  %-16s  %s%s%s%s%s%s%s\n", label, amount, times ? "times " : "", times ? times : "",
            times ? "; " : "", source ? source : "", source && assumption ? "; " : "",
            assumption ? "assumption: " : "", assumption ? assumption : "");
}

static double number_of(const json_t *number, const char *key) {
    return json_number_value(json_object_get(number, key));
}

static void print_component(const char *name, const json_t *component, FILE *out) {
    const json_t *power = json_object_get(component, "static_W"),
                 *area = json_object_get(component, "area_mm2"), *event;
    const char *counter;
    if (power) print_number(name, "static", number_of(power, "value"), "W", power, out);
    json_object_foreach(json_object_get(component, "events"), counter, event)
        print_number(name, counter, number_of(event, "J"), "J", event, out);
    if (area) print_number(name, "area", number_of(area, "value"), "mm2", area, out);
}

static json_t *load_table(const char *name, ws_error *err) {
    char folder[PATH_MAX], path[PATH_MAX + 128];
    if (!cli_data_folder(&cli_energies, folder, sizeof folder, err)) return NULL;
    snprintf(path, sizeof path, "%s/%s.json", folder, name);
    return ws_json_load(path, NULL, err);
}

bool cli_print_energy_table(const char *name, FILE *out, ws_error *err) {
    json_t *table = load_table(name, err), *component;
    if (!table) return false;
    const json_t *clock = json_object_get(table, "clock_Hz");
    const char *like = json_string_value(json_object_get(table, "like")), *part;
    if (like) fprintf(out, "  like %s, whose numbers count where there are none here\n", like);
    if (clock) print_number("", "clock", number_of(clock, "value"), "Hz", clock, out);
    json_object_foreach(json_object_get(table, "components"), part, component)
        print_component(part, component, out);
    json_decref(table);
    return true;
}

/* ---- their components */

typedef struct sought {
    const char *component;
    bool found;
} sought;

static void look_for_component(void *sought_, const char *name, const char *summary) {
    (void)summary;
    sought *s = sought_;
    json_t *table = load_table(name, NULL);
    s->found = s->found || json_object_get(json_object_get(table, "components"), s->component);
    json_decref(table);
}

bool cli_energies_have(const char *component) {
    sought s = {.component = component};
    cli_energies_list(look_for_component, &s, NULL);
    return s.found;
}
