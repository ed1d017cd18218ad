/* A temporary folder for one test program. */
#ifndef WS_TESTS_FOLDER_H
#define WS_TESTS_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* Group set-up and tear-down for cmocka: make the folder; remove it with all it holds. */
int folder_setup(void **state);
int folder_teardown(void **state);

/* Path of `name` in the folder. Returned in one of four buffers that are used in turn: copy what must last. */
const char *folder_path(const char *name);

/* Writes a file into the folder; returns its path as folder_path() does. */
const char *folder_write(const char *name, const void *bytes, size_t size);
const char *folder_write_text(const char *name, const char *text);
/* The same with CR LF for each LF. */
const char *folder_write_crlf(const char *name, const char *text);

bool folder_has(const char *name);
/* Number of entries in the folder. */
size_t folder_count(void);

#endif
