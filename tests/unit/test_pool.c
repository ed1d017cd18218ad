/* The workers of a sweep: what they send arrives, and whatever ends a worker costs its item alone. */
#include "sweep/run/pool.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* An item's `pass` says what its worker does. */
enum { ANSWER, REFUSE, REFUSE_ALL, ABORT, EXIT, HANG, SELF_KILL, BUS_ERROR, EAT, LARGE, WAIT };

static ws_error err;

static bool eat(ws_error *e) {
    for (int i = 0; i < 1024; i++) {
        char *bytes = malloc(1 << 20);
        if (!bytes) return ws_no_memory(e);
        memset(bytes, 1, 1 << 20);
    }
    return true;
}

static bool run(void *state, const ws_item *item, ws_rows *rows, bool *common, ws_error *e) {
    (void)state;
    switch (item->pass) {
    case REFUSE_ALL:
        *common = true;
        return ws_fail(e, WS_ERROR_TRACE, "no such trace");
    case REFUSE:
        return ws_fail(e, WS_ERROR_TRACE, "no such thing as %u", item->first);
    case ABORT:
        abort();
    case EXIT:
        _exit(5);
    case HANG:
        for (;;) pause();
    case BUS_ERROR:
        signal(SIGBUS, SIG_DFL); /* sanitizers have one of their own */
        raise(SIGBUS);
        return false;
    case SELF_KILL:
        kill(getpid(), SIGKILL);
        break;
    case EAT:
        return eat(e);
    case WAIT:
        usleep(100 * 1000);
        break;
    default:
        break;
    }
    for (uint32_t i = 0; i < (item->pass == LARGE ? 100000u : item->count); i++) {
        ws_rows_begin(rows, i, 0);
        ws_rows_int(rows, (int64_t)item->first * 1000 + i);
    }
    return true;
}

static void *start(void *context) {
    return context;
}

static ws_pool *make_pool(uint32_t workers, double time_limit_s, uint64_t memory_limit_B) {
    static int state;
    const ws_pool_options options = {workers, time_limit_s, memory_limit_B, start, run, &state};
    err = WS_NO_ERROR;
    ws_pool *pool = ws_pool_new(&options, &err);
    if (!pool) fail_msg("%s", err.text);
    return pool;
}

static void give(ws_pool *pool, uint32_t what, uint32_t first) {
    const ws_item item = {what, first, 3, 0};
    int worker = ws_pool_idle(pool);
    assert_true(worker >= 0);
    assert_true(ws_pool_give(pool, worker, &item, &err));
}

static ws_outcome wait_outcome(ws_pool *pool) {
    ws_outcome outcome = {0};
    bool got = false;
    for (int i = 0; i < 200 && !got; i++)
        if (!ws_pool_wait(pool, 100, &outcome, &got, &err)) fail_msg("%s", err.text);
    assert_true(got);
    return outcome;
}

static void assert_rows(const ws_outcome *outcome, uint32_t first, size_t rows) {
    assert_int_equal(outcome->kind, WS_OUTCOME_ROWS);
    assert_int_equal(outcome->item.first, first);
    ws_cell cell;
    uint32_t point, table;
    size_t at = 0, count, n = 0;
    while (ws_rows_next(outcome->rows, outcome->size, &at, &point, &table, &cell, 1, &count)) {
        assert_int_equal(cell.integer, (int64_t)first * 1000 + (int64_t)n);
        n++;
    }
    assert_int_equal(at, outcome->size);
    assert_int_equal(n, rows);
}

static void assert_error(ws_pool *pool, uint32_t what, ws_outcome_kind kind, ws_error_code code,
                         const char *reason) {
    give(pool, what, 77);
    ws_outcome outcome = wait_outcome(pool);
    assert_int_equal(outcome.kind, kind);
    assert_int_equal(outcome.item.pass, what);
    assert_int_equal(outcome.why.code, code);
    assert_string_equal(outcome.why.text, reason);
    give(pool, ANSWER, 5); /* and the pool is as good as new */
    outcome = wait_outcome(pool);
    assert_rows(&outcome, 5, 3);
}

