/* The part of a database's page about one sweep: what it is for, how it went and what it measured. */
#include "base/array.h"
#include "report/format/format.h"
#include "report/html.h"
#include "report/page/page.h"
#include "report/statement.h"

#include <stdlib.h>

/* ---- how it went */

#define OF_SWEEP                                                                                             \
    "sweep_point s LEFT JOIN point p ON p.id = s.point WHERE s.sweep = (SELECT id FROM sweep WHERE name = "  \
    "%Q)"

static bool count_points(const page *p, const sweep *s, const char *status, int64_t *count) {
    return page_number(
        p, sqlite3_mprintf("SELECT count(*) FROM " OF_SWEEP " AND p.status = %Q", s->name, status), count);
}

/* Older databases, which are read as they are, have no column for limits. */
static bool put_points(const page *p, const sweep *s) {
    int64_t limits;
    if (!page_has_column(p, "point", "", "truncated", &limits)) return false;
    return page_rows(
        p,
        sqlite3_mprintf("SELECT %Q AS analysis, count(DISTINCT (SELECT trace FROM kernel WHERE "
                        "id = p.kernel)) AS traces, "
                        "count(DISTINCT p.kernel) AS launches, count(*) AS points, "
                        "count(*) FILTER (WHERE p.status = 'done') AS done, "
                        "count(*) FILTER (WHERE p.status = 'failed') AS failed, "
                        "count(*) FILTER (WHERE p.id IS NULL) AS \"not computed\"%s FROM " OF_SWEEP,
                        s->analysis,
                        limits ? ", count(*) FILTER (WHERE p.truncated) AS \"cut by limits\"" : "", s->name));
}

static bool put_failures(const page *p, const sweep *s) {
    int64_t failed;
    if (!count_points(p, s, "failed", &failed)) return false;
    if (!failed) return true;
    page_head(p, 3, "<span class=\"bad\">Points that failed</span> (the 50 most frequent reasons)");
    return page_rows(
        p, sqlite3_mprintf("SELECT count(*) AS points, p.reason FROM " OF_SWEEP
                           " AND p.status = 'failed' GROUP BY p.reason ORDER BY points DESC, p.reason "
                           "LIMIT 50",
                           s->name));
}

/* ---- what it measured */

/* Makes a query of the axes, each with its values among the points that are done; NULL if the sweep has none. */
static bool axes_query(const page *p, const sweep *s, char **query) {
    sqlite3_stmt *axis = page_prepare(p, "SELECT value, replace(value, '.', '_') FROM json_each(?)", s->axes);
    if (!axis) return false;
    sqlite3_str *sql = sqlite3_str_new(p->db);
    const char *name, *column;
    bool done = true;
    while (page_next(p, axis, &done) &&
           (done = page_text(p, axis, 0, &name) && page_text(p, axis, 1, &column)))
        sqlite3_str_appendf(
            sql,
            "%sSELECT %Q AS axis, (SELECT group_concat(v, ', ') FROM (SELECT DISTINCT \"%w\" AS v "
            "FROM \"%w\" ORDER BY v)) AS \"values\", coalesce((SELECT unit FROM metric WHERE "
            "column_name = %Q AND kind = 'parameter'), '') AS unit",
            sqlite3_str_length(sql) ? " UNION ALL " : "", name, column, s->name, column);
    sqlite3_finalize(axis);
    if (done && sqlite3_str_errcode(sql) != SQLITE_OK) done = page_no_memory(p);
    *query = sqlite3_str_finish(sql);
    if (done) return true;
    sqlite3_free(*query);
    return false;
}

static bool put_axes(const page *p, const sweep *s) {
    char *sql;
    if (!axes_query(p, s, &sql)) return false;
    if (!sql) return true;
    page_head(p, 3, "Axes, with their values among the points that are done");
    return page_rows(p, sql);
}

