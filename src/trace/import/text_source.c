#include "trace/import/text_source.h"

#include "base/utf8.h"
#include "trace/import/text_unpack.h"
#include "trace/wst/format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK_B = 256 << 10, SMALL_B = 1 << 10, INPUT_B = 32 << 10 };

struct ws_text_reader {
    ws_text_source source;
    int file;             /* of the source that is one */
    const uint8_t *bytes; /* the rest of the source in memory */
    size_t bytes_left;
    bool at_end; /* nothing more will come */
    ws_text_watch *watch;
    const char *path;

    char *buffer; /* capacity + 1 bytes: room for the '\n' that a last line may lack */
    size_t capacity, filled;

    bool packed, input_ended;
    ws_unpack *unpack;
    uint8_t *input; /* INPUT_B bytes: packed input; for a plain file the first bytes, which told its kind */
    size_t input_at, input_size;
};

/* ---- messages */

enum { SHOWN = 48 };

/* Writes a printable excerpt of the line at `at`, quoted, into `out` of SHOWN + 16 bytes. */
static void show(const char *at, const char *end, char *out) {
    size_t n = 0;
    out[n++] = '\'';
    while (at < end && *at != '\n' && n <= SHOWN) {
        unsigned char c = (unsigned char)*at++;
        out[n++] = (char)(c >= 0x20 && c < 0x7f ? c : '?');
    }
    const char *rest = at < end && *at != '\n' ? " ..'" : "'";
    memcpy(out + n, rest, strlen(rest) + 1);
}

/* Whether `at` is in the last line of a file that ends within it. What is wrong with it is then that it is cut, unless
 * the whole file is one line. */
static bool may_be_cut(const ws_text *text, const char *at) {
    const char *line_end = at && text->line > 1 ? memchr(at, '\n', (size_t)(text->end - at)) : NULL;
    return line_end && ws_text_is_unended(text, line_end);
}

bool ws_text_fail_expected(const ws_text *text, const char *at, const char *hint, ws_error *err,
                           const char *format, ...) {
    const char *separator = *hint ? "; " : "";
    unsigned long long line = text->line;
    char expected[256], found[SHOWN + 16] = "the end of the file";
    va_list args;
    va_start(args, format);
    vsnprintf(expected, sizeof expected, format, args);
    va_end(args);
    if (at && *at != '\n')
        show(at, text->end, found);
    else if (at)
        snprintf(found, sizeof found, "%s", at == text->at ? "an empty line" : "the end of the line");
    return ws_fail(err, WS_ERROR_TRACE, "%s:%llu: expected %s, found %s%s%s%s", text->path, line, expected,
                   found, separator, hint,
                   may_be_cut(text, at) ? "; the file ends within this line: is it cut short?" : "");
}

/* ---- bytes */

static bool read_file(void *context, void *out, size_t size, size_t *got, uint64_t *stored, ws_error *err) {
    const struct ws_text_reader *reader = context;
    for (*got = 0; *got < size;) {
        ssize_t n = read(reader->file, (char *)out + *got, size - *got);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return ws_fail(err, WS_ERROR_IO, "%s: reading failed: %s", reader->path, strerror(errno));
        if (n == 0) break;
        *got += (size_t)n;
    }
    *stored = *got;
    return true;
}

static void close_file(void *context) {
    close(((struct ws_text_reader *)context)->file);
}

static bool read_memory(void *context, void *out, size_t size, size_t *got, uint64_t *stored, ws_error *err) {
    (void)err;
    struct ws_text_reader *reader = context;
    *stored = *got = size < reader->bytes_left ? size : reader->bytes_left;
    memcpy(out, reader->bytes, *got);
    reader->bytes += *got;
    reader->bytes_left -= *got;
    return true;
}

/* Reads up to `size` bytes of the source: fewer only at its end. */
static bool read_source(struct ws_text_reader *reader, void *out, size_t size, size_t *got, ws_error *err) {
    ws_text_watch *watch = reader->watch;
    uint64_t stored;
    if (!reader->source.read(reader->source.context, out, size, got, &stored, err)) return false;
    if (!watch) return true;
    if (watch->interrupted && *watch->interrupted)
        return ws_fail(err, WS_ERROR_INTERRUPTED, "interrupted while reading %s", reader->path);
    watch->bytes_read += stored;
    if (watch->progress) watch->progress(watch->context, watch->bytes_read, watch->bytes_total);
    return true;
}

static bool fill_plain(ws_text *text, ws_error *err) {
    struct ws_text_reader *reader = text->reader;
    size_t room = reader->capacity - reader->filled, got;
    if (reader->input_size > 0) {
        memcpy(reader->buffer + reader->filled, reader->input, reader->input_size);
        reader->filled += reader->input_size;
        room -= reader->input_size;
        reader->input_size = 0;
    }
    if (!read_source(reader, reader->buffer + reader->filled, room, &got, err)) return false;
    reader->filled += got;
    reader->at_end = got < room;
    return true;
}

