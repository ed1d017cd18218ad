#include "analysis/parts/icl_core.h"

#include "analysis/parts/seen.h"

#include <stdlib.h>
#include <string.h>

/* When something was asked for: the number of the cluster's request, from 1 (0: never), and its time. */
typedef struct moment {
    uint64_t at[WS_ICL_CLOCKS];
} moment;

/* The payload of a line in the table of seen lines. */
typedef struct line {
    moment last;
    uint32_t sm; /* the SM that asked last */
    uint32_t padding;
    moment word[]; /* per word: when it was last asked for */
} line;

enum { SAME_SM, OTHER_SM, REQUESTERS };

/* The number of requests whose last access lies further back than the next smaller window, but within this one. */
typedef struct bin {
    uint64_t to_line[REQUESTERS], to_data[REQUESTERS];
} bin;

typedef struct windows {
    uint64_t *limit; /* ascending */
    size_t count, room;
    bin *bins;
} windows;

typedef struct cluster {
    moment now;
    ws_seen seen;
} cluster;

struct ws_icl {
    unsigned words, stride;
    uint32_t cluster_count;
    cluster *clusters;
    windows windows[WS_ICL_CLOCKS];
};

/* ---- life */

ws_icl *ws_icl_new(uint32_t clusters, unsigned words) {
    ws_icl *icl = calloc(1, sizeof *icl);
    if (!icl) return NULL;
    icl->words = words;
    icl->stride = WS_SEEN_PAYLOAD + (unsigned)((sizeof(line) + words * sizeof(moment)) / sizeof(uint32_t));
    icl->cluster_count = clusters;
    icl->clusters = calloc(clusters, sizeof *icl->clusters);
    if (icl->clusters) return icl;
    ws_icl_free(icl);
    return NULL;
}

void ws_icl_free(ws_icl *icl) {
    if (!icl) return;
    for (uint32_t i = 0; icl->clusters && i < icl->cluster_count; i++) ws_seen_free(&icl->clusters[i].seen);
    for (int clock = 0; clock < WS_ICL_CLOCKS; clock++) {
        free(icl->windows[clock].limit);
        free(icl->windows[clock].bins);
    }
    free(icl->clusters);
    free(icl);
}

/* ---- windows */

/* The index of the smallest window that reaches as far as `distance`; the number of windows if none does. */
static size_t find_window(const windows *w, uint64_t distance) {
    size_t low = 0, high = w->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (w->limit[middle] < distance)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool grow_windows(windows *w) {
    size_t room = w->room ? 2 * w->room : 16;
    uint64_t *limit = realloc(w->limit, room * sizeof *limit);
    if (limit) w->limit = limit;
    bin *bins = limit ? realloc(w->bins, room * sizeof *bins) : NULL;
    if (!bins) return false;
    w->bins = bins;
    w->room = room;
    return true;
}

bool ws_icl_ask(ws_icl *icl, enum ws_icl_clock clock, uint64_t window) {
    windows *w = &icl->windows[clock];
    size_t at = find_window(w, window);
    if (at < w->count && w->limit[at] == window) return true;
    if (w->count == w->room && !grow_windows(w)) return false;
    memmove(w->limit + at + 1, w->limit + at, (w->count - at) * sizeof *w->limit);
    w->limit[at] = window;
    w->bins[w->count++] = (bin){0};
    return true;
}

static uint64_t largest(const windows *w) {
    return w->count ? w->limit[w->count - 1] : 0;
}

/* ---- requests */

typedef struct horizon {
    moment now;
    uint64_t reach[WS_ICL_CLOCKS];
} horizon;

/* True if no window reaches back to the line's last request. */
static bool expired(const uint32_t *payload, const void *clock) {
    const horizon *h = clock;
    const moment *last = &((const line *)(const void *)payload)->last;
    for (int i = 0; i < WS_ICL_CLOCKS; i++)
        if (h->now.at[i] - last->at[i] <= h->reach[i]) return false;
    return true;
}

/* The latest moment at which any of `words` was asked for. */
static moment newest_of(const line *l, uint64_t words) {
    moment newest = {{0}};
    for (; words; words &= words - 1) {
        const moment *word = &l->word[__builtin_ctzll(words)];
        if (word->at[WS_ICL_REQUESTS] > newest.at[WS_ICL_REQUESTS]) newest = *word;
    }
    return newest;
}

static void count(ws_icl *icl, const line *l, uint32_t sm, uint64_t words, moment now) {
    unsigned requester = l->sm == sm ? SAME_SM : OTHER_SM;
    moment data = newest_of(l, words);
    for (int i = 0; i < WS_ICL_CLOCKS; i++) {
        windows *w = &icl->windows[i];
        size_t to_line = find_window(w, now.at[i] - l->last.at[i]);
        if (to_line == w->count) continue;
        w->bins[to_line].to_line[requester]++;
        if (data.at[WS_ICL_REQUESTS] == 0) continue;
        size_t to_data = find_window(w, now.at[i] - data.at[i]);
        if (to_data < w->count) w->bins[to_data].to_data[requester]++;
    }
}

static void touch(line *l, uint32_t sm, uint64_t words, moment now) {
    l->last = now;
    l->sm = sm;
    for (; words; words &= words - 1) l->word[__builtin_ctzll(words)] = now;
}

/* Makes the line and its words recent; `counts`: for a new request. */
static bool ask(ws_icl *icl, cluster *c, uint32_t sm, uint32_t line_number, uint64_t words, bool counts) {
    horizon h = {c->now, {largest(&icl->windows[WS_ICL_REQUESTS]), largest(&icl->windows[WS_ICL_TIME])}};
    bool is_new;
    line *l = (line *)(void *)ws_seen_find(&c->seen, icl->stride, line_number, expired, &h, &is_new);
    if (!l) return false;
    if (is_new)
        memset(l, 0, sizeof *l + icl->words * sizeof *l->word);
    else if (counts)
        count(icl, l, sm, words, c->now);
    touch(l, sm, words, c->now);
    return true;
}

bool ws_icl_request(ws_icl *icl, uint32_t cluster_number, uint32_t sm, uint64_t time, uint32_t line_number,
                    uint64_t words) {
    cluster *c = &icl->clusters[cluster_number];
    c->now = (moment){{[WS_ICL_REQUESTS] = c->now.at[WS_ICL_REQUESTS] + 1, [WS_ICL_TIME] = time}};
    return ask(icl, c, sm, line_number, words, true);
}

bool ws_icl_extend(ws_icl *icl, uint32_t cluster_number, uint32_t sm, uint64_t time, uint32_t line_number,
                   uint64_t words) {
    cluster *c = &icl->clusters[cluster_number];
    c->now.at[WS_ICL_TIME] = time;
    return ask(icl, c, sm, line_number, words, false);
}

/* ---- results */

ws_icl_counts ws_icl_redundant(const ws_icl *icl, enum ws_icl_clock clock, uint64_t window) {
    const windows *w = &icl->windows[clock];
    uint64_t to_line[REQUESTERS] = {0}, to_data[REQUESTERS] = {0};
    for (size_t i = 0; i < w->count && w->limit[i] <= window; i++)
        for (int r = 0; r < REQUESTERS; r++) {
            to_line[r] += w->bins[i].to_line[r];
            to_data[r] += w->bins[i].to_data[r];
        }
    return (ws_icl_counts){.data_same_sm = to_data[SAME_SM],
                           .data_other_sm = to_data[OTHER_SM],
                           .line_same_sm = to_line[SAME_SM] - to_data[SAME_SM],
                           .line_other_sm = to_line[OTHER_SM] - to_data[OTHER_SM]};
}
