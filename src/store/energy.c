#include "store/energy.h"

#include "base/array.h"
#include "store/axes.h"
#include "store/compare.h"

#include <string.h>

/* ---- what the view has for every sweep */

static const ws_ratio ratios[] = {
    {"seconds", "s", "cycles / clock_Hz", "Time at the clock of the table of energies."},
    {"energy_J", "J", "sum of COMPONENT_J", "Energy of all components."},
    {"static_J", "J", "sum of COMPONENT_static_J", "The part of it that is drawn all the time (leakage)."},
    {"dynamic_J", "J", "sum of COMPONENT_dynamic_J", "The part of it that events take."},
    {"power_W", "W", "energy_J / nullif(seconds, 0)", "Mean power."},
    {"edp_Js", "J s", "energy_J * seconds", "Energy-delay product (ICC Fig. 12)."},
    {"area_mm2", "mm2", "sum of COMPONENT_mm2",
     "Area of the components for which the table gives one; NULL where it gives none."},
    {"energy_ratio", "", "this.energy_J / nullif(base.energy_J, 0)", "Energy, relative to the baseline."},
    {"edp_ratio", "", "this.edp_Js / nullif(base.edp_Js, 0)",
     "Energy-delay product, relative to the baseline."},
    {"area_ratio", "", "this.area_mm2 / nullif(base.area_mm2, 0)", "Area, relative to the baseline."},
};
enum { RATIOS = WS_COUNT(ratios), RATIOS_OF_BASELINE = 3, RATIOS_ALONE = RATIOS - RATIOS_OF_BASELINE };

const ws_table ws_energy_table = {"energy", "Energy of each point, by a table of energies", NULL, 0, ratios,
                                  RATIOS};

/* The comparison's column by which the front groups kernels, their class; NULL if there is none. */
static const ws_ratio *class_of(const ws_store *store, const ws_sweep_row *sweep) {
    const ws_experiment *x = store->experiment;
    if (!sweep->baseline || !x->comparison || !x->front) return NULL;
    for (size_t i = 0; i < x->comparison->ratio_count; i++)
        if (strcmp(x->comparison->ratios[i].name, x->front->group) == 0) return &x->comparison->ratios[i];
    return NULL;
}

/* ---- one component: SQL over the columns of S_by_kernel (as `this`), of `size` (below), and of other tables (under
 * their own names), which lack the rows of points for which nothing that they count is switched on */

/* A row that is there may still lack a counter, as one that is older than the counter: then it is unknown, not 0. */
static void append_counter(sqlite3_str *sql, const ws_energy_counter *counter) {
    if (counter->table)
        sqlite3_str_appendf(sql, "iif(\"%w\".trace IS NULL, 0, \"%w\".\"%w\")", counter->table,
                            counter->table, counter->column);
    else
        sqlite3_str_appendf(sql, "this.\"%w\"", counter->column);
}

enum formula { OF_VIEW, FOR_READERS };

/* Columns of `size` that static power and area are multiplied by: COMPONENT_ and this. */
#define WATTS_SIZE "watts_times"
#define MM2_SIZE   "mm2_times"

/* Appends what all parts have in all their cycles. `size`: the column of `size` that has the part's `times`. */
static void append_part(sqlite3_str *sql, sqlite3 *db, const ws_energy_part *p, const char *name,
                        const char *size, enum formula what) {
    char real[WS_SQL_REAL_SIZE];
    sqlite3_str_appendf(sql, "%s * ", ws_sql_real(db, p->each.value, real));
    append_counter(sql, &p->cycles);
    if (p->parts) sqlite3_str_appendf(sql, " * this.\"%w\"", p->parts);
    if (p->times && what == OF_VIEW) sqlite3_str_appendf(sql, " * size.\"%w_%s\"", name, size);
    if (p->times && what == FOR_READERS) sqlite3_str_appendf(sql, " * (%s)", p->times);
}

static char *static_formula(sqlite3 *db, const ws_energy *e, const ws_energy_component *c,
                            enum formula what) {
    char real[WS_SQL_REAL_SIZE];
    if (!c->watts.per) return sqlite3_mprintf("0.0");
    sqlite3_str *sql = sqlite3_str_new(NULL);
    append_part(sql, db, &c->watts, c->name, WATTS_SIZE, what);
    sqlite3_str_appendf(sql, " / %s", ws_sql_real(db, e->clock_Hz.value, real));
    return sqlite3_str_finish(sql);
}

