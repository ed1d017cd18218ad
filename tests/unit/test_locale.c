/* A program that uses the library may have set a locale whose decimal sign is not a point: reals, keys and answers are
 * the same there, letters are those of ASCII, and files have the order of their names' bytes. */
#include "../support/folder.h"
#include "../support/forest.h"
#include "base/real.h"
#include "param/json_folder.h"
#include "sweep/spec/inputs.h"
#include "warpsweep/report.h"
#include "warpsweep/trace.h"

#include <ctype.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- locales with a comma, and with a sign of two bytes; made here, for few machines have them */

static const char *const locales[] = {"de_DE.UTF-8", "ps_AF.UTF-8"};
static const char *const points[] = {",", "\xd9\xab"};
enum { LOCALES = 2 };

static int make_locales(void **state) {
    if (folder_setup(state)) return 1;
    for (size_t i = 0; i < LOCALES; i++) {
        char command[600];
        snprintf(command, sizeof command, "localedef -i %.5s -f UTF-8 %s >/dev/null 2>&1", locales[i],
                 folder_path(locales[i]));
        if (system(command)) continue; /* set_locale() finds out */
    }
    return setenv("LOCPATH", folder_path(""), 1);
}

static bool set_locale(size_t i) {
    return setlocale(LC_ALL, locales[i]) && strcmp(localeconv()->decimal_point, points[i]) == 0;
}

/* One that takes each byte for a character. */
static bool set_latin_locale(void) {
    char command[600];
    snprintf(command, sizeof command, "localedef -i de_DE -f ISO-8859-1 %s >/dev/null 2>&1",
             folder_path("de_DE.ISO-8859-1"));
    return system(command) == 0 && setlocale(LC_ALL, "de_DE.ISO-8859-1") && isalpha(0xc3) && isalpha(0xaa);
}

static int leave_locale(void **state) {
    (void)state;
    return !setlocale(LC_ALL, "C");
}

/* ---- tests */

static void expect_reals(void) {
    static const struct {
        double value;
        int first, last;
        const char *text;
    } reals[] = {{0.5, 1, 17, "0.5"},
                 {-1.25e-7, 1, 17, "-1.25e-07"},
                 {3, 1, 17, "3"},
                 {1e300, 1, 17, "1e+300"},
                 {1.0 / 3, 6, 6, "0.333333"},
                 {0.1, 15, 17, "0.1"},
                 {0.1 + 0.2, 15, 17, "0.30000000000000004"}};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        char text[40];
        ws_print_real(text, sizeof text, reals[i].value, reals[i].first, reals[i].last);
        assert_string_equal(text, reals[i].text);
    }
}

static void expect_read(void) {
    static const struct {
        const char *text, *rest;
        double value;
    } reals[] = {{"0.5", "", 0.5}, {"1.25e-7:2", ":2", 1.25e-7}, {"3,4", ",4", 3}, {"x", "x", 0}};
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        char *end;
        double value = ws_read_real(reals[i].text, &end);
        assert_true(value >= reals[i].value && value <= reals[i].value);
        assert_string_equal(end, reals[i].rest);
    }
}

static void expect_key(void) {
    ws_error err = WS_NO_ERROR;
    ws_config *config = ws_config_new(forest_components, 1);
    json_t *slope = json_real(0.625);
    assert_true(ws_config_set(config, "tree.slope", slope, "$", &err));
    char *key = ws_config_key(config, NULL, NULL, 0);
    assert_string_equal(key, "tree.slope=0.625");
    free(key);
    json_decref(slope);
    ws_config_free(config);
}

static void expect_answers(void) {
    static const struct {
        ws_query_format format;
        const char *text;
    } answers[] = {{WS_QUERY_TABLE, "  a         b\n---  --------\n0.5  0.333333\n"},
                   {WS_QUERY_CSV, "a,b\n0.5,0.3333333333333333\n"},
                   {WS_QUERY_JSON, "[\n  {\"a\": 0.5, \"b\": 0.3333333333333333}\n]\n"}};
    ws_error err = WS_NO_ERROR;
    ws_store *store = forest_open("answers.db");
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        char *text = NULL;
        size_t size = 0;
        FILE *out = open_memstream(&text, &size);
        assert_true(ws_query(store, "SELECT 0.5 AS a, 1.0 / 3 AS b", answers[i].format, 0, out, &err));
        fclose(out);
        assert_string_equal(text, answers[i].text);
        free(text);
    }
    ws_store_close(store);
}