/* Writes a column of a view: its name, unit, extremes (cells `at` and `at` + 1 of `extremes`) and meaning. */
static bool put_column(const page *p, sqlite3_stmt *column, sqlite3_stmt *extremes, int at) {
    const char *name, *unit, *help;
    if (!page_text(p, column, 0, &name) || !page_text(p, column, 1, &unit) || !page_text(p, column, 2, &help))
        return false;
    fputs("<tr><td>", p->out);
    ws_html_text(p->out, name);
    fputs("<td>", p->out);
    ws_html_text(p->out, unit);
    for (int k = at; k < at + 2; k++) {
        ws_shown shown;
        if (!ws_shown_read(&shown, extremes, k, p->err)) return false;
        fputs(shown.number ? "<td class=\"number\">" : "<td>", p->out);
        ws_html_text(p->out, shown.text);
        ws_shown_free(&shown);
    }
    fputs("<td>", p->out);
    ws_html_text(p->out, help);
    fputc('\n', p->out);
    return true;
}

/* Writes the columns of a view. `extremes` has one row for the whole view: the number of its rows, then the lowest and
 * highest of each column. Nothing if the view is empty. */
static bool put_extremes(const page *p, const char *view, sqlite3_stmt *column, sqlite3_stmt *extremes) {
    bool done = true;
    if (!page_next(p, extremes, &done) || !sqlite3_column_int64(extremes, 0)) return done;
    fputs("<details><summary>Columns of the view ", p->out);
    ws_html_text(p->out, view);
    fputs("</summary>\n<table>\n<tr><th>column<th>unit<th>lowest<th>highest<th>meaning\n", p->out);
    for (int i = 0; page_next(p, column, &done); i++) done = put_column(p, column, extremes, 2 * i + 1);
    fputs("</table>\n</details>\n", p->out);
    return done;
}

/* Prepares a query of the lowest and highest of each column of a view; NULL with an error. */
static sqlite3_stmt *prepare_extremes(const page *p, const char *view, sqlite3_stmt *column) {
    sqlite3_stmt *extremes = NULL;
    sqlite3_str *sql = sqlite3_str_new(p->db);
    const char *name;
    bool done = true;
    sqlite3_str_appendall(sql, "SELECT count(*)");
    while (page_next(p, column, &done) && (done = page_text(p, column, 0, &name)))
        sqlite3_str_appendf(sql, ", min(\"%w\"), max(\"%w\")", name, name);
    sqlite3_str_appendf(sql, " FROM \"%w\"", view);
    sqlite3_reset(column);
    char *query = sqlite3_str_finish(sql);
    if (done && !query)
        page_no_memory(p);
    else if (done && sqlite3_prepare_v2(p->db, query, -1, &extremes, NULL) != SQLITE_OK)
        ws_statement_failed(p->db, p->err);
    sqlite3_free(query);
    return extremes;
}

/* Writes the columns of a view whose metrics are those of `table`, unless the view is empty. */
static bool put_columns(const page *p, const char *view, const char *table) {
    char *sql = sqlite3_mprintf(
        "SELECT v.name, m.unit, m.help FROM pragma_table_info(?) v JOIN metric m ON m.column_name = v.name "
        "AND m.table_name = %Q AND m.kind IN ('metric', 'ratio') ORDER BY v.cid",
        table);
    if (!sql) return page_no_memory(p);
    sqlite3_stmt *column = page_prepare(p, sql, view);
    sqlite3_stmt *extremes = column ? prepare_extremes(p, view, column) : NULL;
    bool done = extremes && put_extremes(p, view, column, extremes);
    sqlite3_finalize(column);
    sqlite3_finalize(extremes);
    sqlite3_free(sql);
    return done;
}

/* Writes the columns of NAME_by_kernel, and of the views of further tables, such as those of mechanisms. */
static bool put_views(const page *p, const sweep *s) {
    char *by_kernel = sqlite3_mprintf("%s_by_kernel", s->name);
    bool done = by_kernel ? put_columns(p, by_kernel, s->analysis) : page_no_memory(p);
    sqlite3_free(by_kernel);
    sqlite3_stmt *view =
        done ? page_prepare(
                   p,
                   "SELECT DISTINCT v.name, m.table_name FROM sweep s JOIN sweep_view v ON v.sweep = "
                   "s.id JOIN metric m ON v.name IN (m.table_name, s.name || '_' || m.table_name) WHERE "
                   "s.name = ? AND m.kind IN ('metric', 'ratio') ORDER BY v.name",
                   s->name)
             : NULL;
    const char *name, *table;
    done = view != NULL;
    while (page_next(p, view, &done))
        done = page_text(p, view, 0, &name) && page_text(p, view, 1, &table) && put_columns(p, name, table);
    sqlite3_finalize(view);
    return done;
}

