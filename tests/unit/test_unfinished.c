/* The files and folders that have to be removed when a signal ends the program. */
#include "base/unfinished.h"
#include "warpsweep/trace.h"

#include "../support/folder.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char paths[WS_UNFINISHED_MAX + 1][300];

static const char *file(int number, const char *name) {
    snprintf(paths[number], sizeof paths[number], "%s", folder_write_text(name, "half"));
    return paths[number];
}

static void test_files(void **state) {
    (void)state;
    const char *complete = file(0, "complete"), *half = file(1, "half");
    ws_unfinished_add(complete);
    ws_unfinished_add(half);
    ws_unfinished_done(complete);
    ws_unfinished_remove();
    assert_true(folder_has("complete"));
    assert_false(folder_has("half"));
    file(1, "half");
    ws_unfinished_done(half);
    ws_unfinished_remove();
    assert_true(folder_has("half"));
}

/* A folder is removed after its files, whichever was added first. */
static void test_folder(void **state) {
    (void)state;
    for (int first = 0; first < 2; first++) {
        snprintf(paths[0], sizeof paths[0], "%s", folder_path("of"));
        assert_int_equal(mkdir(paths[0], 0777), 0);
        file(1, "of/one");
        ws_unfinished_add(paths[first]);
        ws_unfinished_add(paths[1 - first]);
        ws_unfinished_remove();
        assert_false(folder_has("of"));
        ws_unfinished_done(paths[0]);
        ws_unfinished_done(paths[1]);
    }
}

/* Places are used again; a file for which there is no place is not removed. */
static void test_places(void **state) {
    (void)state;
    char name[20];
    for (int i = 0; i <= WS_UNFINISHED_MAX; i++) {
        snprintf(name, sizeof name, "file%d", i);
        ws_unfinished_add(file(i, name));
    }
    ws_unfinished_remove();
    assert_false(folder_has("file15"));
    assert_true(folder_has("file16"));
    for (int i = 0; i <= WS_UNFINISHED_MAX; i++) ws_unfinished_done(paths[i]);
    ws_unfinished_add(paths[WS_UNFINISHED_MAX]);
    ws_unfinished_remove();
    assert_false(folder_has("file16"));
    ws_unfinished_done(paths[WS_UNFINISHED_MAX]);
}

/* A file that is made under another name is removed by a signal, or if it is not complete; otherwise it gets its name
 * last. */
static void test_part(void **state) {
    (void)state;
    char path[300];
    ws_unfinished part;
    ws_error err = WS_NO_ERROR;
    snprintf(path, sizeof path, "%s", folder_path("made"));
    for (int complete = 0; complete < 2; complete++) {
        size_t before = folder_count();
        fclose(ws_unfinished_create(&part, path, &err));
        assert_int_equal(folder_count(), before + 1);
        ws_unfinished_remove();
        assert_int_equal(folder_count(), before);
        fclose(fopen(part.name, "w"));
        assert_true(ws_unfinished_end(&part, complete));
        assert_int_equal(folder_has("made"), complete);
        assert_int_equal(folder_count(), before + complete);
        fclose(fopen(part.name, "w"));
        ws_unfinished_remove();
        assert_int_equal(unlink(part.name), 0);
    }
    fclose(ws_unfinished_create(&part, path, &err));
    ws_unfinished_remove();
    errno = 0;
    assert_false(ws_unfinished_end(&part, true));
    assert_int_equal(errno, ENOENT);
    errno = ENOSPC;
    assert_true(ws_unfinished_end(&part, false));
    assert_int_equal(errno, ENOSPC);
    assert_true(folder_has("made"));
}

/* Makes a file of this path; returns the error's text. */
static const char *make(const char *path) {
    static ws_unfinished part;
    static ws_error err;
    err = WS_NO_ERROR;
    FILE *out = ws_unfinished_create(&part, path, &err);
    if (!out) return err.text;
    fclose(out);
    assert_true(ws_unfinished_end(&part, true));
    return "";
}

