#include "cli/run/launches.h"

#include "base/array.h"
#include "cli/cells.h"
#include "cli/output.h"
#include "cli/run/mechanisms.h"
#include "timed/slots.h"

#include <stdio.h>
#include <string.h>

static ws_timed_counters total_of(const cli_run_result *run) {
    ws_timed_counters total = {0};
    for (size_t i = 0; i < run->launch_count; i++) {
        const ws_timed_counters *c = &run->launches[i].counters;
#define X(name, unit, help) total.name += c->name;
        WS_TIMED_COUNTERS(X)
#undef X
    }
    return total;
}

static const ws_kernel *kernel_of(const cli_run_result *run, const cli_launch *launch, uint32_t which) {
    return ws_trace_kernel(run->trace, launch->kernel->index + which);
}

static bool is_truncated(const cli_run_result *run, const cli_launch *launch) {
    uint64_t ctas = 0;
    for (uint32_t i = 0; i < launch->together; i++) ctas += kernel_of(run, launch, i)->counters.ctas;
    return launch->counters.ctas < ctas;
}

/* ---- JSON */

/* Splits "l1_hits" into the group "l1" and "hits", which is returned; NULL for a counter outside of all groups. */
static const char *group_of(const char *name, char *group, size_t size) {
    static const char *const groups[] = {"l1", "l2", "noc", "dram"};
    for (size_t i = 0; i < WS_COUNT(groups); i++) {
        size_t length = strlen(groups[i]);
        if (strncmp(name, groups[i], length) != 0 || name[length] != '_') continue;
        snprintf(group, size, "%s", groups[i]);
        return name + length + 1;
    }
    return NULL;
}

/* Adds a member to a group, which becomes one of the object's at its first member. */
static void set_in_group(json_t **object, const char *group, const char *name, json_t *value) {
    json_t *members = json_object_get(*object, group);
    members = members ? json_incref(members) : json_object();
    cli_json_set(&members, name, value);
    cli_json_set(object, group, members);
}

static void set_counter(json_t **object, const char *name, uint64_t value) {
    char group[8];
    const char *rest = group_of(name, group, sizeof group);
    json_t *number = json_integer((json_int_t)value);
    if (rest)
        set_in_group(object, group, rest, number);
    else
        cli_json_set(object, name, number);
}

/* Adds up the retries of a group, whatever their cause. */
static void set_fails(json_t **object, const char *group) {
    json_t *counters = json_object_get(*object, group), *value;
    json_int_t fails = 0;
    const char *name;
    json_object_foreach(counters, name, value) {
        if (strncmp(name, "retries", strlen("retries")) == 0) fails += json_integer_value(value);
    }
    set_in_group(object, group, "reservation_fails", json_integer(fails));
}

static void set_counters(json_t **object, const ws_timed_counters *c) {
#define X(name, unit, help) set_counter(object, #name, c->name);
    WS_TIMED_COUNTERS(X)
#undef X
    set_fails(object, "l1");
    set_fails(object, "l2");
    cli_json_set(object, "ipc", json_real(cli_ratio(c->thread_instructions, c->cycles)));
    cli_json_set(object, "ipc_warp", json_real(cli_ratio(c->warp_instructions, c->cycles)));
    cli_json_set(object, "load_latency",
                 c->loads ? json_real(cli_ratio(c->load_cycles, c->loads)) : json_null());
}

json_t *cli_counters_json(const ws_timed_counters *c) {
    json_t *object = json_object();
    set_counters(&object, c);
    return object;
}

/* What each of the launches that ran at the same time did. */
static json_t *together_json(const cli_run_result *run, const cli_launch *launch) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < launch->together; i++) {
        const ws_kernel *k = kernel_of(run, launch, i);
        const ws_timed_share *part = &launch->parts[i].share;
        json_t *object =
            json_pack("{s:I, s:s, s:I, s:I}", "index", (json_int_t)k->index, "short_name", k->short_name,
                      "stream", (json_int_t)k->stream, "begin", (json_int_t)launch->parts[i].begin);
#define X(name) cli_json_set(&object, #name, json_integer((json_int_t)part->name));
        WS_TIMED_SHARE(X)
#undef X
        cli_json_append(&list, object);
    }
    return list;
}

static json_t *launch_json(const cli_run_result *run, const cli_launch *launch) {
    const ws_kernel *k = launch->kernel;
    json_t *object = json_pack("{s:I, s:s, s:s}", "index", (json_int_t)k->index, "name", k->name,
                               "short_name", k->short_name);
    set_counters(&object, &launch->counters);
    if (launch->together > 1) cli_json_set(&object, "together", together_json(run, launch));
    cli_json_set(&object, "truncated", json_boolean(is_truncated(run, launch)));
    cli_set_mechanisms(&object, run, launch->counts[0]);
    return object;
}

