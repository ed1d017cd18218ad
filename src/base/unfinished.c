#include "base/unfinished.h"

#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static _Atomic(const char *) paths[WS_UNFINISHED_MAX];

/* In the first place that has `from`. */
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

/* Folders when the files in them are gone. */
void ws_unfinished_remove(void) {
    for (int i = 0; i < WS_UNFINISHED_MAX; i++)
        if (paths[i]) unlink(paths[i]);
    for (int i = 0; i < WS_UNFINISHED_MAX; i++)
        if (paths[i]) rmdir(paths[i]);
}
