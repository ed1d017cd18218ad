#include "cli/output.h"

#include "base/stream.h"

#include <stdio.h>
#include <string.h>

bool cli_flush_output(ws_error *err) {
    if (fflush(stdout) == 0 && !ferror(stdout)) return true;
    return ws_fail(err, WS_ERROR_IO, "cannot write to standard output: %s", ws_write_error(stdout));
}

void cli_put_json(json_t *root) {
    json_dumpf(root, stdout, JSON_INDENT(2));
    fputc('\n', stdout);
    json_decref(root);
}

bool cli_put_trace_json(json_t *root, bool complete, const ws_trace *trace, ws_error *err) {
    if (complete && root) {
        cli_put_json(root);
        return true;
    }
    json_decref(root);
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
