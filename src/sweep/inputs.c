#include "sweep/inputs.h"

#include "warpsweep/store.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void ws_input_kernel_key(const ws_inputs *inputs, const ws_input_kernel *kernel, char *out, size_t size) {
    const ws_trace_info *info = ws_trace_get_info(inputs->traces[kernel->trace].trace);
    snprintf(out, size, "%s/%u", info->digest, kernel->kernel->index);
}

/* ---- traces */

/* "traces/atax.wst" -> "atax"; new. */
static char *name_of(const char *path) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    size_t length = strlen(base);
    if (length > 4 && strcmp(base + length - 4, ".wst") == 0) length -= 4;
    return strndup(base, length);
}

static bool known(const ws_inputs *inputs, int64_t id) {
    for (size_t i = 0; i < inputs->trace_count; i++)
        if (inputs->traces[i].id == id) return true;
    return false;
}

static bool open_trace(ws_inputs *inputs, const char *path, ws_error *err) {
    ws_trace *trace = ws_trace_open(path, err);
    if (!trace) return false;
    int64_t id = ws_store_id(ws_trace_get_info(trace)->digest);
    if (known(inputs, id)) {
        ws_trace_close(trace);
        return true;
    }
    ws_input_trace *traces = realloc(inputs->traces, (inputs->trace_count + 1) * sizeof *traces);
    char *name = name_of(path);
    if (traces) inputs->traces = traces;
    if (!traces || !name) {
        free(name);
        ws_trace_close(trace);
        return ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    }
    traces[inputs->trace_count++] = (ws_input_trace){trace, name, id};
    return true;
}

static bool no_match(const ws_spec *spec, size_t i, ws_error *err) {
    char folder[512] = "the current directory";
    if (!getcwd(folder, sizeof folder)) snprintf(folder, sizeof folder, "the current directory");
    return ws_fail(err, WS_ERROR_SPEC,
                   "%s: $.traces[%zu]: expected .wst files, found nothing that matches \"%.200s\" from %s",
                   spec->path, i, spec->patterns[i], folder);
}

static bool open_pattern(const ws_spec *spec, size_t i, ws_inputs *inputs, ws_error *err) {
    glob_t found;
    int rc = glob(spec->patterns[i], GLOB_ERR, NULL, &found);
    if (rc == GLOB_NOMATCH) return no_match(spec, i, err);
    if (rc != 0)
        return ws_fail(err, WS_ERROR_IO, "%s: $.traces[%zu]: \"%.200s\": %s", spec->path, i,
                       spec->patterns[i], rc == GLOB_NOSPACE ? "out of memory" : strerror(errno));
    bool ok = true;
    for (size_t j = 0; ok && j < found.gl_pathc; j++) ok = open_trace(inputs, found.gl_pathv[j], err);
    globfree(&found);
    return ok;
}

/* ---- kernels */

static bool select_kernels(const ws_spec *spec, ws_inputs *inputs, ws_error *err) {
    size_t total = 0;
    for (size_t i = 0; i < inputs->trace_count; i++)
        total += ws_trace_get_info(inputs->traces[i].trace)->kernel_count;
    inputs->kernels = calloc(total + 1, sizeof *inputs->kernels);
    if (!inputs->kernels) return ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; i < inputs->trace_count; i++) {
        const ws_trace *trace = inputs->traces[i].trace;
        for (uint32_t launch = 1; launch <= ws_trace_get_info(trace)->kernel_count; launch++) {
            const ws_kernel *kernel = ws_trace_kernel(trace, launch);
            if (!ws_spec_wants(spec, kernel)) continue;
            ws_input_kernel *input = &inputs->kernels[inputs->kernel_count++];
            *input = (ws_input_kernel){kernel, (uint32_t)i, 0};
            char key[64];
            ws_input_kernel_key(inputs, input, key, sizeof key);
            input->id = ws_store_id(key);
        }
    }
    if (inputs->kernel_count) return true;
    const bool by_option = spec->selected_by[0] != '$';
    return ws_fail(err, by_option ? WS_ERROR_USAGE : WS_ERROR_SPEC,
                   "%s: %s: expected to select some of the %zu kernels in %zu traces, found none", spec->path,
                   spec->selected_by, total, inputs->trace_count);
}

ws_inputs *ws_inputs_open(const ws_spec *spec, ws_error *err) {
    ws_inputs *inputs = calloc(1, sizeof *inputs);
    bool ok = inputs || ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    for (size_t i = 0; ok && i < spec->pattern_count; i++) ok = open_pattern(spec, i, inputs, err);
    ok = ok && select_kernels(spec, inputs, err);
    if (ok) return inputs;
    ws_inputs_free(inputs);
    return NULL;
}

void ws_inputs_free(ws_inputs *inputs) {
    if (!inputs) return;
    for (size_t i = 0; i < inputs->trace_count; i++) {
        ws_trace_close(inputs->traces[i].trace);
        free(inputs->traces[i].name);
    }
    free(inputs->traces);
    free(inputs->kernels);
    free(inputs);
}
