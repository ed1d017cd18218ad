#include "cli/run/hotspots.h"

#include "base/array.h"
#include "base/room.h"
#include "cli/cells.h"
#include "cli/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- counting */

void cli_hotspots_free(cli_hotspots *h) {
    for (size_t i = 0; i < h->count; i++) ws_sites_free(&h->kernels[i].sites);
    free(h->kernels);
}

static ws_sites *add_kernel(cli_hotspots *h, const char *name) {
    struct cli_kernel_sites *kernels = realloc(h->kernels, (h->count + 1) * sizeof *kernels);
    if (!kernels) return NULL;
    h->kernels = kernels;
    kernels[h->count].kernel = name;
    ws_sites *sites = &kernels[h->count++].sites;
    return ws_sites_init(sites, h->trace) ? sites : NULL;
}

static ws_sites *sites_of(cli_hotspots *h, const char *name) {
    for (size_t i = 0; i < h->count; i++)
        if (strcmp(h->kernels[i].kernel, name) == 0) return &h->kernels[i].sites;
    return add_kernel(h, name);
}

bool cli_hotspots_launch(cli_hotspots *h, const ws_kernel *kernel, uint32_t warps_per_cta, ws_error *err) {
    h->now = sites_of(h, kernel->short_name);
    if (!h->now) return ws_no_memory(err);
    ws_sites_launch(h->now, kernel->counters.ctas, warps_per_cta);
    return true;
}

/* ---- all instructions of all kernels */

typedef struct row {
    const char *kernel;
    ws_static inst;
    uint64_t instructions, warp_cycles, loads, load_cycles;
    uint64_t waits[WS_TIMED_WAITS];
    uint64_t p50, p90, p99, longest; /* latencies, if there are loads */
    uint64_t accesses, hits;         /* in the L1 */
    uint64_t merged; /* accesses that have joined earlier ones, and count for the loads of these */
} row;

typedef struct list {
    const struct cli_kernel_sites *kernel;
    row *rows;
    size_t count, room;
    bool failed;
    uint64_t warp_cycles, end_cycles; /* lifetimes of all warps; what of these comes after their last issue */
    uint64_t load_cycles, merged;     /* latencies of all loads, and `merged` of all */
} list;

static row row_of(const list *l, const ws_static *inst, const ws_site *site) {
    row r = {.kernel = l->kernel->kernel,
             .inst = *inst,
             .instructions = site->instructions,
             .warp_cycles = ws_site_cycles(site),
             .loads = site->loads,
             .load_cycles = site->load_cycles,
             .hits = site->accesses[WS_TIMED_HIT],
             .merged = site->merged};
    memcpy(r.waits, site->waits, sizeof r.waits);
    for (int i = 0; i < WS_TIMED_STATUSES; i++) r.accesses += i == WS_TIMED_BYPASS ? 0 : site->accesses[i];
    if (!site->loads) return r;
    r.p50 = ws_site_latency(site, 500);
    r.p90 = ws_site_latency(site, 900);
    r.p99 = ws_site_latency(site, 990);
    r.longest = ws_site_latency(site, 1000);
    return r;
}

static void add_row(void *context, const ws_static *inst, const ws_site *site,
                    const ws_receivers *receivers) {
    (void)receivers;
    list *l = context;
    if (!WS_ROOM_FOR(l->rows, l->room, l->count + 1)) {
        l->failed = true;
        return;
    }
    l->rows[l->count++] = row_of(l, inst, site);
    l->end_cycles -= l->rows[l->count - 1].warp_cycles;
    l->load_cycles += site->load_cycles;
    l->merged += site->merged;
}

static bool collect(const cli_hotspots *h, list *l, ws_error *err) {
    *l = (list){.count = 0};
    for (size_t i = 0; i < h->count && !l->failed; i++) {
        const ws_sites *sites = &h->kernels[i].sites;
        l->kernel = &h->kernels[i];
        l->warp_cycles += sites->warp_cycles;
        l->end_cycles += sites->warp_cycles;
        l->failed = sites->failed || !ws_sites_each(sites, add_row, l) || l->failed;
    }
    if (!l->failed) return true;
    free(l->rows);
    return ws_no_memory(err);
}

