#include "cli/energies.h"

#include "base/array.h"
#include "base/buffer.h"
#include "cli/describe.h"
#include "cli/installed.h"
#include "cli/usage.h"
#include "sweep/energy.h"

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
    "   \"registers\": {\"static_W\": {\"value\": 0.09, \"per\": \"SM\", \"source\": \"XI tab. 2\"}},\n"
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
    "table, COMPONENT_J, COMPONENT_static_J and COMPONENT_dynamic_J. Their formulas and sources are in the "
    "table 'metric'. Where a counter is unknown the energy is NULL, and 'note' says why.";
static const char with_baseline[] =
    "Sweeps with a baseline (axes mechanism.*, or the key \"baseline\") have the last two columns, and "
    "kernel_class ('warpsweep help kernel_class'):";

void cli_print_energy(FILE *out) {
    char folder[PATH_MAX];
    fputs("energy - tables of what events cost, for the key \"energy\" of a sweep's specification\n\n", out);
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
