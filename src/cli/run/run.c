/* The command `run`: replays launches cycle by cycle, and reports them (launches.h, hotspots.h, timeline.h) or two
 * programs (programs.h). */
#include "base/array.h"
#include "base/progress.h"
#include "cli/command.h"
#include "cli/inputs/gpus.h"
#include "cli/inputs/kernels.h"
#include "cli/run/launches.h"
#include "cli/run/programs.h"
#include "cli/run/timeline.h"
#include "warpsweep/analysis.h"

#include <stdlib.h>
#include <string.h>

enum { GPU, SET, KERNELS, JSON, HOTSPOTS, TIMELINE, PERIOD, CONCURRENT, WITH };

enum { PERIOD_CYCLES = 1000 };

/* ---- running */

/* The last of the chosen launches; those before it run, too, for they fill the L2. */
static uint32_t last_of(const ws_trace *trace, const ws_selection *selection) {
    uint32_t last = ws_trace_get_info(trace)->kernel_count;
    while (last && !cli_kernels_has(selection, ws_trace_kernel(trace, last))) last--;
    return last;
}

static uint64_t instructions_of(const ws_trace *trace, uint32_t first, uint32_t count) {
    uint64_t instructions = 0;
    for (uint32_t i = first; i < first + count; i++)
        instructions += ws_trace_kernel(trace, i)->counters.warp_instructions;
    return instructions;
}

static bool chooses_one(const ws_selection *selection, const ws_trace *trace, uint32_t first,
                        uint32_t count) {
    while (count && !cli_kernels_has(selection, ws_trace_kernel(trace, first + count - 1))) count--;
    return count > 0;
}

/* ---- who listens to the launches that are reported */

typedef struct run_listeners {
    cli_timeline timeline;
    uint64_t period;
    cli_hotspots *hotspots;
} run_listeners;

static void hear_issue(void *self, const ws_timed_issue *issue) {
    ws_sites_issue(((const run_listeners *)self)->hotspots->now, issue);
}
static void hear_load_end(void *self, const ws_timed_load *load) {
    ws_sites_load_end(((const run_listeners *)self)->hotspots->now, load);
}
static void hear_access(void *self, const ws_timed_access *access) {
    ws_sites_access(((const run_listeners *)self)->hotspots->now, access);
}
static void hear_warp_end(void *self, const ws_timed_warp_life *life) {
    ws_sites_warp_end(((const run_listeners *)self)->hotspots->now, life);
}
static void hear_sample(void *self, const ws_timed_sample *sample) {
    cli_timeline_sample(&((run_listeners *)self)->timeline, sample);
}

/* Attaches listeners to the next launch, with which `together` - 1 others run. */
static bool listen(run_listeners *l, ws_timed *timed, const cli_run_result *run, const ws_kernel *kernel,
                   uint32_t together, ws_error *err) {
    ws_timed_taps taps = {.self = l};
    if (l->timeline.file) {
        if (!cli_timeline_launch(&l->timeline, kernel, together, err)) return false;
        taps.sample = hear_sample;
        taps.sample_cycles = l->period;
    }
    if (l->hotspots->most && together > 1)
        return ws_fail(err, WS_ERROR_SPEC,
                       "core.concurrent_launches: '--hotspots' follows one launch at a time: set it to 1");
    if (l->hotspots->most) {
        ws_stream_info stream;
        if (!ws_stream_info_of(run->trace, kernel->index, run->config, &stream, err) ||
            !cli_hotspots_launch(l->hotspots, kernel, stream.warps_per_cta, err))
            return false;
        taps.issue = hear_issue;
        taps.load_end = hear_load_end;
        taps.access = hear_access;
        taps.warp_end = hear_warp_end;
    }
    ws_timed_tap(timed, &taps);
    return true;
}

/* ---- the launches */

