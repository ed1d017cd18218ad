#include "folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[64];

int folder_setup(void **state) {
    (void)state;
    /* In memory where possible: a trace is synced when it is finished, which takes long on a disk. */
    const char *root = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    snprintf(folder, sizeof folder, "%s/warpsweep-test-XXXXXX", root);
    return mkdtemp(folder) ? 0 : -1;
}

int folder_teardown(void **state) {
    (void)state;
    char command[96];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

const char *folder_path(const char *name) {
    static char paths[4][512];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

const char *folder_write(const char *name, const void *bytes, size_t size) {
    const char *path = folder_path(name);
    FILE *file = fopen(path, "wb");
    size_t written = file ? fwrite(bytes, 1, size, file) : 0;
    if (!file || fclose(file) != 0 || written != size) abort();
    return path;
}

const char *folder_write_text(const char *name, const char *text) {
    return folder_write(name, text, strlen(text));
}

const char *folder_write_crlf(const char *name, const char *text) {
    char *bytes = malloc(2 * strlen(text) + 1), *to = bytes;
    for (; *text; text++) {
        if (*text == '\n') *to++ = '\r';
        *to++ = *text;
    }
    const char *path = folder_write(name, bytes, (size_t)(to - bytes));
    free(bytes);
    return path;
}

bool folder_has(const char *name) {
    return access(folder_path(name), F_OK) == 0;
}

size_t folder_count(void) {
    size_t count = 0;
    DIR *entries = opendir(folder);
    for (struct dirent *entry; entries && (entry = readdir(entries)) != NULL;)
        count += entry->d_name[0] != '.';
    if (entries) closedir(entries);
    return count;
}
