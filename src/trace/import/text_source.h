/* Reads text files, plain or packed (.xz, .gz, .zst), in chunks that end at line ends: parsers work in place, and
 * memory stays bounded however long the file is. The first bytes tell the kind of file, not the name. A line may end in
 * CR LF: parsers only see the LF. */
#ifndef WS_TRACE_IMPORT_TEXT_SOURCE_H
#define WS_TRACE_IMPORT_TEXT_SOURCE_H

#include "warpsweep/trace.h"

/* Longest line that is accepted, in bytes. */
enum { WS_TEXT_LINE_MAX = 1 << 20 };

/* Progress of an import over all its files; owned by the caller who opens them. */
typedef struct ws_text_watch {
    uint64_t bytes_read, bytes_total;                                           /* as stored on disk */
    void (*progress)(void *context, uint64_t bytes_read, uint64_t bytes_total); /* may be NULL */
    void *context;
    const volatile bool *interrupted; /* may be NULL */
} ws_text_watch;

typedef struct ws_text {
    const char *at;  /* next byte to read */
    const char *end; /* end of the complete lines in memory; if at < end, end[-1] is '\n' */
    uint64_t line;   /* number of the line that begins at `at`, from 1 */
    bool unended;    /* the last line in memory is the file's last, which ends in no '\n' or '\r' */
    const char *path;
    struct ws_text_reader *reader;
} ws_text;

/* `path` and `watch` (which may be NULL) must outlive the text. A missing file is WS_ERROR_TRACE. */
bool ws_text_open(ws_text *text, const char *path, ws_text_watch *watch, ws_error *err);
/* The same over `size` bytes in memory, which must outlive the text; `name` takes the path's place in messages. */
bool ws_text_open_bytes(ws_text *text, const char *name, const void *bytes, size_t size, ws_error *err);

/* Where the bytes of a text come from. */
typedef struct ws_text_source {
    /* Writes the next bytes, at most `size`; fewer only at their end. `*got` becomes their number, `*stored` how many
     * bytes on disk they took (for the watch). */
    bool (*read)(void *context, void *out, size_t size, size_t *got, uint64_t *stored, ws_error *err);
    void (*close)(void *context); /* NULL: nothing to do */
    void *context;
} ws_text_source;

/* The same over bytes from elsewhere. Takes ownership of the source, also if it fails. */
bool ws_text_open_source(ws_text *text, const char *path, ws_text_source source, ws_text_watch *watch,
                         ws_error *err);
void ws_text_close(ws_text *text); /* accepts a zeroed one */

bool ws_text_is_packed(const ws_text *text);

typedef enum ws_text_state { WS_TEXT_LINES, WS_TEXT_END, WS_TEXT_ERROR } ws_text_state;

/* Reads more if no complete line is in memory (`at == end`). A last line without '\n' gets one. */
ws_text_state ws_text_more(ws_text *text, ws_error *err);

/* Fails with "path:line: expected .., found ..". The text found begins at `at`, in the line that begins at text->at;
 * NULL stands for the end of the file. `hint` ("" for none) tells the user what to do. */
bool ws_text_fail_expected(const ws_text *text, const char *at, const char *hint, ws_error *err,
                           const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Moves past the line that begins at `at`; `line_end` is its '\n'. */
static inline void ws_text_advance(ws_text *text, const char *line_end) {
    text->at = line_end + 1;
    text->line++;
}

/* True if the line whose '\n' is `line_end` does not end in the file. */
static inline bool ws_text_is_unended(const ws_text *text, const char *line_end) {
    return text->unended && line_end + 1 == text->end;
}

/* Fails if the line is unended. For texts of tools that end every line: the file is cut, perhaps within a number. */
static inline bool ws_text_expect_whole(const ws_text *text, const char *line_end, ws_error *err) {
    return !ws_text_is_unended(text, line_end) ||
           ws_text_fail_expected(text, NULL, "the file is cut short", err, "the end of the line");
}

#endif