static bool run_launches(cli_run_result *run, cli_launch *launches, cli_part *parts,
                         const ws_selection *selection, run_listeners *listeners, ws_error *err) {
    ws_timed *timed = ws_timed_new(run->trace, run->config, err);
    if (!timed) return false;
    run->mechanisms = *ws_timed_mechanisms(timed);
    uint32_t last = last_of(run->trace, selection);
    uint64_t total = instructions_of(run->trace, 1, last), done = 0;
    ws_progress progress = ws_progress_start(stderr, ws_trace_path(run->trace), "warp instructions", total);
    bool ok = true;
    for (uint32_t i = 1, together; ok && i <= last; i += together) {
        const ws_kernel *k = ws_trace_kernel(run->trace, i);
        together = ws_timed_together(timed, i);
        bool chosen = chooses_one(selection, run->trace, i, together);
        cli_launch *launch = &launches[run->launch_count];
        launch->kernel = k;
        launch->together = together;
        if (chosen) ok = listen(listeners, timed, run, k, together, err);
        ok = ok && ws_timed_run(timed, i, &launch->counters, err);
        ws_timed_tap(timed, NULL);
        launch->parts = &parts[i - 1];
        for (uint32_t n = i; ok && n < i + together; n++)
            parts[n - 1] = (cli_part){ws_timed_begin_of(timed, n), ws_timed_share_of(timed, n)};
        for (size_t m = 0; m < run->mechanisms.count; m++)
            memcpy(launch->counts[m], ws_timed_counts(timed, m), sizeof launch->counts[m]);
        run->launch_count += chosen;
        done += instructions_of(run->trace, i, together);
        ws_progress_update(&progress, done, total ? (double)done / (double)total : 1);
    }
    ws_progress_clear(&progress);
    ws_timed_free(timed);
    return ok;
}

static void run_trace(const cli_args *args, const ws_trace *trace, const ws_config *config, ws_error *err) {
    uint32_t period, hotspots;
    run_listeners listeners;
    if (!cli_whole_number(args, PERIOD, 1, UINT32_MAX, PERIOD_CYCLES, &period, err) ||
        !cli_whole_number(args, HOTSPOTS, 1, UINT32_MAX, 0, &hotspots, err) ||
        !cli_timeline_open(&listeners.timeline, args->option[TIMELINE], err))
        return;
    ws_selection *selection = cli_kernels(args, KERNELS, trace, err);
    uint32_t count = ws_trace_get_info(trace)->kernel_count + 1;
    cli_launch *launches = calloc(count, sizeof *launches);
    cli_part *parts = calloc(count, sizeof *parts);
    cli_run_result report = {.trace = trace,
                             .gpu = args->option[GPU],
                             .config = config,
                             .launches = launches,
                             .hotspots = {.most = hotspots, .trace = trace}};
    listeners.period = period;
    listeners.hotspots = &report.hotspots;
    if (!launches || !parts) ws_no_memory(err);
    bool ok =
        launches && parts && selection && run_launches(&report, launches, parts, selection, &listeners, err);
    ok = cli_timeline_close(&listeners.timeline, ok, ok ? err : NULL) && ok;
    if (ok) args->option[JSON] ? cli_run_json(&report, err) : cli_run_text(&report, err);
    cli_hotspots_free(&report.hotspots);
    free(launches);
    free(parts);
    ws_selection_free(selection);
}

/* As many launches at the same time as there may be, unless the configuration already has more than one. */
static bool allow_concurrent(ws_config *config, ws_error *err) {
    const ws_core_params *core = ws_config_get(config, &ws_core_component);
    if (core->concurrent_launches > 1) return true;
    json_t *most = json_integer(WS_LAUNCHES_MAX);
    bool ok = most ? ws_config_set(config, "core.concurrent_launches", most, "--concurrent", err)
                   : ws_no_memory(err);
    json_decref(most);
    return ok;
}

