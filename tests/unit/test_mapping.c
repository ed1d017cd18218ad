/* The analysis `mapping`: equal to looking at the map of lanes to words, and right where the answer is known. */
#include "../support/folder.h"
#include "../support/generate.h"
#include "../support/naive.h"
#include "../support/random.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const ws_analysis *mapping(void) {
    return ws_analysis_find("mapping", NULL);
}

/* The row of the analysis that says so. */
static void write_row(const naive_patterns *n, char *row, size_t size) {
    const uint64_t cells[] = {n->requests, n->single,        n->broadcast,    n->consecutive, n->range,
                              n->other,    n->range_bounded, n->pattern_bits, n->map_bits};
    size_t length = (size_t)snprintf(row, size, "0 0");
    for (size_t i = 0; i < WS_COUNT(cells); i++)
        length += (size_t)snprintf(row + length, size - length, " %llu", (unsigned long long)cells[i]);
    snprintf(row + length, size - length, "\n");
}

static void random_traces_are_like_naive(void **state) {
    (void)state;
    uint64_t met[6] = {0};
    for (uint64_t seed = 1; seed <= 60; seed++) {
        uint64_t random = seed;
        unsigned warp_size = seed % 3 ? 32 : 64, line_B = 32u << random_below(&random, 4);
        ws_trace *trace = generate_random(seed, warp_size);
        for (uint32_t kernel = 1; kernel <= 2; kernel++) {
            ws_config *config = config_for(mapping());
            char number[16], expected[256];
            snprintf(number, sizeof number, "%u", line_B);
            config_set(config, "coalesce.line_B", number);
            if (seed % 2) config_set(config, "order.issue_meta", "true");
            stream s = stream_replayed(trace, kernel, config, mapping());
            char *got = stream_rows(&s, mapping(), config, &random);
            naive_patterns n = naive_mapping(&s, trace, line_B);
            write_row(&n, expected, sizeof expected);
            assert_string_equal(got, expected);
            assert_int_equal(n.single + n.broadcast + n.consecutive + n.range + n.other, n.requests);
            const uint64_t patterns[] = {n.single, n.broadcast, n.consecutive,
                                         n.range,  n.other,     n.range_bounded};
            for (int i = 0; i < 6; i++) met[i] += patterns[i];
            free(got);
            stream_free(&s);
            ws_config_free(config);
        }
        ws_trace_close(trace);
    }
    for (int i = 0; i < 6; i++) assert_true(met[i] > 0); /* all patterns were there */
}

/* ---- known answers: one load of a warp of 32, lines of 32 words */

typedef struct loads {
    uint64_t mask;
    uint64_t (*address)(unsigned lane);
    const char *cells; /* requests, the five patterns, range_bounded, pattern_bits, map_bits */
} loads;

static uint64_t own_word(unsigned lane) {
    return 0x1000 + 4 * lane;
}
static uint64_t own_line(unsigned lane) {
    return 0x1000 + 128 * lane + 4 * (lane % 7);
}
static uint64_t one_word(unsigned lane) {
    (void)lane;
    return 0x1010;
}
static uint64_t shifted(unsigned lane) {
    return 0x1000 + 4 * (lane + 3);
}
static uint64_t reversed(unsigned lane) {
    return 0x1000 + 4 * (31 - lane);
}
static uint64_t two_words(unsigned lane) {
    return 0x1000 + (lane < 16 ? 0 : 0x400);
}
static uint64_t every_second(unsigned lane) {
    return 0x1000 + 8 * lane;
}
static uint64_t astray(unsigned lane) {
    return 0x1000 + 4 * lane + 2;
}

static void known_patterns(void **state) {
    (void)state;
    static const loads cases[] = {
        {UINT32_MAX, own_word, "1 0 0 1 0 0 0 10 320"},
        {UINT32_MAX, own_line, "32 32 0 0 0 0 0 320 10240"},
        {UINT32_MAX, one_word, "1 0 1 0 0 0 0 10 320"},
        {0xF0, one_word, "1 0 1 0 0 0 0 10 320"},       /* all active lanes read one word */
        {0x10, one_word, "1 1 0 0 0 0 0 10 320"},       /* one lane is a single */
        {UINT32_MAX, shifted, "2 0 0 0 2 0 0 20 640"},  /* one ends at the last word, one at the last lane */
        {0x0000FFFF, own_word, "1 0 0 0 1 0 1 10 320"}, /* ends before both: range_bounded */
        {0xFFFF0000, own_word, "1 0 0 0 1 0 0 10 320"},
        {0xF0F0F0F0, own_word, "1 0 0 0 0 1 0 320 320"}, /* a gap in the lanes */
        {UINT32_MAX, reversed, "1 0 0 0 0 1 0 320 320"},
        {UINT32_MAX, two_words, "2 0 0 0 0 2 0 640 640"}, /* each half of the lanes reads one word */
        {UINT32_MAX, every_second, "2 0 0 0 0 2 0 640 640"},
        {UINT32_MAX, astray, "2 0 0 0 0 2 0 640 640"},
        {0, own_word, "0 0 0 0 0 0 0 0 0"},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        uint64_t addresses[32];
        const uint64_t *at = addresses;
        unsigned count = 0;
        for (unsigned lane = 0; lane < 32; lane++)
            if (cases[i].mask >> lane & 1) addresses[count++] = cases[i].address(lane);
        generate_plan plan = generate_loads(1, 1, 1, NULL);
        ws_trace *trace = generate_planned(&plan);
        ws_config *config = config_for(mapping());
        ws_stream_info info = stream_info(trace, 1, config);
        stream s = {.trace = trace};
        stream_add_inst(&s, (inst_record){.mask = cases[i].mask, .issued = true, .address = at});
        const void *params[] = {NULL};
        char *got = stream_analyse(&s, mapping(), params, 1, &info, 1, NULL), expected[128];
        snprintf(expected, sizeof expected, "0 0 %s\n", cases[i].cells);
        assert_string_equal(got, expected);
        free(got);
        stream_free(&s);
        ws_config_free(config);
        ws_trace_close(trace);
    }
}