static void test_rows_arrive(void **state) {
    (void)state;
    ws_pool *pool = make_pool(3, 0, 0);
    uint32_t given = 0, taken = 0, sum = 0;
    while (taken < 100) {
        while (given < 100 && ws_pool_idle(pool) >= 0) give(pool, ANSWER, given++);
        ws_outcome outcome = wait_outcome(pool);
        assert_rows(&outcome, outcome.item.first, 3);
        sum += outcome.item.first;
        taken++;
    }
    assert_int_equal(sum, 99 * 100 / 2);
    assert_int_equal(ws_pool_busy(pool), 0);
    ws_pool_free(pool);
}

static void test_large_answers(void **state) {
    (void)state;
    ws_pool *pool = make_pool(2, 0, 0);
    give(pool, LARGE, 1);
    give(pool, LARGE, 2);
    for (int i = 0; i < 2; i++) {
        ws_outcome outcome = wait_outcome(pool);
        assert_rows(&outcome, outcome.item.first, 100000);
        assert_true(outcome.cpu_s > 0 && outcome.peak_memory_B > 0);
    }
    ws_pool_free(pool);
}

static void test_waiting_takes_no_time_of_a_core(void **state) {
    (void)state;
    ws_pool *pool = make_pool(1, 0, 0);
    give(pool, WAIT, 1);
    ws_outcome outcome = wait_outcome(pool);
    assert_rows(&outcome, 1, 3);
    assert_true(outcome.cpu_s < 0.1);
    ws_pool_free(pool);
}

static void test_ends_of_workers(void **state) {
    (void)state;
    ws_pool *pool = make_pool(1, 0, 0);
    assert_error(pool, REFUSE, WS_OUTCOME_ERROR, WS_ERROR_TRACE, "no such thing as 77");
    assert_error(pool, REFUSE_ALL, WS_OUTCOME_COMMON, WS_ERROR_TRACE, "no such trace");
    assert_error(pool, ABORT, WS_OUTCOME_ERROR, WS_ERROR_INTERNAL,
                 "the worker was killed by signal 6 (Aborted)");
    assert_error(pool, EXIT, WS_OUTCOME_ERROR, WS_ERROR_INTERNAL,
                 "the worker ended by itself, with status 5");
    assert_error(pool, SELF_KILL, WS_OUTCOME_KILLED, WS_ERROR_INTERNAL,
                 "the worker was killed by signal 9 (Killed)");
    assert_error(
        pool, BUS_ERROR, WS_OUTCOME_ERROR, WS_ERROR_DAMAGED,
        "the worker was killed by signal 7 (Bus error); its trace may have been cut short meanwhile: "
        "restore it, and the same command computes this again");
    ws_pool_free(pool);
}

static void test_time_limit(void **state) {
    (void)state;
    ws_pool *pool = make_pool(2, 0.3, 0);
    give(pool, HANG, 1);
    give(pool, ANSWER, 2);
    ws_outcome outcome = wait_outcome(pool);
    assert_rows(&outcome, 2, 3);
    outcome = wait_outcome(pool);
    assert_int_equal(outcome.kind, WS_OUTCOME_LATE);
    assert_string_equal(outcome.why.text, "exceeded the time limit of 0.3 s");
    ws_pool_free(pool);
}

/* Who fetches outcomes late, since the database was held by others, finds what was sent in time, also the part of it
 * that did not fit the socket. */
static void test_late_fetches(void **state) {
    (void)state;
    ws_pool *pool = make_pool(2, 0.3, 0);
    give(pool, ANSWER, 1);
    give(pool, LARGE, 2);
    sleep(1);
    for (int i = 0; i < 2; i++) {
        ws_outcome outcome = wait_outcome(pool);
        assert_rows(&outcome, outcome.item.first, outcome.item.first == 2 ? 100000 : 3);
    }
    ws_pool_free(pool);
}

#ifndef __SANITIZE_ADDRESS__ /* its shadow counts as data */
static void test_memory_limit(void **state) {
    (void)state;
    ws_pool *pool = make_pool(1, 0, 64 << 20);
    assert_error(pool, EAT, WS_OUTCOME_ERROR, WS_ERROR_MEMORY, "out of memory (memory limit 64 MiB)");
    ws_pool_free(pool);
}
#endif

