#include "base/unfinished.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static _Atomic(const char *) paths[WS_UNFINISHED_MAX];

/* Replaces `from` by `to` in the first place that holds it. */
static void replace(const char *from, const char *to) {
    for (int i = 0; i < WS_UNFINISHED_MAX; i++) {
        const char *there = from;
        if (atomic_compare_exchange_strong(&paths[i], &there, to)) return;
    }
}

void ws_unfinished_add(const char *path) {
    replace(NULL, path);
}

void ws_unfinished_done(const char *path) {
    replace(path, NULL);
}

/* The name is noted before the file exists, since a signal may come as soon as it does. */
void ws_unfinished_begin(char *name, size_t size, const char *path) {
    snprintf(name, size, "%s.%ld.part", path, (long)getpid());
    ws_unfinished_add(name);
}

bool ws_unfinished_end(const char *name, const char *path, bool complete) {
    bool named = complete && rename(name, path) == 0;
    int why = errno;
    if (!named) unlink(name);
    ws_unfinished_done(name);
    errno = why;
    return named || !complete;
}

/* Removes folders last, when the files in them are gone. */
void ws_unfinished_remove(void) {
    for (int i = 0; i < WS_UNFINISHED_MAX; i++)
        if (paths[i]) unlink(paths[i]);
    for (int i = 0; i < WS_UNFINISHED_MAX; i++)
        if (paths[i]) rmdir(paths[i]);
}
