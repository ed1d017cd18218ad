#include "cli/run/mechanisms.h"

#include "cli/cells.h"
#include "cli/output.h"
#include "cli/usage.h"

#include <stdio.h>
#include <string.h>

enum { NAME_COLUMNS = 18, COUNT_COLUMNS = 15 };

void cli_mechanisms_total(const cli_run_result *run, size_t i, uint64_t *total) {
    const ws_table *table = run->mechanisms.at[i]->table;
    for (size_t c = 0; c < table->column_count; c++) {
        total[c] = 0;
        for (size_t l = 0; l < run->launch_count; l++) {
            uint64_t count = run->launches[l].counts[i][c];
            if (table->columns[c].adds == WS_ADDS_SUM)
                total[c] += count;
            else if (count > total[c])
                total[c] = count;
        }
    }
}

void cli_set_mechanisms(json_t **object, const cli_run_result *run, const uint64_t *counts) {
    if (!run->mechanisms.count) return;
    json_t *all = json_object();
    for (size_t i = 0; i < run->mechanisms.count; i++) {
        const ws_mechanism *m = run->mechanisms.at[i];
        json_t *one = json_object();
        for (size_t c = 0; c < m->table->column_count; c++)
            cli_json_set(&one, m->table->columns[c].name,
                         json_integer((json_int_t)counts[i * WS_MECHANISM_COUNTS_MAX + c]));
        cli_json_set(&all, m->name, one);
    }
    cli_json_set(object, "mechanisms", all);
}

void cli_set_costs(json_t **object, const cli_run_result *run) {
    ws_added_cost costs[WS_ADDED_COSTS_MAX];
    size_t count = ws_added_costs(run->config, &run->mechanisms, costs);
    if (!count && !run->mechanisms.count) return;
    json_t *all = json_array();
    for (size_t i = 0; i < count; i++) {
        const ws_cost *c = &costs[i].cost;
        json_t *bits = c->bits == WS_BITS_UNBOUNDED ? json_null() : json_integer((json_int_t)c->bits);
        cli_json_append(&all, json_pack("{s:s, s:s, s:s, s:o}", "mechanism", costs[i].mechanism, "structure",
                                        c->structure->name, "per", ws_per_names[c->per], "bits", bits));
    }
    cli_json_set(object, "costs", all);
}

/* Prints a mechanism's costs. A structure that a setting leaves out costs nothing, and is not named. */
static void print_costs(const ws_added_cost *costs, size_t count, const char *mechanism) {
    const char *before = "  cost: ";
    for (size_t i = 0; i < count; i++) {
        char bits[CLI_COUNT_SIZE];
        if (strcmp(costs[i].mechanism, mechanism) != 0 || costs[i].cost.bits == 0) continue;
        bool bounded = costs[i].cost.bits != WS_BITS_UNBOUNDED;
        printf("%s%s bits of %s per %s", before, bounded ? cli_count(costs[i].cost.bits, bits) : "unbounded",
               costs[i].cost.structure->name, ws_per_names[costs[i].cost.per]);
        before = ", ";
    }
    puts(*before == ',' ? "" : "  cost: none");
}

/* Prints "stall_cycles" as "stall cycles", in `columns` columns. */
static void print_words(const char *name, int columns) {
    for (; *name; name++, columns--) putchar(*name == '_' ? ' ' : *name);
    printf("%*s", columns > 0 ? columns : 0, "");
}

/* Prints what a counter means. Cycles of SMs are also told as a share of all of them. */
static void print_meaning(const ws_column *column, uint64_t total, uint64_t sm_cycles, int indent) {
    if (strcmp(column->unit, "SM cycles") == 0)
        printf("%.1f %% of all.\n%*s", 100 * cli_ratio(total, sm_cycles), indent, "");
    cli_print_wrapped(column->help, indent, stdout);
}

/* Prints each counter with its unit and its meaning, which `help` has, too. */
static void print_counters(const ws_table *table, const uint64_t *total, uint64_t sm_cycles) {
    int name_columns = NAME_COLUMNS, unit_columns = 0;
    for (size_t c = 0; c < table->column_count; c++) {
        int name = (int)strlen(table->columns[c].name), unit = (int)strlen(table->columns[c].unit);
        if (name > name_columns) name_columns = name;
        if (unit > unit_columns) unit_columns = unit;
    }
    for (size_t c = 0; c < table->column_count; c++) {
        char count[CLI_COUNT_SIZE];
        fputs("  ", stdout);
        print_words(table->columns[c].name, name_columns);
        printf(" %*s  %-*s  ", COUNT_COLUMNS, cli_count(total[c], count), unit_columns,
               table->columns[c].unit);
        print_meaning(&table->columns[c], total[c], sm_cycles,
                      name_columns + COUNT_COLUMNS + unit_columns + 7);
    }
}

/* A mechanism that finds nothing to work on would be taken for one that gains nothing. */
static void tell_if_idle(const ws_mechanism *m, const uint64_t *total) {
    uint64_t any = 0;
    for (size_t c = 0; c < m->table->column_count; c++) any |= total[c];
    if (!any)
        printf("  It did nothing in these launches; 'warpsweep help %s' says what it works on.\n", m->name);
}

void cli_mechanisms_text(const cli_run_result *run, uint64_t sm_cycles) {
    ws_added_cost costs[WS_ADDED_COSTS_MAX];
    size_t cost_count = ws_added_costs(run->config, &run->mechanisms, costs);
    for (size_t i = 0; i < run->mechanisms.count; i++) {
        const ws_mechanism *m = run->mechanisms.at[i];
        uint64_t total[WS_MECHANISM_COUNTS_MAX];
        cli_mechanisms_total(run, i, total);
        printf("\n%s\n", m->summary);
        tell_if_idle(m, total);
        print_counters(m->table, total, sm_cycles);
        print_costs(costs, cost_count, m->name);
    }
    if (!cost_count || strcmp(costs[cost_count - 1].mechanism, "coalescers") != 0) return;
    puts("\nSeveral intra-warp coalescers");
    print_costs(costs, cost_count, "coalescers");
}