/* Workers that die while they have nothing to do are replaced without a word. */
static void test_death_while_idle(void **state) {
    (void)state;
    ws_pool *pool = make_pool(1, 0, 0);
    for (uint32_t i = 0; i < 5; i++) {
        char path[64], text[64] = "";
        snprintf(path, sizeof path, "/proc/%d/task/%d/children", getpid(), getpid());
        int fd = open(path, O_RDONLY);
        if (fd < 0) skip();
        assert_true(read(fd, text, sizeof text - 1) > 0);
        close(fd);
        kill(atoi(text), SIGKILL);
        ws_outcome outcome;
        bool got;
        assert_true(ws_pool_wait(pool, 1000, &outcome, &got, &err));
        assert_false(got);
        give(pool, ANSWER, i);
        outcome = wait_outcome(pool);
        assert_rows(&outcome, i, 3);
    }
    ws_pool_free(pool);
}

static void *start_without_memory(void *context) {
    (void)context;
    return NULL;
}

/* Workers that cannot start are replaced a few times; then it is told why. */
static void test_no_memory_to_begin_with(void **state) {
    (void)state;
    const ws_pool_options options = {2, 0, 0, start_without_memory, run, NULL};
    err = WS_NO_ERROR;
    ws_pool *pool = ws_pool_new(&options, &err);
    assert_non_null(pool);
    ws_outcome outcome;
    bool got = false;
    for (int i = 0; i < 100 && ws_pool_wait(pool, 1000, &outcome, &got, &err); i++) assert_false(got);
    assert_int_equal(err.code, WS_ERROR_MEMORY);
    assert_string_equal(err.text, "workers have no memory to begin with");
    ws_pool_free(pool);
}

/* Workers end with the process that made them, also when they are busy. */
static void test_workers_die_with_their_parent(void **state) {
    (void)state;
    int fds[2];
    assert_int_equal(pipe(fds), 0);
    pid_t parent = fork();
    if (parent == 0) {
        close(fds[0]);
        ws_pool *pool = make_pool(2, 0, 0); /* each worker has the pipe's end */
        give(pool, HANG, 1);
        ssize_t written = write(fds[1], "!", 1);
        if (written == 1) kill(getpid(), SIGKILL);
        _exit(1);
    }
    close(fds[1]);
    char byte;
    assert_int_equal(read(fds[0], &byte, 1), 1);
    assert_int_equal(read(fds[0], &byte, 1), 0); /* no process has it open any more */
    close(fds[0]);
    waitpid(parent, NULL, 0);
}

static void test_frames(void **state) {
    (void)state;
    const char payload[] = "rows";
    ws_frame frame = {.item = {1, 2, 3, 4}, .size = sizeof payload}, parsed;
    ws_frame_seal(&frame, payload);
    ws_buffer bytes = {0};
    ws_buffer_put(&bytes, &frame, sizeof frame);
    ws_buffer_put(&bytes, payload, sizeof payload);
    size_t whole = bytes.size;
    for (bytes.size = 0; bytes.size < whole; bytes.size++)
        assert_int_equal(ws_frame_parse(&bytes, &parsed), WS_FRAME_PARTIAL);
    assert_int_equal(ws_frame_parse(&bytes, &parsed), WS_FRAME_WHOLE);
    assert_memory_equal(&frame, &parsed, sizeof frame);
    for (size_t bit = 0; bit < whole * 8; bit++) {
        bytes.data[bit / 8] ^= (uint8_t)(1u << (bit % 8));
        assert_int_equal(ws_frame_parse(&bytes, &parsed), WS_FRAME_DAMAGED);
        bytes.data[bit / 8] ^= (uint8_t)(1u << (bit % 8));
    }
    ws_buffer_free(&bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_arrive),
        cmocka_unit_test(test_large_answers),
        cmocka_unit_test(test_waiting_takes_no_time_of_a_core),
        cmocka_unit_test(test_ends_of_workers),
        cmocka_unit_test(test_time_limit),
        cmocka_unit_test(test_late_fetches),
#ifndef __SANITIZE_ADDRESS__
        cmocka_unit_test(test_memory_limit),
#endif
        cmocka_unit_test(test_death_while_idle),
        cmocka_unit_test(test_no_memory_to_begin_with),
        cmocka_unit_test(test_workers_die_with_their_parent),
        cmocka_unit_test(test_frames),
    };
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