/* The parts that there are in a cycle, on average. */
static char *area_formula(sqlite3 *db, const ws_energy_component *c, enum formula what) {
    sqlite3_str *sql = sqlite3_str_new(NULL);
    append_part(sql, db, &c->mm2, c->name, MM2_SIZE, what);
    sqlite3_str_appendall(sql, " / nullif(this.cycles, 0)");
    return sqlite3_str_finish(sql);
}

static char *dynamic_formula(sqlite3 *db, const ws_energy_component *c) {
    char real[WS_SQL_REAL_SIZE];
    if (!c->event_count) return sqlite3_mprintf("0.0");
    sqlite3_str *sql = sqlite3_str_new(NULL);
    for (size_t i = 0; i < c->event_count; i++) {
        sqlite3_str_appendf(sql, "%s%s * ", i ? " + " : "", ws_sql_real(db, c->events[i].joules.value, real));
        append_counter(sql, &c->events[i].counter);
    }
    return sqlite3_str_finish(sql);
}

/* ---- where a component's numbers come from */

static void append_source(sqlite3_str *text, const ws_energy_number *n) {
    sqlite3_str_appendf(text, " (%s%s%s%s)", n->source ? n->source : "",
                        n->source && n->assumption ? "; " : "", n->assumption ? "assumption: " : "",
                        n->assumption ? n->assumption : "");
}

static char *part_source(const ws_energy_part *p, const char *unit) {
    sqlite3_str *text = sqlite3_str_new(NULL);
    sqlite3_str_appendf(text, "%g %s per %s", p->each.value, unit, p->per);
    if (p->times) sqlite3_str_appendf(text, ", times %s", p->times);
    append_source(text, &p->each);
    return sqlite3_str_finish(text);
}

static char *static_source(const ws_energy_component *c) {
    return c->watts.per ? part_source(&c->watts, "W") : sqlite3_mprintf("the table gives no static power");
}

static char *dynamic_source(const ws_energy_component *c) {
    if (!c->event_count) return sqlite3_mprintf("the table gives no events");
    sqlite3_str *text = sqlite3_str_new(NULL);
    for (size_t i = 0; i < c->event_count; i++) {
        const ws_energy_counter *n = &c->events[i].counter;
        sqlite3_str_appendf(text, "%s%g J per %s%s%s", i ? "; " : "", c->events[i].joules.value,
                            n->table ? n->table : "", n->table ? "." : "", n->column);
        append_source(text, &c->events[i].joules);
    }
    return sqlite3_str_finish(text);
}

/* ---- the view */

static bool uses(const ws_energy *e, const char *table) {
    for (size_t i = 0; i < e->component_count; i++) {
        const ws_energy_component *c = &e->components[i];
        if (c->watts.per && c->watts.cycles.table == table) return true;
        if (c->mm2.per && c->mm2.cycles.table == table) return true;
        for (size_t j = 0; j < c->event_count; j++)
            if (c->events[j].counter.table == table) return true;
    }
    return false;
}

/* Appends `function` of each column that adds up as `adds` says. */
static void append_of_each(sqlite3_str *sql, const ws_table *table, ws_adds adds, const char *function) {
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].adds == adds) ws_store_append_over(sql, function, table->columns[i].name);
}

static void append_groups(sqlite3_str *sql, const ws_sweep_row *sweep, const char *before) {
    sqlite3_str_appendf(sql, "%strace, fidelity", before);
    ws_append_axes(sql, ", ", sweep->axes);
}

/* Appends, in place of S_by_kernel, the launches of a trace that ran at the same time as one, named after the trace.
 * Each launch's row has the counters of all, hence the maximum. */
