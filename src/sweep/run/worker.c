#include "sweep/run/worker.h"

#include "base/clock.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* Sets the process up to die with its parent, and to ignore Ctrl-C, which reaches the whole process group: the parent
 * decides what becomes of running passes. */
static void set_up(pid_t parent, uint64_t memory_limit_B) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0); /* the parent died before that */
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    if (memory_limit_B) /* traces are mapped read-only and do not count */
        setrlimit(RLIMIT_DATA, &(struct rlimit){memory_limit_B, memory_limit_B});
}

static bool receive_item(int fd, ws_item *item) {
    ssize_t n;
    do n = recv(fd, item, sizeof *item, MSG_WAITALL);
    while (n < 0 && errno == EINTR);
    return n == (ssize_t)sizeof *item;
}

static bool send_all(int fd, const void *bytes, size_t size) {
    for (const char *at = bytes; size > 0;) {
        ssize_t n = send(fd, at, size, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        at += n, size -= (size_t)n;
    }
    return true;
}

static uint64_t peak_memory_B(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss * 1024;
}

static bool answer(int fd, const ws_item *item, void *state, ws_rows *rows, const ws_pool_options *options) {
    ws_error err = WS_NO_ERROR;
    const void *payload = NULL;
    size_t size = 0;
    uint64_t start = ws_clock_cpu_ns();
    bool common = false, ok = options->run(state, item, rows, &common, &err);
    if (ok && !ws_rows_bytes(rows, &payload, &size))
        ok = ws_fail(&err, WS_ERROR_MEMORY,
                     "the rows could not be encoded: out of memory, or a cell came before any row");
    if (!ok && err.code == WS_ERROR_MEMORY && options->memory_limit_B) {
        size_t used = strlen(err.text);
        snprintf(err.text + used, sizeof err.text - used, " (memory limit %.4g MiB)",
                 (double)options->memory_limit_B / (1 << 20));
    }
    ws_frame frame = {.item = *item,
                      .code = ok ? WS_ERROR_NONE : err.code,
                      .common = !ok && common,
                      .size = ok ? size : strlen(err.text),
                      .cpu_ns = ws_clock_cpu_ns() - start,
                      .peak_memory_B = peak_memory_B()};
    if (!ok) payload = err.text;
    ws_frame_seal(&frame, payload);
    return send_all(fd, &frame, sizeof frame) && send_all(fd, payload, frame.size);
}

void ws_worker_main(int fd, pid_t parent, const ws_pool_options *options) {
    set_up(parent, options->memory_limit_B);
    ws_rows *rows = ws_rows_new();
    void *state = options->start(options->context);
    ws_item item;
    while (rows && state && receive_item(fd, &item)) {
        ws_rows_clear(rows);
        if (!answer(fd, &item, state, rows, options)) break;
    }
    /* the parent's buffers and exit handlers are not ours */
    _exit(rows && state ? 0 : WS_WORKER_LACKS_MEMORY);
}
