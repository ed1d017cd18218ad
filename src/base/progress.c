#include "base/progress.h"

#include "base/clock.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double terminal_interval_s = 0.2, plain_interval_s = 10;
enum { BAR_LEAST = 6, BAR_MOST = 24, COLUMNS = 80, LINE_MAX_B = 256 };

void ws_progress_duration(double seconds, char *out, size_t size) {
    if (!(seconds < 1e9)) {
        snprintf(out, size, "unknown");
        return;
    }
    unsigned long s = (unsigned long)(seconds + 0.5);
    if (s < 60)
        snprintf(out, size, "%lu s", s);
    else if (s < 3600)
        snprintf(out, size, "%lu:%02lu min", s / 60, s % 60);
    else if (s < 48 * 3600)
        snprintf(out, size, "%lu:%02lu:%02lu h", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(out, size, "%lu d %lu h", s / 86400, s / 3600 % 24);
}

/* Whether lines can be redrawn there. */
static bool is_terminal(FILE *out) {
    const char *kind = getenv("TERM");
    return out && isatty(fileno(out)) && kind && *kind && strcmp(kind, "dumb") != 0;
}

/* Columns of the terminal's lines. */
static size_t columns_of(FILE *out) {
    struct winsize size;
    bool known = ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col;
    return known ? size.ws_col : COLUMNS;
}

ws_progress ws_progress_start(FILE *out, const char *label, const char *unit, uint64_t total) {
    ws_progress p = {.out = out, .label = label, .unit = unit, .total = total, .start = ws_clock_s()};
    p.terminal = is_terminal(out);
    p.last = p.start;
    return p;
}

typedef char line[LINE_MAX_B];

static void append(line text, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(line text, const char *format, ...) {
    size_t used = strlen(text);
    va_list args;
    va_start(args, format);
    vsnprintf(text + used, LINE_MAX_B - used, format, args);
    va_end(args);
}

static void append_counts(line text, const ws_progress *p, uint64_t done, double seconds) {
    append(text, "%llu/%llu %s", (unsigned long long)done, (unsigned long long)p->total, p->unit);
    double rate = seconds > 0 ? (double)done / seconds : 0;
    if (rate > 0) append(text, rate < 100 ? ", %.3g/s" : ", %.0f/s", rate);
}

/* Appends a bar of at most `room` columns, brackets and a blank included; none if it would be short. */
static void append_bar(line text, double share, size_t room) {
    if (room < BAR_LEAST + 3) return;
    size_t width = room - 3 < BAR_MOST ? room - 3 : BAR_MOST, filled = (size_t)(share * (double)width);
    char bar[BAR_MOST + 1] = "";
    memset(bar, '#', filled);
    memset(bar + filled, '.', width - filled);
    append(text, " [%s]", bar);
}

/* Draws the state over the last one. A line longer than the terminal's could not be drawn over: its bar is shorter then
 * or missing and, if that does not suffice, its end. */
static void draw(ws_progress *p, double share, const char *state) {
    size_t room = columns_of(p->out) - 1, taken = strlen(p->label) + 1 + strlen(state);
    line text = "";
    append(text, "%s", p->label);
    if (taken < room) append_bar(text, share, room - taken);
    append(text, " %s", state);
    fprintf(p->out, "\r\033[K%.*s", (int)room, text);
    p->drawn = true;
}

void ws_progress_update(ws_progress *p, uint64_t done, double share) {
    double t = ws_clock_s(), seconds = t - p->start;
    if (!p->out || t - p->last < (p->terminal ? terminal_interval_s : plain_interval_s)) return;
    p->last = t;
    if (share > 1) share = 1;
    line state = "";
    append_counts(state, p, done, seconds);
    if (share > 0) {
        char left[32];
        ws_progress_duration(seconds * (1 - share) / share, left, sizeof left);
        append(state, ", %.0f %% of the work, ETA %s", 100 * share, left);
    }
    if (p->terminal)
        draw(p, share, state);
    else
        fprintf(p->out, "%s: %s\n", p->label, state);
    fflush(p->out);
}

void ws_progress_clear(ws_progress *p) {
    if (p->drawn) fputs("\r\033[K", p->out);
    p->drawn = false;
}

void ws_progress_end(ws_progress *p, uint64_t done) {
    if (!p->out) return;
    ws_progress_clear(p);
    double seconds = ws_clock_s() - p->start;
    char duration[32];
    ws_progress_duration(seconds, duration, sizeof duration);
    line state = "";
    append_counts(state, p, done, seconds);
    fprintf(p->out, "%s: %s, in %s\n", p->label, state, duration);
    fflush(p->out);
}