static void append_together(sqlite3_str *sql, const ws_store *store, const ws_sweep_row *sweep) {
    const ws_table *together = sweep->together, *first = store->experiment->tables[0];
    append_groups(sql, sweep, "(SELECT *, trace AS kernel FROM (SELECT ");
    sqlite3_str_appendall(sql, ", " WS_STORE_LAUNCHES ", max(truncated) AS truncated");
    append_of_each(sql, together, WS_ADDS_NOT, "max");
    sqlite3_str_appendf(sql, " FROM \"%w_%w\"", sweep->name, together->name);
    append_groups(sql, sweep, " GROUP BY ");
    append_groups(sql, sweep, ") JOIN (SELECT ");
    append_of_each(sql, first, WS_ADDS_SAME, "max");
    sqlite3_str_appendf(sql, " FROM \"%w\"", sweep->name);
    append_groups(sql, sweep, " GROUP BY ");
    append_groups(sql, sweep, ") USING (");
    sqlite3_str_appendall(sql, ")) this");
}

/* Whether the table tells of its launch, such as which program it belongs to, and not only what the GPU counted. */
static bool is_of_launches(const ws_table *table) {
    for (size_t i = 0; i < table->column_count; i++)
        if (table->columns[i].adds == WS_ADDS_SAME) return true;
    return false;
}

/* Appends a further table, for launches that ran at the same time: what their rows count is their own, or that of the
 * GPU in each. */
static void append_table_together(sqlite3_str *sql, const ws_sweep_row *sweep, const ws_table *table) {
    append_groups(sql, sweep, " LEFT JOIN (SELECT ");
    append_of_each(sql, table, WS_ADDS_SUM, is_of_launches(table) ? "sum" : "max");
    sqlite3_str_appendf(sql, " FROM \"%w_%w\"", sweep->name, table->name);
    append_groups(sql, sweep, " GROUP BY ");
    sqlite3_str_appendf(sql, ") \"%w\" ON (\"%w\".trace, \"%w\".fidelity) = (this.trace, this.fidelity)",
                        table->name, table->name, table->name);
    ws_append_axes_match(sql, table->name, "this", sweep->axes);
}

/* Appends a further table, its launches of one name added up. */
static void append_table(sqlite3_str *sql, const ws_sweep_row *sweep, const ws_table *table) {
    sqlite3_str_appendall(sql, " LEFT JOIN (SELECT trace, kernel, fidelity");
    ws_append_axes(sql, ", ", sweep->axes);
    append_of_each(sql, table, WS_ADDS_SUM, "sum");
    sqlite3_str_appendf(sql, " FROM \"%w_%w\" GROUP BY trace, kernel, fidelity", sweep->name, table->name);
    ws_append_axes(sql, ", ", sweep->axes);
    sqlite3_str_appendf(
        sql,
        ") \"%w\" ON (\"%w\".trace, \"%w\".kernel, \"%w\".fidelity) = (this.trace, this.kernel, "
        "this.fidelity)",
        table->name, table->name, table->name, table->name);
    ws_append_axes_match(sql, table->name, "this", sweep->axes);
}

static bool has_sizes(const ws_energy *e) {
    for (size_t i = 0; i < e->component_count; i++)
        if (e->components[i].watts.times || e->components[i].mm2.times) return true;
    return false;
}

static void append_size(sqlite3_str *sql, const ws_energy_part *p, const char *name, const char *size) {
    if (p->times) sqlite3_str_appendf(sql, ", max(%s\n) AS \"%w_%s\"", p->times, name, size);
}

/* Appends `size`, which has what static power and areas of components are multiplied by: of those that have `times`,
 * computed from the parameters of the points. Points with the same values of the axes have the same parameters. */
static void append_sizes(sqlite3_str *sql, const ws_store *store, const ws_sweep_row *sweep, int64_t id) {
    const ws_energy *e = sweep->energy;
    if (!has_sizes(e)) return;
    sqlite3_str_appendall(sql, " LEFT JOIN (SELECT 1");
    ws_append_axes(sql, ", ", sweep->axes);
    for (size_t i = 0; i < e->component_count; i++) {
        append_size(sql, &e->components[i].watts, e->components[i].name, WATTS_SIZE);
        append_size(sql, &e->components[i].mm2, e->components[i].name, MM2_SIZE);
    }
    sqlite3_str_appendf(sql,
                        " FROM (SELECT c.*, s.gpu AS gpu FROM sweep_point s JOIN point p ON p.id = s.point "
                        "JOIN \"%w_config\" c ON c.id = p.config WHERE s.sweep = %lld) GROUP BY 1",
                        store->experiment->name, (long long)id);
    ws_append_axes(sql, ", ", sweep->axes);
    sqlite3_str_appendall(sql, ") size ON 1");
    ws_append_axes_match(sql, "size", "this", sweep->axes);
}

