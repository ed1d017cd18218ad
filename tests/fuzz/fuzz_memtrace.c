/* Any bytes as what mem_trace prints; nothing is written. */
#include "memory_file.h"
#include "null_writer.h"

#include "trace/import/memtrace.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const ws_import_options options = {0};
    ws_text text;
    ws_gathered gathered;
    ws_error err = WS_NO_ERROR;
    if (!ws_text_open_bytes(&text, "memtrace", bytes, size, &err)) return 0;
    null_writer_reset();
    if (ws_gathered_begin(&gathered, NULL, &options, NULL, &err)) {
        if (ws_memtrace_read(&text, &gathered, &err)) ws_gathered_finish(&gathered, "memtrace", &err);
        ws_gathered_free(&gathered);
    }
    ws_text_close(&text);
    return 0;
}
