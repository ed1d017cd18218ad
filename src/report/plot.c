#include "report/figure.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- what gnuplot is told: the data and names of one page, then the figure's own script */

/* Of a file ending: the gnuplot expression for its name and options, for a page of w times h inches; and the words with
 * which a complete file ends. */
typedef struct terminal {
    const char *ending, *settings, *last;
} terminal;

typedef struct page {
    const ws_figure_data *data;
    const char *folder, *title, *script;
    const terminal *terminal;
    const char *path; /* of the output */
    size_t number, count, first_panel, panels;
} page;

/* Text is 8 points high on a page 7 inches wide. */
static const terminal terminals[] = {
    {".svg", "sprintf('svg noenhanced size %g,%g font \"Sans,8\" background \"white\"', 72 * w, 72 * h)",
     "</svg>"},
    {".png",
     "sprintf('pngcairo noenhanced size %g,%g font \"Sans,8\" fontscale 2.08 linewidth 2.4 pointscale 2.4', "
     "200 * w, 200 * h)",
     "IEND"},
    {".pdf",
     "sprintf('pdfcairo noenhanced size %gin,%gin font \"Sans,8\" fontscale 0.7 linewidth 1.5', w, h)",
     "%%EOF"},
};

/* 'text', as gnuplot quotes it. */
static void quote(FILE *out, const char *text) {
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'') fputc('\'', out);
        fputc(*text == '\n' ? ' ' : *text, out);
    }
    fputc('\'', out);
}

static void define(FILE *out, const char *name, const char *text) {
    fprintf(out, "%s = ", name);
    quote(out, text);
    fputc('\n', out);
}

static void write_names(const page *p, FILE *out) {
    fprintf(out, "array panel[%zu]\narray label[%zu]\n", p->panels, p->data->series_count);
    fprintf(out, "array column_name[%zu]\n", p->data->column_count);
    char name[40];
    for (size_t i = 0; i < p->panels; i++) {
        snprintf(name, sizeof name, "panel[%zu]", i + 1);
        define(out, name, p->data->panels[p->first_panel + i]->name);
    }
    for (size_t i = 0; i < p->data->series_count; i++) {
        snprintf(name, sizeof name, "label[%zu]", i + 1);
        define(out, name, p->data->series[i]);
    }
    for (size_t i = 0; i < p->data->column_count; i++) {
        snprintf(name, sizeof name, "column_name[%zu]", i + 1);
        define(out, name, p->data->columns[i]);
    }
}

/* A block per panel and series, one that is not there too, so that block(p, s) finds it. */
static void write_data(const page *p, FILE *out) {
    fputs("$data << END_OF_DATA\n", out);
    for (size_t i = 0; i < p->panels; i++) {
        for (size_t s = 0; s < p->data->series_count; s++) {
            const char *points = p->data->panels[p->first_panel + i]->curves[s].text;
            fputs(points ? points : "NaN NaN\n", out);
            fputs("\n\n", out);
        }
    }
    fputs("END_OF_DATA\n", out);
    fprintf(out, "block(p, s) = (p - 1) * %zu + s - 1\n", p->data->series_count);
}

/* Kernels of real programs have names wider than a panel; those that begin alike may differ at the end. */
static const char fit[] =
    "fit(words, w) = 0.058 * strlen(words) <= w ? words : shorter(words, int(w / 0.058) - 2)\n"
    "shorter(words, n) = words[1 : n - n / 2].'..'.words[strlen(words) - n / 2 + 1 : *]\n";

static void write_script(const page *p, FILE *out) {
    fputs("set encoding utf8\n", out);
    define(out, "folder", p->folder);
    define(out, "title", p->title);
    fprintf(out, "page = %zu\npages = %zu\npanels = %zu\nseries = %zu\n", p->number, p->count, p->panels,
            p->data->series_count);
    write_names(p, out);
    write_data(p, out);
    define(out, "output", p->path);
    fputs(fit, out);
    fprintf(out, "set_page(w, h) = 'set terminal '.%s.'; set output output'\n", p->terminal->settings);
    fputs(p->script, out);
    fputc('\n', out);
}

/* ---- running it */

static bool gnuplot_says(FILE *said, int status, ws_error *err) {
    char text[600];
    rewind(said);
    size_t length = fread(text, 1, sizeof text - 1, said), start = 0;
    text[length] = 0;
    while (text[start] == '\n' || text[start] == ' ') start++;
    while (length > start && text[length - 1] == '\n') text[--length] = 0;
    return ws_fail(err, WS_ERROR_IO, "gnuplot failed (status %d): %s", status, text + start);
}

/* Runs gnuplot on a script; what it prints is read only when it fails. */
static bool run_gnuplot(FILE *script, FILE *said, ws_error *err) {
    static char name[] = "gnuplot", defaults[] = "-d";
    char *const argv[] = {name, defaults, NULL};
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, fileno(script), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, fileno(said), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, fileno(said), STDERR_FILENO);
    pid_t child;
    int code = posix_spawnp(&child, name, &files, NULL, argv, environ), status = 0;
    posix_spawn_file_actions_destroy(&files);
    if (code == ENOENT)
        return ws_fail(err, WS_ERROR_IO, "gnuplot is not installed: install the package gnuplot-nox");
    if (code) return ws_fail(err, WS_ERROR_IO, "cannot start gnuplot: %s", strerror(code));
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    return gnuplot_says(said, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), err);
}