static void expect_link(const char *name, const char *to) {
    struct stat status;
    assert_int_equal(lstat(folder_path(name), &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(lstat(folder_path(to), &status), 0);
    assert_true(S_ISREG(status.st_mode) && status.st_size == 0);
}

/* The file that links lead to is replaced, or appears; the links stay. */
static void test_links(void **state) {
    (void)state;
    folder_write_text("there", "before");
    assert_int_equal(mkdir(folder_path("below"), 0777), 0);
    assert_int_equal(symlink("there", folder_path("to_there")), 0);
    assert_int_equal(symlink("../to_there", folder_path("below/to_link")), 0);
    assert_int_equal(symlink(folder_path("absent"), folder_path("below/to_nothing")), 0);
    assert_int_equal(symlink("loop", folder_path("loop")), 0);
    assert_string_equal(make(folder_path("below/to_link")), "");
    expect_link("below/to_link", "there");
    expect_link("to_there", "there");
    assert_string_equal(make(folder_path("below/to_nothing")), "");
    expect_link("below/to_nothing", "absent");
    assert_non_null(strstr(make(folder_path("loop")), "loop: cannot write: Too many levels"));
}

/* What is no file stays. */
static void test_other_things(void **state) {
    (void)state;
    assert_int_equal(mkfifo(folder_path("pipe"), 0666), 0);
    assert_int_equal(symlink("pipe", folder_path("to_pipe")), 0);
    assert_non_null(strstr(make(folder_path("to_pipe")), "expected a regular file, found a pipe or device"));
    assert_non_null(strstr(make(folder_path(".")), "expected a regular file, found a folder"));
}

/* Changes the mask of all threads' files: the library must not call it, not even to ask for the mask. */
mode_t umask(mode_t mask) {
    (void)mask;
    fail_msg("umask() was called");
    return 0;
}

static ws_writer *write_trace(const char *path) {
    ws_error err = WS_NO_ERROR;
    ws_writer *writer = ws_writer_new(path, "sass", "test", 32, 0, &err);
    if (!writer) fail_msg("%s", err.text);
    return writer;
}

static mode_t mode_of(const char *name) {
    struct stat status;
    assert_int_equal(stat(folder_path(name), &status), 0);
    return status.st_mode;
}

/* Traces are files as any other; two that are written at the same time do not meet before they get their name. */
static void test_writers(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    char path[300];
    snprintf(path, sizeof path, "%s", folder_path("both.wst"));
    size_t before = folder_count();
    ws_writer *one = write_trace(path), *two = write_trace(path);
    assert_int_equal(folder_count(), before + 2);
    assert_true(ws_writer_finish(one, &err) && ws_writer_finish(two, &err));
    ws_writer_free(one);
    ws_writer_free(two);
    assert_int_equal(folder_count(), before + 1);
    folder_write_text("plain", "");
    assert_int_equal(mode_of("both.wst"), mode_of("plain"));
}

/* A file that an ended process has left behind is not in the way. */
static void test_left_behind(void **state) {
    (void)state;
    static ws_unfinished first, second;
    ws_error err = WS_NO_ERROR;
    FILE *out = ws_unfinished_create(&first, folder_path("left"), &err);
    assert_non_null(out);
    fclose(out);
    ws_unfinished_done(first.name);
    assert_non_null(out = ws_unfinished_create(&second, folder_path("left"), &err));
    fclose(out);
    assert_string_not_equal(first.name, second.name);
    assert_true(ws_unfinished_end(&second, true) && folder_has("left"));
    assert_int_equal(unlink(first.name), 0);
    assert_null(ws_unfinished_create(&first, folder_path("no/such/folder"), &err));
    assert_string_equal(first.name, "");
    assert_non_null(strstr(err.text, "no/such/folder: cannot write: No such file or directory"));
}

/* The temporary name is no longer than a name can be. */
static void test_long_names(void **state) {
    (void)state;
    char name[NAME_MAX + 1] = "", path[2 * PATH_MAX];
    memset(name, 'n', NAME_MAX);
    assert_string_equal(make(folder_path(name)), "");
    assert_true(folder_has(name));
    ws_error err = WS_NO_ERROR;
    ws_writer *writer = ws_writer_new(folder_path(name), "sass", "test", 32, 0, &err);
    assert_true(writer && ws_writer_finish(writer, &err));
    ws_writer_free(writer);
    memset(path, 'p', PATH_MAX);
    path[PATH_MAX] = 0;
    assert_memory_equal(make(path), "ppp", 3);
}

static void test_trace(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    size_t before = folder_count();
    ws_writer *writer = ws_writer_new(folder_path("half.wst"), "sass", "test", 32, 0, &err);
    assert_non_null(writer);
    assert_int_equal(folder_count(), before + 1);
    ws_unfinished_remove();
    assert_int_equal(folder_count(), before);
    ws_writer_free(writer);

    writer = ws_writer_new(folder_path("whole.wst"), "sass", "test", 32, 0, &err);
    assert_true(ws_writer_finish(writer, &err));
    ws_unfinished_remove();
    assert_true(folder_has("whole.wst"));
    ws_writer_free(writer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_files),      cmocka_unit_test(test_folder),
        cmocka_unit_test(test_places),     cmocka_unit_test(test_part),
        cmocka_unit_test(test_links),      cmocka_unit_test(test_other_things),
        cmocka_unit_test(test_long_names), cmocka_unit_test(test_trace),
        cmocka_unit_test(test_writers),    cmocka_unit_test(test_left_behind),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