static json_t *launches_json(const cli_run_result *run) {
    json_t *list = json_array();
    for (size_t i = 0; i < run->launch_count; i++)
        cli_json_append(&list, launch_json(run, &run->launches[i]));
    return list;
}

static json_t *total_json(const cli_run_result *run) {
    ws_timed_counters total = total_of(run);
    uint64_t counts[WS_MECHANISMS_MAX][WS_MECHANISM_COUNTS_MAX];
    json_t *object = cli_counters_json(&total);
    for (size_t i = 0; i < run->mechanisms.count; i++) cli_mechanisms_total(run, i, counts[i]);
    cli_set_mechanisms(&object, run, counts[0]);
    return object;
}

bool cli_run_json(const cli_run_result *run, ws_error *err) {
    json_t *hotspots = run->hotspots.most ? cli_hotspots_json(&run->hotspots, err) : NULL;
    if (run->hotspots.most && !hotspots) return false;
    json_t *root = json_pack("{s:s, s:s, s:s?, s:o}", "trace", ws_trace_path(run->trace), "digest",
                             ws_trace_get_info(run->trace)->digest, "gpu", run->gpu, "configuration",
                             ws_config_json(run->config));
    cli_set_costs(&root, run);
    cli_json_set(&root, "kernels", launches_json(run));
    cli_json_set(&root, "total", total_json(run));
    if (hotspots) cli_json_set(&root, "hotspots", hotspots);
    return cli_put_trace_json(root, run->trace, run->gpu, err);
}

/* ---- the launches, a line each */

static const char *const heads[] = {"launch",     "kernel",   "cycles",      "warp inst", "IPC warp",
                                    "IPC thread", "L1 acc.",  "L1 hit %",    "L1 pend %", "L1 miss %",
                                    "L2 acc.",    "L2 hit %", "DRAM bursts", "row hit %"};

static void counter_cells(ws_listing *listing, const ws_timed_counters *c) {
    cli_count_cell(listing, c->cycles);
    cli_count_cell(listing, c->warp_instructions);
    cli_real_cell(listing, cli_ratio(c->warp_instructions, c->cycles), 3);
    cli_real_cell(listing, cli_ratio(c->thread_instructions, c->cycles), 2);
    cli_count_cell(listing, c->l1_accesses);
    cli_share_cell(listing, c->l1_hits, c->l1_accesses);
    cli_share_cell(listing, c->l1_pending_hits, c->l1_accesses);
    cli_share_cell(listing, c->l1_misses + c->l1_sector_misses, c->l1_accesses);
    cli_count_cell(listing, c->l2_accesses);
    cli_share_cell(listing, c->l2_hits, c->l2_accesses);
    cli_count_cell(listing, c->dram_reads + c->dram_writes);
    cli_share_cell(listing, c->dram_row_hits, c->dram_requests);
}

static bool print_parts(const cli_run_result *run, const cli_launch *launch) {
    static const char *const part_heads[] = {"launch",    "kernel",   "stream",  "begins",  "ends",
                                             "warp inst", "IPC warp", "L1 acc.", "L1 hit %"};
    ws_listing *listing = cli_listing(part_heads, WS_COUNT(part_heads));
    if (!listing) return false;
    for (uint32_t i = 0; i < launch->together; i++) {
        const ws_kernel *k = kernel_of(run, launch, i);
        const ws_timed_share *share = &launch->parts[i].share;
        cli_count_cell(listing, k->index);
        ws_listing_cell(listing, k->short_name, false);
        cli_count_cell(listing, k->stream);
        cli_count_cell(listing, launch->parts[i].begin);
        cli_count_cell(listing, launch->parts[i].begin + share->cycles);
        cli_count_cell(listing, share->warp_instructions);
        cli_real_cell(listing, cli_ratio(share->warp_instructions, share->cycles), 3);
        cli_count_cell(listing, share->l1_accesses);
        cli_share_cell(listing, share->l1_hits, share->l1_accesses);
    }
    return ws_listing_close(listing);
}

static bool print_together(const cli_run_result *run, const cli_launch *launch) {
    if (launch->together == 1) return true;
    printf("\nlaunches %u to %u ran at the same time:\n\n", launch->kernel->index,
           launch->kernel->index + launch->together - 1);
    return print_parts(run, launch);
}

static void print_truncated(const cli_run_result *run, const cli_launch *launch) {
    char ran[CLI_COUNT_SIZE], all[CLI_COUNT_SIZE];
    if (launch->together == 1 && is_truncated(run, launch))
        printf("launch %u is truncated by limits: %s of its %s CTAs ran\n", launch->kernel->index,
               cli_count(launch->counters.ctas, ran), cli_count(launch->kernel->counters.ctas, all));
}

