/* kill -9 at random moments, of a worker or of the process that writes. When the same sweep is started again, its
 * database equals that of an undisturbed run. */
#include "warpsweep/sweep.h"

#include "../support/folder.h"
#include "../support/probe.h"
#include "../support/random.h"
#include "../support/sql.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOMENTS = 20 };

static char spec[300], db[300];

static bool sweep_into(const char *path, uint32_t jobs) {
    ws_error err = WS_NO_ERROR;
    ws_sweep_report report;
    const ws_sweep_options options = {.db = path, .jobs = jobs, .analyses = probe_analyses};
    bool ok = ws_sweep_run(spec, &options, &report, &err);
    if (!ok) print_error("%s\n", err.text);
    return ok && report.failed == 0;
}

static pid_t start_sweep(void) {
    pid_t pid = fork();
    if (pid == 0) _exit(sweep_into(db, 2) ? 0 : 1);
    return pid;
}

/* Returns one of the processes that `parent` has forked, or 0 if there is none at the moment. */
static pid_t some_child(pid_t parent, uint64_t *random) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", parent, parent);
    FILE *file = fopen(path, "r");
    pid_t children[8];
    uint32_t count = 0;
    while (file && count < 8 && fscanf(file, "%d", &children[count]) == 1) count++;
    if (file) fclose(file);
    return count ? children[random_below(random, count)] : 0;
}

static bool ended(pid_t pid, int *status) {
    return waitpid(pid, status, WNOHANG) == pid;
}

/* Kills the sweeper, or one of its workers once it has some. Returns false if the sweeper had already ended. */
static bool kill_one(pid_t sweeper, bool worker, uint64_t *random) {
    for (;;) {
        usleep(2000 + random_below(random, 60000));
        int status;
        if (ended(sweeper, &status)) {
            assert_int_equal(status, 0);
            return false;
        }
        pid_t victim = worker ? some_child(sweeper, random) : sweeper;
        if (victim && kill(victim, SIGKILL) == 0) return true;
    }
}

static void test_kills(void **state) {
    (void)state;
    uint64_t random = 20;
    int status;
    pid_t sweeper = start_sweep();
    for (int moment = 0; moment < MOMENTS; moment++) {
        bool worker = random_one_in(&random, 2);
        while (!kill_one(sweeper, worker, &random)) { /* it ended before the kill: start over */
            unlink(db);
            sweeper = start_sweep();
        }
        if (worker) continue;
        assert_int_equal(waitpid(sweeper, &status, 0), sweeper);
        assert_true(WIFSIGNALED(status));
        sweeper = start_sweep();
    }
    assert_int_equal(waitpid(sweeper, &status, 0), sweeper);
    assert_int_equal(status, 0);

    char straight[300];
    snprintf(straight, sizeof straight, "%s", folder_path("straight.db"));
    assert_true(sweep_into(straight, 1));
    char *disturbed = sql_dump(db), *undisturbed = sql_dump(straight);
    assert_non_null(strstr(undisturbed, "|done|NULL|"));
    assert_string_equal(disturbed, undisturbed);
    free(disturbed);
    free(undisturbed);
}

static int setup(void **state) {
    if (folder_setup(state) != 0) return -1;
    probe_trace("one.wst", 1, 3);
    probe_trace("two.wst", 2, 2);
    snprintf(db, sizeof db, "%s", folder_path("killed.db"));
    snprintf(
        spec, sizeof spec, "%s",
        probe_spec("spec.json", "*.wst",
                   "\"base\": {\"probe.pause_ms\": 10}, \"axes\": {\"sm.scheduler\": [\"lrr\", \"gto\"], "
                   "\"probe.variant\": [1, 2, 3], \"gpu.clusters\": [2, 3, 4], \"probe.size\": [1, 2, 3]}"));
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kills)};
    return cmocka_run_group_tests_name("crash", tests, setup, folder_teardown);
}
