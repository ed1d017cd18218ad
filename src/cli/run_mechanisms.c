#include "cli/run_mechanisms.h"

#include "cli/output.h"

#include <stdio.h>

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

json_t *cli_mechanisms_json(const cli_run_result *run, const uint64_t *counts) {
    if (!run->mechanisms.count) return NULL;
    json_t *all = json_object();
    for (size_t i = 0; i < run->mechanisms.count; i++) {
        const ws_mechanism *m = run->mechanisms.at[i];
        json_t *one = json_object();
        for (size_t c = 0; c < m->table->column_count; c++)
            json_object_set_new(one, m->table->columns[c].name,
                                json_integer((json_int_t)counts[i * WS_MECHANISM_COUNTS_MAX + c]));
        json_object_set_new(all, m->name, one);
    }
    return all;
}

json_t *cli_costs_json(const cli_run_result *run) {
    if (!run->mechanisms.count) return NULL;
    json_t *all = json_array();
    for (size_t i = 0; i < run->mechanisms.count; i++) {
        ws_cost costs[WS_COSTS_MAX];
        size_t count = run->mechanisms.at[i]->cost(run->config, costs);
        for (size_t c = 0; c < count; c++)
            json_array_append_new(all, json_pack("{s:s, s:s, s:s, s:I}", "mechanism",
                                                 run->mechanisms.at[i]->name, "structure", costs[c].structure,
                                                 "per", costs[c].per, "bits", (json_int_t)costs[c].bits));
    }
    return all;
}

/* What a setting leaves out costs nothing, and is not named. */
static void print_cost(const ws_mechanism *m, const ws_config *config) {
    ws_cost costs[WS_COSTS_MAX];
    size_t count = m->cost(config, costs);
    const char *before = "  cost: ";
    for (size_t c = 0; c < count; c++) {
        char bits[CLI_COUNT_SIZE];
        if (costs[c].bits == 0) continue;
        printf("%s%s bits of %s per %s", before, cli_count(costs[c].bits, bits), costs[c].structure,
               costs[c].per);
        before = ", ";
    }
    puts(*before == ',' ? "" : "  cost: none");
}

void cli_mechanisms_text(const cli_run_result *run) {
    for (size_t i = 0; i < run->mechanisms.count; i++) {
        const ws_mechanism *m = run->mechanisms.at[i];
        uint64_t total[WS_MECHANISM_COUNTS_MAX];
        cli_mechanisms_total(run, i, total);
        printf("\n%s\n", m->summary);
        for (size_t c = 0; c < m->table->column_count; c++) {
            char count[CLI_COUNT_SIZE];
            printf("  %-18s %15s  %s\n", m->table->columns[c].name, cli_count(total[c], count),
                   m->table->columns[c].unit);
        }
        print_cost(m, run->config);
    }
}