static bool unpack_error(const ws_text *text, ws_error *err) {
    const ws_unpack *unpack = text->reader->unpack;
    return ws_fail(
        err, WS_ERROR_TRACE,
        "%s:%llu: expected intact %s data up to the end of the file, found %s; make or copy the file "
        "again (`%s -t` tests it)",
        text->path, (unsigned long long)text->line, ws_unpack_name(unpack), ws_unpack_fault(unpack),
        ws_unpack_name(unpack));
}

/* Refills the input once it is used up; `input_ended` says that no more will come. */
static bool fill_input(ws_text *text, ws_unpack_bytes *bytes, ws_error *err) {
    struct ws_text_reader *reader = text->reader;
    if (bytes->in_size > 0 || reader->input_ended) return true;
    if (!read_source(reader, reader->input, INPUT_B, &bytes->in_size, err)) return false;
    bytes->in = reader->input;
    reader->input_ended = bytes->in_size == 0;
    return true;
}

static bool fill_packed(ws_text *text, ws_error *err) {
    struct ws_text_reader *reader = text->reader;
    ws_unpack_bytes bytes = {reader->input + reader->input_at, reader->input_size,
                             (uint8_t *)reader->buffer + reader->filled, reader->capacity - reader->filled};
    ws_unpack_state state = WS_UNPACK_MORE;
    while (state == WS_UNPACK_MORE && bytes.out_room > 0) {
        if (!fill_input(text, &bytes, err)) return false;
        state = ws_unpack_step(reader->unpack, &bytes, reader->input_ended);
    }
    if (state == WS_UNPACK_FAULT) return unpack_error(text, err);
    if (state == WS_UNPACK_MEMORY) return ws_fail(err, WS_ERROR_MEMORY, "%s: out of memory", text->path);
    reader->at_end = state == WS_UNPACK_END;
    reader->input_size = bytes.in_size;
    reader->input_at = bytes.in_size > 0 ? (size_t)(bytes.in - reader->input) : 0;
    reader->filled = reader->capacity - bytes.out_room;
    return true;
}

/* ---- lines */

/* Moves the rest behind `at` (a line that began in the last chunk) to the buffer's start, and makes room for more. */
static bool make_room(ws_text *text, ws_error *err) {
    struct ws_text_reader *reader = text->reader;
    size_t left = text->at ? (size_t)(reader->buffer + reader->filled - text->at) : 0;
    if (left > WS_TEXT_LINE_MAX)
        return ws_fail(err, WS_ERROR_TRACE,
                       "%s:%llu: expected a line of at most %d bytes, found a longer one", text->path,
                       (unsigned long long)text->line, WS_TEXT_LINE_MAX);
    if (left > 0) memmove(reader->buffer, text->at, left);
    reader->filled = left;
    if (reader->capacity - left < reader->capacity / 2) {
        char *larger = realloc(reader->buffer, reader->capacity * 2 + 1);
        if (!larger) return ws_fail(err, WS_ERROR_MEMORY, "%s: out of memory", text->path);
        reader->buffer = larger;
        reader->capacity *= 2;
    }
    text->at = text->end = reader->buffer;
    return true;
}

/* Makes '\n' of each "\r\n" from `from` on. */
static void drop_returns(struct ws_text_reader *reader, size_t from) {
    const char *end = reader->buffer + reader->filled;
    char *to = memchr(reader->buffer + from, '\r', reader->filled - from);
    if (!to) return;
    for (const char *at = to; at < end; at++)
        if (*at != '\r' || at + 1 == end || at[1] != '\n') *to++ = *at;
    reader->filled = (size_t)(to - reader->buffer);
}

/* Sets `end` behind the last complete line in the buffer; false if there is none. No '\n' lies before `fresh`, but a
 * '\r' may, whose '\n' has only come now. */
static bool find_lines(ws_text *text, size_t fresh) {
    struct ws_text_reader *reader = text->reader;
    const size_t from = fresh ? fresh - 1 : 0;
    const char last = reader->filled > 0 ? reader->buffer[reader->filled - 1] : '\n';
    const bool lacks_newline = reader->at_end && last != '\n';
    text->unended = lacks_newline && last != '\r';
    if (lacks_newline) reader->buffer[reader->filled++] = '\n';
    drop_returns(reader, from);
    text->at = text->end = reader->buffer;
    const char *newline = memrchr(reader->buffer + from, '\n', reader->filled - from);
    if (newline) text->end = newline + 1;
    return newline != NULL;
}

static void drop_byte_order_mark(struct ws_text_reader *reader) {
    const size_t mark = ws_utf8_mark(reader->buffer, reader->filled);
    reader->filled -= mark;
    memmove(reader->buffer, reader->buffer + mark, reader->filled);
}

/* True for a native trace under another name, or packed: a reader of texts would only complain about its lines. */
static bool is_native(const ws_text *text) {
    const struct ws_text_reader *reader = text->reader;
    return reader->filled >= sizeof WST_MAGIC - 1 &&
           memcmp(reader->buffer, WST_MAGIC, sizeof WST_MAGIC - 1) == 0;
}

