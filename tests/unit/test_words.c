/* Words in texts, and what they are made of: characters of a kind, numbers, suffixes. */
#include "base/array.h"
#include "base/ends.h"
#include "base/words.h"
#include "trace/words.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

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

/* As in the C locale, in which a program starts. */
static void characters_are_of_their_kind(void **state) {
    (void)state;
    for (int i = 0; i <= UINT8_MAX; i++) {
        char c = (char)i;
        assert_int_equal(ws_is_digit(c), isdigit(i) != 0);
        assert_int_equal(ws_is_lower(c), islower(i) != 0);
        assert_int_equal(ws_is_letter(c), isalpha(i) != 0);
        assert_int_equal(ws_is_space(i), isspace(i) != 0);
        assert_int_equal(ws_to_lower(c), (char)tolower(i));
    }
}

static void plain_names_begin_with_a_letter(void **state) {
    (void)state;
    static const char *const plain[] = {"a", "Z", "l1_size", "a9", "b_"};
    static const char *const others[] = {"", "_", "_a", "9", "9a", "a.b", "a-b", "a b", "a\n"};
    for (size_t i = 0; i < WS_COUNT(plain); i++) assert_true(ws_is_plain_name(plain[i], strlen(plain[i])));
    for (size_t i = 0; i < WS_COUNT(others); i++)
        assert_false(ws_is_plain_name(others[i], strlen(others[i])));
    assert_true(ws_is_plain_name("a.b", 1));
    assert_false(ws_is_plain_name("a", 0));
}

static void a_suffix_has_something_before_it(void **state) {
    (void)state;
    assert_true(ws_has_suffix("a.wst", ".wst"));
    assert_true(ws_ends_with(".wst", ".wst"));
    assert_false(ws_has_suffix(".wst", ".wst"));
    assert_false(ws_ends_with("wst", ".wst"));
    assert_false(ws_ends_with(&"a.wst"[2], ".wst"));
    assert_false(ws_has_suffix("a.wst.xz", ".wst"));
}

static void check_decimal(const char *text, bool is_one, uint32_t expected) {
    const char *at = text;
    uint32_t value = 7;
    assert_int_equal(ws_parse_decimal(&at, &value), is_one);
    assert_int_equal(value, is_one ? expected : 7);
    assert_ptr_equal(at, is_one ? text + strspn(text, "0123456789") : text);
}

static void decimal_numbers_have_32_bits(void **state) {
    (void)state;
    check_decimal("0\n", true, 0);
    check_decimal("0012,", true, 12);
    check_decimal("4294967295 ", true, UINT32_MAX);
    check_decimal("4294967296\n", false, 0);
    check_decimal("18446744073709551617\n", false, 0);
    check_decimal("\n", false, 0);
    check_decimal("-1\n", false, 0);
}

static void check_signed(const char *text, bool is_one, uint64_t expected) {
    const char *at = text;
    uint64_t value = 7;
    assert_int_equal(ws_parse_signed(&at, &value), is_one);
    assert_true(value == (is_one ? expected : 7));
    assert_ptr_equal(at, is_one ? text + strspn(text, "-0123456789") : text);
}

static void signed_numbers_have_64_bits(void **state) {
    (void)state;
    check_signed("0\n", true, 0);
    check_signed("-12 ", true, UINT64_MAX - 11);
    check_signed("9999999999999999999\n", true, UINT64_C(9999999999999999999));
    check_signed("10000000000000000000\n", true, UINT64_C(10000000000000000000));
    check_signed("18446744073709551615\n", true, UINT64_MAX);
    check_signed("18446744073709551616\n", false, 0);
    check_signed("28446744073709551617\n", false, 0); /* modulo 2^64 it is above 10^19, too */
    check_signed("118446744073709551615\n", false, 0);
    check_signed("-\n", false, 0);
    check_signed("\n", false, 0);
}

static void hex_numbers_have_a_most_of_digits(void **state) {
    (void)state;
    static const struct {
        const char *text;
        unsigned most, digits;
        uint64_t value;
    } cases[] = {{"0\n", 8, 1, 0},
                 {"aF09 ", 4, 4, 0xaf09},
                 {"aF09 ", 3, 0, 0},
                 {"0123456789abcdef\n", 16, 16, UINT64_C(0x0123456789abcdef)},
                 {"ABCDEFg", 8, 6, 0xabcdef},
                 {"\n", 8, 0, 0},
                 {"x1", 8, 0, 0}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        const char *at = cases[i].text;
        uint64_t value = 7;
        assert_int_equal(ws_parse_hex(&at, cases[i].most, &value), cases[i].digits > 0);
        assert_true(value == (cases[i].digits ? cases[i].value : 7));
        assert_ptr_equal(at, cases[i].text + cases[i].digits);
    }
}

static void words_end_where_the_text_does(void **state) {
    (void)state;
    const char *const text = "ab cd", *at = text;
    assert_false(ws_parse_text(&at, text + 1, "ab", 2));
    assert_false(ws_parse_text(&at, text + 5, "ac", 2));
    assert_ptr_equal(at, text);
    assert_true(ws_parse_text(&at, text + 2, "ab", 2));
    assert_ptr_equal(at, text + 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_whole),
        cmocka_unit_test(characters_are_of_their_kind),
        cmocka_unit_test(plain_names_begin_with_a_letter),
        cmocka_unit_test(a_suffix_has_something_before_it),
        cmocka_unit_test(decimal_numbers_have_32_bits),
        cmocka_unit_test(signed_numbers_have_64_bits),
        cmocka_unit_test(hex_numbers_have_a_most_of_digits),
        cmocka_unit_test(words_end_where_the_text_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