/* Draws one page into `p->path`; NULL: nothing. The script goes through a nameless file, so nothing is left behind. */
static bool draw(const page *p, ws_error *err) {
    FILE *script = tmpfile(), *said = tmpfile();
    bool drawn = false;
    if (!script || !said) {
        ws_fail(err, WS_ERROR_IO, "cannot make a temporary file: %s", strerror(errno));
    } else {
        if (p) write_script(p, script);
        if (fflush(script) != 0)
            ws_fail(err, WS_ERROR_IO, "cannot write a temporary file: %s", strerror(errno));
        else
            rewind(script), drawn = run_gnuplot(script, said, err);
    }
    if (script) fclose(script);
    if (said) fclose(said);
    return drawn;
}

bool ws_can_plot(ws_error *err) {
    return draw(NULL, err);
}

/* Page 1 of "a/b.svg" is that, page 2 "a/b-2.svg". */
static void page_path(const char *path, const char *ending, size_t number, char *out, size_t size) {
    if (number == 1)
        snprintf(out, size, "%s", path);
    else
        snprintf(out, size, "%.*s-%zu%s", (int)(ending - path), path, number, ending);
}

/* gnuplot says nothing of a disk that is full. */
static bool is_complete(const page *p) {
    char end[16] = "";
    FILE *file = fopen(p->path, "rb");
    size_t size = 0;
    if (file && fseek(file, -(long)sizeof end, SEEK_END) == 0) size = fread(end, 1, sizeof end, file);
    if (file) fclose(file);
    return memmem(end, size, p->terminal->last, strlen(p->terminal->last));
}

static bool draw_page(page *p, const char *path, ws_error *err) {
    char unfinished[4200];
    snprintf(unfinished, sizeof unfinished, "%s.%ld.part", path, (long)getpid());
    p->path = unfinished;
    FILE *probe = fopen(unfinished, "w"); /* says clearly what gnuplot would say in its own way */
    if (!probe) return ws_fail(err, WS_ERROR_IO, "%s: cannot write: %s", path, strerror(errno));
    fclose(probe);
    bool done = draw(p, err) &&
                (is_complete(p) || ws_fail(err, WS_ERROR_IO, "%s: cannot write: is the disk full?", path));
    if (done && rename(unfinished, path) != 0)
        done = ws_fail(err, WS_ERROR_IO, "%s: cannot write: %s", path, strerror(errno));
    if (!done) unlink(unfinished);
    return done;
}

/* All pages alike: as few as there can be, and the panels spread evenly over them. */
static bool draw_pages(page *p, const char *path, const char *ending,
                       void (*written)(void *context, const char *path), void *context, ws_error *err) {
    size_t panels = p->data->panel_count;
    p->count = (panels + WS_FIGURE_PANELS_MAX - 1) / WS_FIGURE_PANELS_MAX;
    size_t each = (panels + p->count - 1) / p->count;
    for (p->number = 1; p->number <= p->count; p->number++) {
        char page_file[4096];
        p->first_panel = (p->number - 1) * each;
        p->panels = panels - p->first_panel < each ? panels - p->first_panel : each;
        page_path(path, ending, p->number, page_file, sizeof page_file);
        if (!draw_page(p, page_file, err)) return false;
        if (written) written(context, page_file);
    }
    return true;
}

static const terminal *terminal_of(const char *path, const char **ending, ws_error *err) {
    *ending = strrchr(path, '.');
    for (size_t i = 0; *ending && i < sizeof terminals / sizeof *terminals; i++)
        if (strcmp(*ending, terminals[i].ending) == 0) return &terminals[i];
    ws_fail(err, WS_ERROR_USAGE, "expected a file name that ends in .svg, .png or .pdf, found '%s'", path);
    return NULL;
}

/* ---- queries of any shape */

/* How many numbers of a line are known, those before the `from`th left out. */
static size_t known_of_line(const char *line, size_t from) {
    size_t known = 0, column = 0;
    for (const char *at = line, *end = line + strcspn(line, "\n"); at < end; at += strcspn(at, " \n") + 1)
        known += column++ >= from && strncmp(at, "NaN", 3) != 0;
    return known;
}

static bool some_line_has(const char *text, size_t from, size_t least) {
    for (const char *line = text; line && *line; line += strcspn(line, "\n") + 1)
        if (known_of_line(line, from) >= least) return true;
    return false;
}

static bool some_row_has(const ws_figure_data *data, size_t from, size_t least) {
    for (size_t i = 0; i < data->panel_count; i++)
        for (size_t s = 0; s < data->series_count; s++)
            if (some_line_has(data->panels[i]->curves[s].text, from, least)) return true;
    return false;
}

