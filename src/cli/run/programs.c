#include "cli/run/programs.h"

#include "base/array.h"
#include "cli/cells.h"
#include "cli/output.h"
#include "cli/run/mechanisms.h"

#include <stdlib.h>
#include <string.h>

typedef struct program {
    const ws_trace *trace;
    /* Sums over its launches: until both programs stop; alone, in as many runs as it finished. */
    ws_timed_share together, alone;
    ws_timed_runs runs; /* the finished ones; cycles and CTAs are sums over its launches */
} program;

/* How both programs at the same time compare with each of them alone. */
typedef struct measures {
    double weighted_speedup, stp, antt;
} measures;

static double ipc(const ws_timed_share *share) {
    return cli_ratio(share->warp_instructions, share->cycles);
}

static double relative_ipc(const program *p) {
    return ipc(&p->alone) > 0 ? ipc(&p->together) / ipc(&p->alone) : 0;
}

static measures measure(const program programs[WS_PROGRAMS_MAX]) {
    measures m = {0};
    for (const program *p = programs; p < programs + WS_PROGRAMS_MAX; p++) {
        m.weighted_speedup += relative_ipc(p);
        m.stp += cli_ratio(p->alone.cycles, p->runs.cycles);
        m.antt += cli_ratio(p->runs.cycles, p->alone.cycles) / WS_PROGRAMS_MAX;
    }
    return m;
}

/* ---- running */

static void add(ws_timed_share *to, ws_timed_share share) {
#define X(name) to->name += share.name;
    WS_TIMED_SHARE(X)
#undef X
}

static void take(const ws_timed *timed, const ws_trace *joined, program programs[WS_PROGRAMS_MAX]) {
    for (uint32_t i = 1; i <= ws_trace_get_info(joined)->kernel_count; i++) {
        program *p = &programs[ws_trace_kernel(joined, i)->program];
        ws_timed_runs runs = ws_timed_runs_of(timed, i);
        add(&p->together, ws_timed_share_of(timed, i));
        add(&p->alone, ws_timed_alone_of(timed, i));
        p->runs.runs = runs.runs;
        p->runs.cycles += runs.cycles;
        p->runs.ctas += runs.ctas;
    }
}

static bool run_both(const ws_trace *joined, const ws_config *config, program programs[WS_PROGRAMS_MAX],
                     cli_run_result *run, cli_launch *gpu, ws_error *err) {
    ws_timed *timed = ws_timed_new(joined, config, err);
    if (!timed) return false;
    run->mechanisms = *ws_timed_mechanisms(timed);
    bool ok = ws_timed_run(timed, 1, &gpu->counters, err) && ws_timed_run_alone(timed, err);
    if (ok) take(timed, joined, programs);
    for (size_t m = 0; ok && m < run->mechanisms.count; m++)
        memcpy(gpu->counts[m], ws_timed_counts(timed, m), sizeof gpu->counts[m]);
    ws_timed_free(timed);
    return ok;
}

/* ---- as text */

static const char *const heads[] = {"program", "launches", "cycles",     "warp inst",    "IPC warp", "alone",
                                    "ratio",   "runs",     "run cycles", "alone cycles", "L1 hit %"};

static bool print_programs(const program programs[WS_PROGRAMS_MAX], ws_error *err) {
    ws_listing *listing = cli_listing(heads, WS_COUNT(heads));
    if (!listing) return ws_no_memory(err);
    for (const program *p = programs; p < programs + WS_PROGRAMS_MAX; p++) {
        ws_listing_cell(listing, ws_trace_path(p->trace), false);
        cli_count_cell(listing, ws_trace_get_info(p->trace)->kernel_count);
        cli_count_cell(listing, p->together.cycles);
        cli_count_cell(listing, p->together.warp_instructions);
        cli_real_cell(listing, ipc(&p->together), 3);
        cli_real_cell(listing, ipc(&p->alone), 3);
        cli_real_cell(listing, relative_ipc(p), 3);
        cli_count_cell(listing, p->runs.runs);
        cli_count_cell(listing, p->runs.cycles);
        cli_count_cell(listing, p->alone.cycles);
        cli_share_cell(listing, p->together.l1_hits, p->together.l1_accesses);
    }
    return ws_listing_close(listing) || ws_no_memory(err);
}