enum { NAME_SIZE = 80 };

/* The kernel of a launch; with others that ran at the same time "first +2". */
static const char *name_of(const cli_launch *launch, char name[NAME_SIZE]) {
    if (launch->together == 1) return launch->kernel->short_name;
    snprintf(name, NAME_SIZE, "%.60s +%u", launch->kernel->short_name, launch->together - 1);
    return name;
}

static bool print_launches(const cli_run_result *run, const ws_timed_counters *total, ws_error *err) {
    char name[NAME_SIZE];
    ws_listing *listing = cli_listing(heads, WS_COUNT(heads));
    if (!listing) return ws_no_memory(err);
    for (size_t i = 0; i < run->launch_count; i++) {
        cli_count_cell(listing, run->launches[i].kernel->index);
        ws_listing_cell(listing, name_of(&run->launches[i], name), false);
        counter_cells(listing, &run->launches[i].counters);
    }
    ws_listing_cell(listing, "", true);
    ws_listing_cell(listing, "total", false);
    counter_cells(listing, total);
    if (!ws_listing_close(listing)) return ws_no_memory(err);
    for (size_t i = 0; i < run->launch_count; i++) {
        print_truncated(run, &run->launches[i]);
        if (!print_together(run, &run->launches[i])) return ws_no_memory(err);
    }
    return true;
}

/* ---- the total, in bars */

enum { BAR_COLUMNS = 40 };

static void print_bar(const char *name, uint64_t part, uint64_t whole) {
    static const char marks[] = "########################################";
    char count[CLI_COUNT_SIZE];
    int length = (int)(BAR_COLUMNS * cli_ratio(part, whole) + 0.5);
    printf("  %-18s %15s  %5.1f %%%s%.*s\n", name, cli_count(part, count), 100 * cli_ratio(part, whole),
           length ? "  " : "", length, marks);
}

static void print_outcomes(const char *title, uint64_t hits, uint64_t pending, uint64_t sector_misses,
                           uint64_t misses) {
    uint64_t all = hits + pending + sector_misses + misses;
    char count[CLI_COUNT_SIZE];
    printf("\n%s: %s\n", title, cli_count(all, count));
    if (all == 0) return;
    print_bar("hit", hits, all);
    print_bar("pending hit", pending, all);
    print_bar("sector miss", sector_misses, all);
    print_bar("miss", misses, all);
}

/* The title says what an access is: rates of a GPU that counts sectors cannot be compared with those of one that counts
 * lines. What goes past the L1 is no access. */
static void print_l1(const cli_run_result *run, const ws_timed_counters *c) {
    static const char *const titles[] = {[WS_ACCESS_LINE] = "L1 accesses (lines)",
                                         [WS_ACCESS_BY_WIDTH] = "L1 accesses (lines, parts for narrow data)",
                                         [WS_ACCESS_SECTOR] = "L1 accesses (sectors)"};
    const ws_l1_params *l1 = ws_config_get(run->config, &ws_l1_component);
    char count[CLI_COUNT_SIZE];
    print_outcomes(titles[l1->access], c->l1_hits, c->l1_pending_hits, c->l1_sector_misses, c->l1_misses);
    if (c->l1_bypasses) printf("bypassing the L1, in addition: %s\n", cli_count(c->l1_bypasses, count));
}

/* What the coalescer in front of the L2 answers is no access. */
static void print_l2(const ws_timed_counters *c) {
    char count[CLI_COUNT_SIZE];
    print_outcomes("L2 accesses (sectors)", c->l2_hits, c->l2_pending_hits, c->l2_sector_misses,
                   c->l2_misses);
    if (c->l2_merged) printf("got with an earlier read's, in addition: %s\n", cli_count(c->l2_merged, count));
}

/* An access that waits for several things in turn counts for each. */
static void print_retries(const ws_timed_counters *c) {
    uint64_t all = c->l1_retries_set_full + c->l1_retries_mshr_full + c->l1_retries_merge_full +
                   c->l1_retries_miss_queue_full;
    uint64_t stalls = c->l1_stalls_set_full + c->l1_stalls_mshr_full + c->l1_stalls_merge_full +
                      c->l1_stalls_miss_queue_full;
    char count[CLI_COUNT_SIZE], waits[CLI_COUNT_SIZE];
    printf("\ncycles in which an L1 access was retried: %s", cli_count(all, count));
    if (all) printf(", in %s stalls", cli_count(stalls, waits));
    putchar('\n');
    if (all == 0) return;
    print_bar("set full", c->l1_retries_set_full, all);
    print_bar("MSHRs full", c->l1_retries_mshr_full, all);
    print_bar("MSHR merges full", c->l1_retries_merge_full, all);
    print_bar("miss queue full", c->l1_retries_miss_queue_full, all);
}

