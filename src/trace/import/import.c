/* ws_import(): finds out the source's format and calls that format's reader. A new format is a file, a line in
 * import_formats.h, and a text in cli/help/formats.c, by which `warpsweep help` explains it. */
#include "base/array.h"
#include "base/by_name.h"
#include "base/given.h"
#include "base/unfinished.h"
#include "trace/import/import_formats.h"
#include "trace/import/text_source.h"
#include "trace/wst/format.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct format {
    const char *name;
    ws_import_function *import;
    const char *patterns[2];   /* of file names */
    const char *beginnings[2]; /* of the content, if no pattern matches the name */
} formats[] = {
#define X(name, after, import, name1, name2, begin1, begin2) {name, import, {name1, name2}, {begin1, begin2}},
    WS_IMPORT_FORMATS(X)
#undef X
};
enum { FORMATS = WS_COUNT(formats) };

const char *const *ws_import_formats(void) {
    static const char *const names[] = {
#define X(name, after, import, name1, name2, begin1, begin2) name,
        WS_IMPORT_FORMATS(X)
#undef X
            NULL};
    return names;
}

/* ---- telling the format */

static const struct format *by_option(const char *name, ws_error *err) {
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(formats[i].name, name) == 0) return &formats[i];
    ws_fail(err, WS_ERROR_USAGE, "format '%s': expected " WS_IMPORT_FORMATS_LISTED, name);
    return NULL;
}

static const struct format *by_name(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < FORMATS; i++)
        for (size_t k = 0; k < 2 && formats[i].patterns[k]; k++)
            if (fnmatch(formats[i].patterns[k], name, FNM_EXTMATCH) == 0) return &formats[i];
    return NULL;
}

static const struct format *by_content(const ws_text *text) {
    size_t size = (size_t)(text->end - text->at);
    for (size_t i = 0; i < FORMATS; i++)
        for (size_t k = 0; k < 2 && formats[i].beginnings[k]; k++) {
            const char *beginning = formats[i].beginnings[k];
            if (size > strlen(beginning) && memcmp(text->at, beginning, strlen(beginning)) == 0)
                return &formats[i];
        }
    return NULL;
}

static const struct format *tell_format(const char *path, ws_error *err) {
    const struct format *format = by_name(path);
    if (format) return format;
    ws_text text;
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        ws_fail(err, WS_ERROR_TRACE,
                "%s: expected a regular file, found another thing; with --format csv or memtrace it can be a "
                "pipe",
                path);
        return NULL;
    }
    if (!ws_text_open(&text, path, NULL, err)) return NULL;
    ws_text_state state = ws_text_more(&text, err);
    if (state != WS_TEXT_ERROR) {
        format = by_content(&text);
        if (!format)
            ws_text_fail_expected(&text, state == WS_TEXT_END ? NULL : text.at,
                                  "--format FORMAT says which it is: " WS_IMPORT_FORMATS_LISTED, err,
                                  "a trace file or a list of them");
    }
    ws_text_close(&text);
    return format;
}

/* ---- folders */

static int is_grouped_list(const struct dirent *entry) {
    return fnmatch("kernelslist*.g" WS_PACKED, entry->d_name, FNM_EXTMATCH) == 0;
}

static int is_raw_list(const struct dirent *entry) {
    return fnmatch("kernelslist?(_ctx_*)" WS_PACKED, entry->d_name, FNM_EXTMATCH) == 0 &&
           !is_grouped_list(entry);
}

/* Finds the folder's lists: grouped ones, or raw ones if there are none. Returns their number; -1 on failure. */
static int scan_lists(const char *folder, struct dirent ***entries) {
    int count = scandir(folder, entries, is_grouped_list, ws_by_name);
    if (count != 0) return count;
    free(*entries);
    return scandir(folder, entries, is_raw_list, ws_by_name);
}

/* Finds the one list in the folder and returns its path, on the heap. */
static char *find_list(const char *folder, ws_error *err) {
    struct dirent **entries;
    char *path = NULL;
    int count = scan_lists(folder, &entries);
    if (count < 0) {
        ws_fail(err, WS_ERROR_IO, "%s: cannot be read: %s", folder, strerror(errno));
        return NULL;
    }
    size_t size = strlen(folder) + 2 + (count > 0 ? strlen(entries[0]->d_name) : 0);
    if (count == 0)
        ws_fail(err, WS_ERROR_TRACE,
                "%s: expected a folder with one kernelslist.g or kernelslist, found none; name the file to "
                "import, or write a list of the files of one trace ('warpsweep help accelsim-list')",
                folder);
    else if (count > 1)
        ws_fail(
            err, WS_ERROR_TRACE,
            "%s: expected a folder with one list of kernels, found %d (%s, %s ..); name the one to import",
            folder, count, entries[0]->d_name, entries[1]->d_name);
    else if (!(path = malloc(size)))
        ws_no_memory(err);
    else
        snprintf(path, size, "%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/",
                 entries[0]->d_name);
    for (int i = 0; i < count; i++) free(entries[i]);
    free(entries);
    return path;
}

/* ---- the call */

static bool import_path(const char *path, const char *out, const ws_import_options *options, ws_error *err) {
    const struct format *format = options->format ? by_option(options->format, err) : tell_format(path, err);
    return format && format->import(path, out, options, err);
}

/* Fails if the output is the source, or another file that must not be overwritten, above all one that is being read. */
static bool check_output(const char *out, const struct stat *source, ws_error *err) {
    struct stat there;
    if (stat(out, &there) != 0) return true;
    if (there.st_dev == source->st_dev && there.st_ino == source->st_ino)
        return ws_fail(err, WS_ERROR_USAGE, "%s: expected another file to write to, found the source", out);
    return ws_may_replace(out, "a .wst file", (const char *const[]){WST_MAGIC, NULL}, err);
}

static bool no_source(const char *source, ws_error *err) {
    const bool is_dash = strcmp(source, "-") == 0;
    return ws_fail(err, WS_ERROR_IO, "%s: expected a file or a folder, found none; %s", source,
                   is_dash ? "standard input is /dev/stdin" : "check the path");
}

bool ws_import(const char *source, const char *out, const ws_import_options *options, ws_error *err) {
    static const ws_import_options defaults = {0};
    if (!options) options = &defaults;
    if (!WS_GIVEN(source, "a source", err) || !WS_GIVEN(out, "a path", err)) return false;
    struct stat status;
    if (stat(source, &status) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) return no_source(source, err);
        return ws_fail(err, WS_ERROR_IO, "%s: cannot be read: %s", source, strerror(errno));
    }
    if (!check_output(out, &status, err)) return false;
    if (!S_ISDIR(status.st_mode)) return import_path(source, out, options, err);
    char *list = find_list(source, err);
    if (!list) return false;
    bool good = import_path(list, out, options, err);
    free(list);
    return good;
}
