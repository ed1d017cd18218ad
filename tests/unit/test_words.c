/* Whole words in texts. */
#include "base/array.h"
#include "base/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void words_are_whole(void **state) {
    (void)state;
    static const struct {
        const char *text, *word;
        bool has;
    } cases[] = {{"SELECT a FROM s", "s", true},
                 {"SELECT a FROM s_by_kernel", "s", false},
                 {"SELECT WARP_SIZE", "warp_size", true},
                 {"x.b", "b", true},
                 {"ab b", "b", true},
                 {"ab", "b", false},
                 {"b2", "b", false},
                 {"", "b", false},
                 {"b", "", false},
                 {"l1.size_B: 3", "l1.size_B", true}};
    for (size_t i = 0; i < WS_COUNT(cases); i++)
        assert_int_equal(ws_has_word(cases[i].text, cases[i].word), cases[i].has);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_are_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
