/* Runs the commands of a list: kernel files and copies go to the writer in the list's order. Copies are kept whichever
 * kernels are selected, since any later kernel may use their data. */
#include "trace/import/accelsim.h"
#include "trace/import/import_formats.h"
#include "trace/import/losses.h"
#include "trace/import/tracez.h"
#include "trace/names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct importer {
    const ws_accelsim_list *list;
    const char *list_path; /* NULL: a single file without a list */
    const ws_import_options *options;
    const ws_selection *kernels;
    ws_spill_options spill;
    ws_text_watch watch;
    ws_writer *writer;
    uint32_t launch; /* number of the current kernel, from 1, in the list's order */
    uint32_t written;
    ws_losses losses;
} importer;

/* True if the command's file has to be opened. A file that the selected launch numbers rule out may be missing. */
static bool is_needed(const importer *im, const ws_accelsim_command *command, uint32_t launch) {
    return command->path && (!im->kernels || ws_selection_may_have(im->kernels, launch));
}

static bool nothing_selected(const importer *im, ws_error *err) {
    uint32_t launches = 0;
    for (size_t i = 0; i < im->list->count; i++) launches += im->list->commands[i].path != NULL;
    return ws_fail(err, WS_ERROR_USAGE,
                   "%s: expected at least one selected kernel, found none among %u launches",
                   im->list_path ? im->list_path : im->list->commands[0].path, launches);
}

/* ---- before anything is written */

/* Counts the needed files behind command `i`, of launch `launch`, that are not there either. */
static size_t missing_behind(const importer *im, size_t i, uint32_t launch) {
    size_t missing = 0;
    while (++i < im->list->count) {
        const ws_accelsim_command *command = &im->list->commands[i];
        struct stat status;
        launch += command->path != NULL;
        missing += is_needed(im, command, launch) && stat(command->path, &status) != 0;
    }
    return missing;
}

/* `reason`: of errno; `more`: files that are missing, too. */
static bool missing_file(const importer *im, const ws_accelsim_command *command, int reason, size_t more,
                         ws_error *err) {
    if (reason != ENOENT && reason != ENOTDIR)
        return ws_fail(err, WS_ERROR_IO, "%s: cannot be read: %s", command->path, strerror(reason));
    if (!im->list_path)
        return ws_fail(err, WS_ERROR_IO, "%s: expected a trace file, found none; check the path",
                       command->path);
    char others[64] = "";
    if (more) snprintf(others, sizeof others, "; %zu more of its files are missing", more);
    return ws_fail(err, WS_ERROR_IO,
                   "%s:%llu: expected the file %s, found none; copy it there, or take out the line%s",
                   im->list_path, (unsigned long long)command->line, command->path, others);
}

/* Fails unless the file is regular: the first file's header is read beforehand, so a pipe would not do. */
static bool is_file(const char *path, const struct stat *status, ws_error *err) {
    return S_ISREG(status->st_mode) ||
           ws_fail(err, WS_ERROR_TRACE, "%s: expected a regular file, found another thing: it is read twice",
                   path);
}

/* Checks that all needed files exist, adds up their sizes and finds the first. */
static bool check_files(importer *im, const ws_accelsim_command **first, ws_error *err) {
    uint32_t launch = 0;
    *first = NULL;
    for (size_t i = 0; i < im->list->count; i++) {
        const ws_accelsim_command *command = &im->list->commands[i];
        struct stat status;
        launch += command->path != NULL;
        if (!is_needed(im, command, launch)) continue;
        if (stat(command->path, &status) != 0) {
            const int reason = errno;
            return missing_file(im, command, reason, missing_behind(im, i, launch), err);
        }
        if (!is_file(command->path, &status, err)) return false;
        im->watch.bytes_total += (uint64_t)status.st_size;
        if (!*first) *first = command;
    }
    return *first || nothing_selected(im, err);
}

static bool open_kernel(const ws_accelsim_command *command, ws_text_watch *watch, ws_text *text,
                        ws_accelsim_header *header, ws_error *err) {
    bool opened = ws_tracez_is(command->path) ? ws_tracez_open(text, command->path, watch, err)
                                              : ws_text_open(text, command->path, watch, err);
    if (!opened) return false;
    if (ws_accelsim_read_header(text, header, err)) return true;
    ws_text_close(text);
    return false;
}