/* Tells if no two launches can run at the same time; otherwise the result would be taken for that of several. */
static void tell_one_stream(const ws_trace *trace) {
    if (ws_trace_one_stream_from(trace) <= 1)
        fprintf(stderr, "--concurrent changes nothing: all launches of %s are of one stream\n",
                ws_trace_path(trace));
}

static bool exclude(const cli_args *args, int option, int other, ws_error *err) {
    if (!args->option[option] || !args->option[other]) return true;
    const cli_option *options = args->command->options;
    return ws_fail(err, WS_ERROR_USAGE, "'--%s' and '--%s' exclude each other", options[option].name,
                   options[other].name);
}

/* Checks that the options can be combined. With --with all launches of both programs run, and no timeline is written.
 * Hot spots are found in one launch at a time. */
static bool options_go_together(const cli_args *args, ws_error *err) {
    static const int others[] = {KERNELS, TIMELINE, CONCURRENT, HOTSPOTS};
    for (size_t i = 0; i < WS_COUNT(others); i++)
        if (!exclude(args, WITH, others[i], err)) return false;
    if (!exclude(args, HOTSPOTS, CONCURRENT, err)) return false;
    if (args->option[PERIOD] && !args->option[TIMELINE])
        return ws_fail(err, WS_ERROR_USAGE, "'--period' needs '--timeline FILE.csv', whose rows it is of");
    return true;
}

static int run(const cli_args *args, ws_error *err) {
    if (!options_go_together(args, err)) return 0;
    ws_config *config = cli_gpu_config(args->option[GPU], args, err);
    bool ok = config && (!args->option[CONCURRENT] || allow_concurrent(config, err));
    if (ok) cli_tell_idle(config, args, args->option[WITH]);
    ws_trace *trace = ok ? ws_trace_open(args->argument[0], err) : NULL;
    if (trace && args->option[CONCURRENT]) tell_one_stream(trace);
    if (trace && args->option[WITH])
        cli_run_programs(trace, args->option[WITH], args->option[GPU], config, args->option[JSON], err);
    else if (trace)
        run_trace(args, trace, config, err);
    ws_trace_close(trace);
    ws_config_free(config);
    return 0;
}

