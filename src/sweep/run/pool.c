#include "sweep/run/pool.h"

#include "base/clock.h"
#include "sweep/run/worker.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct worker {
    pid_t pid;
    int fd;
    bool busy;
    bool timed_out, broke_protocol; /* why we killed it */
    ws_item item;
    double deadline;
    ws_buffer received;
} worker;

struct ws_pool {
    ws_pool_options options;
    uint32_t deaths_without_item; /* workers that died without an item, in a row */
    worker *workers;
    struct pollfd *polled;
    uint32_t first; /* the worker that is looked at first, in turn */
    ws_buffer last; /* holds the rows of the last outcome handed out */
};

/* ---- life and death of workers */

static bool spawn(ws_pool *pool, worker *w, ws_error *err) {
    int fds[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0)
        return ws_fail(err, WS_ERROR_IO, "a worker cannot be started: %s", strerror(errno));
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        close(fds[0]);
        for (uint32_t i = 0; i < pool->options.workers; i++)
            if (pool->workers[i].fd >= 0) close(pool->workers[i].fd);
        ws_worker_main(fds[1], parent, &pool->options);
    }
    close(fds[1]);
    if (pid < 0) {
        close(fds[0]);
        return ws_fail(err, WS_ERROR_IO, "a worker cannot be started: %s", strerror(errno));
    }
    *w = (worker){.pid = pid, .fd = fds[0]};
    return true;
}

/* Ends a worker and returns its wait status. A worker that has ended by itself keeps its own status. */
static int reap(worker *w) {
    int status = 0;
    kill(w->pid, SIGKILL);
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR) {
    }
    close(w->fd);
    ws_buffer_free(&w->received);
    w->fd = -1;
    return status;
}

/* SIGBUS is the sign of a mapped file that has lost its end. */
static void explain_signal(int signal, ws_error *why) {
    const bool cut = signal == SIGBUS;
    ws_fail(why, cut ? WS_ERROR_DAMAGED : WS_ERROR_INTERNAL, "the worker was killed by signal %d (%s)%s",
            signal, strsignal(signal),
            cut ? "; its trace may have been cut short meanwhile: restore it, and the same command computes "
                  "this again"
                : "");
}

