/* The page of a results database: what its sweeps are, how they went and what they measured, and its figures. One file
 * that needs no other. */
#include "report/page/page.h"
#include "base/given.h"
#include "base/json_decode.h"
#include "base/stream.h"
#include "report/figure/figure.h"
#include "report/html.h"
#include "report/statement.h"

#include <jansson.h>
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

/* Links to what has the name, with `kind` before it, as its id. */
static void put_link(const page *p, const char *kind, const char *name) {
    fprintf(p->out, "<a href=\"#%s", kind);
    ws_html_text(p->out, name);
    fputs("\">", p->out);
    ws_html_text(p->out, name);
    fputs("</a> ", p->out);
}

/* ---- figures */

/* Notes are lines. */
static void put_notes(const page *p, char *notes) {
    for (char *line; (line = strsep(&notes, "\n"));) {
        if (!*line) continue;
        fputs("<br>", p->out);
        ws_html_text(p->out, line);
    }
}

/* Draws a figure, with what there is to note about it. `why` tells why it could not be drawn. */
static bool draw_figure(const page *p, const ws_figure *figure, ws_error *why) {
    char *notes = NULL;
    size_t size;
    FILE *log = open_memstream(&notes, &size);
    if (!log) return ws_no_memory(p->err);
    fputs("<figure id=\"figure-", p->out);
    ws_html_text(p->out, figure->name);
    fputs("\">\n", p->out);
    pictures pages = {p->out, figure->title};
    ws_figure_pages(p->store, p->figures, figure->name, page_picture, &pages, log, why);
    fclose(log);
    fputs("<figcaption>", p->out);
    ws_html_text(p->out, figure->name);
    bool done = true;
    if (why->code) {
        fputs(": ", p->out);
        done = page_why(p, "span", why);
    }
    put_notes(p, notes);
    free(notes);
    fputs("</figcaption>\n</figure>\n", p->out);
    return done;
}

/* Draws a figure of the folder, or says why not: its view may exist, but have no rows for it in a sweep of other
 * kernels. */
static bool put_figure(const page *p, const ws_figure *figure) {
    ws_error why = WS_NO_ERROR;
    return draw_figure(p, figure, &why);
}

/* Draws a figure that was asked for. */
static bool put_own(const page *p, const ws_figure *figure) {
    ws_error why = WS_NO_ERROR;
    if (!draw_figure(p, figure, &why)) return false;
    if (why.code) *p->err = why;
    return !why.code;
}

/* The figures of a page, those asked for first. */
typedef struct page_figures {
    ws_figure *own, *known;
    size_t own_count, known_count, fitting;
} page_figures;

static void free_figures(page_figures *f) {
    ws_figures_free(f->own, f->own_count);
    ws_figures_free(f->known, f->known_count);
}

static bool is_own(const page_figures *f, const char *path) {
    for (size_t i = 0; i < f->own_count; i++)
        if (strcmp(f->own[i].name, path) == 0) return true;
    return false;
}

/* A file that was asked for twice is one figure: links lead to its name. */
static bool find_own(const page *p, const ws_report_figures *of, page_figures *f) {
    bool ok = true;
    for (size_t i = 0; ok && i < of->own_count; i++) {
        if (is_own(f, of->own[i])) continue;
        ok = ws_figure_own(of->own[i], &f->own[f->own_count], p->err);
        f->own_count++;
    }
    return ok;
}

static bool find_figures(const page *p, const ws_report_figures *of, page_figures *f) {
    *f = (page_figures){.own = calloc(of->own_count + 1, sizeof *f->own)};
    if (!f->own) return ws_no_memory(p->err);
    if (!find_own(p, of, f) || !ws_figures(of->folder, &f->known, &f->known_count, p->err)) return false;
    f->fitting = ws_figures_fitting(p->store, of->folder, f->known, f->known_count);
    return true;
}

