/* The page of a results database: what its sweeps are, how they went and what they measured, and its figures. One file
 * that needs no other. */
#include "base/array.h"
#include "report/figure.h"
#include "report/format.h"
#include "report/html.h"
#include "report/statement.h"
#include "store/sqlite.h"

#include <stdlib.h>
#include <string.h>

static const char style[] =
    "body { font: 15px/1.45 sans-serif; color: #222; max-width: 76em; margin: 2em auto; padding: 0 1em }\n"
    "h1, h2, h3 { font-weight: 600; margin: 1.6em 0 .4em } h2 { border-top: 1px solid #ccc; padding-top: 1em "
    "}\n"
    "h3 { font-size: 1em } p { margin: .3em 0 } summary { cursor: pointer; margin-top: 1em }\n"
    "table { border-collapse: collapse; font-size: 13px; display: block; overflow-x: auto; margin: .4em 0 }\n"
    "th, td { text-align: left; vertical-align: top; padding: .15em .9em .15em 0; border-bottom: 1px solid "
    "#eee }\n"
    ".number { text-align: right; font-variant-numeric: tabular-nums } .bad { color: #a00 }\n"
    "figure { margin: 1em 0 2em } figcaption { color: #777; font-size: 13px }\n"
    "img { max-width: 100%; display: block }\n";

typedef struct page {
    ws_store *store;
    sqlite3 *db;
    FILE *out;
    ws_error *err;
} page;

/* ---- questions to the database */

static bool no_memory(const page *p) {
    return ws_fail(p->err, WS_ERROR_MEMORY, "out of memory");
}

/* The rows of a query, whose text sqlite3_mprintf() makes, as a table; it is freed. */
static bool put_rows(const page *p, char *sql) {
    bool done = sql ? ws_query(p->store, sql, WS_QUERY_HTML, 0, p->out, p->err) : no_memory(p);
    sqlite3_free(sql);
    return done;
}

/* A statement with one value to bind; NULL with an error. */
static sqlite3_stmt *prepare(const page *p, const char *sql, const char *value) {
    sqlite3_stmt *rows = NULL;
    if (sqlite3_prepare_v2(p->db, sql, -1, &rows, NULL) != SQLITE_OK ||
        sqlite3_bind_text(rows, 1, value, -1, SQLITE_TRANSIENT) != SQLITE_OK) {
        ws_statement_failed(p->db, p->err);
        sqlite3_finalize(rows);
        return NULL;
    }
    return rows;
}

/* One number; it is freed. */
static bool number_of(const page *p, char *sql, int64_t *number) {
    sqlite3_stmt *row = NULL;
    if (!sql) return no_memory(p);
    bool done =
        sqlite3_prepare_v2(p->db, sql, -1, &row, NULL) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW;
    *number = done ? sqlite3_column_int64(row, 0) : 0;
    if (!done) ws_statement_failed(p->db, p->err);
    sqlite3_finalize(row);
    sqlite3_free(sql);
    return done;
}

static void put_head(const page *p, int level, const char *text) {
    fprintf(p->out, "<h%d>%s</h%d>\n", level, text, level);
}

/* What keeps a part of the page from being told stands in its place; other errors end the page. */
static bool put_why(const page *p, const char *element, const ws_error *why) {
    if (why->code != WS_ERROR_USAGE) {
        *p->err = *why;
        return false;
    }
    fprintf(p->out, "<%s class=\"bad\">", element);
    ws_html_text(p->out, why->text);
    fprintf(p->out, "</%s>\n", element);
    return true;
}

/* ---- a sweep */

typedef struct sweep {
    const char *name, *analysis, *axes; /* the last a JSON array */
} sweep;

#define OF_SWEEP                                                                                             \
    "sweep_point s LEFT JOIN point p ON p.id = s.point WHERE s.sweep = (SELECT id FROM sweep WHERE name = "  \
    "%Q)"

static bool count_points(const page *p, const sweep *s, const char *status, int64_t *count) {
    return number_of(
        p, sqlite3_mprintf("SELECT count(*) FROM " OF_SWEEP " AND p.status = %Q", s->name, status), count);
}

