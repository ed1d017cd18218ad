/* UTF-8 as the JSON library reads it: all sequences of up to three bytes, and longer ones at the edges. */
#include "../../src/base/array.h"
#include "../../src/base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

static void compare(const char *text) {
    json_t *string = json_string(text);
    if (ws_is_utf8(text) != (string != NULL)) {
        for (const char *c = text; *c; c++) print_error("%02x ", (unsigned char)*c);
        fail_msg("is %s", string ? "UTF-8" : "none");
    }
    json_decref(string);
}

static void all_sequences_of_up_to_three_bytes(void **state) {
    (void)state;
    for (uint32_t code = 0; code < 1u << 24; code++) {
        const char text[] = {(char)(code >> 16), (char)(code >> 8), (char)code, 0};
        /* One letter stands for all. */
        if ((text[0] > 'a' && text[0] > 0) || (text[1] > 'a' && text[1] > 0) ||
            (text[2] > 'a' && text[2] > 0))
            continue;
        compare(text);
    }
}

static void sequences_of_four_bytes(void **state) {
    (void)state;
    static const unsigned char edges[] = {'a', 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff};
    enum { EDGES = sizeof edges };
    for (unsigned first = 0xe0; first < 0x100; first++)
        for (unsigned i = 0; i < EDGES * EDGES * EDGES; i++) {
            const char text[] = {(char)first, (char)edges[i % EDGES], (char)edges[i / EDGES % EDGES],
                                 (char)edges[i / EDGES / EDGES], 0};
            compare(text);
        }
}

static void characters_are_counted_in_bytes(void **state) {
    (void)state;
    assert_int_equal(ws_utf8_character(""), 0);
    assert_int_equal(ws_utf8_character("a\xff"), 1);
    assert_int_equal(ws_utf8_character("\xc3\xa4z"), 2);
    assert_int_equal(ws_utf8_character("\xe2\x82\xacz"), 3);
    assert_int_equal(ws_utf8_character("\xf0\x9f\x99\x82"), 4);
    assert_int_equal(ws_utf8_character("\xc3"), 0);
    assert_int_equal(ws_utf8_character("\xa4z"), 0);
}

static void what_is_no_character_is_dropped(void **state) {
    (void)state;
    static const char *const texts[][2] = {
        {"", ""},
        {"\xc3", ""},
        {"a \xc3\xa4", "a \xc3\xa4"},
        {"\xe2\x82\xac, (\xe2\x82) and \xf0\x9f\x99", "\xe2\x82\xac, () and "},
        {"\xff\xa4z\xc3", "z"},
    };
    for (size_t i = 0; i < WS_COUNT(texts); i++) {
        char text[32];
        snprintf(text, sizeof text, "%s", texts[i][0]);
        ws_utf8_clean(text);
        assert_string_equal(text, texts[i][1]);
    }
}

static void a_mark_may_come_first(void **state) {
    (void)state;
    assert_int_equal(ws_utf8_mark("\xef\xbb\xbf{}", 5), 3);
    assert_int_equal(ws_utf8_mark("\xef\xbb\xbf", 2), 0);
    assert_int_equal(ws_utf8_mark("{}\xef\xbb\xbf", 5), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_sequences_of_up_to_three_bytes),
        cmocka_unit_test(sequences_of_four_bytes),
        cmocka_unit_test(characters_are_counted_in_bytes),
        cmocka_unit_test(what_is_no_character_is_dropped),
        cmocka_unit_test(a_mark_may_come_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