static bool print_text(const cli_run_result *run, const program programs[WS_PROGRAMS_MAX], ws_error *err) {
    const ws_timed_counters *all = &run->launches->counters;
    measures m = measure(programs);
    char cycles[CLI_COUNT_SIZE];
    printf("%s on %s\n\n", ws_trace_path(run->trace), run->gpu ? run->gpu : "the default GPU");
    if (!print_programs(programs, err)) return false;
    printf("\nweighted speedup %.3f: IPC at the same time over IPC alone, added up\n", m.weighted_speedup);
    printf("by finished runs: STP %.3f, ANTT %.3f\n", m.stp, m.antt);
    printf("the GPU, in %s cycles: IPC %.3f warp instructions\n", cli_count(all->cycles, cycles),
           cli_ratio(all->warp_instructions, all->cycles));
    cli_run_levels_text(run, all);
    return true;
}

/* ---- as JSON */

static json_t *share_json(const ws_timed_share *share) {
    json_t *object = json_object();
#define X(name) cli_json_set(&object, #name, json_integer((json_int_t)share->name));
    WS_TIMED_SHARE(X)
#undef X
    cli_json_set(&object, "ipc_warp", json_real(ipc(share)));
    return object;
}

static json_t *program_json(const program *p) {
    const ws_trace_info *info = ws_trace_get_info(p->trace);
    return json_pack("{s:s, s:s, s:I, s:o, s:o, s:I, s:I, s:f}", "trace", ws_trace_path(p->trace), "digest",
                     info->digest, "launches", (json_int_t)info->kernel_count, "together",
                     share_json(&p->together), "alone", share_json(&p->alone), "runs",
                     (json_int_t)p->runs.runs, "run_cycles", (json_int_t)p->runs.cycles, "ipc_ratio",
                     relative_ipc(p));
}

static bool print_json(const cli_run_result *run, const program programs[WS_PROGRAMS_MAX], ws_error *err) {
    measures m = measure(programs);
    json_t *list = json_array(), *total = cli_counters_json(&run->launches->counters);
    for (const program *p = programs; p < programs + WS_PROGRAMS_MAX; p++)
        cli_json_append(&list, program_json(p));
    cli_set_mechanisms(&total, run, run->launches->counts[0]);
    json_t *root = json_pack("{s:s, s:s, s:s?, s:o}", "trace", ws_trace_path(run->trace), "digest",
                             ws_trace_get_info(run->trace)->digest, "gpu", run->gpu, "configuration",
                             ws_config_json(run->config));
    cli_set_costs(&root, run);
    cli_json_set(&root, "programs", list);
    cli_json_set(&root, "weighted_speedup", json_real(m.weighted_speedup));
    cli_json_set(&root, "stp", json_real(m.stp));
    cli_json_set(&root, "antt", json_real(m.antt));
    cli_json_set(&root, "total", total);
    return cli_put_trace_json(root, run->trace, run->gpu, err);
}

/* ---- both */

bool cli_run_programs(const ws_trace *trace, const char *with, const char *gpu, const ws_config *config,
                      bool json, ws_error *err) {
    ws_trace *other = ws_trace_open(with, err), *joined = other ? ws_trace_join(trace, other, err) : NULL;
    program programs[WS_PROGRAMS_MAX] = {{.trace = trace}, {.trace = other}};
    cli_launch *launch = calloc(1, sizeof *launch);
    if (joined && !launch) ws_no_memory(err);
    cli_run_result run = {
        .trace = joined, .gpu = gpu, .config = config, .launches = launch, .launch_count = 1};
    bool ok = joined && launch && run_both(joined, config, programs, &run, launch, err);
    if (ok) ok = json ? print_json(&run, programs, err) : print_text(&run, programs, err);
    free(launch);
    ws_trace_close(joined);
    ws_trace_close(other);
    return ok;
}
