/* Set indexes: equal to their definitions bit by bit; laws. */
#include "../support/random.h"
#include "../support/stream.h"
#include "base/array.h"
#include "replay/set_index.h"
#include "warpsweep/timed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LINE_BITS = 7, DEGREE_MAX = 16 };

static unsigned bit_of(uint64_t number, unsigned bit) {
    return number >> bit & 1;
}

/* Nugteren et al., HPCA 2014, by bits of the address: bits 7 to 11, each XORed with one of 13, 14, 15, 17 and 19. With
 * 64 sets bit 12 is the sixth. */
static uint32_t naive_fermi_hash(uint64_t line, uint32_t sets) {
    static const unsigned partner[] = {13, 14, 15, 17, 19};
    uint64_t address = line << LINE_BITS;
    uint32_t set = 0;
    for (unsigned i = 0; i < 5; i++)
        set |= (bit_of(address, LINE_BITS + i) ^ bit_of(address, partner[i])) << i;
    return sets == 64 ? set | bit_of(address, 12) << 5 : set;
}

/* Rau, ISCA 1991: polynomials over GF(2), by their exponents; all are primitive. */
static const int exponents[DEGREE_MAX + 1][6] = {
    {0, -1},        {1, 0, -1},           {2, 1, 0, -1},        {3, 1, 0, -1},        {4, 1, 0, -1},
    {5, 2, 0, -1},  {6, 1, 0, -1},        {7, 1, 0, -1},        {8, 4, 3, 2, 0, -1},  {9, 4, 0, -1},
    {10, 3, 0, -1}, {11, 2, 0, -1},       {12, 6, 4, 1, 0, -1}, {13, 4, 3, 1, 0, -1}, {14, 10, 6, 1, 0, -1},
    {15, 1, 0, -1}, {16, 12, 3, 1, 0, -1}};

/* Long division: subtracts the polynomial under the highest power until what is left has a lower degree. */
static uint32_t naive_ipoly(uint64_t line, unsigned degree) {
    for (int power = 63; power >= (int)degree; power--)
        if (bit_of(line, (unsigned)power))
            for (int i = 0; exponents[degree][i] >= 0; i++)
                line ^= UINT64_C(1) << (power - (int)degree + exponents[degree][i]);
    return (uint32_t)line;
}

static void indexes_are_like_their_definitions(void **state) {
    (void)state;
    uint64_t random = 3;
    for (int i = 0; i < 20000; i++) {
        uint64_t line = random_next(&random) >> random_below(&random, 57) >> LINE_BITS;
        uint32_t any = 1 + random_below(&random, 5000);
        assert_int_equal(ws_set_of(WS_INDEX_LINEAR, line, any), line % any);
        assert_int_equal(ws_set_of(WS_INDEX_FERMI_HASH, line, 32), naive_fermi_hash(line, 32));
        assert_int_equal(ws_set_of(WS_INDEX_FERMI_HASH, line, 64), naive_fermi_hash(line, 64));
        for (unsigned degree = 0; degree <= DEGREE_MAX; degree++) {
            uint32_t sets = 1u << degree;
            assert_int_equal(ws_set_of(WS_INDEX_XOR, line, sets), line % sets ^ line / sets % sets);
            assert_int_equal(ws_set_of(WS_INDEX_IPOLY, line, sets), naive_ipoly(line, degree));
        }
    }
}

/* The same for the table that computes ipoly byte by byte, with which the timed replay finds the slice of each
 * access. */
static void maps_are_like_the_remainder(void **state) {
    (void)state;
    uint64_t random = 5;
    for (unsigned degree = 0; degree <= DEGREE_MAX; degree++) {
        ws_ipoly_map map;
        ws_ipoly_map_init(&map, 1u << degree);
        for (int i = 0; i < 2000; i++) {
            uint64_t value = random_next(&random) >> random_below(&random, 64);
            assert_int_equal(ws_ipoly_map_get(&map, value), naive_ipoly(value, degree));
        }
    }
}

static void neighbours_fill_all_sets(void **state) {
    (void)state;
    static const enum ws_set_index indexes[] = {WS_INDEX_LINEAR, WS_INDEX_FERMI_HASH, WS_INDEX_XOR,
                                                WS_INDEX_IPOLY};
    uint64_t random = 4;
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 200; i++) {
            uint32_t sets = indexes[k] == WS_INDEX_FERMI_HASH ? 32u << i % 2 : 1u << i % 12;
            uint64_t first = (random_next(&random) >> 20) * sets;
            bool *met = calloc(sets, sizeof *met);
            for (uint32_t n = 0; n < sets; n++) {
                uint32_t set = ws_set_of(indexes[k], first + n, sets);
                assert_true(set < sets && !met[set]);
                met[set] = true;
            }
            free(met);
        }
}