/* What was measured; nothing if all points failed. */
static bool put_measured(const page *p, const sweep *s) {
    int64_t measured;
    if (!count_points(p, s, "done", &measured)) return false;
    return !measured || (put_axes(p, s) && page_compared(p, s) && put_views(p, s));
}

/* ---- its runs */

static bool put_runs(const page *p, const sweep *s) {
    fputs("<details><summary>Runs</summary>\n", p->out);
    bool done = page_rows(
        p, sqlite3_mprintf(
               "SELECT started, ended, outcome, points_done, points_failed, jobs, host, version, revision, "
               "compiler, (SELECT group_concat(value, ' ') FROM json_each(argv)) AS command FROM run "
               "WHERE sweep = %Q ORDER BY id",
               s->name));
    fputs("</details>\n", p->out);
    return done;
}

/* The settings that the others are compared with. */
static bool put_baseline(const page *p, const sweep *s) {
    char *text;
    if (!ws_store_baseline(p->store, s->name, &text, p->err)) return false;
    if (text) {
        fputs("<p>Baseline: ", p->out);
        ws_html_text(p->out, text);
        fputs("</p>\n", p->out);
    }
    free(text);
    return true;
}

/* A text of the specification of the last run. A merge may have brought runs of another sweep of the same name, whose
 * points are none of those that the views show. */
#define OF_SPEC                                                                                              \
    "WITH other AS (SELECT o.run AS id FROM point_run o LEFT JOIN sweep_point s ON s.point = o.point AND "   \
    "s.sweep = (SELECT id FROM sweep WHERE name = ?1) GROUP BY o.run HAVING count(s.point) = 0) "            \
    "SELECT iif(json_valid(spec), spec ->> '%s', NULL) FROM run WHERE sweep = ?1 "                           \
    "ORDER BY id IN (SELECT id FROM other), id DESC LIMIT 1"

/* Writes that text as a paragraph, behind `before`; nothing if there is none. `sql` is freed. */
static bool put_of_spec(const page *p, const sweep *s, const char *before, char *sql) {
    sqlite3_stmt *row = sql ? page_prepare(p, sql, s->name) : NULL;
    bool done = row || (!sql && page_no_memory(p));
    sqlite3_free(sql);
    if (!row) return false;
    const char *text;
    if (page_next(p, row, &done) && sqlite3_column_type(row, 0) == SQLITE_TEXT &&
        (done = page_text(p, row, 0, &text))) {
        fprintf(p->out, "<p>%s", before);
        ws_html_text(p->out, text);
        fputs("</p>\n", p->out);
    }
    sqlite3_finalize(row);
    return done;
}

static bool put_description(const page *p, const sweep *s) {
    return put_of_spec(p, s, "", sqlite3_mprintf(OF_SPEC, "$.description"));
}

static bool put_energies(const page *p, const sweep *s) {
    return put_of_spec(p, s, "Table of energies: ", sqlite3_mprintf(OF_SPEC, "$.energy"));
}

bool page_sweep(const page *p, const sweep *s) {
    static bool (*const parts[])(const page *, const sweep *) = {
        put_description, put_baseline, put_energies, put_points, put_failures, put_measured, put_runs};
    fputs("<h2 id=\"", p->out);
    ws_html_text(p->out, s->name);
    fputs("\">", p->out);
    ws_html_text(p->out, s->name);
    fputs("</h2>\n", p->out);
    for (size_t i = 0; i < WS_COUNT(parts); i++) {
        ws_error why = WS_NO_ERROR;
        if (!parts[i](&(page){p->store, p->db, p->out, p->figures, &why}, s) && !page_why(p, "p", &why))
            return false;
    }
    return true;
}
