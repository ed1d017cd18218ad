#include "param/json_file.h"

#include "base/json_decode.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A signal ends the wait for what a pipe is to bring. */
static bool cannot_read(const char *path, ws_error *err) {
    if (errno == EINTR) return ws_fail(err, WS_ERROR_INTERRUPTED, "%s: stopped before it was read", path);
    if (errno == ENOMEM) return ws_fail(err, WS_ERROR_MEMORY, "%s: out of memory", path);
    return ws_fail(err, WS_ERROR_IO, "%s: cannot be read: %s", path, strerror(errno));
}

static char *read_text(const char *path, size_t *size, ws_error *err) {
    char *text = NULL, block[4096];
    FILE *file = fopen(path, "r");
    if (!file) {
        cannot_read(path, err);
        return NULL;
    }
    FILE *out = open_memstream(&text, size);
    for (size_t n; out && (n = fread(block, 1, sizeof block, file)) > 0;) fwrite(block, 1, n, out);
    bool read = !ferror(file) || cannot_read(path, err);
    fclose(file);
    bool kept = out && !ferror(out);
    if (out) kept = fclose(out) == 0 && kept;
    if (read && kept) return text;
    if (read) ws_fail(err, WS_ERROR_MEMORY, "%s: out of memory", path);
    free(text);
    return NULL;
}

static void drop_byte_order_mark(char *text, size_t *size) {
    const size_t mark = ws_utf8_mark(text, *size);
    *size -= mark;
    memmove(text, text + mark, *size + 1);
}

/* What JSON allows, but warpsweep does not take. */
static bool is_json(const json_error_t *why) {
    enum json_error_code code = json_error_code(why);
    return code == json_error_duplicate_key || code == json_error_numeric_overflow;
}

/* Whether a comma goes before the bracket at which the text stops to be JSON: other languages take it. */
static bool is_after_comma(const char *text, size_t size, const json_error_t *why) {
    size_t at = why->position > 0 && (size_t)why->position <= size ? (size_t)why->position - 1 : 0;
    if (text[at] != ']' && text[at] != '}') return false;
    while (at > 0 && strchr(" \t\r\n", text[at - 1])) at--;
    return at > 0 && text[at - 1] == ',';
}

static void fail_json(const char *path, const json_error_t *why, bool no_memory, bool comma, ws_error *err) {
    if (no_memory)
        ws_fail(err, WS_ERROR_MEMORY, "%s: out of memory", path);
    else
        ws_fail(err, WS_ERROR_SPEC, "%s:%d:%d: %s%s%s", path, why->line, why->column,
                is_json(why) ? "" : "not JSON: ", why->text, comma ? "; take out the comma before it" : "");
}

json_t *ws_json_load(const char *path, char **text, ws_error *err) {
    size_t size;
    json_error_t why = {0};
    char *found = read_text(path, &size, err);
    if (!found) return NULL;
    drop_byte_order_mark(found, &size);
    json_t *root = ws_json_decode(found, size, JSON_REJECT_DUPLICATES, &why);
    if (!root) fail_json(path, &why, errno == ENOMEM, is_after_comma(found, size, &why), err);
    if (text)
        *text = found;
    else
        free(found);
    return root;
}
