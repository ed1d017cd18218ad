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
    char part[300], path[300];
    snprintf(path, sizeof path, "%s", folder_path("made"));
    for (int complete = 0; complete < 2; complete++) {
        size_t before = folder_count();
        ws_unfinished_begin(part, sizeof part, path);
        assert_int_equal(folder_count(), before);
        fclose(fopen(part, "w"));
        ws_unfinished_remove();
        assert_int_equal(folder_count(), before);
        fclose(fopen(part, "w"));
        assert_true(ws_unfinished_end(part, path, complete));
        assert_int_equal(folder_has("made"), complete);
        assert_int_equal(folder_count(), before + complete);
        fclose(fopen(part, "w"));
        ws_unfinished_remove();
        assert_int_equal(unlink(part), 0);
    }
    ws_unfinished_begin(part, sizeof part, path);
    errno = 0;
    assert_false(ws_unfinished_end(part, path, true));
    assert_int_equal(errno, ENOENT);
    errno = ENOSPC;
    assert_true(ws_unfinished_end(part, path, false));
    assert_int_equal(errno, ENOSPC);
    assert_true(folder_has("made"));
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
        cmocka_unit_test(test_files), cmocka_unit_test(test_folder), cmocka_unit_test(test_places),
        cmocka_unit_test(test_part),  cmocka_unit_test(test_trace),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