/* ---- the first rows, in two orders */

/* The most cycles first; if equal, by kernel, pc and opcode: instances of a template may have several at a pc. */
static int compare(const row *l, const row *r, uint64_t left, uint64_t right) {
    if (left != right) return left > right ? -1 : 1;
    int kernels = strcmp(l->kernel, r->kernel);
    if (kernels) return kernels;
    if (l->inst.pc != r->inst.pc) return l->inst.pc > r->inst.pc ? 1 : -1;
    return (l->inst.opcode > r->inst.opcode) - (l->inst.opcode < r->inst.opcode);
}
static int by_warp_cycles(const void *left, const void *right) {
    const row *l = left, *r = right;
    return compare(l, r, l->warp_cycles, r->warp_cycles);
}
static int by_load_cycles(const void *left, const void *right) {
    const row *l = left, *r = right;
    return compare(l, r, l->load_cycles, r->load_cycles);
}

/* Sorts the rows, and returns how many of them, from the first, are to be shown. */
static size_t put_in_order(const cli_hotspots *h, list *l, int (*order)(const void *, const void *)) {
    if (l->count) qsort(l->rows, l->count, sizeof *l->rows, order);
    return l->count < h->most ? l->count : h->most;
}

static size_t longest_waits(const cli_hotspots *h, list *l) {
    return put_in_order(h, l, by_warp_cycles);
}
static size_t longest_loads(const cli_hotspots *h, list *l) {
    size_t count = put_in_order(h, l, by_load_cycles), loads = 0;
    while (loads < count && l->rows[loads].loads) loads++;
    return loads;
}

/* ---- text */

/* The cells that name an instruction, its pc as `dump` writes it. */
static void name_cells(ws_listing *listing, const cli_hotspots *h, const row *r) {
    char text[16];
    ws_listing_cell(listing, r->kernel, false);
    snprintf(text, sizeof text, "%04x", r->inst.pc);
    ws_listing_cell(listing, text, true);
    snprintf(text, sizeof text, "%u", r->inst.source_line);
    ws_listing_cell(listing, r->inst.source_line ? text : "-", true);
    ws_listing_cell(listing, ws_trace_opcode(h->trace, r->inst.opcode), false);
}

static bool print_waits(const cli_hotspots *h, list *l) {
    static const char *const heads[] = {"kernel",    "pc",        "line",        "opcode",
                                        "warp inst", "each",      "warp cycles", "share %",
                                        "data %",    "barrier %", "fetch %",     "issue %"};
    char total[CLI_COUNT_SIZE], end[CLI_COUNT_SIZE];
    size_t count = longest_waits(h, l);
    printf("\ninstructions at which warps waited longest, of %s warp cycles (%s after a warp's last "
           "instruction), and what for: data, a barrier, the fetch, or to issue\n",
           cli_count(l->warp_cycles, total), cli_count(l->end_cycles, end));
    ws_listing *listing = cli_listing(heads, WS_COUNT(heads));
    if (!listing) return false;
    for (size_t i = 0; i < count; i++) {
        const row *r = &l->rows[i];
        name_cells(listing, h, r);
        cli_count_cell(listing, r->instructions);
        cli_real_cell(listing, cli_ratio(r->warp_cycles, r->instructions), 1);
        cli_count_cell(listing, r->warp_cycles);
        cli_share_cell(listing, r->warp_cycles, l->warp_cycles);
        for (int w = 0; w < WS_TIMED_WAITS; w++) cli_share_cell(listing, r->waits[w], r->warp_cycles);
    }
    return ws_listing_close(listing);
}

