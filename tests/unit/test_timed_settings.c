/* Random settings of the timed replay, of all its parameters: launches end, and skipping cycles without turns does not
 * show. */
#include "../support/any_settings.h"
#include "../support/every.h"
#include "../support/folder.h"
#include "../support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { CASES = 240, BYTES = 4 + 3 * 12 };

static void random_settings(void **state) {
    (void)state;
    int fit = 0;
    for (uint64_t seed = 1; seed <= CASES; seed += EVERY) {
        uint64_t random = seed;
        uint8_t bytes[BYTES];
        size_t size = 4 + 3 * (size_t)(seed % 12 + 1);
        for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)random_next(&random);
        fit += any_settings_agree(bytes, size);
    }
    assert_true(fit > CASES / EVERY / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_settings)};
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