/* What ipoly is for: lines at a stride of any power of two do not gather in few sets. */
static void strides_fill_all_sets_of_ipoly(void **state) {
    (void)state;
    for (unsigned degree = 1; degree <= 10; degree++)
        for (unsigned stride = 0; stride < 40; stride++) {
            bool met[1 << 10] = {false};
            for (uint64_t n = 0; n < UINT64_C(1) << degree; n++) {
                uint32_t set = ws_set_of(WS_INDEX_IPOLY, n << stride, 1u << degree);
                assert_false(met[set]);
                met[set] = true;
            }
        }
}

static void polynomials_are_primitive(void **state) {
    (void)state;
    for (unsigned degree = 2; degree <= DEGREE_MAX; degree++) {
        uint32_t power = 1, order = 0;
        do { /* times x, reduced */
            power = ws_ipoly((uint64_t)power << 1, 1u << degree);
            order++;
        } while (power != 1 && order < 1u << degree);
        assert_int_equal(order, (1u << degree) - 1);
    }
}

static void sets_that_do_not_suit_are_refused(void **state) {
    (void)state;
    for (uint64_t sets = 1; sets <= 300; sets++) {
        bool power = (sets & (sets - 1)) == 0;
        assert_null(ws_set_index_refusal(WS_INDEX_LINEAR, sets));
        assert_int_equal(ws_set_index_refusal(WS_INDEX_FERMI_HASH, sets) == NULL, sets == 32 || sets == 64);
        assert_int_equal(ws_set_index_refusal(WS_INDEX_XOR, sets) == NULL, power);
        assert_int_equal(ws_set_index_refusal(WS_INDEX_IPOLY, sets) == NULL, power);
    }
    assert_null(ws_set_index_refusal(WS_INDEX_IPOLY, WS_IPOLY_SETS_MAX));
    assert_non_null(ws_set_index_refusal(WS_INDEX_IPOLY, 2 * WS_IPOLY_SETS_MAX));
}

/* The caches of the timed replay refuse the same numbers of sets. */
static void timed_caches_refuse_them_too(void **state) {
    (void)state;
    static const ws_component *const caches[] = {&ws_l1_component, &ws_l2_component};
    static const char *const refused[] = {"\"xor\"", "\"ipoly\"", "\"fermi_hash\""};
    static const char *const names[][3] = {{"l1.size_B", "l1.ways", "l1.index"},
                                           {"l2.size_B", "l2.ways", "l2.index"}};
    for (int i = 0; i < 2; i++) {
        ws_error err = WS_NO_ERROR;
        ws_config *config = ws_config_new(&caches[i], 1);
        config_set(config, names[i][0], "36864"); /* 96 sets of 3 ways of 128 B */
        config_set(config, names[i][1], "3");
        config_set(config, names[i][2], "\"linear\"");
        assert_true(ws_config_validate(config, &err));
        for (int k = 0; k < 3; k++) {
            config_set(config, names[i][2], refused[k]);
            assert_false(ws_config_validate(config, &err));
            assert_non_null(strstr(err.text, names[i][2]));
            assert_non_null(strstr(err.text, "found 96 sets"));
        }
        ws_config_free(config);
    }
}

/* Fermi's index may suit a size with another number of ways: the error says how many, and with as many there is no
 * error. Where none suits, or the replacement does not take as many, it names the linear index alone. */
static void errors_say_what_helps(void **state) {
    (void)state;
    const ws_component *const l1 = &ws_l1_component;
    static const char *const advice[][4] = {
        {"65536", "8", "\"lru\"", ": set l1.ways to 8, or l1.index to linear, which takes any"}, /* 64 sets */
        {"36864", "9", "\"lru\"", ": set l1.ways to 9, or l1.index to linear"},                  /* 32 */
        {"36864", NULL, "\"plru\"", ": set l1.index to linear"},
        {"67108864", NULL, "\"lru\"", ": set l1.index to linear"}, /* too many ways */
        {"2560", NULL, "\"lru\"", ": set l1.index to linear"},     /* 5 sets of 4 lines */
    };
    for (size_t i = 0; i < WS_COUNT(advice); i++) {
        ws_error err = WS_NO_ERROR;
        ws_config *config = ws_config_new(&l1, 1);
        config_set(config, "l1.size_B", advice[i][0]);
        config_set(config, "l1.replacement", advice[i][2]);
        assert_false(ws_config_validate(config, &err));
        if (!strstr(err.text, advice[i][3])) fail_msg("%s", err.text);
        if (advice[i][1]) config_set(config, "l1.ways", advice[i][1]);
        if (!advice[i][1]) config_set(config, "l1.index", "\"linear\"");
        assert_true(ws_config_validate(config, &err));
        ws_config_free(config);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_are_like_the_remainder),  cmocka_unit_test(indexes_are_like_their_definitions),
        cmocka_unit_test(neighbours_fill_all_sets),     cmocka_unit_test(strides_fill_all_sets_of_ipoly),
        cmocka_unit_test(polynomials_are_primitive),    cmocka_unit_test(sets_that_do_not_suit_are_refused),
        cmocka_unit_test(timed_caches_refuse_them_too), cmocka_unit_test(errors_say_what_helps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
