/* The decoder of blocks, and the parser of the index, on bytes that no checksum protects: whatever these are, the
 * result is an error or some trace, and never exceeds the arrays. (Sanitizers make the most of this test.) */
#include "trace/wst/format.h"

#include "../support/random.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { STATICS = 24, CTAS = 3, WARPS = 4, INSTS = 60, ROUNDS = 6000 };

static void make_statics(ws_static statics[STATICS]) {
    memset(statics, 0, STATICS * sizeof *statics);
    for (uint32_t i = 0; i < STATICS; i++) {
        ws_static *s = &statics[i];
        s->pc = 8 * i;
        s->result_values = i % 4 == 3 ? WS_DST_MAX : i % 2;
        s->source_values = i % (WS_SRC_MAX + 1);
        if (i % 3) continue;
        s->op = WS_MEMORY_LOAD;
        s->space = WS_SPACE_GLOBAL;
        s->width_B = 4;
        s->index_count = i % (WS_INDEX_MAX + 1);
    }
}

static void encode_inst(wst_encoder *encoder, const ws_static *statics, uint32_t id, uint64_t *random) {
    const uint64_t mask = random_below(random, 3) ? 0xffffffff : random_next(random) & 0xffffffff;
    uint64_t addresses[WS_LANES_MAX], values[WS_OPERANDS_MAX];
    const bool affine = random_below(random, 2);
    for (uint64_t i = 0; i < WS_LANES_MAX; i++) addresses[i] = affine ? 4 * i : random_next(random) >> 30;
    wst_encoder_inst(encoder, id, mask, statics[id].op == WS_MEMORY_NONE ? NULL : addresses);
    const uint32_t operands = wst_operand_count(&statics[id]);
    if (!mask || !operands) return;
    for (uint32_t o = 0; o < operands; o++) values[o] = random_next(random) >> random_below(random, 64);
    wst_encoder_values(encoder, id, &statics[id], random_below(random, 1u << operands), values);
}

/* Makes the columns of a block, to be freed by the caller. */
static void make_block(const ws_static *statics, uint64_t seed, ws_buffer columns[WST_COLUMN_COUNT]) {
    wst_encoder *encoder = wst_encoder_new(32);
    for (uint32_t cta = 0; cta < CTAS; cta++) {
        wst_encoder_cta(encoder, 1, cta);
        for (uint32_t warp = 0; warp < WARPS; warp++) {
            wst_encoder_warp(encoder, warp);
            for (uint32_t i = 0; i < INSTS; i++)
                encode_inst(encoder, statics,
                            random_below(&seed, 4) ? i % STATICS : random_below(&seed, STATICS), &seed);
        }
        wst_encoder_end_cta(encoder);
    }
    const ws_buffer *made;
    assert_true(wst_encoder_finish(encoder, &made));
    for (int c = 0; c < WST_COLUMN_COUNT; c++) {
        columns[c] = (ws_buffer){0};
        ws_buffer_put(&columns[c], made[c].data, made[c].size);
    }
    wst_encoder_free(encoder);
}

/* Sums up what a CTA holds, so that all of it is read. */
static uint64_t read_cta(const wst_cta *cta) {
    uint64_t sum = 0;
    for (uint32_t w = 0; w < cta->warp_count; w++) {
        const ws_warp *warp = &cta->warps[w];
        for (uint32_t i = 0; i < warp->inst_count; i++) {
            sum += warp->static_id[i] + warp->mask[i] + warp->uniform[i];
            for (uint32_t a = warp->address_at[i]; a < warp->address_at[i + 1]; a++)
                sum += warp->addresses[a];
            for (uint32_t v = warp->value_at[i]; v < warp->value_at[i + 1]; v++) sum += warp->values[v];
        }
    }
    return sum;
}

/* Decodes the block, and takes over `columns`. Returns the number of CTAs that it gave, and adds their content to
 * `*sum`. */
static uint32_t decode(ws_buffer columns[WST_COLUMN_COUNT], const ws_static *statics, uint64_t *sum) {
    const ws_kernel kernel = {
        .counters = {.warp_instructions = CTAS * WARPS * INSTS, .trace_memory_lines = CTAS * WARPS * INSTS}};
    const wst_tables tables = {32, STATICS, 1, statics, &kernel};
    wst_decoder *decoder = wst_decoder_new(columns, &tables, 1, true);
    wst_cta cta = {0};
    uint32_t decoded = 0;
    ws_error err = WS_NO_ERROR;
    while (decoded < CTAS && wst_decoder_next(decoder, &cta, &err)) {
        *sum += read_cta(&cta);
        decoded++;
    }
    if (decoded < CTAS) assert_non_null(strstr(err.text, "damaged block: "));
    wst_cta_free(&cta);
    wst_decoder_free(decoder);
    return decoded;
}

