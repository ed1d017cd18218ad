/* A program as a user of the installed library may write it: reads a trace and prints the counts of its kernels. Built
 * by test_install.sh as C and as C++, without the sources at hand. */
#include <warpsweep/analysis.h>
#include <warpsweep/report.h>
#include <warpsweep/sweep.h>
#include <warpsweep/timed.h>
#include <warpsweep/trace.h>
#include <warpsweep/version.h>

#include <stdio.h>

static void count(void *context, const ws_requests *batch) {
    *(unsigned long long *)context += batch->count;
}

/* The requests that a replay with all defaults makes. */
static bool replayed_requests(const ws_trace *trace, uint32_t kernel, unsigned long long *requests,
                              ws_error *err) {
    const ws_component *components[WS_COMPONENTS_MAX];
    size_t component_count;
    ws_tap tap = {requests, count, NULL};
    ws_analysis_components(ws_analysis_find("window", NULL), WS_FIDELITY_ORDER, components, &component_count);
    ws_config *config = ws_config_new(components, component_count);
    ws_replayer *replayer = ws_replayer_new(trace, 0, err);
    /* the program and the library mean the same component by this name */
    bool ok = config && replayer && ws_config_get(config, &ws_gpu_component) &&
              ws_replay_order(replayer, kernel, config, &tap, 1, NULL, err);
    ws_replayer_free(replayer);
    ws_config_free(config);
    return ok;
}

int main(int argc, char **argv) {
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = ws_trace_open(argc > 1 ? argv[1] : "", &err);
    for (uint32_t k = 1; trace && k <= ws_trace_get_info(trace)->kernel_count; k++) {
        const ws_kernel *kernel = ws_trace_kernel(trace, k);
        unsigned long long requests = 0;
        if (!replayed_requests(trace, k, &requests, &err)) break;
        printf("%s %llu %llu\n", kernel->short_name, (unsigned long long)kernel->counters.warp_instructions,
               requests);
    }
    ws_trace_close(trace);
    if (err.code == WS_ERROR_NONE) return 0;
    fprintf(stderr, "%s (%s)\n", err.text, ws_version());
    return ws_error_exit_status(err.code);
}