/* Opens the writer; the first kernel's header names the tracer. */
static bool open_writer(importer *im, const ws_accelsim_command *first, const char *out, ws_error *err) {
    ws_text text;
    ws_accelsim_header header;
    char tracer[32] = "accelsim";
    if (!open_kernel(first, NULL, &text, &header, err)) return false;
    if (*header.version_text) snprintf(tracer, sizeof tracer, "accelsim %s", header.version_text);
    ws_accelsim_header_free(&header);
    ws_text_close(&text);
    im->writer = ws_writer_new(out, "sass", tracer, WS_SASS_LANES, WS_FEATURE_REGISTERS, err);
    return im->writer != NULL;
}

/* ---- running */

static bool is_selected(const importer *im, const char *name, bool *selected, ws_error *err) {
    *selected = true;
    if (!im->kernels) return true;
    char *short_name = ws_short_name(name);
    if (!short_name) return ws_no_memory(err);
    *selected = ws_selection_has(im->kernels, im->launch, name, short_name);
    free(short_name);
    return true;
}

static bool write_body(importer *im, ws_text *text, const ws_accelsim_header *header, uint64_t file_B,
                       ws_error *err) {
    bool is_raw;
    if (!ws_accelsim_tell_raw(text, &is_raw, err)) return false;
    if (ws_text_is_packed(text) && text->at < text->end && !*text->at)
        return ws_fail(err, WS_ERROR_TRACE,
                       "%s: expected a trace text, found a .tracez that is packed once more; unpack it",
                       text->path);
    if (!is_raw) return ws_accelsim_read_grouped(text, header, im->writer, &im->losses, err);
    ws_spill_announce(&im->spill, text->path, file_B, ws_text_is_packed(text), im->options);
    return ws_accelsim_read_raw(text, header, &im->spill, im->writer, &im->losses, err);
}

static bool write_kernel(importer *im, ws_text *text, const ws_accelsim_header *header, uint64_t file_B,
                         ws_error *err) {
    bool selected;
    if (!is_selected(im, header->name, &selected, err)) return false;
    if (!selected) return true;
    im->written++;
    ws_writer_add_features(im->writer, ws_accelsim_features(header));
    return ws_writer_kernel(im->writer, &header->kernel, err) && write_body(im, text, header, file_B, err);
}

static bool run_kernel(importer *im, const ws_accelsim_command *command, ws_error *err) {
    ws_text text;
    ws_accelsim_header header;
    struct stat status;
    uint64_t before = im->watch.bytes_read;
    im->launch++;
    if (!is_needed(im, command, im->launch)) return true;
    if (stat(command->path, &status) != 0) return missing_file(im, command, errno, 0, err);
    if (!open_kernel(command, &im->watch, &text, &header, err)) return false;
    bool good = write_kernel(im, &text, &header, (uint64_t)status.st_size, err);
    ws_accelsim_header_free(&header);
    ws_text_close(&text);
    im->watch.bytes_read = before + (uint64_t)status.st_size; /* what was skipped counts as read */
    return good;
}

static bool run(importer *im, const char *out, ws_error *err) {
    const ws_accelsim_command *first;
    if (!check_files(im, &first, err) || !open_writer(im, first, out, err)) return false;
    for (size_t i = 0; i < im->list->count; i++) {
        const ws_accelsim_command *command = &im->list->commands[i];
        bool good = command->path ? run_kernel(im, command, err)
                                  : ws_writer_memcpy(im->writer, command->address, command->bytes, err);
        if (!good) return false;
    }
    ws_losses_tell(&im->losses, im->list_path ? im->list_path : im->list->commands[0].path, im->options);
    return im->written > 0 ? ws_writer_finish(im->writer, err) : nothing_selected(im, err);
}

static bool import(const ws_accelsim_list *list, const char *list_path, const char *out,
                   const ws_import_options *options, ws_error *err) {
    importer im = {
        .list = list,
        .list_path = list_path,
        .options = options,
        .kernels = options->kernels,
        .spill = {options->tmpdir, options->memory_B, options->interrupted},
        .watch = {.progress = options->progress,
                  .context = options->progress_context,
                  .interrupted = options->interrupted},
    };
    bool good = run(&im, out, err);
    ws_writer_free(im.writer);
    return good;
}

bool ws_accelsim_import_list(const char *source, const char *out, const ws_import_options *options,
                             ws_error *err) {
    ws_accelsim_list list;
    if (!ws_accelsim_read_list(&list, source, err)) return false;
    bool good = import(&list, source, out, options, err);
    ws_accelsim_list_free(&list);
    return good;
}

bool ws_accelsim_import_file(const char *source, const char *out, const ws_import_options *options,
                             ws_error *err) {
    char *path = strdup(source);
    if (!path) return ws_no_memory(err);
    ws_accelsim_list list = {.commands = &(ws_accelsim_command){.path = path}, .count = 1};
    bool good = import(&list, NULL, out, options, err);
    free(path);
    return good;
}