/* The requests that the analysis counts are those of the replay's loads. */
static void requests_are_those_of_loads(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        ws_trace *trace = generate_random(seed, 32);
        ws_config *config = config_for(mapping());
        stream s = stream_replayed(trace, 1, config, mapping());
        char *got = stream_rows(&s, mapping(), config, NULL);
        unsigned long long sent = 0, requests;
        for (size_t i = 0; i < s.count; i++) sent += s.records[i].op == WS_MEMORY_LOAD;
        assert_int_equal(sscanf(got, "0 0 %llu", &requests), 1);
        assert_int_equal(requests, sent);
        free(got);
        stream_free(&s);
        ws_config_free(config);
        ws_trace_close(trace);
    }
}

/* ---- local memory */

enum { CTAS = 3, WARPS = 2, INSTS = 4, THREADS = CTAS * WARPS * 32 };

/* Multiples of 16 that many lanes have of their own. */
static uint64_t scattered(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    return 16 * (uint64_t)((7 * lane + 3 * warp + inst) % 5 + cta);
}
static uint64_t in_common(uint32_t cta, uint32_t warp, uint32_t inst, uint32_t lane) {
    (void)warp, (void)lane;
    return 16 * (uint64_t)(inst + cta);
}

static ws_trace *local_loads(uint8_t width_B, uint64_t (*address)(uint32_t, uint32_t, uint32_t, uint32_t)) {
    generate_plan plan = generate_loads(CTAS, WARPS, INSTS, address);
    plan.instruction.space = WS_SPACE_LOCAL;
    plan.instruction.width_B = plan.instruction.text_width_B = width_B;
    return generate_planned(&plan);
}

/* Adds a load of one word by each lane, the nth of the access: word i of thread t is at 4 x (i x threads + t). */
static void add_word(stream *s, uint64_t (*address)(uint32_t, uint32_t, uint32_t, uint32_t), uint32_t i,
                     uint32_t nth) {
    uint32_t warp = i / INSTS % WARPS, cta = i / INSTS / WARPS;
    uint64_t at[32];
    for (uint32_t lane = 0; lane < 32; lane++) {
        uint64_t word = address(cta, warp, i % INSTS, lane) / 4 + nth;
        at[lane] = 4 * (word * THREADS + 32 * (i / INSTS) + lane);
    }
    stream_add_inst(s, (inst_record){.mask = UINT32_MAX, .issued = true, .address = stream_keep(s, at, 32)});
}

/* What the lanes read by the word. */
static naive_patterns naive_by_word(uint64_t (*address)(uint32_t, uint32_t, uint32_t, uint32_t),
                                    uint32_t words) {
    ws_trace *trace = local_loads(4, address);
    stream s = {.trace = trace};
    for (uint32_t i = 0; i < CTAS * WARPS * INSTS; i++)
        for (uint32_t nth = 0; nth < words; nth++) add_word(&s, address, i, nth);
    naive_patterns n = naive_mapping(&s, trace, 128);
    stream_free(&s);
    ws_trace_close(trace);
    return n;
}

/* An access of several words to local memory requests the lines of one word after another, each with a mapping. */
static void wide_local_accesses_map_word_by_word(void **state) {
    (void)state;
    for (uint8_t words = 1; words <= 4; words++)
        for (int own = 0; own < 2; own++) {
            naive_patterns n = naive_by_word(own ? scattered : in_common, words);
            ws_trace *trace = local_loads(4 * words, own ? scattered : in_common);
            ws_config *config = config_for(mapping());
            stream s = stream_replayed(trace, 1, config, mapping());
            char *got = stream_rows(&s, mapping(), config, NULL), expected[256];
            write_row(&n, expected, sizeof expected);
            assert_string_equal(got, expected);
            assert_int_equal(n.requests, s.count);
            if (!own) assert_int_equal(n.consecutive, CTAS * WARPS * INSTS * words);
            free(got);
            stream_free(&s);
            ws_config_free(config);
            ws_trace_close(trace);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traces_are_like_naive),
        cmocka_unit_test(known_patterns),
        cmocka_unit_test(requests_are_those_of_loads),
        cmocka_unit_test(wide_local_accesses_map_word_by_word),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
