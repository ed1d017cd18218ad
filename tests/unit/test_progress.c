/* Progress lines: durations, and what is printed on a terminal, elsewhere, and without output. */
#include "base/array.h"
#include "base/progress.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

static void test_durations(void **state) {
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {{0, "0 s"},          {59.4, "59 s"},      {59.6, "1:00 min"},
                 {3599, "59:59 min"}, {3600, "1:00:00 h"}, {86400, "24:00:00 h"},
                 {172800, "2 d 0 h"}, {1e8, "1157 d 9 h"}, {1e300, "unknown"}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char text[32];
        ws_progress_duration(cases[i].seconds, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

/* Where output is no terminal, reports are lines some seconds apart, and one at the end; short work has that alone. */
static void test_plain(void **state) {
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ws_progress p = ws_progress_start(out, "work", "points", 10);
    for (uint64_t i = 0; i < 10; i++) ws_progress_update(&p, i, (double)i / 10);
    p.last -= 3600; /* an hour has passed */
    p.start -= 3600;
    ws_progress_update(&p, 5, 0.5);
    ws_progress_update(&p, 6, 0.6);
    ws_progress_clear(&p);
    ws_progress_end(&p, 10);
    fclose(out);
    assert_string_equal(text, "work: 5/10 points, 0.00139/s, 50 % of the work, ETA 1:00:00 h\n"
                              "work: 10/10 points, 0.00278/s, in 1:00:00 h\n");
    free(text);
}

/* Without output, nothing is printed, nor does anything fail. */
static void test_silent(void **state) {
    (void)state;
    FILE *log = tmpfile();
    assert_non_null(log);
    const int before = dup(STDERR_FILENO);
    dup2(fileno(log), STDERR_FILENO);
    ws_progress p = ws_progress_start(NULL, "work", "points", 10);
    p.last -= 3600;
    ws_progress_update(&p, 5, 0.5);
    ws_progress_clear(&p);
    ws_progress_end(&p, 10);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    assert_int_equal(lseek(fileno(log), 0, SEEK_END), 0);
    fclose(log);
}

/* Writes what a terminal with lines of `columns` columns (0: it does not say) is told half-way, and at the end. */
static void tell_terminal(uint16_t columns, const char *kind, char text[400]) {
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    FILE *out = fopen(ptsname(master), "w");
    assert_non_null(out);
    assert_int_equal(ioctl(fileno(out), TIOCSWINSZ, &(struct winsize){.ws_row = 24, .ws_col = columns}), 0);
    assert_int_equal(kind ? setenv("TERM", kind, 1) : unsetenv("TERM"), 0);
    ws_progress p = ws_progress_start(out, "work", "points", 10);
    p.last -= 60;
    p.start -= 60;
    ws_progress_update(&p, 5, 0.5);
    ws_progress_end(&p, 10);
    fclose(out);
    size_t used = 0;
    for (ssize_t n; (n = read(master, text + used, 399 - used)) > 0;) used += (size_t)n;
    text[used] = '\0';
    close(master);
}

#define STATE "5/10 points, 0.0833/s, 50 % of the work, ETA 1:00 min"
#define END   "work: 10/10 points, 0.167/s, in 1:00 min\r\n"

/* On a terminal: a bar that is redrawn, then a line in its place. The whole fits into a line of the terminal. */
static void test_terminal(void **state) {
    (void)state;
    static const struct {
        uint16_t columns;
        const char *line;
    } cases[] = {{200, "work [############............] " STATE},
                 {86, "work [############............] " STATE},
                 {85, "work [###########............] " STATE},
                 {0, "work [#########.........] " STATE},
                 {68, "work [###...] " STATE},
                 {67, "work " STATE},
                 {59, "work " STATE},
                 {20, "work 5/10 points, 0"},
                 {1, ""}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char text[400], expected[400];
        tell_terminal(cases[i].columns, "xterm", text);
        snprintf(expected, sizeof expected, "\r\033[K%s\r\033[K" END, cases[i].line);
        assert_string_equal(text, expected);
    }
}

/* One on which nothing can be drawn over gets lines, as a file does. */
static void test_dumb_terminal(void **state) {
    (void)state;
    static const char *const kinds[] = {"dumb", "", NULL};
    for (size_t i = 0; i < WS_COUNT(kinds); i++) {
        char text[400];
        tell_terminal(80, kinds[i], text);
        assert_string_equal(text, "work: " STATE "\r\n" END);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_durations), cmocka_unit_test(test_plain),         cmocka_unit_test(test_silent),
        cmocka_unit_test(test_terminal),  cmocka_unit_test(test_dumb_terminal),
    };
    return cmocka_run_group_tests_name("progress", tests, NULL, NULL);
}