const cli_command cli_run = {
    .name = "run",
    .summary = "replay a trace cycle by cycle on a GPU, and report what it did",
    .arguments = {{.name = "FILE.wst", .help = "a native trace"}},
    .options =
        {[GPU] = {"gpu", 'g', false, "NAME",
                  "the GPU: a name that 'warpsweep list' shows, or a file NAME.json of the same form; "
                  "without it, the "
                  "parameters' defaults, in essence a GTX 480 (15 SMs, L1s of 16 KiB)"},
         [SET] =
             {"set", 's', false, "NAME=VALUE",
              "change one of its parameters (whole numbers also as 0x1f0); several settings are separated by "
              "commas, or given by repeating --set; the last setting of a parameter counts"},
         [KERNELS] = CLI_KERNELS_OPTION,
         [JSON] = {"json", 0, false, NULL, "all counters and the whole configuration, as one JSON object"},
         [HOTSPOTS] =
             {"hotspots", 0, false, "N",
              "also show the N instructions at which warps wait longest, and the N loads that take longest"},
         [TIMELINE] = {"timeline", 't', false, "FILE.csv",
                       "write what happens over time: occupancy, waiting memory instructions, bandwidth "
                       "('warpsweep help timeline_period' explains the columns, 'warpsweep plot FILE.csv -o "
                       "FILE.png' draws it)"},
         [PERIOD] = {"period", 0, false, "CYCLES",
                     "cycles that each row of the timeline covers (default 1000)"},
         [CONCURRENT] = {"concurrent", 0, false, NULL, "run launches of different streams at the same time"},
         [WITH] =
             {"with", 'w', false, "FILE.wst",
              "also run this trace's program, at the same time, and compare with each running alone; not "
              "together with --kernels, --concurrent, --timeline or --hotspots"}},
    .repeats = "set",
    .details =
        "Launches run one after another: the L1s start empty with each, the L2 keeps its content. With\n"
        "--kernels, the launches before the chosen ones therefore run, too, but are not reported, as in a\n"
        "sweep.\n"
        "With --concurrent, launches of different streams run at the same time, and those of one stream one\n"
        "after another, as core.concurrent_launches (128 where it is 1) and core.first_launch_sms say. The\n"
        "report has the cycles in which each begins and ends, JSON its \"begin\" and its \"cycles\".\n"
        "With --with, two programs run at the same time, the launches of each one after another, in address\n"
        "spaces of their own, on all SMs or as core.first_launch_sms or ilp.steering say. The program that\n"
        "ends first starts over until the other has ended (core.loop_programs, XI 4.5). Then each runs\n"
        "alone, as often as it has finished. Weighted speedup is the sum over both programs of their IPC\n"
        "together over their IPC alone (XI halves it). Over finished runs, STP is the sum of cycles alone\n"
        "over cycles together, ANTT the mean of the inverse.\n"
        "Cycles include those before the first CTA starts (core.launch_cycles, core.cta_launch_cycles),\n"
        "in which no SM has a warp.\n"
        "The report shows counters, which 'warpsweep help NAME' explains:\n"
        "\n"
        "  issued                scheduler_issues\n"
        "  LSU full              scheduler_memory\n"
        "  unit busy             scheduler_unit\n"
        "  waits for data        scheduler_data\n"
        "  at barriers           scheduler_barrier\n"
        "  fetch, end            scheduler_fetch\n"
        "  no warp               scheduler_empty\n"
        "  warps per SM          warps_per_sm\n"
        "  .. waiting per SM     memory_waiting_per_sm; at least one: memory_waiting_share\n"
        "  loads                 loads, load_latency\n"
        "  hit                   l1_hits, l2_hits\n"
        "  pending hit           l1_pending_hits, l2_pending_hits; L1 pend %: l1_pending_rate\n"
        "  sector miss           l1_sector_misses, l2_sector_misses\n"
        "  miss                  l1_misses, l2_misses; L1 miss %: l1_miss_rate\n"
        "  bypassing the L1      l1_bypasses\n"
        "  set full              l1_retries_set_full; in stalls: l1_stalls_set_full\n"
        "  MSHRs full            l1_retries_mshr_full, l1_stalls_mshr_full\n"
        "  MSHR merges full      l1_retries_merge_full, l1_stalls_merge_full\n"
        "  miss queue full       l1_retries_miss_queue_full, l1_stalls_miss_queue_full\n"
        "  NoC                   noc_packets_to_memory, noc_bytes_to_memory; ports busy:\n"
        "                        noc_utilisation_to_memory; those to SMs end in to_sm\n"
        "  DRAM bursts           dram_reads, dram_writes; dram_activates, dram_row_hit_rate,\n"
        "                        dram_utilisation\n"
        "\n"
        "'warpsweep help timed' has the unit and the meaning of each counter of --json (\"hits\" of \"l1\" "
        "is\n"
        "l1_hits there, \"reservation_fails\" of \"l2\" is l2_retries), 'warpsweep help mrpb' those of a\n"
        "mechanism.\n"
        "'warpsweep help gtx480' has the values of a GPU with their sources, 'warpsweep help l1.size_B'\n"
        "explains a parameter.\n"
        "GPUs are the files in 'sweeps/gpus' beside the command, or in $WARPSWEEP_GPUS. One of your own is\n"
        "such a file, --gpu my/wide.json, which may say what differs from another:\n"
        "\n"
        "  {\"name\": \"wide\", \"summary\": \"a gtx480 with twice the MSHRs\", \"like\": \"gtx480\",\n"
        "   \"parameters\": {\"l1.mshr_entries\": {\"value\": 128, \"source\": \"what if\"}}}\n",
    .run = run,
};
