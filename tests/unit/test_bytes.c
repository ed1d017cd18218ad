/* Tests on the bytes of a word at once, compared with a look at each byte. */
#include "base/bytes.h"
#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

static uint64_t some_word(uint64_t *random) {
    uint64_t word = ws_random_next(random), which = ws_random_next(random);
    for (unsigned i = 0; i < 8; i++) { /* makes many bytes empty, full, or full but for one bit */
        uint64_t byte = UINT64_C(0xff) << 8 * i;
        if ((which >> 2 * i & 3) == 1) word &= ~byte;
        if ((which >> 2 * i & 3) == 2) word |= byte;
        if ((which >> 2 * i & 3) == 3)
            word = (word | byte) ^ UINT64_C(1) << (8 * i + (which >> (16 + 3 * i) & 7));
    }
    return word;
}

static void used_and_full_are_told_byte_by_byte(void **state) {
    (void)state;
    uint64_t random = 1;
    for (unsigned n = 0; n < 20000; n++) {
        uint64_t word = some_word(&random);
        uint8_t used = 0, full = 0;
        for (unsigned i = 0; i < 8; i++) {
            uint8_t byte = (uint8_t)(word >> 8 * i);
            used |= (uint8_t)((byte != 0) << i);
            full |= (uint8_t)((byte == 0xff) << i);
        }
        assert_int_equal(ws_bytes_used(word), used);
        assert_int_equal(ws_bytes_full(word), full);
    }
}

static void a_set_of_bytes_becomes_their_word(void **state) {
    (void)state;
    for (unsigned set = 0; set < 256; set++) {
        uint64_t word = 0;
        for (unsigned i = 0; i < 8; i++)
            if (set >> i & 1) word |= UINT64_C(0xff) << 8 * i;
        assert_true(ws_bytes_of((uint8_t)set) == word);
        assert_int_equal(ws_bytes_full(word), set);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(used_and_full_are_told_byte_by_byte),
        cmocka_unit_test(a_set_of_bytes_becomes_their_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
