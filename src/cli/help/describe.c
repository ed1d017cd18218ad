#include "cli/help/describe.h"

#include "base/buffer.h"
#include "cli/output.h"
#include "cli/usage.h"
#include "store/store.h"
#include "sweep/energy/energy.h"

#include <string.h>

enum {
    NAME_INDENT = 2,
    NAME_COLUMNS = 26,
    HELP_INDENT = 6,
    SQL_COLUMNS = 60 /* of the longest SQL that fits behind a name */
};

static const char *const type_names[] = {
    [WS_TYPE_INT] = "integer",   [WS_TYPE_REAL] = "real", [WS_TYPE_BOOL] = "boolean",
    [WS_TYPE_CHOICE] = "choice", [WS_TYPE_TEXT] = "text",
};

/* ---- words */

static void print_name(const char *name, FILE *out) {
    fprintf(out, "%*s%-*s ", NAME_INDENT, "", NAME_COLUMNS, name);
}

static void print_help(const char *help, FILE *out) {
    fprintf(out, "%*s", HELP_INDENT, "");
    cli_print_wrapped(help, HELP_INDENT, out);
}

static void print_unit(const char *unit, FILE *out) {
    if (*unit) fprintf(out, " %s", unit);
}

static void put_text(ws_buffer *text, const char *more) {
    ws_buffer_put(text, more, strlen(more));
}

static void print_choices(const ws_param *p, FILE *out) {
    ws_buffer text = {0};
    for (const char *const *choice = p->choices; *choice; choice++) {
        if (choice > p->choices) put_text(&text, choice[1] ? ", " : " or ");
        put_text(&text, *choice);
    }
    put_text(&text, ", default ");
    put_text(&text, p->choices[(int)p->def]);
    ws_buffer_put(&text, "", 1);
    if (!text.failed) cli_print_wrapped((const char *)text.data, NAME_INDENT + NAME_COLUMNS + 1, out);
    ws_buffer_free(&text);
}

void cli_describe_param(const ws_param *p, FILE *out) {
    print_name(p->name, out);
    if (p->type == WS_TYPE_BOOL) {
        fprintf(out, "false or true, default %s\n", p->def != 0 ? "true" : "false");
    } else if (p->type == WS_TYPE_CHOICE) {
        print_choices(p, out);
    } else {
        fprintf(out, "%.15g .. %.15g", p->min, p->max);
        print_unit(p->unit, out);
        fprintf(out, ", default %.15g\n", p->def);
    }
    print_help(p->help, out);
}

void cli_describe_column(const ws_column *c, FILE *out) {
    static const char *const adds[] = {[WS_ADDS_SUM] = "adds up",
                                       [WS_ADDS_MAX] = "the largest counts",
                                       [WS_ADDS_SAME] = "the same for all, or unknown",
                                       [WS_ADDS_KEY] = "part of the key",
                                       [WS_ADDS_NOT] = "does not add up"};
    print_name(c->name, out);
    fputs(type_names[c->type], out);
    print_unit(c->unit, out);
    fprintf(out, ", %s\n", adds[c->adds]);
    print_help(c->help, out);
}

void cli_describe_ratio(const ws_ratio *r, FILE *out) {
    print_name(r->name, out);
    fputs("ratio", out);
    print_unit(r->unit, out);
    fputs(" =", out);
    if (strlen(r->sql) > SQL_COLUMNS)
        fprintf(out, "\n%*s", HELP_INDENT, "");
    else
        fputc(' ', out);
    cli_print_wrapped(r->sql, HELP_INDENT, out);
    print_help(r->help, out);
}

void cli_describe_table(const ws_table *table, FILE *out) {
    fprintf(out, "results in table %s: %s\n", table->name, table->summary);
    for (size_t i = 0; i < table->column_count; i++) cli_describe_column(&table->columns[i], out);
    for (size_t i = 0; i < table->ratio_count; i++) cli_describe_ratio(&table->ratios[i], out);
}

void cli_describe_structures(const char *whose, const ws_structure *structures, size_t count, FILE *out) {
    fprintf(out, "hardware of %s, in table mechanism_cost\n", whose);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "%*s%s\n", NAME_INDENT, "", structures[i].name);
        print_help(structures[i].help, out);
    }
}

void cli_describe_component(const ws_component *component, FILE *out) {
    fprintf(out, "parameters of %s: %s\n", component->name, component->summary);
    for (size_t i = 0; i < component->param_count; i++) cli_describe_param(&component->params[i], out);
}

