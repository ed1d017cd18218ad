#include "base/unfinished.h"

#include "base/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINKS_MAX = 40 }; /* as Linux has it */
enum { ATTEMPTS_MAX = 1000 };

static _Atomic(const char *) paths[WS_UNFINISHED_MAX];
static _Atomic(pid_t) writer;

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

/* Follows symbolic links, of which the last may lead to nothing. False, with errno set, if that cannot be done. */
static bool follow_links(char target[PATH_MAX]) {
    char link[PATH_MAX];
    for (int links = 0; links < LINKS_MAX; links++) {
        ssize_t length = readlink(target, link, sizeof link);
        if (length < 0) return true;
        const char *slash = strrchr(target, '/');
        size_t folder = slash && *link != '/' ? (size_t)(slash - target) + 1 : 0;
        if (folder + (size_t)length >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return false;
        }
        memcpy(target + folder, link, (size_t)length);
        target[folder + (size_t)length] = 0;
    }
    errno = ELOOP;
    return false;
}

/* Finds the file to write: symbolic links stay, and the file they lead to, which need not be there, is replaced. Fails
 * for anything but a regular file: a device, replaced, would be lost to everybody. */
static bool find_target(char target[PATH_MAX], const char *path, ws_error *err) {
    struct stat there;
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return ws_fail(err, WS_ERROR_IO, "%s: cannot write: expected a regular file, found %s", path,
                       S_ISDIR(there.st_mode) ? "a folder" : "a pipe or device");
    errno = ENAMETOOLONG;
    return (snprintf(target, PATH_MAX, "%s", path) < PATH_MAX && follow_links(target)) ||
           ws_fail(err, WS_ERROR_IO, "%s: cannot write: %s", path, strerror(errno));
}

/* Chooses a temporary name: the target's with an ending behind it, in place of its own end if a name cannot be as long.
 * Names are tried one after the other, as another file may have one. */
static void choose_name(ws_unfinished *file, unsigned attempt) {
    char ending[48];
    if (attempt == 0)
        snprintf(ending, sizeof ending, ".%ld.part", (long)getpid());
    else
        snprintf(ending, sizeof ending, ".%ld-%u.part", (long)getpid(), attempt);
    const char *slash = strrchr(file->target, '/');
    size_t folder = slash ? (size_t)(slash - file->target) + 1 : 0, most = folder + NAME_MAX - strlen(ending);
    snprintf(file->name, sizeof file->name, "%.*s%s", (int)most, file->target, ending);
}

/* Creates the file under a name that none has. The name is noted once the file is there, as until then it may be that
 * of somebody else's file; no signal comes in between. Returns -1, with errno set, if it cannot be created. */
static int create_and_note(ws_unfinished *file) {
    int fd = -1;
    errno = EEXIST;
    const sigset_t before = ws_signals_hold();
    for (unsigned attempt = 0; fd < 0 && errno == EEXIST && attempt < ATTEMPTS_MAX; attempt++) {
        choose_name(file, attempt);
        fd = open(file->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    if (fd >= 0) ws_unfinished_add(file->name);
    ws_signals_release(&before);
    return fd;
}

FILE *ws_unfinished_create(ws_unfinished *file, const char *path, ws_error *err) {
    *file->name = 0;
    if (!find_target(file->target, path, err)) return NULL;
    int fd = create_and_note(file);
    FILE *out = fd < 0 ? NULL : fdopen(fd, "wb");
    if (out) return out;
    ws_fail(err, WS_ERROR_IO, "%s: cannot write: %s", path, strerror(errno));
    if (fd >= 0) close(fd), ws_unfinished_end(file, false);
    *file->name = 0;
    return NULL;
}

bool ws_unfinished_end(const ws_unfinished *file, bool complete) {
    bool named = complete && rename(file->name, file->target) == 0;
    int why = errno;
    if (!named) unlink(file->name);
    ws_unfinished_done(file->name);
    errno = why;
    return named || !complete;
}

bool ws_may_replace(const char *path, const char *what, const char *const *beginnings, ws_error *err) {
    char first[32] = "";
    struct stat status;
    bool is_file = stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
    FILE *file = is_file ? fopen(path, "rb") : NULL;
    if (!file) return true; /* opening it for writing says what else is wrong */
    bool may = false;
    if (fread(first, 1, sizeof first - 1, file) > 0)
        for (; *beginnings && !may; beginnings++) may = strncmp(first, *beginnings, strlen(*beginnings)) == 0;
    fclose(file);
    return may || ws_fail(err, WS_ERROR_USAGE,
                          "%s: expected %s to replace, found another file; delete it, or choose another name",
                          path, what);
}

void ws_unfinished_writer(pid_t process) {
    writer = process;
}

/* What the process might still create is removed, too, and folders last, when the files in them are gone. */
void ws_unfinished_remove(void) {
    const pid_t process = writer;
    if (process && kill(process, SIGKILL) == 0) waitpid(process, NULL, 0);
    for (int i = 0; i < WS_UNFINISHED_MAX; i++)
        if (paths[i]) unlink(paths[i]);
    for (int i = 0; i < WS_UNFINISHED_MAX; i++)
        if (paths[i]) rmdir(paths[i]);
}
