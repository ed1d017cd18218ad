#include "naive_hotspots.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- recording */

/* The list has room for the next power of two: to grow by one each time would copy it each time. */
static void *append(void *list, size_t count, const void *item, size_t size) {
    if ((count & (count - 1)) == 0) list = realloc(list, (count ? 2 * count : 1) * size);
    assert_non_null(list);
    memcpy((char *)list + count * size, item, size);
    return list;
}

static void hear_issue(void *self, const ws_timed_issue *issue) {
    told *t = self;
    t->issues = append(t->issues, t->issue_count++, issue, sizeof *issue);
}
static void hear_load(void *self, const ws_timed_load *load) {
    told *t = self;
    t->loads = append(t->loads, t->load_count++, load, sizeof *load);
}
static void hear_access(void *self, const ws_timed_access *access) {
    told *t = self;
    t->accesses = append(t->accesses, t->access_count++, access, sizeof *access);
}
static void hear_life(void *self, const ws_timed_warp_life *life) {
    told *t = self;
    t->lives = append(t->lives, t->life_count++, life, sizeof *life);
}

ws_timed_taps told_taps(told *t) {
    return (ws_timed_taps){
        .self = t, .access = hear_access, .issue = hear_issue, .load_end = hear_load, .warp_end = hear_life};
}

void told_free(told *t) {
    free(t->issues);
    free(t->loads);
    free(t->accesses);
    free(t->lives);
}

/* ---- the twin */

typedef unsigned long long number;

static const ws_static *static_of(const ws_trace *trace, uint32_t id) {
    return &ws_trace_statics(trace)[id];
}

/* An instruction as rows identify it: its pc and its opcode's number. */
typedef struct name {
    uint32_t pc, opcode;
} name;

static bool is(const ws_trace *trace, uint32_t id, const name *n) {
    return n && id != WS_NO_STATIC && static_of(trace, id)->pc == n->pc &&
           static_of(trace, id)->opcode == n->opcode;
}

/* Finds the smallest name above `last` (NULL: of all) that was issued; false if there is none. */
static bool next_name(const told *t, const ws_trace *trace, const name *last, name *next) {
    bool found = false;
    for (size_t i = 0; i < t->issue_count; i++) {
        const ws_static *s = static_of(trace, t->issues[i].static_id);
        if (last && (s->pc < last->pc || (s->pc == last->pc && s->opcode <= last->opcode))) continue;
        if (found && (s->pc > next->pc || (s->pc == next->pc && s->opcode >= next->opcode))) continue;
        *next = (name){s->pc, s->opcode};
        found = true;
    }
    return found;
}

static number last_issue_before(const told *t, size_t end, uint32_t cta, uint32_t warp, number start) {
    number last = start;
    for (size_t i = 0; i < end; i++)
        if (t->issues[i].cta == cta && t->issues[i].warp == warp) last = t->issues[i].cycle;
    return last;
}

static number start_of(const told *t, uint32_t cta, uint32_t warp) {
    for (size_t i = 0; i < t->life_count; i++)
        if (t->lives[i].cta == cta && t->lives[i].warp == warp) return t->lives[i].start;
    fail_msg("warp %u of CTA %u has issued, and never ended", (unsigned)warp, (unsigned)cta);
    return 0;
}

static int ascending(const void *left, const void *right) {
    number l = *(const number *)left, r = *(const number *)right;
    return (l > r) - (l < r);
}

/* Writes the latencies of the loads of that name (NULL: all), sorted; returns their number. */
static size_t latencies_of(const told *t, const ws_trace *trace, const name *n, number *latencies) {
    size_t count = 0;
    for (size_t i = 0; i < t->load_count; i++)
        if (!n || is(trace, t->loads[i].static_id, n))
            latencies[count++] = t->loads[i].cycle - t->loads[i].issued;
    qsort(latencies, count, sizeof *latencies, ascending);
    return count;
}

static number at_share(const number *latencies, size_t count, unsigned percent) {
    size_t i = 0;
    while (100 * (i + 1) < percent * count) i++;
    return latencies[i];
}

static void write_loads(FILE *out, const number *latencies, size_t count) {
    number sum = 0;
    for (size_t i = 0; i < count; i++) sum += latencies[i];
    fprintf(out, " %zu %llu", count, sum);
    static const unsigned percents[] = {50, 90, 99, 100};
    for (int i = 0; i < 4; i++)
        if (count)
            fprintf(out, " %llu", at_share(latencies, count, percents[i]));
        else
            fputs(" the_launch_loads_nothing_from_global_or_local_memory", out);
}

static void write_name(FILE *out, const ws_trace *trace, const name *n) {
    fprintf(out, " %u %s the_trace_has_no_source_lines", n->pc, ws_trace_opcode(trace, n->opcode));
}

