/* Random settings of the timed replay, of all its parameters: launches end, skipping cycles without turns does not
 * show, and neither do parameters that are said to have no effect. */
#include "../support/any_settings.h"
#include "../support/every.h"
#include "../support/folder.h"
#include "../support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { CASES = 240, BYTES = 4 + 3 * 12 };

/* Tries the law on random settings, of which some must be accepted. */
static void hold(bool (*law)(const uint8_t *bytes, size_t size)) {
    int fit = 0;
    for (uint64_t seed = 1; seed <= CASES; seed += EVERY) {
        uint64_t random = seed;
        uint8_t bytes[BYTES];
        size_t size = 4 + 3 * (size_t)(seed % 12 + 1);
        for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)random_next(&random);
        fit += law(bytes, size);
    }
    assert_true(fit > CASES / EVERY / 4);
}

static void cycles_without_turns(void **state) {
    (void)state;
    hold(any_settings_agree);
}

static void parameters_without_effect(void **state) {
    (void)state;
    hold(any_settings_idle_agree);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cycles_without_turns),
                                       cmocka_unit_test(parameters_without_effect)};
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
