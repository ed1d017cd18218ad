/* Parses the lists that name kernel files and copies (kernelslist.g, kernelslist), and finds the files. */
#include "base/array.h"
#include "base/ends.h"
#include "base/room.h"
#include "trace/import/accelsim.h"
#include "trace/names.h"
#include "trace/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool add(ws_accelsim_list *list, ws_accelsim_command command) {
    if (!WS_ROOM_FOR(list->commands, list->room, list->count + 1)) return false;
    list->commands[list->count++] = command;
    return true;
}

static bool starts_with(const char *line, const char *end, const char *word) {
    return (size_t)(end - line) >= strlen(word) && memcmp(line, word, strlen(word)) == 0;
}

/* "MemcpyHtoD,0x<address>,<bytes>[,<file>]" */
static bool parse_memcpy(const ws_text *text, const char *end, ws_accelsim_command *command, ws_error *err) {
    const char *at = memchr(text->at, ',', (size_t)(end - text->at));
    if (at && at[1] == '0' && at[2] == 'x') {
        at += 3;
        if (ws_parse_hex(&at, 16, &command->address) && *at++ == ',' && *at != '-' &&
            ws_parse_signed(&at, &command->bytes) && (at == end || *at == ','))
            return ws_memcpy_valid(command->address, command->bytes) ||
                   ws_text_fail_expected(text, text->at, "", err,
                                         "a copy of at most 2^40 bytes, which end below 2^64");
    }
    return ws_text_fail_expected(text, text->at, "", err,
                                 "'MemcpyHtoD,0x<address>,<bytes>' with at most 2^40 bytes");
}

/* Makes the path of a kernel's file. The line names it relative to the list's folder, the first `folder_length` bytes
 * of the list's path. */
static bool parse_kernel(const ws_text *text, const char *end, size_t folder_length,
                         ws_accelsim_command *command, ws_error *err) {
    size_t length = (size_t)(end - text->at);
    command->path = malloc(folder_length + length + 1);
    if (!command->path) return ws_fail(err, WS_ERROR_MEMORY, "%s: out of memory", text->path);
    memcpy(command->path, text->path, folder_length);
    memcpy(command->path + folder_length, text->at, length);
    command->path[folder_length + length] = '\0';
    return true;
}

static bool parse_line(ws_accelsim_list *list, const ws_text *text, const char *end, size_t folder_length,
                       ws_error *err) {
    ws_accelsim_command command = {.line = text->line};
    if (starts_with(text->at, end, "kernel")) {
        if (!parse_kernel(text, end, folder_length, &command, err)) return false;
    } else if (starts_with(text->at, end, "Memcpy")) {
        if (!parse_memcpy(text, end, &command, err)) return false;
        if (!starts_with(text->at, end, "MemcpyHtoD,"))
            return true; /* copies from the device change no trace */
    } else {
        return ws_text_fail_expected(text, text->at, "is this a kernelslist.g?", err,
                                     "'kernel..' or 'MemcpyHtoD,..'");
    }
    if (add(list, command)) return true;
    free(command.path);
    return ws_fail(err, WS_ERROR_MEMORY, "%s: out of memory", text->path);
}

static bool parse_lines(ws_accelsim_list *list, ws_text *text, ws_error *err) {
    const char *slash = strrchr(text->path, '/');
    size_t folder_length = slash ? (size_t)(slash + 1 - text->path) : 0, kernels = 0;
    ws_text_state state;
    while ((state = ws_text_more(text, err)) == WS_TEXT_LINES) {
        const char *end = memchr(text->at, '\n', (size_t)(text->end - text->at)), *last = end;
        while (last > text->at && last[-1] == ' ') last--;
        if (last > text->at && !parse_line(list, text, last, folder_length, err)) return false;
        ws_text_advance(text, end);
    }
    for (size_t i = 0; i < list->count; i++) kernels += list->commands[i].path != NULL;
    if (state == WS_TEXT_END && kernels == 0)
        return ws_text_fail_expected(text, NULL, "the list is empty", err, "at least one line 'kernel-..'");
    return state == WS_TEXT_END;
}

bool ws_accelsim_parse_list(ws_accelsim_list *list, ws_text *text, ws_error *err) {
    *list = (ws_accelsim_list){0};
    if (parse_lines(list, text, err)) return true;
    ws_accelsim_list_free(list);
    return false;
}

static const char *const packed_ends[] = {"", ".xz", ".gz", ".zst"};
enum { PACKED_END_SIZE = sizeof ".zst" };

/* Length of the path without the end that says how it is packed. */
static size_t unpacked_length(const char *path) {
    for (size_t i = 1; i < WS_COUNT(packed_ends); i++)
        if (ws_has_suffix(path, packed_ends[i])) return strlen(path) - strlen(packed_ends[i]);
    return strlen(path);
}

/* Completes the path, of `length` bytes and with room for an end, so that it names a file; false if there is none. */
static bool complete(char *path, size_t length) {
    for (size_t i = 0; i < WS_COUNT(packed_ends); i++) {
        snprintf(path + length, PACKED_END_SIZE, "%s", packed_ends[i]);
        if (access(path, F_OK) == 0) return true;
    }
    return false;
}

/* Makes a.tracez of a.traceg, and the reverse: both hold the same text. False for other paths. */
static bool exchange(char *path, size_t length) {
    path[length] = '\0';
    bool is_tracez = ws_has_suffix(path, ".tracez");
    if (!is_tracez && !ws_has_suffix(path, ".traceg")) return false;
    path[length - 1] = is_tracez ? 'g' : 'z';
    return true;
}

/* Changes `*path` to the file that exists: files are often packed, or unpacked, after their list was written. Keeps the
 * list's name if there is none. False if out of memory. */
static bool find_file(char **path) {
    size_t length = unpacked_length(*path);
    if (access(*path, F_OK) == 0) return true;
    char *other = malloc(length + PACKED_END_SIZE);
    if (!other) return false;
    memcpy(other, *path, length);
    bool found = complete(other, length) || (exchange(other, length) && complete(other, length));
    free(found ? *path : other);
    if (found) *path = other;
    return true;
}

static bool find_files(ws_accelsim_list *list, ws_error *err) {
    for (size_t i = 0; i < list->count; i++)
        if (list->commands[i].path && !find_file(&list->commands[i].path)) return ws_no_memory(err);
    return true;
}

bool ws_accelsim_read_list(ws_accelsim_list *list, const char *path, ws_error *err) {
    ws_text text;
    if (!ws_text_open(&text, path, NULL, err)) return false;
    bool good = ws_accelsim_parse_list(list, &text, err);
    ws_text_close(&text);
    if (!good || find_files(list, err)) return good;
    ws_accelsim_list_free(list);
    return false;
}

void ws_accelsim_list_free(ws_accelsim_list *list) {
    for (size_t i = 0; i < list->count; i++) free(list->commands[i].path);
    free(list->commands);
    *list = (ws_accelsim_list){0};
}