void cli_describe_analysis(const ws_analysis *a, FILE *out) {
    fprintf(out, "%s: %s\n(%s; version %u)\n", a->name, a->summary, a->source, a->version);
    if (a->component) {
        fputc('\n', out);
        cli_describe_component(a->component, out);
    }
    for (const ws_table *const *table = a->tables; *table; table++) {
        fputc('\n', out);
        cli_describe_table(*table, out);
    }
    if (!a->comparison) return;
    fputc('\n', out);
    cli_describe_table(a->comparison, out);
}

void cli_describe_replay(const ws_analysis *a, FILE *out) {
    const ws_component *components[WS_COMPONENTS_MAX];
    size_t count;
    ws_analysis_components(a, ws_analysis_fidelity(a), components, &count);
    for (size_t i = 0; i < count; i++)
        if (components[i] != a->component) {
            fputc('\n', out);
            cli_describe_component(components[i], out);
        }
}

/* ---- JSON */

static json_t *number_json(const ws_param *p, double value) {
    return p->type == WS_TYPE_INT ? json_integer((json_int_t)value) : json_real(value);
}

static json_t *default_json(const ws_param *p) {
    if (p->type == WS_TYPE_BOOL) return json_boolean(p->def != 0);
    if (p->type == WS_TYPE_CHOICE) return json_string(p->choices[(int)p->def]);
    return number_json(p, p->def);
}

json_t *cli_param_json(const ws_component *component, const ws_param *p) {
    char column[80];
    ws_param_column(p->name, column, sizeof column);
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:s}", "name", p->name, "column", column,
                               "component", component->name, "type", type_names[p->type], "unit", p->unit,
                               "default", default_json(p), "help", p->help);
    if (p->type == WS_TYPE_INT || p->type == WS_TYPE_REAL) {
        cli_json_set(&object, "min", number_json(p, p->min));
        cli_json_set(&object, "max", number_json(p, p->max));
    } else if (p->type == WS_TYPE_CHOICE) {
        json_t *choices = json_array();
        for (const char *const *c = p->choices; *c; c++) cli_json_append(&choices, json_string(*c));
        cli_json_set(&object, "choices", choices);
    }
    return object;
}

static json_t *table_json(const ws_table *table) {
    json_t *columns = json_array(), *ratios = json_array();
    for (size_t i = 0; i < table->column_count; i++) {
        const ws_column *c = &table->columns[i];
        cli_json_append(&columns,
                        json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", c->name, "type", type_names[c->type],
                                  "unit", c->unit, "adds", ws_store_adds_name(c->adds), "help", c->help));
    }
    for (size_t i = 0; i < table->ratio_count; i++) {
        const ws_ratio *r = &table->ratios[i];
        cli_json_append(&ratios, json_pack("{s:s, s:s, s:s, s:s}", "name", r->name, "unit", r->unit, "sql",
                                           r->sql, "help", r->help));
    }
    return json_pack("{s:s, s:s, s:o, s:o}", "name", table->name, "summary", table->summary, "columns",
                     columns, "ratios", ratios);
}

json_t *cli_mechanism_json(const ws_mechanism *m) {
    json_t *hardware = json_array();
    for (size_t i = 0; i < m->structure_count; i++)
        cli_json_append(&hardware, json_pack("{s:s, s:s}", "structure", m->structures[i].name, "help",
                                             m->structures[i].help));
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o}", "name", m->name, "summary", m->summary, "source",
                     m->source, "switch", ws_mechanism_switch(m)->name, "component", m->component->name,
                     "hardware", hardware);
}

json_t *cli_analysis_json(const ws_analysis *a) {
    const ws_component *components[WS_COMPONENTS_MAX];
    size_t count;
    json_t *parameters = json_array(), *tables = json_array(), *dims = json_array(),
           *fidelities = json_array();
    ws_analysis_components(a, ws_analysis_fidelity(a), components, &count);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < components[i]->param_count; j++)
            cli_json_append(&parameters, cli_param_json(components[i], &components[i]->params[j]));
    for (const ws_table *const *table = a->tables; *table; table++)
        cli_json_append(&tables, table_json(*table));
    for (const char *const *dim = a->dims; dim && *dim; dim++) cli_json_append(&dims, json_string(*dim));
    for (int f = WS_FIDELITY_ORDER; f <= WS_FIDELITY_TIMED; f <<= 1)
        if (ws_analysis_takes(a, f)) cli_json_append(&fidelities, json_string(ws_fidelity_name(f)));
    if (a->comparison) cli_json_append(&tables, table_json(a->comparison));
    if (ws_energy_suits(a)) cli_json_append(&tables, table_json(&ws_energy_table));
    return json_pack("{s:s, s:s, s:s, s:i, s:o, s:o, s:o, s:o}", "name", a->name, "summary", a->summary,
                     "source", a->source, "version", (int)a->version, "fidelities", fidelities,
                     "one_pass_axes", dims, "parameters", parameters, "tables", tables);
}