/* Changes, cuts or lengthens a column. */
static void damage(ws_buffer *column, uint64_t *random) {
    const uint32_t kind = random_below(random, 8);
    if (kind == 0) column->size = column->size ? random_below(random, (uint32_t)column->size) : 0;
    for (uint32_t n = random_below(random, 4); kind == 1 && n > 0; n--)
        ws_buffer_put(column, &(uint8_t){(uint8_t)random_next(random)}, 1);
    for (uint32_t n = 1 + random_below(random, 3); kind > 1 && column->size && n > 0; n--)
        column->data[random_below(random, (uint32_t)column->size)] = (uint8_t)random_next(random);
}

/* The layout is left as it is: it says how many instructions to decode, and any number of them can be predicted. */
static void test_damaged_blocks(void **state) {
    (void)state;
    ws_static statics[STATICS];
    make_statics(statics);
    uint64_t random = 1, sum = 0, refused = 0, decoded = 0;
    ws_buffer whole[WST_COLUMN_COUNT];
    make_block(statics, 7, whole);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        ws_buffer columns[WST_COLUMN_COUNT] = {0};
        for (int c = 0; c < WST_COLUMN_COUNT; c++) ws_buffer_put(&columns[c], whole[c].data, whole[c].size);
        for (uint32_t n = round ? 1 + random_below(&random, 2) : 0; n > 0; n--)
            damage(&columns[1 + random_below(&random, WST_COLUMN_COUNT - 1)], &random);
        const uint32_t ctas = decode(columns, statics, &sum);
        if (!round) assert_int_equal(ctas, CTAS);
        refused += ctas < CTAS;
        decoded += ctas == CTAS;
    }
    assert_true(refused > ROUNDS / 10 && decoded > ROUNDS / 10);
    for (int c = 0; c < WST_COLUMN_COUNT; c++) ws_buffer_free(&whole[c]);
}

/* Puts a layout of CTAs whose second warp skips `skip` numbers. */
static void put_layout(ws_buffer *layout, uint64_t skip) {
    for (uint32_t cta = 0; cta < CTAS; cta++) {
        ws_buffer_put_varint(layout, 0); /* launches from the CTA before */
        ws_buffer_put_varint(layout, 0); /* CTAs skipped */
        ws_buffer_put_varint(layout, WARPS);
        for (uint32_t warp = 0; warp < WARPS; warp++) {
            ws_buffer_put_varint(layout, warp == 1 ? skip : 0);
            ws_buffer_put_varint(layout, INSTS);
        }
    }
}

/* Whatever is skipped, numbers of warps ascend: none is too large, and none comes again, which a sum of 64 bits would
 * allow. */
static void warp_numbers_ascend(void **state) {
    (void)state;
    static const struct {
        uint64_t skip;
        uint32_t ctas;
    } cases[] = {
        {0, CTAS},           {WS_CTA_WARPS_MAX - WARPS, CTAS}, {WS_CTA_WARPS_MAX - WARPS + 1, 0},
        {UINT64_MAX, 0}, /* warp 0 again */
        {UINT64_MAX - 1, 0},
    };
    ws_static statics[STATICS];
    make_statics(statics);
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        uint64_t sum = 0;
        ws_buffer columns[WST_COLUMN_COUNT];
        make_block(statics, 7, columns);
        columns[WST_COLUMN_LAYOUT].size = 0;
        put_layout(&columns[WST_COLUMN_LAYOUT], cases[i].skip);
        assert_int_equal(decode(columns, statics, &sum), cases[i].ctas);
    }
}

static void expect_refused(const wst_index *index, const char *message) {
    ws_buffer bytes = {0};
    wst_index found = {0};
    ws_error err = WS_NO_ERROR;
    wst_index_write(index, 0, &bytes);
    const wst_header header = {.warp_size = 32, .index_offset = sizeof header};
    assert_false(wst_index_read(&found, &header, bytes.data, bytes.size, &err));
    assert_string_equal(err.text, message);
    wst_index_free(&found);
    ws_buffer_free(&bytes);
}

/* Names and opcodes go into databases and JSON, so they have to be UTF-8. */
static void texts_are_utf8(void **state) {
    (void)state;
    ws_kernel kernel = {.name = "k\xff", .grid = {1, 1, 1}, .block = {32, 1, 1}};
    char *opcode = (char[]){"op\xff"};
    wst_index index = {.kernels = &kernel, .kernel_count = 1, .opcodes = &opcode, .opcode_count = 1};
    expect_refused(&index, "damaged index: launch 1: expected a name in UTF-8, found other bytes");
    kernel.name = "k";
    expect_refused(&index, "damaged index: expected the opcodes, found something else");
}