/* Older databases, which are read as they are, do not know of limits. */
static bool put_points(const page *p, const sweep *s) {
    int64_t limits;
    if (!number_of(
            p, sqlite3_mprintf("SELECT count(*) FROM pragma_table_info('point') WHERE name = 'truncated'"),
            &limits))
        return false;
    return put_rows(
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
    put_head(p, 3, "<span class=\"bad\">Points that failed</span> (the 50 most frequent reasons)");
    return put_rows(
        p, sqlite3_mprintf("SELECT count(*) AS points, p.reason FROM " OF_SWEEP
                           " AND p.status = 'failed' GROUP BY p.reason ORDER BY points DESC, p.reason "
                           "LIMIT 50",
                           s->name));
}

/* ---- what it measured */

/* A SELECT for each axis, with its values among the points that are done. NULL: it has none. */
static bool axes_query(const page *p, const sweep *s, char **query) {
    sqlite3_stmt *axis = prepare(p, "SELECT value, replace(value, '.', '_') FROM json_each(?)", s->axes);
    if (!axis) return false;
    sqlite3_str *sql = sqlite3_str_new(p->db);
    while (sqlite3_step(axis) == SQLITE_ROW) {
        const unsigned char *name = sqlite3_column_text(axis, 0), *column = sqlite3_column_text(axis, 1);
        sqlite3_str_appendf(
            sql,
            "%sSELECT %Q AS axis, (SELECT group_concat(v, ', ') FROM (SELECT DISTINCT \"%w\" AS v "
            "FROM \"%w\" ORDER BY v)) AS \"values\", (SELECT unit FROM metric WHERE column_name = "
            "%Q AND kind = 'parameter') AS unit",
            sqlite3_str_length(sql) ? " UNION ALL " : "", name, column, s->name, column);
    }
    bool whole = sqlite3_str_errcode(sql) == SQLITE_OK || no_memory(p);
    bool done = (sqlite3_finalize(axis) == SQLITE_OK || ws_statement_failed(p->db, p->err)) && whole;
    *query = sqlite3_str_finish(sql);
    if (done) return true;
    sqlite3_free(*query);
    return false;
}

static bool put_axes(const page *p, const sweep *s) {
    char *sql;
    if (!axes_query(p, s, &sql)) return false;
    if (!sql) return true;
    put_head(p, 3, "Axes");
    return put_rows(p, sql);
}

/* The axes as columns, each behind a comma. Heap string of SQLite's. */
static char *columns_of_axes(const page *p, const sweep *s) {
    sqlite3_stmt *row =
        prepare(p,
                "SELECT coalesce(group_concat(', \"' || replace(value, '.', '_') || '\"', ''), '') "
                "FROM json_each(?)",
                s->axes);
    if (!row) return NULL;
    char *columns = NULL;
    if (sqlite3_step(row) == SQLITE_ROW) columns = sqlite3_mprintf("%s", sqlite3_column_text(row, 0));
    if (!columns) ws_statement_failed(p->db, p->err);
    sqlite3_finalize(row);
    return columns;
}

/* Whether points have a baseline, and are there beside it. */
static bool is_compared(const page *p, const sweep *s, int64_t *compared) {
    return number_of(
               p,
               sqlite3_mprintf("SELECT count(*) FROM pragma_table_info('%q_speedup') WHERE name = 'speedup'",
                               s->name),
               compared) &&
           (!*compared ||
            number_of(p, sqlite3_mprintf("SELECT count(speedup) FROM \"%w_speedup\"", s->name), compared));
}

/* What each setting gains over kernels. A sweep that still runs has settings that few kernels have: they come last. */
static bool put_by_setting(const page *p, const sweep *s, const char *axes) {
    put_head(
        p, 3,
        "Speedup over the baseline, by setting (geometric means over kernels, first those that most kernels "
        "have; the 50 highest)");
    return put_rows(
        p, sqlite3_mprintf(
               "SELECT count(speedup) AS kernels, round(geomean(speedup), 4) AS speedup, "
               "round(geomean_low(speedup), 4) AS \"95 %% from\", round(geomean_high(speedup), 4) AS \"to\", "
               "round(min(speedup), 4) AS lowest, round(max(speedup), 4) AS highest%s FROM \"%w_speedup\" "
               "GROUP BY 1 = 1%s ORDER BY count(speedup) DESC, geomean(speedup) DESC LIMIT 50",
               axes, s->name, axes));
}

/* What each kernel gains by the setting that is its best: of equal ones that of least storage, as the baseline's. */
static bool put_by_kernel(const page *p, const sweep *s, const char *axes) {
    put_head(
        p, 3,
        "Speedup over the baseline, by kernel (its best setting, of equal ones that of least storage; the 50 "
        "highest)");
    return put_rows(
        p, sqlite3_mprintf(
               "SELECT trace, kernel, kernel_class AS \"class\", round(speedup, 4) AS speedup%s FROM "
               "(SELECT *, row_number() OVER (PARTITION BY trace, kernel ORDER BY speedup DESC, "
               "cost_bits IS NULL, cost_bits%s) AS place FROM \"%w_speedup\" WHERE speedup NOT NULL) "
               "WHERE place = 1 ORDER BY speedup DESC, trace, kernel LIMIT 50",
               axes, axes, s->name));
}

/* Where points have a baseline: how they compare with it. */
static bool put_comparison(const page *p, const sweep *s) {
    int64_t compared;
    if (!is_compared(p, s, &compared)) return false;
    if (!compared) return true;
    char *axes = columns_of_axes(p, s);
    bool done = axes && put_by_setting(p, s, axes) && put_by_kernel(p, s, axes);
    sqlite3_free(axes);
    return done;
}

/* The columns of S_by_kernel with unit and meaning, and the extremes over all rows, which one pass finds: behind the
 * number of rows, lowest and highest of each. */
static bool put_extremes(const page *p, sqlite3_stmt *column, sqlite3_stmt *extremes) {
    fputs("<table>\n<tr><th>column<th>unit<th>lowest<th>highest<th>meaning\n", p->out);
    for (int i = 0; sqlite3_step(column) == SQLITE_ROW; i++) {
        fputs("<tr><td>", p->out);
        ws_html_text(p->out, (const char *)sqlite3_column_text(column, 0));
        fputs("<td>", p->out);
        ws_html_text(p->out, (const char *)sqlite3_column_text(column, 1));
        for (int k = 2 * i + 1; k < 2 * i + 3; k++) {
            ws_shown shown;
            if (!ws_shown_read(&shown, extremes, k, p->err)) return false;
            fputs(shown.number ? "<td class=\"number\">" : "<td>", p->out);
            ws_html_text(p->out, shown.text);
            ws_shown_free(&shown);
        }
        fputs("<td>", p->out);
        ws_html_text(p->out, (const char *)sqlite3_column_text(column, 2));
        fputc('\n', p->out);
    }
    fputs("</table>\n", p->out);
    return true;
}

static bool put_columns(const page *p, const sweep *s) {
    sqlite3_stmt *column = NULL, *extremes = NULL;
    sqlite3_str *sql = sqlite3_str_new(p->db);
    sqlite3_str_appendall(sql, "SELECT count(*)");
    char *columns =
        sqlite3_mprintf("SELECT v.name, m.unit, m.help FROM pragma_table_info('%q_by_kernel') v JOIN metric "
                        "m ON m.column_name = "
                        "v.name AND m.table_name = %Q AND m.kind IN ('metric', 'ratio') ORDER BY v.cid",
                        s->name, s->analysis);
    bool done = columns && sqlite3_prepare_v2(p->db, columns, -1, &column, NULL) == SQLITE_OK;
    while (done && sqlite3_step(column) == SQLITE_ROW)
        sqlite3_str_appendf(sql, ", min(\"%w\"), max(\"%w\")", sqlite3_column_text(column, 0),
                            sqlite3_column_text(column, 0));
    sqlite3_str_appendf(sql, " FROM \"%w_by_kernel\"", s->name);
    char *query = sqlite3_str_finish(sql);
    done = done && query && sqlite3_prepare_v2(p->db, query, -1, &extremes, NULL) == SQLITE_OK &&
           sqlite3_step(extremes) == SQLITE_ROW;
    if (done) {
        sqlite3_reset(column);
        fputs("<details><summary>Columns of the view ", p->out);
        ws_html_text(p->out, s->name);
        fputs("_by_kernel</summary>\n", p->out);
        done = put_extremes(p, column, extremes);
        fputs("</details>\n", p->out);
    } else {
        ws_statement_failed(p->db, p->err);
    }
    sqlite3_finalize(column);
    sqlite3_finalize(extremes);
    sqlite3_free(columns);
    sqlite3_free(query);
    return done;
}

/* Of points that failed there is no more to tell. */
static bool put_measured(const page *p, const sweep *s) {
    int64_t measured;
    if (!count_points(p, s, "done", &measured)) return false;
    return !measured || (put_axes(p, s) && put_comparison(p, s) && put_columns(p, s));
}

/* ---- its runs */

static bool put_runs(const page *p, const sweep *s) {
    fputs("<details><summary>Runs</summary>\n", p->out);
    bool done = put_rows(
        p, sqlite3_mprintf(
               "SELECT started, ended, outcome, points_done, points_failed, jobs, host, version, revision, "
               "compiler, (SELECT group_concat(value, ' ') FROM json_each(argv)) AS command FROM run "
               "WHERE sweep = %Q ORDER BY id",
               s->name));
    fputs("</details>\n", p->out);
    return done;
}

/* What the last run's specification says, as a paragraph; NULL: nothing. */
static bool put_said(const page *p, const sweep *s, const char *sql) {
    sqlite3_stmt *row = prepare(p, sql, s->name);
    if (!row) return false;
    if (sqlite3_step(row) == SQLITE_ROW && sqlite3_column_type(row, 0) == SQLITE_TEXT) {
        fputs("<p>", p->out);
        ws_html_text(p->out, (const char *)sqlite3_column_text(row, 0));
        fputs("</p>\n", p->out);
    }
    return sqlite3_finalize(row) == SQLITE_OK || ws_statement_failed(p->db, p->err);
}

#define OF_LAST_RUN "FROM run WHERE sweep = ? ORDER BY id DESC LIMIT 1"

/* What the sweep is for, and which of its settings the others are held against. */
static bool put_description(const page *p, const sweep *s) {
    return put_said(p, s, "SELECT iif(json_valid(spec), spec ->> '$.description', NULL) " OF_LAST_RUN) &&
           put_said(p, s,
                    "SELECT (SELECT 'Baseline: ' || group_concat(key || ' ' || value, ', ') FROM "
                    "json_each(iif(json_valid(spec), spec, '{}'), '$.baseline')) " OF_LAST_RUN);
}

static bool put_sweep(const page *p, const sweep *s) {
    static bool (*const parts[])(const page *, const sweep *) = {put_description, put_points, put_failures,
                                                                 put_measured, put_runs};
    fputs("<h2 id=\"", p->out);
    ws_html_text(p->out, s->name);
    fputs("\">", p->out);
    ws_html_text(p->out, s->name);
    fputs("</h2>\n", p->out);
    for (size_t i = 0; i < WS_COUNT(parts); i++) {
        ws_error why = WS_NO_ERROR;
        if (!parts[i](&(page){p->store, p->db, p->out, &why}, s) && !put_why(p, "p", &why)) return false;
    }
    return true;
}

static bool put_sweeps(const page *p) {
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(p->db, "SELECT name, analysis, axes FROM sweep ORDER BY name", -1, &row, NULL) !=
        SQLITE_OK)
        return ws_statement_failed(p->db, p->err);
    bool done = true;
    while (done && sqlite3_step(row) == SQLITE_ROW) {
        sweep s = {(const char *)sqlite3_column_text(row, 0), (const char *)sqlite3_column_text(row, 1),
                   (const char *)sqlite3_column_text(row, 2)};
        done = put_sweep(p, &s);
    }
    return (sqlite3_finalize(row) == SQLITE_OK || !done || ws_statement_failed(p->db, p->err)) && done;
}

