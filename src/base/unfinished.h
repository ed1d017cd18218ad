/* Files that are written under another name until they are complete, and folders of temporary files. A program whose
 * signal handler calls ws_unfinished_remove() leaves none of them behind when a signal ends it. */
#ifndef WS_BASE_UNFINISHED_H
#define WS_BASE_UNFINISHED_H

#include "warpsweep/error.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

enum { WS_UNFINISHED_MAX = 16 }; /* at a time; any more are not removed */

/* `path` must stay valid until ws_unfinished_done() is called with the same pointer: the file is then complete, or
 * gone. */
void ws_unfinished_add(const char *path);
void ws_unfinished_done(const char *path);

typedef struct ws_unfinished {
    char target[PATH_MAX];    /* the file that it is to become */
    char name[PATH_MAX + 48]; /* its name until it is complete: the target's with an ending */
} ws_unfinished;

/* The usual case. ws_unfinished_create() creates a file that is to become `path`, for writing, under a name that no
 * file has, not even one that others write at the same time: symbolic links stay, and the file they lead to, which need
 * not be there, is replaced; anything but a regular file is refused. NULL, and the name "", if it cannot be created.
 * `file` must stay where it is until ws_unfinished_end(), which renames the file if it is complete, and removes it
 * otherwise. False, with errno set, if a complete file cannot be renamed. */
FILE *ws_unfinished_create(ws_unfinished *file, const char *path, ws_error *err);
bool ws_unfinished_end(const ws_unfinished *file, bool complete);

/* Whether what is there may be overwritten, as a typing error may name another file: nothing, an empty file, no regular
 * file, or one that begins with one of these, which end with NULL. If not: "PATH: expected WHAT to replace, found
 * another file ..". */
bool ws_may_replace(const char *path, const char *what, const char *const *beginnings, ws_error *err);

/* A process of ours that writes such a file; 0: no more, to be called before it is waited for. */
void ws_unfinished_writer(pid_t process);

/* Ends that process and removes them all. May be called by a signal handler. */
void ws_unfinished_remove(void);

#endif
