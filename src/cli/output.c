#include "cli/output.h"

#include "base/stream.h"
#include "base/utf8.h"

#include <stdio.h>

static bool json_was_cut; /* as ferror() remembers that a write failed */

bool cli_flush_output(ws_error *err) {
    const bool cut = json_was_cut;
    json_was_cut = false;
    if (fflush(stdout) != 0 || ferror(stdout))
        return ws_fail(err, WS_ERROR_IO, "cannot write to standard output: %s", ws_write_error(stdout));
    return !cut || ws_no_memory(err);
}

static void keep_whole(json_t **value, bool whole) {
    if (whole) return;
    json_decref(*value);
    *value = NULL;
}

void cli_json_set(json_t **object, const char *name, json_t *value) {
    keep_whole(object, json_object_set_new(*object, name, value) == 0);
}

void cli_json_append(json_t **array, json_t *value) {
    keep_whole(array, json_array_append_new(*array, value) == 0);
}

char *cli_json_line(const json_t *value) {
    char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    json_was_cut |= !text;
    return text;
}

void cli_put_json(json_t *root) {
    json_was_cut |= json_dumpf(root, stdout, JSON_INDENT(2)) != 0;
    fputc('\n', stdout);
    json_decref(root);
}

static bool are_utf8(const ws_trace *trace, const char *gpu) {
    const ws_trace_info *info = ws_trace_get_info(trace);
    return ws_is_utf8(ws_trace_path(trace)) && ws_is_utf8(info->isa) && ws_is_utf8(info->tracer) &&
           (!gpu || ws_is_utf8(gpu));
}

bool cli_put_trace_json(json_t *root, const ws_trace *trace, const char *gpu, ws_error *err) {
    if (root) {
        cli_put_json(root);
        return true;
    }
    if (are_utf8(trace, gpu)) return ws_no_memory(err);
    return ws_fail(err, WS_ERROR_TRACE, "%s: expected paths of traces and GPU in UTF-8, which JSON demands",
                   ws_trace_path(trace));
}

const char *cli_count(uint64_t value, char text[CLI_COUNT_SIZE]) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value), at = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = 0;
    return text;
}