static ws_text_state native_error(const ws_text *text, ws_error *err) {
    const struct ws_text_reader *reader = text->reader;
    if (reader->packed)
        ws_fail(err, WS_ERROR_TRACE,
                "%s: expected a trace text, found a native trace that is packed; unpack it (`%s -d`), it "
                "needs no "
                "import",
                text->path, ws_unpack_name(reader->unpack));
    else
        ws_fail(err, WS_ERROR_TRACE, "%s: expected a trace text, found a native trace, which needs no import",
                text->path);
    return WS_TEXT_ERROR;
}

ws_text_state ws_text_more(ws_text *text, ws_error *err) {
    struct ws_text_reader *reader = text->reader;
    while (text->at == text->end) {
        if (reader->at_end) return WS_TEXT_END;
        if (!make_room(text, err)) return WS_TEXT_ERROR;
        size_t before = reader->filled;
        if (!(reader->packed ? fill_packed(text, err) : fill_plain(text, err))) return WS_TEXT_ERROR;
        if (before == 0 && text->line == 1) {
            if (is_native(text)) return native_error(text, err);
            drop_byte_order_mark(reader);
        }
        if (find_lines(text, before)) break;
    }
    return WS_TEXT_LINES;
}

/* ---- opening */

static bool open_error(const char *path, ws_error *err) {
    if (errno == ENOENT || errno == ENOTDIR)
        return ws_fail(err, WS_ERROR_IO, "%s: expected a file, found none; check the path", path);
    if (errno == EINTR) /* a signal ends the wait for a pipe's other end */
        return ws_fail(err, WS_ERROR_INTERRUPTED, "interrupted while opening %s", path);
    return ws_fail(err, WS_ERROR_IO, "%s: cannot be opened: %s", path, strerror(errno));
}

/* Reads the first bytes, and starts the unpacker that they call for. */
static bool tell_kind(ws_text *text, ws_error *err) {
    struct ws_text_reader *reader = text->reader;
    if (!read_source(reader, reader->input, WS_UNPACK_MAGIC_B, &reader->input_size, err)) return false;
    reader->packed = ws_unpack_begin(reader->input, reader->input_size, &reader->unpack);
    return !reader->packed || reader->unpack ||
           ws_fail(err, WS_ERROR_MEMORY, "%s: out of memory", text->path);
}

/* Starts reading from the source in `of`, whose context is the reader unless it has its own. Takes ownership of it,
 * also if it fails. */
static bool start(ws_text *text, struct ws_text_reader of, size_t capacity, ws_text_watch *watch,
                  ws_error *err) {
    struct ws_text_reader *reader = text->reader = malloc(sizeof *reader);
    if (!reader) {
        if (of.source.close) of.source.close(of.source.context ? of.source.context : &of);
        return ws_fail(err, WS_ERROR_MEMORY, "%s: out of memory", text->path);
    }
    *reader = of;
    if (!of.source.context) reader->source.context = reader;
    reader->path = text->path;
    reader->watch = watch;
    reader->capacity = capacity;
    reader->buffer = malloc(capacity + 1);
    reader->input = malloc(INPUT_B);
    bool good =
        (reader->buffer && reader->input) || ws_fail(err, WS_ERROR_MEMORY, "%s: out of memory", text->path);
    if (good && tell_kind(text, err)) return true;
    ws_text_close(text);
    return false;
}

bool ws_text_open(ws_text *text, const char *path, ws_text_watch *watch, ws_error *err) {
    *text = (ws_text){.line = 1, .path = path};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return open_error(path, err);
    struct stat status;
    bool status_known = fstat(file, &status) == 0;
    if (status_known && S_ISDIR(status.st_mode)) {
        close(file);
        return ws_fail(err, WS_ERROR_TRACE, "%s: expected a file, found a directory", path);
    }
    bool is_small = status_known && S_ISREG(status.st_mode) && status.st_size < CHUNK_B;
    struct ws_text_reader reader = {.source = {read_file, close_file, NULL}, .file = file};
    return start(text, reader, is_small ? (size_t)status.st_size + SMALL_B : CHUNK_B, watch, err);
}

bool ws_text_open_bytes(ws_text *text, const char *name, const void *bytes, size_t size, ws_error *err) {
    *text = (ws_text){.line = 1, .path = name};
    struct ws_text_reader reader = {.source = {read_memory, NULL, NULL}, .bytes = bytes, .bytes_left = size};
    return start(text, reader, size < CHUNK_B ? size + SMALL_B : CHUNK_B, NULL, err);
}

bool ws_text_open_source(ws_text *text, const char *path, ws_text_source source, ws_text_watch *watch,
                         ws_error *err) {
    *text = (ws_text){.line = 1, .path = path};
    return start(text, (struct ws_text_reader){.source = source}, CHUNK_B, watch, err);
}

bool ws_text_is_packed(const ws_text *text) {
    return text->reader->packed;
}

void ws_text_close(ws_text *text) {
    struct ws_text_reader *reader = text->reader;
    if (!reader) return;
    ws_unpack_free(reader->unpack);
    if (reader->source.close) reader->source.close(reader->source.context);
    free(reader->buffer);
    free(reader->input);
    free(reader);
    *text = (ws_text){0};
}
