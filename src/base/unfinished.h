/* Files that are being written and have another name until they are complete, and folders of temporary files. A program
 * whose signal handler calls ws_unfinished_remove() leaves none behind when a signal ends it. */
#ifndef WS_BASE_UNFINISHED_H
#define WS_BASE_UNFINISHED_H

#include <stdbool.h>
#include <stddef.h>

enum { WS_UNFINISHED_MAX = 16 }; /* at a time; further ones would stay */

/* `path` stays as it is until ws_unfinished_done() is called with the same pointer: the file is complete, or gone. */
void ws_unfinished_add(const char *path);
void ws_unfinished_done(const char *path);

/* The usual case: `name`, which stays as it is until ws_unfinished_end(), gets the other name of a file that is to be
 * `path`; and in the end the file gets that name where it is complete, and else is gone if it was there. False, as
 * errno says, where it is complete and cannot get its name. */
void ws_unfinished_begin(char *name, size_t size, const char *path);
bool ws_unfinished_end(const char *name, const char *path, bool complete);

/* Removes them all. May be called by a signal handler. */
void ws_unfinished_remove(void);

#endif
