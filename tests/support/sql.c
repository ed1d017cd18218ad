#include "sql.h"

#include "folder.h"

#include "store/sqlite.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void print_row(FILE *out, sqlite3_stmt *stmt) {
    for (int i = 0; i < sqlite3_column_count(stmt); i++) {
        if (i) fputc('|', out);
        if (sqlite3_column_type(stmt, i) == SQLITE_NULL)
            fputs("NULL", out);
        else if (sqlite3_column_type(stmt, i) == SQLITE_FLOAT)
            fprintf(out, "%.17g", sqlite3_column_double(stmt, i));
        else
            fputs((const char *)sqlite3_column_text(stmt, i), out);
    }
    fputc('\n', out);
}

static void print_answer(FILE *out, sqlite3 *db, const char *sql) {
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
    if (rc == SQLITE_OK)
        while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) print_row(out, stmt);
    if (rc != SQLITE_DONE) fprintf(out, "error: %s\n", sqlite3_errmsg(db));
    sqlite3_finalize(stmt);
}

char *sql_text(sqlite3 *db, const char *sql) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    print_answer(out, db, sql);
    fclose(out);
    return text;
}

void sql_expect(sqlite3 *db, const char *sql, const char *expected) {
    char *found = sql_text(db, sql);
    if (strcmp(found, expected) != 0) print_error("%s\n", sql);
    assert_string_equal(found, expected);
    free(found);
}

static ws_store *open_in_folder(const char *name) {
    ws_error err = WS_NO_ERROR;
    ws_store *store = ws_store_open_readonly(folder_path(name), &err);
    if (!store) fail_msg("%s", err.text);
    return store;
}

char *sql_text_in(const char *name, const char *sql) {
    ws_store *store = open_in_folder(name);
    char *text = sql_text(ws_store_sqlite(store), sql);
    ws_store_close(store);
    return text;
}

void sql_expect_in(const char *name, const char *sql, const char *expected) {
    ws_store *store = open_in_folder(name);
    sql_expect(ws_store_sqlite(store), sql, expected);
    ws_store_close(store);
}

/* Every table and view except those that record when, where and by which run points were computed. */
char *sql_dump(const char *path) {
    ws_error err = WS_NO_ERROR;
    ws_store *store = ws_store_open_readonly(path, &err);
    if (!store) fail_msg("%s", err.text);
    sqlite3 *db = ws_store_sqlite(store);
    char *names = sql_text(
        db, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite%' "
            "AND name NOT IN ('run', 'point_run') ORDER BY name");
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    char *rest = NULL;
    for (char *name = strtok_r(names, "\n", &rest); name; name = strtok_r(NULL, "\n", &rest)) {
        char columns[64 * 1024] = "";
        char *sql =
            sqlite3_mprintf("SELECT group_concat('\"' || name || '\"') FROM pragma_table_info(%Q)", name);
        char *list = sql_text(db, sql);
        list[strcspn(list, "\n")] = '\0';
        snprintf(columns, sizeof columns, "SELECT * FROM \"%s\" ORDER BY %s", name, list);
        fprintf(out, "-- %s: %s\n", name, list);
        print_answer(out, db, columns);
        sqlite3_free(sql);
        free(list);
    }
    fclose(out);
    free(names);
    ws_store_close(store);
    return text;
}
