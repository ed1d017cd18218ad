/* Files that are written under another name until they are complete, and folders of temporary files. A program whose
 * signal handler calls ws_unfinished_remove() leaves none of them behind when a signal ends it. */
#ifndef WS_BASE_UNFINISHED_H
#define WS_BASE_UNFINISHED_H

#include <stdbool.h>
#include <stddef.h>

enum { WS_UNFINISHED_MAX = 16 }; /* at a time; any more are not removed */

/* `path` must stay valid until ws_unfinished_done() is called with the same pointer: the file is then complete, or
 * gone. */
void ws_unfinished_add(const char *path);
void ws_unfinished_done(const char *path);

/* The usual case. ws_unfinished_begin() writes into `name`, which must stay valid until ws_unfinished_end(), the
 * temporary name of a file that is to become `path`. ws_unfinished_end() renames the file to `path` if it is complete,
 * and removes it otherwise. False, with errno set, if a complete file cannot be renamed. */
void ws_unfinished_begin(char *name, size_t size, const char *path);
bool ws_unfinished_end(const char *name, const char *path, bool complete);

/* Removes them all. May be called by a signal handler. */
void ws_unfinished_remove(void);

#endif