static bool takes_area(const ws_energy_component *component) {
    return component->mm2.per != NULL;
}

bool ws_store_has_areas(const ws_sweep_row *sweep) {
    const ws_energy *e = sweep->energy;
    bool any = false;
    for (size_t i = 0; e && i < e->component_count; i++) any |= takes_area(&e->components[i]);
    return any && !sweep->programs;
}

/* Appends the sum of a column over those components that have it; NULL if there are none. */
static void append_sum(sqlite3_str *sql, const ws_energy *e, bool (*has)(const ws_energy_component *),
                       const char *suffix, const char *name) {
    bool any = false;
    for (size_t i = 0; i < e->component_count; i++) {
        if (!has(&e->components[i])) continue;
        sqlite3_str_appendf(sql, "%s\"%w%s\"", any ? " + " : ", ", e->components[i].name, suffix);
        any = true;
    }
    sqlite3_str_appendf(sql, "%s AS %s", any ? "" : ", NULL", name);
}

/* Of launches that ran at the same time, without being two programs, none has a time or an energy of its own. */
static bool some_are_unknown(const ws_sweep_row *sweep) {
    return sweep->together && !sweep->programs;
}

/* Nothing of what saves energy is 0, not -0. */
static void append_known(sqlite3_str *sql, const ws_sweep_row *sweep, const char *formula) {
    sqlite3_str_appendf(
        sql, some_are_unknown(sweep) ? ", CASE WHEN this.together = 1 THEN 0.0 + %s END" : ", 0.0 + %s",
        formula);
}

/* Frees `formula`. */
static void append_column(sqlite3_str *sql, const ws_sweep_row *sweep, const char *component,
                          const char *suffix, char *formula) {
    append_known(sql, sweep, formula);
    sqlite3_str_appendf(sql, " AS \"%w_%s\"", component, suffix);
    sqlite3_free(formula);
}

static void append_parts(sqlite3_str *sql, const ws_store *store, const ws_sweep_row *sweep, int64_t id) {
    const ws_energy *e = sweep->energy;
    sqlite3_str_appendall(
        sql,
        "SELECT this.trace AS trace, this.kernel AS kernel, this.launches AS launches, this.launch_set AS "
        "launch_set, this.fidelity AS fidelity, this.truncated AS truncated");
    ws_append_axes_of(sql, "this", sweep->axes);
    char real[WS_SQL_REAL_SIZE];
    char *seconds = sqlite3_mprintf("this.cycles / %s", ws_sql_real(store->db, e->clock_Hz.value, real));
    append_known(sql, sweep, seconds);
    sqlite3_str_appendall(sql, " AS seconds");
    sqlite3_free(seconds);
    for (size_t i = 0; i < e->component_count; i++) {
        const ws_energy_component *c = &e->components[i];
        if (ws_energy_draws(c)) {
            append_column(sql, sweep, c->name, "static_J", static_formula(store->db, e, c, OF_VIEW));
            append_column(sql, sweep, c->name, "dynamic_J", dynamic_formula(store->db, c));
        }
        if (takes_area(c)) append_column(sql, sweep, c->name, "mm2", area_formula(store->db, c, OF_VIEW));
    }
    sqlite3_str_appendall(sql, " FROM ");
    if (sweep->programs)
        append_together(sql, store, sweep);
    else
        sqlite3_str_appendf(sql, "\"%w_by_kernel\" this", sweep->name);
    for (const ws_table *const *table = store->experiment->tables; *table; table++)
        if (uses(e, (*table)->name))
            (sweep->programs ? append_table_together : append_table)(sql, sweep, *table);
    append_sizes(sql, store, sweep, id);
}

/* Appends the query of each point's own energy, from the inside out: the components' parts, the components, their sums,
 * what follows from these. */
