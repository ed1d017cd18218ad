/* Errors: every call that can fail takes a `ws_error *` as its last argument and returns false or NULL.
 *
 * NULL where a path, a name or a text has to be is WS_ERROR_INTERNAL; a look-up that cannot fail knows nothing of that
 * name. The text is complete for a user: where (file:line or JSON path), what was expected, what was found, what to
 * do. Library code never prints to stdout, never exits and never aborts on input. */
#ifndef WARPSWEEP_ERROR_H
#define WARPSWEEP_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/* X(code, exit status of the command, meaning) */
#define WS_ERROR_CODES(X)                                                                                    \
    X(NONE, 0, "no error")                                                                                   \
    X(INTERNAL, 1, "a fault in warpsweep itself")                                                            \
    X(MEMORY, 1, "out of memory")                                                                            \
    X(IO, 1, "a file or the system refused")                                                                 \
    X(DATABASE, 1, "SQLite refused")                                                                         \
    X(USAGE, 2, "the command line is wrong")                                                                 \
    X(TRACE, 3, "a trace is malformed, or lacks what was asked of it")                                       \
    X(DAMAGED, 3, "the file of a trace is damaged: another copy of it may not be")                           \
    X(SPEC, 3, "a sweep specification or a configuration is wrong")                                          \
    X(INTERRUPTED, 130, "stopped by the user")

typedef enum ws_error_code {
#define X(code, status, meaning) WS_ERROR_##code,
    WS_ERROR_CODES(X)
#undef X
} ws_error_code;

typedef struct ws_error {
    ws_error_code code;
    char text[1024];
} ws_error;

#ifdef __cplusplus
#define WS_NO_ERROR (ws_error{WS_ERROR_NONE, ""})
#else
#define WS_NO_ERROR ((ws_error){WS_ERROR_NONE, ""})
#endif

/* Fills `err` (which may be NULL) and returns false, so that `return ws_fail(..)` is the whole error path. */
bool ws_fail(ws_error *err, ws_error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for WS_ERROR_MEMORY: "out of memory". */
bool ws_no_memory(ws_error *err);

/* Puts "prefix: " before the text of an error that is already set; returns false. */
bool ws_fail_prefix(ws_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The command's exit status for a code: 0 done, 1 internal or I/O, 2 usage, 3 bad trace, specification or
 * configuration, 130 interrupted. (4, "finished but some points failed", is an outcome of a sweep, not an error.) */
int ws_error_exit_status(ws_error_code code);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop
#endif