static bool print_loads(const cli_hotspots *h, list *l) {
    static const char *const heads[] = {"kernel", "pc",   "line",  "opcode",  "loads",    "mean",  "50 %",
                                        "90 %",   "99 %", "100 %", "L1 acc.", "L1 hit %", "merged"};
    char total[CLI_COUNT_SIZE];
    size_t count = longest_loads(h, l);
    if (!count) return true;
    bool merged = l->merged > 0;
    printf("\nloads that took longest, of %s cycles in flight: mean latency and percentiles, in cycles%s\n",
           cli_count(l->load_cycles, total),
           merged ? "; merged: accesses that joined earlier ones before the L1, where they do not count"
                  : "");
    ws_listing *listing = cli_listing(heads, WS_COUNT(heads) - !merged);
    if (!listing) return false;
    for (size_t i = 0; i < count; i++) {
        const row *r = &l->rows[i];
        name_cells(listing, h, r);
        cli_count_cell(listing, r->loads);
        cli_real_cell(listing, cli_ratio(r->load_cycles, r->loads), 1);
        cli_count_cell(listing, r->p50);
        cli_count_cell(listing, r->p90);
        cli_count_cell(listing, r->p99);
        cli_count_cell(listing, r->longest);
        cli_count_cell(listing, r->accesses);
        cli_share_cell(listing, r->hits, r->accesses);
        if (merged) cli_count_cell(listing, r->merged);
    }
    return ws_listing_close(listing);
}

bool cli_hotspots_text(const cli_hotspots *h, ws_error *err) {
    list l;
    if (!h->most) return true;
    if (!collect(h, &l, err)) return false;
    bool ok = print_waits(h, &l) && print_loads(h, &l);
    free(l.rows);
    return ok || ws_no_memory(err);
}

/* ---- JSON */

static json_t *name_json(const cli_hotspots *h, const row *r) {
    json_t *object = json_pack("{s:s, s:I, s:s}", "kernel", r->kernel, "pc", (json_int_t)r->inst.pc, "opcode",
                               ws_trace_opcode(h->trace, r->inst.opcode));
    cli_json_set(&object, "source_line",
                 r->inst.source_line ? json_integer(r->inst.source_line) : json_null());
    return object;
}

static void set(json_t **object, const char *name, uint64_t value) {
    cli_json_set(object, name, json_integer((json_int_t)value));
}

static json_t *waits_json(const cli_hotspots *h, list *l) {
    static const char *const waits[] = {[WS_TIMED_WAIT_DATA] = "data_cycles",
                                        [WS_TIMED_WAIT_BARRIER] = "barrier_cycles",
                                        [WS_TIMED_WAIT_FETCH] = "fetch_cycles",
                                        [WS_TIMED_WAIT_ISSUE] = "issue_cycles"};
    json_t *rows = json_array();
    size_t count = longest_waits(h, l);
    for (size_t i = 0; i < count; i++) {
        json_t *object = name_json(h, &l->rows[i]);
        set(&object, "instructions", l->rows[i].instructions);
        set(&object, "warp_cycles", l->rows[i].warp_cycles);
        for (int w = 0; w < WS_TIMED_WAITS; w++) set(&object, waits[w], l->rows[i].waits[w]);
        cli_json_append(&rows, object);
    }
    return rows;
}

static json_t *loads_json(const cli_hotspots *h, list *l) {
    json_t *rows = json_array();
    size_t count = longest_loads(h, l);
    for (size_t i = 0; i < count; i++) {
        const row *r = &l->rows[i];
        json_t *object = name_json(h, r);
        set(&object, "loads", r->loads);
        set(&object, "load_cycles", r->load_cycles);
        set(&object, "load_p50", r->p50);
        set(&object, "load_p90", r->p90);
        set(&object, "load_p99", r->p99);
        set(&object, "load_max", r->longest);
        set(&object, "l1_accesses", r->accesses);
        set(&object, "l1_hits", r->hits);
        set(&object, "l1_merged", r->merged);
        cli_json_append(&rows, object);
    }
    return rows;
}

json_t *cli_hotspots_json(const cli_hotspots *h, ws_error *err) {
    list l;
    if (!collect(h, &l, err)) return NULL;
    json_t *root = json_pack("{s:I, s:I, s:I}", "warp_cycles", (json_int_t)l.warp_cycles, "end_cycles",
                             (json_int_t)l.end_cycles, "load_cycles", (json_int_t)l.load_cycles);
    cli_json_set(&root, "waits", waits_json(h, &l));
    cli_json_set(&root, "loads", loads_json(h, &l));
    free(l.rows);
    if (!root) ws_no_memory(err);
    return root;
}