/* ---- figures: each page in the page itself */

static void put_base64(FILE *in, FILE *out) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    unsigned char bytes[3];
    for (size_t count; (count = fread(bytes, 1, sizeof bytes, in)) > 0;) {
        for (size_t i = count; i < sizeof bytes; i++) bytes[i] = 0;
        uint32_t word = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
        for (size_t i = 0; i < 4; i++) fputc(i <= count ? digits[word >> (18 - 6 * i) & 63] : '=', out);
    }
}

/* Text in pictures is 8 pixels high, and as large as that around them when they are twice as wide. */
static int width_of(FILE *svg) {
    char head[1000];
    size_t size = fread(head, 1, sizeof head - 1, svg);
    head[size] = 0;
    rewind(svg);
    const char *width = strstr(head, " width=\"");
    return width ? 2 * (int)strtol(width + strlen(" width=\""), NULL, 10) : 0;
}

static bool put_picture(void *out, FILE *svg, ws_error *err) {
    fprintf(out, "<img width=\"%d\" alt=\"\" src=\"data:image/svg+xml;base64,", width_of(svg));
    put_base64(svg, out);
    fputs("\">\n", out);
    return !ferror(svg) || ws_fail(err, WS_ERROR_IO, "cannot read a temporary file");
}

/* A figure whose view is there may find no rows for it in a sweep of other kernels: then it says so. */
static bool put_figure(const page *p, const char *folder, const ws_figure *figure) {
    fputs("<figure>\n", p->out);
    ws_error why = WS_NO_ERROR;
    bool drawn = ws_figure_pages(p->store, folder, figure->name, put_picture, p->out, &why);
    fputs("<figcaption>", p->out);
    ws_html_text(p->out, figure->name);
    if (!drawn) {
        fputs(": ", p->out);
        if (!put_why(p, "span", &why)) return false;
    }
    fputs("</figcaption>\n</figure>\n", p->out);
    return true;
}