static bool has_numbers(const ws_figure_data *data, size_t from, ws_error *err) {
    return some_row_has(data, from, 1) ||
           ws_fail(err, WS_ERROR_USAGE, "expected rows with numbers, found NULL in all of them");
}

/* What curves.gp draws. */
static bool has_curves(const ws_figure_data *data, ws_error *err) {
    if (data->column_count != 2)
        return ws_fail(
            err, WS_ERROR_USAGE,
            "expected the columns panel, series, and two numbers, one along x and one along y; for "
            "others write a script, FILE.gp beside FILE.sql");
    return some_row_has(data, 0, 2) ||
           ws_fail(err, WS_ERROR_USAGE, "expected rows with two numbers, found NULL in all of them");
}

/* What bars.gp draws. */
static bool has_bars(const ws_figure_data *data, ws_error *err) {
    for (size_t i = 0; i < data->panel_count; i++) {
        for (size_t s = 0; s < data->series_count; s++) {
            const char *text = data->panels[i]->curves[s].text, *end = text ? strchr(text, '\n') : NULL;
            if (end && end[1])
                return ws_fail(
                    err, WS_ERROR_USAGE,
                    "expected one row for '%s', found more: let each of its numbers be a column, or "
                    "give columns panel and series",
                    data->series[s]);
        }
    }
    return has_numbers(data, 0, err);
}

/* The script that draws data of such a shape; NULL where there is none. */
static char *script_for(const char *folder, const ws_figure_data *data, ws_error *err) {
    if (!(data->bars ? has_bars(data, err) : has_curves(data, err))) return NULL;
    return ws_figure_script(folder, data->bars ? "bars" : "curves", err);
}

/* What a figure with a script has to draw. In those of the folder the first of several numbers says where. */
static bool has_points(const ws_figure_data *data, bool own, ws_error *err) {
    return has_numbers(data, !own && data->column_count > 1, err);
}

/* ---- whose sweep the database does not have */

/* "'warpsweep sweep sweeps/swl.json --db DB'" for each sweep that the query's comments name. */
static void commands_of(const char *sql, char *out, size_t size) {
    static const char folder[] = "sweeps/", ending[] = ".json";
    size_t length = 0;
    *out = 0;
    for (const char *at = sql; length < size && (at = strstr(at, folder)); at++) {
        size_t name = strlen(folder) + strspn(at + strlen(folder), "abcdefghijklmnopqrstuvwxyz0123456789_-");
        if (strncmp(at + name, ending, strlen(ending)) != 0) continue;
        length += (size_t)snprintf(out + length, size - length, "%s'warpsweep sweep %.*s%s --db DB'",
                                   length ? ", " : "", (int)name, at, ending);
    }
}

static bool no_rows(const char *sql, ws_error *err) {
    char commands[400];
    commands_of(sql, commands, sizeof commands);
    return ws_fail(err, WS_ERROR_USAGE, "the database holds no rows for it%s%s",
                   *commands ? "; they come from " : "", commands);
}

/* What SQLite says of a table that is not there helps nobody who knows the sweep. */
static bool no_table(const char *sql, ws_error *err) {
    static const char words[] = "no such table: ";
    char commands[400], table[200];
    const char *found = err ? strstr(err->text, words) : NULL;
    commands_of(sql, commands, sizeof commands);
    if (!found || !*commands) return false;
    snprintf(table, sizeof table, "%.*s", (int)strcspn(found + strlen(words), ";"), found + strlen(words));
    return ws_fail(err, WS_ERROR_USAGE, "the database has no %s: run %s first", table, commands);
}

static bool read_data(ws_store *store, const char *sql, bool own, ws_figure_data *data, ws_error *err) {
    if (!ws_figure_data_read(store, sql, own, data, err)) return no_table(sql, err);
    return data->panel_count || no_rows(sql, err);
}

bool ws_plot(ws_store *store, const char *folder, const char *name, const char *path,
             void (*written)(void *context, const char *path), void *context, ws_error *err) {
    const char *ending;
    const terminal *kind = terminal_of(path, &ending, err);
    if (!kind) return false;
    if (strlen(path) > 4000) return ws_fail(err, WS_ERROR_USAGE, "the file name is longer than 4000 bytes");
    ws_figure_data data = {0};
    char *sql, *script, *title = NULL;
    bool own, done = ws_figure_read(folder, name, &sql, &script, &own, err);
    if (done) done = (title = ws_figure_title(sql)) || ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    if (done)
        done = (read_data(store, sql, own, &data, err) &&
                (script ? has_points(&data, own, err) : (script = script_for(folder, &data, err)) != NULL)) ||
               ws_fail_prefix(err, "figure %s", name);
    if (done) {
        page p = {.data = &data, .folder = folder, .title = title, .script = script, .terminal = kind};
        done = draw_pages(&p, path, ending, written, context, err);
    }
    ws_figure_data_free(&data);
    free(sql);
    free(title);
    free(script);
    return done;
}
