/* Numbers that tell kernels of one short name apart: equal to counting, for each launch, the other names that came
 * before its own, and the numbers that kernels have in their own short names. */
#include "../support/random.h"
#include "trace/wst/instances.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { KERNELS = 40, SHORT_NAMES = 6, INSTANCES = 4 };

static bool is_first_launch(const ws_kernel *kernels, size_t k) {
    for (size_t i = 0; i < k; i++)
        if (!strcmp(kernels[i].name, kernels[k].name)) return false;
    return true;
}

static const char *const short_names[SHORT_NAMES] = {"scan",   "scan2",  "reduce",
                                                     "scan#2", "scan#3", "scan#2#2"};

/* What launch k is called: by the place, from 1, of its kernel among those of its short name, in the order of their
 * first launches; places whose name a kernel has do not count. */
static void name_of(const ws_kernel *kernels, const unsigned *short_of, size_t count, size_t k, char *out,
                    size_t size) {
    size_t place = 1, number = 1;
    for (size_t i = 0; i < k && strcmp(kernels[i].name, kernels[k].name) != 0; i++)
        place += short_of[i] == short_of[k] && is_first_launch(kernels, i);
    snprintf(out, size, "%s", short_names[short_of[k]]);
    while (place > 1) {
        bool taken = false;
        snprintf(out, size, "%s#%zu", short_names[short_of[k]], ++number);
        for (size_t i = 0; i < count; i++) taken |= strcmp(short_names[short_of[i]], out) == 0;
        place -= !taken;
    }
}

static void random_launches(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        uint64_t random = seed;
        ws_kernel kernels[KERNELS] = {{0}};
        char names[KERNELS][16];
        unsigned short_of[KERNELS];
        size_t count = random_below(&random, KERNELS + 1);
        for (size_t k = 0; k < count; k++) {
            short_of[k] = (unsigned)random_below(&random, SHORT_NAMES);
            snprintf(names[k], sizeof names[k], "%s<%u>", short_names[short_of[k]],
                     (unsigned)random_below(&random, INSTANCES));
            kernels[k] = (ws_kernel){.name = names[k], .short_name = strdup(short_names[short_of[k]])};
        }
        assert_true(ws_tell_instances_apart(kernels, count));
        for (size_t k = 0; k < count; k++) {
            char expected[32];
            name_of(kernels, short_of, count, k, expected, sizeof expected);
            assert_string_equal(kernels[k].short_name, expected);
        }
        for (size_t k = 0; k < count; k++) free((char *)(uintptr_t)kernels[k].short_name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_launches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
