#include "base/progress.h"

#include "base/clock.h"

#include <string.h>
#include <unistd.h>

static const double terminal_interval_s = 0.2, plain_interval_s = 10;
enum { BAR_WIDTH = 24 };

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

ws_progress ws_progress_start(FILE *out, const char *label, const char *unit, uint64_t total) {
    ws_progress p = {.out = out, .label = label, .unit = unit, .total = total, .start = ws_clock_s()};
    p.terminal = out && isatty(fileno(out));
    p.last = p.start;
    return p;
}

static void print_counts(ws_progress *p, uint64_t done, double seconds) {
    fprintf(p->out, "%llu/%llu %s", (unsigned long long)done, (unsigned long long)p->total, p->unit);
    double rate = seconds > 0 ? (double)done / seconds : 0;
    if (rate > 0) fprintf(p->out, rate < 100 ? ", %.3g/s" : ", %.0f/s", rate);
}

void ws_progress_update(ws_progress *p, uint64_t done, double share) {
    double t = ws_clock_s(), seconds = t - p->start;
    if (!p->out || t - p->last < (p->terminal ? terminal_interval_s : plain_interval_s)) return;
    p->last = t;
    if (share > 1) share = 1;
    if (p->terminal) {
        char bar[BAR_WIDTH + 1];
        size_t filled = (size_t)(share * BAR_WIDTH);
        memset(bar, '#', filled);
        memset(bar + filled, '.', BAR_WIDTH - filled);
        bar[BAR_WIDTH] = '\0';
        fprintf(p->out, "\r\033[K%s [%s] ", p->label, bar);
    } else {
        fprintf(p->out, "%s: ", p->label);
    }
    print_counts(p, done, seconds);
    if (share > 0) {
        char left[32];
        ws_progress_duration(seconds * (1 - share) / share, left, sizeof left);
        fprintf(p->out, ", %.0f %% of the work, ETA %s", 100 * share, left);
    }
    if (!p->terminal) fputc('\n', p->out);
    p->drawn = p->terminal;
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
    fprintf(p->out, "%s: ", p->label);
    print_counts(p, done, seconds);
    fprintf(p->out, ", in %s\n", duration);
    fflush(p->out);
}