static void write_l1(FILE *out, const told *t, const ws_trace *trace, const name *n) {
    number of[WS_TIMED_STATUSES] = {0}, merged = 0;
    for (size_t i = 0; i < t->access_count; i++) {
        const ws_timed_access *a = &t->accesses[i];
        if (is(trace, a->static_id, n)) of[a->status]++;
    }
    for (size_t i = 0; i < t->load_count; i++)
        if (is(trace, t->loads[i].static_id, n)) merged += t->loads[i].merged;
    fprintf(out, " %llu %llu %llu %llu %llu %llu %llu",
            of[WS_TIMED_HIT] + of[WS_TIMED_PENDING_HIT] + of[WS_TIMED_MISS] + of[WS_TIMED_SECTOR_MISS],
            of[WS_TIMED_HIT], of[WS_TIMED_PENDING_HIT], of[WS_TIMED_MISS], of[WS_TIMED_SECTOR_MISS],
            of[WS_TIMED_BYPASS], merged);
}

/* Finds the cycle at which the warp got its first data from loads of that name; false if it got none. */
static bool first_data(const told *t, const ws_trace *trace, const name *n, const ws_timed_warp_life *w,
                       number *cycle) {
    bool found = false;
    for (size_t i = 0; i < t->load_count; i++) {
        const ws_timed_load *l = &t->loads[i];
        if (l->cta != w->cta || l->warp != w->warp || !is(trace, l->static_id, n)) continue;
        if (!found || l->cycle < *cycle) *cycle = l->cycle;
        found = true;
    }
    return found;
}

static void write_load_row(FILE *out, const told *t, const ws_trace *trace, const name *n,
                           const number *latencies, size_t count) {
    number warps = 0, to_data = 0, lived = 0;
    for (size_t i = 0; i < t->life_count; i++) {
        const ws_timed_warp_life *w = &t->lives[i];
        number cycle = 0;
        if (!first_data(t, trace, n, w, &cycle)) continue;
        warps++;
        to_data += cycle - w->start;
        lived += w->end - w->start;
    }
    fputs("0 2", out);
    write_name(out, trace, n);
    write_loads(out, latencies, count);
    write_l1(out, t, trace, n);
    fprintf(out, " %llu %llu %llu\n", warps, to_data, lived);
}

static void write_pcs(FILE *out, const told *t, const ws_trace *trace, number *latencies) {
    name n, before;
    for (bool any = next_name(t, trace, NULL, &n); any; before = n, any = next_name(t, trace, &before, &n)) {
        number instructions = 0, lanes = 0, cycles = 0, waits[WS_TIMED_WAITS] = {0};
        for (size_t i = 0; i < t->issue_count; i++) {
            const ws_timed_issue *s = &t->issues[i];
            if (!is(trace, s->static_id, &n)) continue;
            instructions++;
            lanes += s->lanes;
            number last = last_issue_before(t, i, s->cta, s->warp, start_of(t, s->cta, s->warp));
            assert_true(s->before == last);
            cycles += s->cycle - last;
            assert_true(last <= s->ready && s->ready <= s->cycle);
            assert_true((s->wait == WS_TIMED_WAIT_ISSUE) == (s->ready == last));
            for (number c = last; c < s->cycle; c++) waits[c < s->ready ? s->wait : WS_TIMED_WAIT_ISSUE]++;
        }
        fputs("0 1", out);
        write_name(out, trace, &n);
        fprintf(out, " %llu %llu %llu %llu %llu %llu %llu\n", instructions, lanes, cycles,
                waits[WS_TIMED_WAIT_DATA], waits[WS_TIMED_WAIT_BARRIER], waits[WS_TIMED_WAIT_FETCH],
                waits[WS_TIMED_WAIT_ISSUE]);
        size_t count = latencies_of(t, trace, &n, latencies);
        if (count) write_load_row(out, t, trace, &n, latencies, count);
    }
}

static void write_histogram(FILE *out, const number *latencies, size_t count) {
    size_t below = 0;
    for (number up_to = 0, step = 1; below < count; up_to += step) {
        size_t first = below;
        while (below < count && latencies[below] <= up_to) below++;
        if (below > first) fprintf(out, "0 3 %llu %zu\n", up_to, below - first);
        if (up_to >= 16 && (up_to & (up_to - 1)) == 0) step = up_to / 8; /* eight bins for each doubling */
    }
}

char *naive_hotspots(const told *t, const ws_trace *trace) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    number *latencies = calloc(t->load_count + 1, sizeof *latencies);
    assert_true(out && latencies);
    number lived = 0, at_end = 0;
    for (size_t i = 0; i < t->life_count; i++) {
        const ws_timed_warp_life *w = &t->lives[i];
        lived += w->end - w->start;
        at_end += w->end - last_issue_before(t, t->issue_count, w->cta, w->warp, w->start);
    }
    size_t count = latencies_of(t, trace, NULL, latencies);
    fprintf(out, "0 0 %zu %llu %llu", t->life_count, lived, at_end);
    write_loads(out, latencies, count);
    fputc('\n', out);
    write_pcs(out, t, trace, latencies);
    write_histogram(out, latencies, latencies_of(t, trace, NULL, latencies));
    free(latencies);
    fclose(out);
    return text;
}