/* A CTA of more warps than a CTA can have. */
static void a_block_beyond_the_bounds(void **state) {
    (void)state;
    ws_kernel kernel = {.name = "k", .grid = {1, 1, 1}, .block = {32, WS_CTA_WARPS_MAX + 1, 1}};
    const wst_index index = {.kernels = &kernel, .kernel_count = 1};
    expect_refused(&index, "damaged index: expected the launches, found something else");
}

/* A step from one static instruction to the next that no 64-bit number can hold the end of. */
static void a_step_beyond_all_bounds(void **state) {
    (void)state;
    static const uint8_t step[] = {0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1};
    char *opcode = (char[]){"op"};
    ws_static statics[2] = {{.pc = 16}, {.pc = 24}};
    const wst_index index = {.opcodes = &opcode, .opcode_count = 1, .statics = statics, .static_count = 2};
    const wst_header header = {.warp_size = 32, .index_offset = sizeof header};
    ws_buffer bytes[2] = {0}, longer = {0};
    for (int i = 0; i < 2; i++) {
        wst_index_write(&index, 0, &bytes[i]);
        statics[1].pc = 32;
    }
    size_t at = 0;
    while (bytes[0].data[at] == bytes[1].data[at]) at++;
    ws_buffer_put(&longer, bytes[0].data, at);
    ws_buffer_put(&longer, step, sizeof step);
    ws_buffer_put(&longer, bytes[0].data + at + 1, bytes[0].size - at - 1);
    wst_index found = {0};
    ws_error err = WS_NO_ERROR;
    assert_true(wst_index_read(&found, &header, bytes[0].data, bytes[0].size, &err));
    wst_index_free(&found);
    found = (wst_index){0};
    assert_false(wst_index_read(&found, &header, longer.data, longer.size, &err));
    assert_non_null(strstr(err.text, "expected the static instructions"));
    wst_index_free(&found);
    for (int i = 0; i < 2; i++) ws_buffer_free(&bytes[i]);
    ws_buffer_free(&longer);
}

static void test_damaged_index(void **state) {
    (void)state;
    ws_static statics[STATICS];
    make_statics(statics);
    ws_kernel kernel = {.name = "k", .grid = {CTAS, 1, 1}, .block = {128, 1, 1}, .counters.ctas = CTAS};
    ws_memcpy copy = {1, 0x1000, 64};
    char *opcode = (char[]){"op"};
    wst_block_entry block = {.cta_count = CTAS, .first_kernel = 1};
    for (uint32_t c = 0; c < WST_COLUMN_COUNT; c++) block.raw_size[c] = block.size[c] = 10 * (c + 1);
    const wst_index index = {.kernels = &kernel,
                             .memcpys = &copy,
                             .statics = statics,
                             .opcodes = &opcode,
                             .blocks = &block,
                             .kernel_count = 1,
                             .memcpy_count = 1,
                             .static_count = STATICS,
                             .opcode_count = 1,
                             .block_count = 1};
    const wst_header header = {.features = WS_FEATURE_VALUES | WS_FEATURE_INDEX_FLOW,
                               .warp_size = 32,
                               .index_offset =
                                   sizeof header + 10 * (WST_COLUMN_COUNT * (WST_COLUMN_COUNT + 1) / 2)};
    ws_buffer whole = {0};
    wst_index_write(&index, header.features, &whole);
    uint64_t random = 2, refused = 0, read = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        ws_buffer bytes = {0};
        ws_buffer_put(&bytes, whole.data, whole.size);
        if (round) damage(&bytes, &random);
        wst_index found = {0};
        ws_error err = WS_NO_ERROR;
        const bool ok = wst_index_read(&found, &header, bytes.data, bytes.size, &err);
        if (!round) assert_true(ok);
        if (!ok) assert_non_null(strstr(err.text, "damaged index: "));
        for (size_t s = 0; ok && s < found.static_count; s++) {
            assert_true(found.statics[s].result_values <= WS_DST_MAX);
            assert_true(found.statics[s].source_values <= WS_SRC_MAX);
            assert_true(found.statics[s].index_count <= WS_INDEX_MAX);
        }
        refused += !ok;
        read += ok;
        wst_index_free(&found);
        ws_buffer_free(&bytes);
    }
    assert_true(refused > ROUNDS / 10 && read > ROUNDS / 10);
    ws_buffer_free(&whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damaged_blocks),      cmocka_unit_test(warp_numbers_ascend),
        cmocka_unit_test(texts_are_utf8),           cmocka_unit_test(a_block_beyond_the_bounds),
        cmocka_unit_test(a_step_beyond_all_bounds), cmocka_unit_test(test_damaged_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
