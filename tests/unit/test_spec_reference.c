/* sweeps/README.md: each example is a specification, and means as many combinations as the text says. */
#include "sweep/grid/grid.h"

#include "../support/folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { EXAMPLES_MIN = 5 };
static const char opening[] = "```json\n", closing[] = "```\n", count_is[] = "\nCombinations: ";

static char *read_all(const char *path) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = fopen(path, "r"), *out = open_memstream(&text, &size);
    if (!file) fail_msg("%s cannot be read", path);
    for (int c; (c = fgetc(file)) != EOF;) fputc(c, out);
    fclose(file);
    fclose(out);
    return text;
}

static size_t combinations(const char *text) {
    ws_error err = WS_NO_ERROR;
    ws_spec *spec = ws_spec_load(folder_write_text("example.json", text), ws_analyses(),
                                 &(ws_spec_folders){"sweeps/gpus", "sweeps/energy"}, &err);
    ws_grid *grid = spec ? ws_grid_new(spec, &err) : NULL;
    if (!grid) fail_msg("%s\n%s", text, err.text);
    size_t count = grid->count;
    ws_grid_free(grid);
    ws_spec_free(spec);
    return count;
}

static void test_examples(void **state) {
    (void)state;
    char *text = read_all("sweeps/README.md"), *at = text;
    size_t examples = 0;
    for (; (at = strstr(at, opening)); examples++) {
        char *start = at + strlen(opening), *end = strstr(start, closing);
        assert_non_null(end);
        *end = '\0';
        at = end + strlen(closing);
        assert_memory_equal(at, count_is, strlen(count_is));
        assert_int_equal(combinations(start), strtoul(at + strlen(count_is), NULL, 10));
    }
    assert_true(examples >= EXAMPLES_MIN);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
    };
    return cmocka_run_group_tests_name("spec reference", tests, folder_setup, folder_teardown);
}