/* A mechanism may take memory instructions from the schedulers into queues of its own. */
static void print_whose_queues(const cli_run_result *run) {
    for (size_t i = 0; i < run->mechanisms.count; i++) {
        const ws_mechanism *m = run->mechanisms.at[i];
        if (m->front && m->front->waiting)
            printf(
                "those in the queues of %s (below) keep no scheduler waiting: 'LSU full' is without them\n",
                m->name);
    }
}

static void print_schedulers(const cli_run_result *run, const ws_timed_counters *c) {
    const struct {
        const char *what;
        uint64_t cycles;
    } parts[] = {{"issued", c->scheduler_issues},       {"LSU full", c->scheduler_memory},
                 {"unit busy", c->scheduler_unit},      {"waits for data", c->scheduler_data},
                 {"at barriers", c->scheduler_barrier}, {"fetch, end", c->scheduler_fetch},
                 {"no warp", c->scheduler_empty}};
    uint64_t all = 0;
    for (size_t i = 0; i < WS_COUNT(parts); i++) all += parts[i].cycles;
    char count[CLI_COUNT_SIZE];
    printf("\nwhere the schedulers' cycles went: %s\n", cli_count(all, count));
    if (all == 0) return;
    for (size_t i = 0; i < WS_COUNT(parts); i++) print_bar(parts[i].what, parts[i].cycles, all);
    printf("warps per SM: %.3g; memory instructions waiting per SM: %.3g, at least one in %.1f %% of the "
           "cycles with warps\n",
           cli_ratio(c->warp_cycles, c->sm_cycles), cli_ratio(c->memory_waiting, c->sm_cycles),
           100 * cli_ratio(c->memory_waiting_cycles, c->sm_busy_cycles));
    print_whose_queues(run);
    if (c->loads)
        printf("loads: %s, %.1f cycles from issue to the last data\n", cli_count(c->loads, count),
               cli_ratio(c->load_cycles, c->loads));
}

/* Prints one direction of the network, whose ports take a flit per cycle each. */
static void print_direction(const char *name, uint64_t packets, uint64_t bytes, uint64_t flits,
                            uint64_t port_cycles) {
    char packet_count[CLI_COUNT_SIZE], byte_count[CLI_COUNT_SIZE];
    printf("NoC %-10s %15s packets, %15s B, ports busy %5.1f %%\n", name, cli_count(packets, packet_count),
           cli_count(bytes, byte_count), 100 * cli_ratio(flits, port_cycles));
}

static void print_network(const ws_timed_counters *c) {
    fputc('\n', stdout);
    print_direction("to memory:", c->noc_packets_to_memory, c->noc_bytes_to_memory, c->noc_flits_to_memory,
                    c->noc_port_cycles_to_memory);
    print_direction("to SMs:", c->noc_packets_to_sm, c->noc_bytes_to_sm, c->noc_flits_to_sm,
                    c->noc_port_cycles_to_sm);
}

static void print_dram(const ws_timed_counters *c) {
    char reads[CLI_COUNT_SIZE], writes[CLI_COUNT_SIZE], activates[CLI_COUNT_SIZE], hits[32] = "";
    if (c->dram_requests)
        snprintf(hits, sizeof hits, ", row hits %.1f %%",
                 100 * cli_ratio(c->dram_row_hits, c->dram_requests));
    printf("DRAM bursts: %s read, %s written, %s rows opened%s, data bus busy %.1f %%\n",
           cli_count(c->dram_reads, reads), cli_count(c->dram_writes, writes),
           cli_count(c->dram_activates, activates), hits,
           100 * cli_ratio(c->dram_busy_cycles, c->dram_cycles));
}

void cli_run_levels_text(const cli_run_result *run, const ws_timed_counters *c) {
    print_schedulers(run, c);
    print_l1(run, c);
    print_retries(c);
    print_l2(c);
    print_network(c);
    print_dram(c);
    cli_mechanisms_text(run, c->sm_cycles);
}

bool cli_run_text(const cli_run_result *run, ws_error *err) {
    ws_timed_counters total = total_of(run);
    printf("%s on %s\n\n", ws_trace_path(run->trace), run->gpu ? run->gpu : "the default GPU");
    if (!print_launches(run, &total, err)) return false;
    cli_run_levels_text(run, &total);
    return cli_hotspots_text(&run->hotspots, err);
}