static bool put_figures(const page *p, const char *folder, void (*told)(void *, size_t, size_t),
                        void *context) {
    ws_figure *figures;
    size_t count;
    if (!ws_figures(folder, &figures, &count, p->err)) return false;
    size_t fitting = ws_figures_fitting(p->store, folder, figures, count);
    if (fitting) put_head(p, 2, "Figures");
    bool done = true;
    for (size_t i = 0; done && i < fitting; i++) {
        if (told) told(context, i, fitting);
        done = put_figure(p, folder, &figures[i]);
    }
    ws_figures_free(figures, count);
    return done;
}

/* ---- all of it */

static void put_begin(const page *p, const char *title) {
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>", p->out);
    ws_html_text(p->out, title);
    fprintf(p->out, "</title>\n<style>\n%s</style>\n<h1>", style);
    ws_html_text(p->out, title);
    fputs("</h1>\n", p->out);
}

static bool put_overview(const page *p) {
    return put_rows(
        p, sqlite3_mprintf(
               "SELECT s.name AS sweep, s.analysis, count(*) AS points, "
               "count(*) FILTER (WHERE p.status = 'done') AS done, "
               "count(*) FILTER (WHERE p.status = 'failed') AS failed, "
               "count(*) FILTER (WHERE p.id IS NULL) AS \"not computed\" "
               "FROM sweep s JOIN sweep_point x ON x.sweep = s.id LEFT JOIN point p ON p.id = x.point "
               "GROUP BY s.id ORDER BY s.name"));
}

