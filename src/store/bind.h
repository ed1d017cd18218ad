/* Binds the parameters of an SQLite statement one after another. The code of the first that cannot be bound, because
 * memory ran out or it is too long, is kept, so that one look at `code` suffices before the statement is stepped. */
#ifndef WS_STORE_BIND_H
#define WS_STORE_BIND_H

#include <jansson.h>
#include <sqlite3.h>

typedef struct ws_bound {
    sqlite3_stmt *stmt;
    int count, code;
} ws_bound;

static inline ws_bound ws_bind(sqlite3_stmt *stmt) {
    return (ws_bound){stmt, 0, SQLITE_OK};
}

static inline void ws_bound_keep(ws_bound *b, int code) {
    if (b->code == SQLITE_OK) b->code = code;
}

static inline void ws_bind_int(ws_bound *b, sqlite3_int64 value) {
    ws_bound_keep(b, sqlite3_bind_int64(b->stmt, ++b->count, value));
}

static inline void ws_bind_real(ws_bound *b, double value) {
    ws_bound_keep(b, sqlite3_bind_double(b->stmt, ++b->count, value));
}

static inline void ws_bind_null(ws_bound *b) {
    ws_bound_keep(b, sqlite3_bind_null(b->stmt, ++b->count));
}

/* Binds NULL if `text` is NULL. `end`: SQLITE_STATIC, SQLITE_TRANSIENT, or what frees the text, also if this fails. */
static inline void ws_bind_text(ws_bound *b, const char *text, void (*end)(void *)) {
    ws_bound_keep(b, sqlite3_bind_text(b->stmt, ++b->count, text, -1, end));
}

/* The first parameter of a statement that others wrote: ":t", or "?" if it has no name. NULL if there is none. They are
 * to be refused: nothing gives them a value, so each would be NULL without a word. */
static inline const char *ws_bind_unset(sqlite3_stmt *stmt) {
    if (sqlite3_bind_parameter_count(stmt) == 0) return NULL;
    const char *name = sqlite3_bind_parameter_name(stmt, 1);
    return name ? name : "?";
}

/* Binds a parameter's value: a number, a text, or a truth value as 0 or 1. */
static inline void ws_bind_json(ws_bound *b, const json_t *value) {
    if (json_is_integer(value))
        ws_bind_int(b, json_integer_value(value));
    else if (json_is_real(value))
        ws_bind_real(b, json_real_value(value));
    else if (json_is_string(value))
        ws_bind_text(b, json_string_value(value), SQLITE_TRANSIENT);
    else
        ws_bind_int(b, json_is_true(value));
}

#endif
