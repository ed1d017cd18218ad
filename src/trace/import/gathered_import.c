#include "trace/import/gathered.h"

#include <sys/stat.h>

bool ws_gathered_import(const char *source, const char *out, const ws_import_options *options,
                        const char *tracer, ws_gathered_read *read, ws_error *err) {
    struct stat status;
    ws_text text;
    ws_gathered gathered;
    ws_spill_options spill = {options->tmpdir, options->memory_B, options->interrupted};
    ws_text_watch watch = {.progress = options->progress,
                           .context = options->progress_context,
                           .interrupted = options->interrupted,
                           .bytes_total = stat(source, &status) == 0 ? (uint64_t)status.st_size : 0};
    if (!ws_text_open(&text, source, &watch, err)) return false;
    ws_writer *writer = ws_writer_new(out, "sass", tracer, 32, 0, err);
    bool good = writer && ws_gathered_begin(&gathered, writer, options, &spill, err);
    if (good) {
        ws_spill_announce(&spill, source, watch.bytes_total, ws_text_is_packed(&text), options);
        good = read(&text, &gathered, err) && ws_gathered_finish(&gathered, source, err);
        if (good) ws_losses_tell(&gathered.losses, source, options);
        ws_gathered_free(&gathered);
    }
    ws_writer_free(writer);
    ws_text_close(&text);
    return good;
}