static bool put_links(const page *p) {
    sqlite3_stmt *row = NULL;
    if (sqlite3_prepare_v2(p->db, "SELECT name FROM sweep ORDER BY name", -1, &row, NULL) != SQLITE_OK)
        return ws_statement_failed(p->db, p->err);
    fputs("<p>", p->out);
    while (sqlite3_step(row) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(row, 0);
        fputs("<a href=\"#", p->out);
        ws_html_text(p->out, name);
        fputs("\">", p->out);
        ws_html_text(p->out, name);
        fputs("</a> ", p->out);
    }
    fputs("</p>\n", p->out);
    return sqlite3_finalize(row) == SQLITE_OK || ws_statement_failed(p->db, p->err);
}

bool ws_report(ws_store *store, const char *title, const char *figures, FILE *out,
               void (*told)(void *context, size_t drawn, size_t figures), void *context, ws_error *err) {
    ws_error own = WS_NO_ERROR;
    if (!err) err = &own; /* its code is looked at */
    page p = {.store = store, .db = ws_store_sqlite(store), .out = out, .err = err};
    put_begin(&p, title);
    bool done = put_overview(&p) && put_links(&p) && (!figures || put_figures(&p, figures, told, context)) &&
                put_sweeps(&p);
    fputs("</html>\n", out);
    return done && (!ferror(out) || ws_fail(err, WS_ERROR_IO, "cannot write the page"));
}