static void explain(const ws_pool *pool, const worker *w, int status, ws_outcome *outcome) {
    ws_error *why = &outcome->why;
    outcome->kind = w->timed_out ? WS_OUTCOME_LATE : WS_OUTCOME_ERROR;
    if (w->timed_out)
        ws_fail(why, WS_ERROR_INTERRUPTED, "exceeded the time limit of %g s", pool->options.time_limit_s);
    else if (w->broke_protocol)
        ws_fail(why, WS_ERROR_INTERNAL, "the worker sent damaged results");
    else if (WIFSIGNALED(status))
        explain_signal(WTERMSIG(status), why);
    else
        ws_fail(why, WS_ERROR_INTERNAL, "the worker ended by itself, with status %d", WEXITSTATUS(status));
    if (!w->timed_out && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
        outcome->kind = WS_OUTCOME_KILLED;
}

/* Replaces a worker that is gone; the item that it was busy with has failed. */
static bool replace(ws_pool *pool, worker *w, ws_outcome *outcome, bool *got, ws_error *err) {
    int status = reap(w);
    if (w->busy) {
        outcome->item = w->item;
        explain(pool, w, status, outcome);
        *got = true;
        pool->deaths_without_item = 0;
    } else if (++pool->deaths_without_item > 3 + pool->options.workers) {
        bool lacks_memory = WIFEXITED(status) && WEXITSTATUS(status) == WS_WORKER_LACKS_MEMORY;
        return lacks_memory ? ws_fail(err, WS_ERROR_MEMORY, "workers have no memory to begin with")
                            : ws_fail(err, WS_ERROR_INTERNAL, "workers die before they are given anything");
    }
    return spawn(pool, w, err);
}

ws_pool *ws_pool_new(const ws_pool_options *options, ws_error *err) {
    ws_pool *pool = calloc(1, sizeof *pool);
    bool ok = pool && (pool->workers = calloc(options->workers, sizeof *pool->workers)) &&
              (pool->polled = calloc(options->workers, sizeof *pool->polled));
    if (!ok) {
        ws_no_memory(err);
        ws_pool_free(pool);
        return NULL;
    }
    pool->options = *options;
    for (uint32_t i = 0; i < options->workers; i++) pool->workers[i].fd = -1;
    for (uint32_t i = 0; ok && i < options->workers; i++) ok = spawn(pool, &pool->workers[i], err);
    if (ok) return pool;
    ws_pool_free(pool);
    return NULL;
}

void ws_pool_free(ws_pool *pool) {
    if (!pool) return;
    for (uint32_t i = 0; pool->workers && i < pool->options.workers; i++) {
        if (pool->workers[i].fd < 0) continue;
        reap(&pool->workers[i]);
    }
    ws_buffer_free(&pool->last);
    free(pool->workers);
    free(pool->polled);
    free(pool);
}

/* ---- items */

int ws_pool_idle(const ws_pool *pool) {
    for (uint32_t i = 0; i < pool->options.workers; i++)
        if (!pool->workers[i].busy) return (int)i;
    return -1;
}

uint32_t ws_pool_busy(const ws_pool *pool) {
    uint32_t busy = 0;
    for (uint32_t i = 0; i < pool->options.workers; i++) busy += pool->workers[i].busy;
    return busy;
}

/* A worker that died while idle cannot take the item; ws_pool_wait() notices its end like that of a busy one. */
bool ws_pool_give(ws_pool *pool, int index, const ws_item *item, ws_error *err) {
    worker *w = &pool->workers[index];
    ssize_t n;
    do n = send(w->fd, item, sizeof *item, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    if (n < 0 && errno != EPIPE && errno != ECONNRESET)
        return ws_fail(err, WS_ERROR_IO, "a worker cannot be reached: %s", strerror(errno));
    w->busy = true;
    w->timed_out = false;
    w->item = *item;
    w->deadline = pool->options.time_limit_s > 0 ? ws_clock_s() + pool->options.time_limit_s : 0;
    return true;
}

/* ---- outcomes */

/* Stops those that have had their time and send nothing. */
static void stop_late_workers(ws_pool *pool) {
    double t = ws_clock_s();
    for (uint32_t i = 0; i < pool->options.workers; i++) {
        worker *w = &pool->workers[i];
        if (pool->polled[i].revents || !w->busy || w->deadline == 0 || w->timed_out || t < w->deadline)
            continue;
        w->timed_out = true;
        kill(w->pid, SIGKILL);
    }
}

/* Milliseconds to wait: at most `timeout_ms`, and not beyond the next deadline. */
static int patience(const ws_pool *pool, int timeout_ms) {
    double t = ws_clock_s();
    for (uint32_t i = 0; i < pool->options.workers; i++) {
        const worker *w = &pool->workers[i];
        if (!w->busy || w->deadline == 0 || w->timed_out) continue;
        double left_ms = (w->deadline - t) * 1000 + 1;
        if (left_ms < timeout_ms) timeout_ms = left_ms > 0 ? (int)left_ms : 0;
    }
    return timeout_ms;
}

/* Reads what is there. `*open`: whether the stream has not ended. */
static bool receive(worker *w, bool *open, ws_error *err) {
    for (*open = true; *open;) {
        if (!ws_buffer_reserve(&w->received, 1 << 16)) return ws_no_memory(err);
        ssize_t n = recv(w->fd, w->received.data + w->received.size, 1 << 16, MSG_DONTWAIT);
        if (n > 0) w->received.size += (size_t)n;
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
        *open = n > 0 || (n < 0 && errno == EINTR);
    }
    return true;
}

static bool same_item(const ws_item *a, const ws_item *b) {
    return a->pass == b->pass && a->first == b->first && a->count == b->count && a->attempt == b->attempt;
}

/* Turns a whole frame into an outcome. */
static void hand_out(ws_pool *pool, worker *w, const ws_frame *frame, ws_outcome *outcome) {
    ws_buffer_free(&pool->last);
    pool->last = w->received;
    w->received = (ws_buffer){0};
    w->busy = false;
    const uint8_t *payload = pool->last.data + sizeof *frame;
    outcome->item = w->item;
    const bool ok = frame->code == WS_ERROR_NONE;
    outcome->kind = ok ? WS_OUTCOME_ROWS : frame->common ? WS_OUTCOME_COMMON : WS_OUTCOME_ERROR;
    outcome->rows = payload;
    outcome->size = frame->size;
    outcome->cpu_s = (double)frame->cpu_ns * 1e-9;
    outcome->peak_memory_B = frame->peak_memory_B;
    if (!ok) ws_fail(&outcome->why, frame->code, "%.*s", (int)frame->size, (const char *)payload);
}

/* A worker that sends has computed in time, though we may look late: it has this long for more of what it sends. */
static const double sending_s = 1;

/* Handles a worker whose socket can be read. */
static bool attend(ws_pool *pool, worker *w, ws_outcome *outcome, bool *got, ws_error *err) {
    bool open;
    if (!receive(w, &open, err)) return false;
    ws_frame frame;
    ws_frame_state state = ws_frame_parse(&w->received, &frame);
    bool whole = state == WS_FRAME_WHOLE && w->busy && same_item(&frame.item, &w->item) &&
                 w->received.size == sizeof frame + frame.size;
    if (whole) {
        hand_out(pool, w, &frame, outcome);
        *got = true;
        pool->deaths_without_item = 0;
        return true; /* if it is dead by now, the next call sees the end of an idle worker */
    }
    if (open && state == WS_FRAME_PARTIAL) {
        if (w->deadline > 0) w->deadline = fmax(w->deadline, ws_clock_s() + sending_s);
        return true;
    }
    w->broke_protocol = open;
    return replace(pool, w, outcome, got, err);
}

bool ws_pool_wait(ws_pool *pool, int timeout_ms, ws_outcome *outcome, bool *got, ws_error *err) {
    *got = false;
    for (uint32_t i = 0; i < pool->options.workers; i++)
        pool->polled[i] = (struct pollfd){.fd = pool->workers[i].fd, .events = POLLIN};
    int ready = poll(pool->polled, pool->options.workers, patience(pool, timeout_ms));
    if (ready < 0 && errno != EINTR)
        return ws_fail(err, WS_ERROR_IO, "waiting for workers: %s", strerror(errno));
    stop_late_workers(pool);
    for (uint32_t k = 0; ready > 0 && !*got && k < pool->options.workers; k++) {
        uint32_t i = (pool->first + k) % pool->options.workers;
        if (!pool->polled[i].revents) continue;
        if (!attend(pool, &pool->workers[i], outcome, got, err)) return false;
        if (*got) pool->first = (i + 1) % pool->options.workers;
    }
    return true;
}