/* Makes files of which most locales sort "a" in front of "B". */
static int make_files(void **state) {
    (void)state;
    static const char *const names[] = {"names/a.json", "names/B.json", "names/kernelslist_ctx_a",
                                        "names/kernelslist_ctx_B"};
    char cwd[300], path[400];
    if (mkdir(folder_path("names"), 0755) || !getcwd(cwd, sizeof cwd)) return 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) folder_write_text(names[i], "{}");
    snprintf(path, sizeof path, "%s/traces/histogram.wst", cwd);
    if (symlink(path, folder_path("names/a.wst"))) return 1;
    snprintf(path, sizeof path, "%s/traces/reduction.wst", cwd);
    return symlink(path, folder_path("names/B.wst"));
}

static bool append_name(void *context, const char *name, ws_error *err) {
    (void)err;
    strcat(context, name);
    return true;
}

static void expect_order(void) {
    ws_error err = WS_NO_ERROR;
    char names[8] = "", text[600];
    assert_true(ws_json_folder_list(folder_path("names"), append_name, names, &err));
    assert_string_equal(names, "Ba");
    assert_false(ws_import(folder_path("names"), folder_path("none.wst"), NULL, &err));
    assert_non_null(strstr(err.text, "found 2 (kernelslist_ctx_B, kernelslist_ctx_a ..)"));
    snprintf(text, sizeof text, "{\"name\": \"s\", \"traces\": \"%s/*.wst\", \"analysis\": \"window\"}",
             folder_path("names"));
    ws_spec *spec = ws_spec_load(folder_write_text("order.json", text), ws_analyses(), NULL, &err);
    ws_inputs *inputs = spec ? ws_inputs_open(spec, NULL, &err) : NULL;
    if (!inputs) fail_msg("%s", err.text);
    assert_string_equal(inputs->traces[0].name, "B");
    assert_string_equal(inputs->traces[1].name, "a");
    ws_inputs_free(inputs);
    ws_spec_free(spec);
}

static void in_each(void (*expect)(void)) {
    expect();
    for (size_t i = 0; i < LOCALES; i++) {
        if (!set_locale(i)) skip();
        expect();
    }
}

static void reals_have_a_point(void **state) {
    (void)state;
    in_each(expect_reals);
}

static void reals_are_read_with_a_point(void **state) {
    (void)state;
    in_each(expect_read);
}

static void keys_are_the_same(void **state) {
    (void)state;
    in_each(expect_key);
}

static void answers_are_the_same(void **state) {
    (void)state;
    in_each(expect_answers);
}

static void files_have_the_order_of_bytes(void **state) {
    (void)state;
    in_each(expect_order);
}

static void names_have_letters_of_ascii(void **state) {
    (void)state;
    if (!set_latin_locale()) skip();
    ws_error err = WS_NO_ERROR;
    const char *path = folder_write_text("latin.json", "{\"name\": \"l\xc3\xaa\", \"traces\": \"t.wst\", "
                                                       "\"analysis\": \"window\"}");
    assert_null(ws_spec_load(path, ws_analyses(), NULL, &err));
    assert_non_null(strstr(err.text, "expected at most 64 letters, digits and _, a letter first"));
    ws_analysis named = *ws_analyses()[0];
    named.name = "l\xc3\xaa";
    assert_false(ws_analysis_check(&named, &err));
    assert_non_null(strstr(err.text, "expected a name of letters, digits and _"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(reals_have_a_point, leave_locale),
        cmocka_unit_test_teardown(reals_are_read_with_a_point, leave_locale),
        cmocka_unit_test_teardown(keys_are_the_same, leave_locale),
        cmocka_unit_test_teardown(answers_are_the_same, leave_locale),
        cmocka_unit_test_setup_teardown(files_have_the_order_of_bytes, make_files, leave_locale),
        cmocka_unit_test_teardown(names_have_letters_of_ascii, leave_locale),
    };
    return cmocka_run_group_tests(tests, make_locales, folder_teardown);
}