static void append_energies(sqlite3_str *sql, const ws_store *store, const ws_sweep_row *sweep, int64_t id) {
    const ws_energy *e = sweep->energy;
    sqlite3_str_appendall(sql,
                          "SELECT *, energy_J * seconds AS edp_Js, energy_J / nullif(seconds, 0) AS power_W "
                          "FROM (SELECT *");
    append_sum(sql, e, ws_energy_draws, "_J", "energy_J");
    append_sum(sql, e, ws_energy_draws, "_static_J", "static_J");
    append_sum(sql, e, ws_energy_draws, "_dynamic_J", "dynamic_J");
    append_sum(sql, e, takes_area, "_mm2", "area_mm2");
    sqlite3_str_appendall(sql, " FROM (SELECT *");
    for (size_t i = 0; i < e->component_count; i++) {
        const char *name = e->components[i].name;
        if (!ws_energy_draws(&e->components[i])) continue;
        sqlite3_str_appendf(sql, ", \"%w_static_J\" + \"%w_dynamic_J\" AS \"%w_J\"", name, name, name);
    }
    sqlite3_str_appendall(sql, " FROM (");
    append_parts(sql, store, sweep, id);
    sqlite3_str_appendall(sql, ")))");
}

static void append_note(sqlite3_str *sql, const ws_store *store, const ws_sweep_row *sweep) {
    const ws_energy *e = sweep->energy;
    sqlite3_str_appendall(sql, ", CASE");
    if (some_are_unknown(sweep))
        sqlite3_str_appendall(sql,
                              " WHEN this.seconds IS NULL THEN 'of launches that ran at the same time, the "
                              "energy of each is unknown'");
    for (size_t i = 0; i < e->component_count; i++)
        if (ws_energy_draws(&e->components[i]))
            sqlite3_str_appendf(
                sql, " WHEN this.\"%w_J\" IS NULL THEN 'a counter that the energy of %w needs is unknown'",
                e->components[i].name, e->components[i].name);
    for (size_t i = 0; i < e->component_count; i++)
        if (takes_area(&e->components[i]))
            sqlite3_str_appendf(sql,
                                " WHEN this.\"%w_mm2\" IS NULL THEN 'without cycles, or a counter, the area "
                                "of %w is unknown'",
                                e->components[i].name, e->components[i].name);
    if (sweep->baseline) ws_store_append_no_baseline(sql, store, sweep);
    sqlite3_str_appendall(sql, " END AS note");
}

static void append_class(sqlite3_str *sql, const ws_store *store, const ws_sweep_row *sweep) {
    sqlite3_str_appendf(
        sql,
        " LEFT JOIN \"%w_%w\" class ON (class.trace, class.kernel, class.fidelity) = (this.trace, "
        "this.kernel, this.fidelity)",
        sweep->name, store->experiment->comparison->name);
    ws_append_axes_match(sql, "class", "this", sweep->axes);
}

sqlite3_str *ws_store_energy(const ws_store *store, const ws_sweep_row *sweep, int64_t id) {
    const ws_energy *e = sweep->energy;
    const ws_ratio *class = class_of(store, sweep);
    sqlite3_str *sql = sqlite3_str_new(store->db);
    sqlite3_str_appendall(sql, "WITH energies AS MATERIALIZED (");
    append_energies(sql, store, sweep, id);
    sqlite3_str_appendall(sql, ")");
    if (sweep->baseline) {
        sqlite3_str_appendall(sql, ", ");
        ws_store_append_baselines(sql, store, sweep, "energies");
    }
    sqlite3_str_appendall(sql, " ");
    ws_store_append_this(sql, sweep);
    if (class) sqlite3_str_appendf(sql, ", class.\"%w\" AS \"%w\"", class->name, class->name);
    for (size_t i = 0; i < RATIOS_ALONE; i++)
        sqlite3_str_appendf(sql, ", this.\"%w\" AS \"%w\"", ratios[i].name, ratios[i].name);
    for (size_t i = RATIOS_ALONE; sweep->baseline && i < RATIOS; i++)
        sqlite3_str_appendf(sql, ", %s AS \"%w\"", ratios[i].sql, ratios[i].name);
    for (size_t i = 0; i < e->component_count; i++) {
        const ws_energy_component *c = &e->components[i];
        if (ws_energy_draws(c))
            sqlite3_str_appendf(sql,
                                ", this.\"%w_J\" AS \"%w_J\", this.\"%w_static_J\" AS \"%w_static_J\", "
                                "this.\"%w_dynamic_J\" AS \"%w_dynamic_J\"",
                                c->name, c->name, c->name, c->name, c->name, c->name);
        if (takes_area(c)) sqlite3_str_appendf(sql, ", this.\"%w_mm2\" AS \"%w_mm2\"", c->name, c->name);
    }
    append_note(sql, store, sweep);
    sqlite3_str_appendall(sql, " FROM ");
    if (sweep->baseline)
        ws_store_append_compared(sql, sweep, "energies");
    else
        sqlite3_str_appendall(sql, "energies this");
    if (class) append_class(sql, store, sweep);
    return sql;
}

