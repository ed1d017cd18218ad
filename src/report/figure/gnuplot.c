#include "report/figure/gnuplot.h"

#include "base/array.h"
#include "base/signals.h"
#include "base/unfinished.h"
#include "report/figure/glyphs.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- what gnuplot is told: the data and names of one page, then the figure's own script */

/* Text is 8 points high on a page 7 inches wide. */
static const ws_terminal terminals[] = {
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

/* Writes 'text', with `newline` and `percent` for these. An apostrophe is quoted by itself: of two in a row, each
 * doubled as gnuplot has it, version 5.4 cannot read the four. */
static void quote(FILE *out, const char *text, const char *newline, const char *percent) {
    fputc('\'', out);
    for (; *text; text++)
        fputs(*text == '\''   ? "'.\"'\".'"
              : *text == '\n' ? newline
              : *text == '%'  ? percent
                              : (char[2]){*text},
              out);
    fputs("'\n", out);
}

/* Defines a variable as a path, which may contain newlines. */
static void define_path(FILE *out, const char *name, const char *path) {
    fprintf(out, "%s = ", name);
    quote(out, path, "'.\"\\n\".'", "%");
}

static void define(FILE *out, const char *name, const char *text) {
    fprintf(out, "%s = ", name);
    quote(out, text, " ", "%");
}

/* Defines the label of a tic, which gnuplot takes as a format. */
static void define_tic(FILE *out, size_t number, const char *text) {
    fprintf(out, "tic[%zu] = ", number);
    quote(out, text, " ", "%%");
}

static void write_names(const ws_page *p, FILE *out) {
    const ws_figure_part *part = &p->part;
    fprintf(out, "array panel[%zu]\narray label[%zu]\narray tic[%zu]\n", part->panels, part->series_count,
            part->series_count);
    fprintf(out, "array column_name[%zu]\n", p->data->column_count);
    char name[40];
    for (size_t i = 0; i < part->panels; i++) {
        snprintf(name, sizeof name, "panel[%zu]", i + 1);
        define(out, name, p->data->panels[part->first_panel + i]->name);
    }
    for (size_t i = 0; i < part->series_count; i++) {
        const char *series = p->data->series[part->series[i]];
        snprintf(name, sizeof name, "label[%zu]", i + 1);
        define(out, name, series);
        define_tic(out, i + 1, series);
    }
    for (size_t i = 0; i < p->data->column_count; i++) {
        snprintf(name, sizeof name, "column_name[%zu]", i + 1);
        define(out, name, p->data->columns[i]);
    }
}

/* Defines where the blocks are: those of a series of the page, and all of a panel, with the series of other pages. A
 * list of them is no variable, for `stats` with a name deletes all variables that begin with it. */
static void write_places(const ws_page *p, FILE *out) {
    const ws_figure_part *part = &p->part;
    size_t all = p->data->series_count;
    fprintf(out, "sliced = %d\n", part->series_count < all);
    fprintf(out, "first_block(p) = (p - 1) * %zu\nlast_block(p) = p * %zu - 1\n", all, all);
    fprintf(out, "block(p, s) = (p - 1) * %zu + word('", all);
    for (size_t i = 0; i < part->series_count; i++) fprintf(out, "%zu ", part->series[i]);
    fputs("', s)\n", out);
}

/* Writes a block per panel and series, even if it has no points, so that block(p, s) finds each. The series of other
 * pages are among them, for their numbers make the scale, too. */
static void write_data(const ws_page *p, FILE *out) {
    fputs("$data << END_OF_DATA\n", out);
    for (size_t i = 0; i < p->part.panels; i++) {
        for (size_t s = 0; s < p->data->series_count; s++) {
            const char *points = ws_figure_points(p->data->panels[p->part.first_panel + i], s);
            fputs(points ? points : "NaN NaN\n", out);
            fputs("\n\n", out);
        }
    }
    fputs("END_OF_DATA\n", out);
    write_places(p, out);
}

/* fit() shortens names, for kernels of real programs have names wider than a panel. It cuts the middle out, since those
 * that begin alike may differ at the end. Of names that differ in their middle it keeps three letters, those where they
 * differ and some of the end; a number tells them apart where the former have no room. fit_w() is the width at 7.5
 * points in DejaVu Sans; few fonts are wider. */
static const char fit[] =
    "fit_em(c) = strstrt(' !(),-./:;I[]fijlrt|', c) ? 0.4 : strstrt('_csz', c) ? 0.53 : "
    "strstrt('#%+<=>@DGHMNOQUWmw~', c) ? 0.95 : 0.64\n"
    "fit_w(words) = 7.5 / 72 * sum [i = 1 : strlen(words)] fit_em(words[i : i])\n"
    "fit(words, w) = fit_w(words) <= w ? words : fit_least(words, int(strlen(words) * w / fit_w(words)), w, "
    "sum [k = 1 : |fit_name|] (fit_name[k] eq words ? k : 0))\n"
    "fit_least(words, n, w, k) = n < 5 || fit_w(fit_cut(words, n, k)) <= w ? fit_cut(words, n, k) : "
    "fit_least(words, n - 1, w, k)\n"
    "fit_cut(words, n, k) = k ? fit_begin(words, n, k).fit_part(words[fit_from[k] : *], n - 3, k) : "
    "fit_ends(words, n - n / 2, n / 2)\n"
    "fit_ends(words, m, n) = words[1 : m].'..'.words[strlen(words) - n + 1 : *]\n"
    "fit_begin(words, n, k) = fit_from[k] == 1 ? '' : fit_ends(words[1 : fit_from[k] - 1], fit_more(n - 1 - "
    "strlen(words) + fit_from[k], 3), 0)\n"
    "fit_more(a, b) = a > b ? a : b\n"
    "fit_part(words, n, k) = n < fit_word[k] ? words[1 : n].'..#'.k : strlen(words) <= n ? words : "
    "fit_ends(words, n - fit_tail(n, n - fit_word[k] - 8), fit_tail(n, n - fit_word[k] - 8))\n"
    "fit_tail(n, left) = left < 0 ? 0 : left > n / 2 ? n / 2 : left\n";

/* Defines the names that look alike when their middle is cut out. The last one is none: an array has an element. */
static void write_long_names(const ws_page *p, FILE *out) {
    const size_t count = p->long_names.count;
    static const char *const arrays[] = {"name", "from", "word"};
    for (size_t i = 0; i < WS_COUNT(arrays); i++) fprintf(out, "array fit_%s[%zu]\n", arrays[i], count + 1);
    for (size_t i = 0; i < count; i++) {
        const ws_long_name *name = &p->long_names.names[i];
        char variable[40];
        snprintf(variable, sizeof variable, "fit_name[%zu]", i + 1);
        define(out, variable, name->text);
        fprintf(out, "fit_from[%zu] = %zu\nfit_word[%zu] = %zu\n", i + 1, name->begin + 1, i + 1, name->word);
    }
    fprintf(out, "fit_name[%zu] = ''\n", count + 1);
}

static void write_texts(const ws_page *p, FILE *out) {
    define(out, "title", p->title);
    for (size_t i = 0; i < WS_FIGURE_SETTINGS; i++)
        define(out, ws_figure_settings[i].variable, p->head->values[i] ? p->head->values[i] : "");
    write_names(p, out);
    write_long_names(p, out);
    write_data(p, out);
}

/* Writes what is drawn. A viewer of SVG has fonts of its own. */
static bool write_drawn(const ws_page *p, FILE *out) {
    if (strcmp(p->terminal->ending, ".svg") == 0) return write_texts(p, out), true;
    char *text = NULL;
    size_t size;
    FILE *texts = open_memstream(&text, &size);
    if (texts) write_texts(p, texts);
    bool complete = texts && fclose(texts) == 0;
    if (complete) ws_write_drawable(text, out);
    free(text);
    return complete;
}

static bool write_script(const ws_page *p, FILE *out) {
    fputs("set encoding utf8\n", out);
    define_path(out, "folder", p->folder);
    fprintf(out, "page = %zu\npages = %zu\npanels = %zu\nseries = %zu\n", p->number, p->count, p->part.panels,
            p->part.series_count);
    bool complete = write_drawn(p, out);
    if (p->path) define_path(out, "output", p->path);
    fputs(fit, out);
    fprintf(out, "set_page(w, h) = 'set terminal '.%s.'%s'\n", p->terminal->settings,
            p->path ? "; set output output" : "");
    fputs(p->script, out);
    fputc('\n', out);
    return complete;
}

const ws_terminal *ws_terminal_of(const char *ending) {
    for (size_t i = 0; i < WS_COUNT(terminals); i++)
        if (strcmp(ending, terminals[i].ending) == 0) return &terminals[i];
    return NULL;
}

/* ---- running it */

/* Fails with what gnuplot said last. A loop that fails comes as one long line, which only hides the error. */
static bool gnuplot_says(FILE *said, int status, ws_error *err) {
    enum { LONGEST = 200 };
    char text[600] = "", *line = NULL;
    size_t room = 0, used = 0;
    ssize_t length;
    rewind(said);
    while ((length = getline(&line, &room, said)) > 0) {
        if (length > LONGEST || strspn(line, " \n") == (size_t)length) continue;
        if (used + (size_t)length >= sizeof text) used = 0;
        memcpy(text + used, line, (size_t)length);
        used += (size_t)length;
    }
    free(line);
    while (used && text[used - 1] == '\n') used--;
    text[used] = 0;
    return ws_fail(err, WS_ERROR_IO, "gnuplot failed (status %d): %s", status, text);
}

/* Starts a program and notes it as the writer of the page: no signal comes in between, after which it would go on. */
static int start(pid_t *child, const char *name, const posix_spawn_file_actions_t *files,
                 char *const argv[]) {
    posix_spawnattr_t unblocked;
    const sigset_t before = ws_signals_hold();
    posix_spawnattr_init(&unblocked);
    posix_spawnattr_setsigmask(&unblocked, &before);
    posix_spawnattr_setflags(&unblocked, POSIX_SPAWN_SETSIGMASK);
    const int code = posix_spawnp(child, name, files, &unblocked, argv, environ);
    if (code == 0) ws_unfinished_writer(*child);
    posix_spawnattr_destroy(&unblocked);
    ws_signals_release(&before);
    return code;
}

/* Runs gnuplot on a script; what it says is read only when it fails. */
static bool run_gnuplot(FILE *script, FILE *printed, FILE *said, ws_error *err) {
    static char name[] = "gnuplot", defaults[] = "-d";
    char *const argv[] = {name, defaults, NULL};
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, fileno(script), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, fileno(printed), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, fileno(said), STDERR_FILENO);
    pid_t child;
    int code = start(&child, name, &files, argv), status = 0;
    posix_spawn_file_actions_destroy(&files);
    if (code == ENOENT)
        return ws_fail(err, WS_ERROR_IO, "gnuplot is not installed: install the package gnuplot-nox");
    if (code) return ws_fail(err, WS_ERROR_IO, "cannot start gnuplot: %s", strerror(code));
    siginfo_t end;
    while (waitid(P_PID, (id_t)child, &end, WEXITED | WNOWAIT) < 0 && errno == EINTR) continue;
    ws_unfinished_writer(0);
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return true;
    return gnuplot_says(said, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), err);
}

/* The script goes through a nameless file, so nothing is left behind. */
bool ws_gnuplot(const ws_page *p, FILE *drawing, ws_error *err) {
    FILE *script = tmpfile(), *said = tmpfile();
    bool drawn = false;
    if (!script || !said) {
        ws_fail(err, WS_ERROR_IO, "cannot make a temporary file: %s", strerror(errno));
    } else {
        if (p && !write_script(p, script))
            ws_no_memory(err);
        else if (fflush(script) != 0)
            ws_fail(err, WS_ERROR_IO, "cannot write a temporary file: %s", strerror(errno));
        else
            rewind(script), drawn = run_gnuplot(script, drawing ? drawing : said, said, err);
    }
    if (script) fclose(script);
    if (said) fclose(said);
    return drawn;
}

bool ws_gnuplot_completed(const ws_page *p, FILE *drawing) {
    char end[16] = "";
    size_t size = 0;
    if (fseek(drawing, -(long)sizeof end, SEEK_END) == 0) size = fread(end, 1, sizeof end, drawing);
    return memmem(end, size, p->terminal->last, strlen(p->terminal->last));
}
