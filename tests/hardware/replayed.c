/* replayed TRACE.wst ..: what the timed replay makes of memory instructions and no analysis tells, as CSV, a row per
 * launch: passes through the banks of shared memory, and accesses of atomics, which go in rounds of lanes that touch
 * different words. */
#include "timed/launch/stream.h"
#include "trace/names.h"
#include "warpsweep/analysis.h"
#include "warpsweep/timed.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct counts {
    uint64_t passes[WS_MEMORY_OP_COUNT]; /* of shared memory */
    uint64_t atomic_accesses, atomic_sectors;
} counts;

static void add(counts *c, const ws_trace *trace, const ws_timed_warp *warp) {
    const ws_access *access = warp->accesses;
    for (uint32_t i = 0; i < warp->inst_count; i++) {
        const ws_timed_inst *inst = &warp->insts[i];
        const ws_static *s = &ws_trace_statics(trace)[inst->static_id];
        if (s->space == WS_SPACE_SHARED) c->passes[s->op] += inst->shared_cycles;
        for (uint32_t k = 0; k < inst->access_count; k++, access++) {
            if (!ws_memory_is_atomic(s->op)) continue;
            c->atomic_accesses++;
            c->atomic_sectors += (unsigned)__builtin_popcount(access->sectors);
        }
    }
}

static bool replay_launch(ws_timed_stream *stream, const ws_trace *trace, uint32_t launch, counts *c,
                          ws_error *err) {
    if (!ws_timed_stream_turn(stream, launch, 0, err)) return false;
    for (uint32_t i = 0; i < ws_trace_kernel(trace, launch)->counters.ctas; i++) {
        ws_timed_cta *cta = ws_timed_stream_cta(stream, i, (ws_local_place){0}, err);
        if (!cta) return false;
        for (uint32_t w = 0; w < cta->warp_count; w++) add(c, trace, &cta->warps[w]);
        free(cta);
    }
    return true;
}

static bool replay(const char *path, const ws_config *config, ws_error *err) {
    const ws_core_params *core = ws_config_get(config, &ws_core_component);
    const ws_l1_params *l1 = ws_config_get(config, &ws_l1_component);
    const ws_timed_stream_options options = {0};
    ws_timed_statics statics = {0};
    ws_timed_stream *stream = NULL;
    ws_trace *trace = ws_trace_open(path, err);
    bool good = trace && (ws_timed_statics_init(&statics, trace, core, 0, false) ||
                          ws_fail(err, WS_ERROR_MEMORY, "%s: out of memory", path));
    if (good) stream = ws_timed_stream_new(trace, 1, &statics, core, l1, &options, err);
    char *name = ws_trace_name(path);
    good = good && (name || ws_fail(err, WS_ERROR_MEMORY, "%s: out of memory", path));
    for (uint32_t k = 1; (good = good && stream) && k <= ws_trace_get_info(trace)->kernel_count; k++) {
        counts c = {0};
        good = replay_launch(stream, trace, k, &c, err);
        printf("%s,%s,%llu,%llu,%llu,%llu,%llu\n", name, ws_trace_kernel(trace, k)->short_name,
               (unsigned long long)c.passes[WS_MEMORY_LOAD], (unsigned long long)c.passes[WS_MEMORY_STORE],
               (unsigned long long)(c.passes[WS_MEMORY_ATOMIC] + c.passes[WS_MEMORY_REDUCTION]),
               (unsigned long long)c.atomic_accesses, (unsigned long long)c.atomic_sectors);
    }
    free(name);
    ws_timed_stream_free(stream);
    ws_timed_statics_free(&statics);
    ws_trace_close(trace);
    return good;
}

int main(int argc, char **argv) {
    ws_error err = WS_NO_ERROR;
    size_t count;
    const ws_component *const *components = ws_fidelity_components(WS_FIDELITY_TIMED, &count);
    ws_config *config = ws_config_new(components, count);
    json_t *line = json_string("line"); /* an access is a line, or some of its sectors */
    bool good =
        ws_config_set(config, "l1.access", line, "l1.access", &err) && ws_config_validate(config, &err);
    json_decref(line);
    puts("trace,kernel,shared_load_passes,shared_store_passes,shared_atomic_passes,atomic_accesses,atomic_"
         "sectors");
    for (int i = 1; good && i < argc; i++) good = replay(argv[i], config, &err);
    ws_config_free(config);
    if (good) return EXIT_SUCCESS;
    fprintf(stderr, "%s\n", err.text);
    return EXIT_FAILURE;
}