/* ---- what the view's columns are */

/* Describes a column. Frees `column`, `formula` and `source`; NULL for one of them means out of memory. */
static bool describe(ws_store *store, const char *view, char *column, const char *unit, char *formula,
                     const char *help, char *source, ws_error *err) {
    ws_metric_row metric = {view, column, "ratio", unit, "not", formula, help, source};
    bool ok = (column && formula && source) ? ws_store_metric(store, &metric, err) : ws_no_memory(err);
    sqlite3_free(column);
    sqlite3_free(formula);
    sqlite3_free(source);
    return ok;
}

static bool describe_ratio(ws_store *store, const char *view, const ws_ratio *r, const char *source,
                           ws_error *err) {
    return describe(store, view, sqlite3_mprintf("%s", r->name), r->unit, sqlite3_mprintf("%s", r->sql),
                    r->help, sqlite3_mprintf("%s", source), err);
}

static bool describe_energy(ws_store *store, const char *view, const ws_energy *e,
                            const ws_energy_component *c, ws_error *err) {
    return describe(store, view, sqlite3_mprintf("%s_J", c->name), "J",
                    sqlite3_mprintf("%s_static_J + %s_dynamic_J", c->name, c->name),
                    "Energy of this component.", sqlite3_mprintf("the table of energies"), err) &&
           describe(store, view, sqlite3_mprintf("%s_static_J", c->name), "J",
                    static_formula(store->db, e, c, FOR_READERS),
                    "The part of it that is drawn all the time (leakage).", static_source(c), err) &&
           describe(store, view, sqlite3_mprintf("%s_dynamic_J", c->name), "J", dynamic_formula(store->db, c),
                    "The part of it that events take.", dynamic_source(c), err);
}

static bool describe_area(ws_store *store, const char *view, const ws_energy_component *c, ws_error *err) {
    return describe(store, view, sqlite3_mprintf("%s_mm2", c->name), "mm2",
                    area_formula(store->db, c, FOR_READERS), "Area of this component.",
                    part_source(&c->mm2, "mm2"), err);
}

static bool describe_component(ws_store *store, const char *view, const ws_energy *e,
                               const ws_energy_component *c, ws_error *err) {
    return (!ws_energy_draws(c) || describe_energy(store, view, e, c, err)) &&
           (!takes_area(c) || describe_area(store, view, c, err));
}

static bool describe_all(ws_store *store, const char *view, const ws_sweep_row *sweep, ws_error *err) {
    const ws_energy *e = sweep->energy;
    const ws_ratio *class = class_of(store, sweep);
    size_t count = sweep->baseline ? RATIOS : RATIOS_ALONE;
    sqlite3_str *clock = sqlite3_str_new(NULL);
    sqlite3_str_appendf(clock, "clock of %g Hz", e->clock_Hz.value);
    append_source(clock, &e->clock_Hz);
    bool ok = describe(store, view, sqlite3_mprintf("%s", ratios[0].name), ratios[0].unit,
                       sqlite3_mprintf("%s", ratios[0].sql), ratios[0].help, sqlite3_str_finish(clock), err);
    for (size_t i = 1; ok && i < count; i++)
        ok = describe_ratio(store, view, &ratios[i], "the table of energies", err);
    for (size_t i = 0; ok && i < e->component_count; i++)
        ok = describe_component(store, view, e, &e->components[i], err);
    return ok && (!class || describe_ratio(store, view, class, store->experiment->source, err));
}

bool ws_store_describe_energy(ws_store *store, const ws_sweep_row *sweep, ws_error *err) {
    char *view = sqlite3_mprintf("%s_energy", sweep->name);
    bool ok = view &&
              ws_store_run(store, sqlite3_mprintf("DELETE FROM metric WHERE table_name = %Q", view),
                           "describing energies", err) &&
              describe_all(store, view, sweep, err);
    sqlite3_free(view);
    return ok;
}