/* Begins the section: what is in it, or that nothing is. */
static void put_contents(const page *p, const page_figures *f) {
    page_head(p, 2, "Figures");
    fputs("<p>", p->out);
    for (size_t i = 0; i < f->own_count; i++) put_link(p, "figure-", f->own[i].name);
    for (size_t i = 0; i < f->fitting; i++) put_link(p, "figure-", f->known[i].name);
    if (!f->own_count && !f->fitting)
        fputs("None draws these sweeps, but a query of your own can, by --figure (warpsweep help plot).",
              p->out);
    fputs("</p>\n", p->out);
}

static bool put_figures(const page *p, const ws_report_figures *of, void (*told)(void *, size_t, size_t),
                        void *context) {
    page_figures f;
    bool done = find_figures(p, of, &f);
    if (done) put_contents(p, &f);
    for (size_t i = 0; done && i < f.own_count + f.fitting; i++) {
        if (told) told(context, i, f.own_count + f.fitting);
        done = i < f.own_count ? put_own(p, &f.own[i]) : put_figure(p, &f.known[i - f.own_count]);
    }
    free_figures(&f);
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
    return page_rows(
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
    const char *name;
    if (sqlite3_prepare_v2(p->db, "SELECT name FROM sweep ORDER BY name", -1, &row, NULL) != SQLITE_OK)
        return ws_statement_failed(p->db, p->err);
    fputs("<p>", p->out);
    bool done = true;
    while (page_next(p, row, &done) && (done = page_text(p, row, 0, &name))) put_link(p, "", name);
    fputs("</p>\n", p->out);
    sqlite3_finalize(row);
    return done;
}

/* Reads all sweeps; NULL with an error. */
static json_t *read_sweeps(const page *p) {
    sqlite3_stmt *row = NULL;
    json_t *sweeps = NULL;
    if (sqlite3_prepare_v2(p->db,
                           "SELECT json_group_array(json_object('name', name, 'analysis', analysis, 'axes', "
                           "axes)) FROM (SELECT * FROM sweep ORDER BY name)",
                           -1, &row, NULL) != SQLITE_OK ||
        sqlite3_step(row) != SQLITE_ROW)
        ws_statement_failed(p->db, p->err);
    else if (!(sweeps = ws_json_decode((const char *)sqlite3_column_text(row, 0),
                                       (size_t)sqlite3_column_bytes(row, 0), 0, NULL)))
        page_no_memory(p); /* SQLite's JSON is well-formed */
    sqlite3_finalize(row);
    return sweeps;
}

/* All sweeps are read first, because an open statement would keep the temporary tables of effects from being
 * dropped. */
static bool put_sweeps(const page *p) {
    json_t *sweeps = read_sweeps(p);
    bool done = sweeps != NULL;
    for (size_t i = 0; done && i < json_array_size(sweeps); i++) {
        const json_t *of = json_array_get(sweeps, i);
        const sweep s = {json_string_value(json_object_get(of, "name")),
                         json_string_value(json_object_get(of, "analysis")),
                         json_string_value(json_object_get(of, "axes"))};
        done = page_sweep(p, &s);
    }
    json_decref(sweeps);
    return done;
}

bool ws_report(ws_store *store, const char *title, const ws_report_figures *figures, FILE *out,
               void (*told)(void *context, size_t drawn, size_t figures), void *context, ws_error *err) {
    ws_error own = WS_NO_ERROR;
    if (!err) err = &own; /* its code is needed */
    page p = {.store = store,
              .db = ws_store_sqlite(store),
              .out = out,
              .figures = figures ? figures->folder : NULL,
              .err = err};
    if (!WS_GIVEN(title, "a title", err) || (figures && !WS_GIVEN(figures->folder, "a folder", err)))
        return false;
    for (size_t i = 0; figures && i < figures->own_count; i++)
        if (!WS_GIVEN(figures->own[i], "a figure", err)) return false;
    put_begin(&p, title);
    bool done = put_overview(&p) && put_links(&p) && (!figures || put_figures(&p, figures, told, context)) &&
                put_sweeps(&p);
    fputs("</html>\n", out);
    return done &&
           (!ferror(out) || ws_fail(err, WS_ERROR_IO, "cannot write the page: %s", ws_write_error(out)));
}
