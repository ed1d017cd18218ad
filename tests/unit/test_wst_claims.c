/* Native traces of a few hundred bytes that claim to hold much more. Their checksums are right, and what is predicted
 * rightly costs no bytes, so nothing but the launches' counters and the bounds of the format keeps a claim from the
 * memory and the time that it asks for. */
#include "trace/wst/format.h"
#include "trace/wst/site.h"

#include "../support/folder.h"
#include "../support/mechanism_run.h"
#include "../support/stream.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include <xxhash.h>

#include <cmocka.h>

enum { SECONDS_MAX = 20 };

/* A trace of one block, whose CTAs have one warp each that executes the same load with all lanes again and again. */
typedef struct claims {
    ws_kernel kernel;
    uint32_t ctas, cta_insts[3]; /* as the layout says */
    uint32_t block_ctas;         /* as the index says; 0: as many */
    uint64_t raw_size;           /* of the address column; 0: the truth */
    uint64_t index_raw_size;     /* 0: the truth */
    uint32_t next_kernel;        /* launches from one CTA to the next */
    uint32_t sites;              /* first uses of the one static instruction; 0: one */
    uint32_t warp;               /* number of the warp in its CTA */
    int32_t skipped;             /* CTAs from one to the next; -1: it is the same one */
    const ws_memcpy *copies;     /* to the device */
    size_t copy_count;
} claims;

static void put_layout(ws_buffer *out, const claims *c) {
    for (uint32_t i = 0; i < c->ctas; i++) {
        ws_buffer_put_varint(out, i ? c->next_kernel : 0);
        ws_buffer_put_varint(out, ws_zigzag(i ? c->skipped : 0));
        ws_buffer_put_varint(out, 1); /* warp */
        ws_buffer_put_varint(out, c->warp);
        ws_buffer_put_varint(out, c->cta_insts[i]);
    }
}

/* The load follows itself. Its mask is given once, and its addresses are affine from the first time on. */
static void put_columns(ws_buffer *column, const claims *c) {
    const uint32_t sites = c->sites ? c->sites : 1;
    put_layout(&column[WST_COLUMN_LAYOUT], c);
    for (uint32_t s = 1; s <= sites; s++) {
        ws_buffer_put_varint(&column[WST_COLUMN_FLOW_RUN], 0);
        ws_buffer_put_varint(&column[WST_COLUMN_FLOW], s);
        ws_buffer_put_varint(&column[WST_COLUMN_FLOW], 0); /* static instruction */
    }
    ws_buffer_put_varint(&column[WST_COLUMN_FLOW_RUN], 0);
    ws_buffer_put_varint(&column[WST_COLUMN_FLOW], sites);
    ws_buffer_put_varint(&column[WST_COLUMN_MASK_RUN], 0);
    ws_buffer_put(&column[WST_COLUMN_MASK], &(uint32_t){UINT32_MAX}, 4);
    ws_buffer_put_varint(&column[WST_COLUMN_ADDRESS_RUN], 0);
    ws_buffer_put_varint(&column[WST_COLUMN_ADDRESS], WST_ADDRESS_STRIDE);
    ws_buffer_put_varint(&column[WST_COLUMN_ADDRESS], ws_zigzag(4));
}

static wst_block_entry make_block(const claims *c, ws_buffer *bytes) {
    ws_buffer column[WST_COLUMN_COUNT] = {0};
    wst_block_entry block = {.first_kernel = 1, .cta_count = c->block_ctas ? c->block_ctas : c->ctas};
    put_columns(column, c);
    for (int i = 0; i < WST_COLUMN_COUNT; i++) {
        block.raw_size[i] = block.size[i] = (uint32_t)column[i].size;
        ws_buffer_put(bytes, column[i].data, column[i].size);
        ws_buffer_free(&column[i]);
    }
    if (c->raw_size) block.raw_size[WST_COLUMN_ADDRESS] = (uint32_t)c->raw_size;
    block.checksum = XXH3_64bits(bytes->data, bytes->size);
    return block;
}

static const char *write_trace(const claims *c) {
    ws_buffer bytes = {0}, index_bytes = {0}, file = {0};
    wst_block_entry block = make_block(c, &bytes);
    ws_kernel kernel = c->kernel;
    ws_static load = {.class_ = WS_CLASS_MEM, .op = WS_MEMORY_LOAD, .space = WS_SPACE_GLOBAL, .width_B = 4};
    char *opcode = (char[]){"LDG"};
    const wst_index index = {.kernels = &kernel,
                             .memcpys = (ws_memcpy *)(uintptr_t)c->copies,
                             .memcpy_count = c->copy_count,
                             .statics = &load,
                             .opcodes = &opcode,
                             .blocks = &block,
                             .kernel_count = 1,
                             .static_count = 1,
                             .opcode_count = 1,
                             .block_count = 1};
    wst_index_write(&index, 0, &index_bytes);
    wst_header header = {
        .magic = WST_MAGIC, .version = WST_VERSION, .warp_size = 32, .isa = "sass", .tracer = "test"};
    header.index_offset = sizeof header + bytes.size;
    header.index_size = index_bytes.size;
    header.index_raw_size = c->index_raw_size ? c->index_raw_size : index_bytes.size;
    header.index_checksum = XXH3_64bits(index_bytes.data, index_bytes.size);
    header.checksum = XXH3_64bits(&header, offsetof(wst_header, checksum));
    ws_buffer_put(&file, &header, sizeof header);
    ws_buffer_put(&file, bytes.data, bytes.size);
    ws_buffer_put(&file, index_bytes.data, index_bytes.size);
    assert_true(file.size < 1000);
    const char *path = folder_write("claims.wst", file.data, file.size);
    ws_buffer_free(&bytes);
    ws_buffer_free(&index_bytes);
    ws_buffer_free(&file);
    return path;
}

static void assert_memory_below(size_t limit_B) {
#ifndef __SANITIZE_ADDRESS__
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    assert_true((size_t)usage.ru_maxrss * 1024 < limit_B);
#else
    (void)limit_B;
#endif
}

/* Opening the trace, or else checking it, fails with its path and then `text`. */
static void expect(const claims *c, const char *text) {
    ws_error err = WS_NO_ERROR;
    const char *path = write_trace(c);
    alarm(SECONDS_MAX);
    ws_trace *trace = ws_trace_open(path, &err);
    if (trace) assert_false(ws_trace_check(trace, &err));
    ws_trace_close(trace);
    alarm(0);
    assert_int_equal(err.code, strstr(text, "damaged") ? WS_ERROR_DAMAGED : WS_ERROR_TRACE);
    assert_int_equal(strncmp(err.text, path, strlen(path)), 0);
    assert_string_equal(err.text + strlen(path), text);
    assert_memory_below((size_t)256 << 20);
}

/* Returns a launch of `ctas` CTAs whose counters agree with `insts` loads. */
static claims honest(uint32_t ctas, uint64_t insts) {
    return (claims){
        .kernel = {.name = "k",
                   .grid = {2, 1, 1},
                   .block = {32, 1, 1},
                   .counters = {.ctas = ctas,
                                .warps = ctas,
                                .warp_instructions = insts,
                                .trace_memory_lines = insts,
                                .memory_instructions = insts,
                                .lane_accesses = 32 * insts,
                                .requests = insts,
                                .sectors = 4 * insts}},
        .ctas = ctas,
        .cta_insts = {(uint32_t)insts},
    };
}

static void instructions(void **state) {
    (void)state;
    claims c = honest(1, 3);
    c.cta_insts[0] = 1 << 24;
    expect(&c, ": block 1: damaged block: more instructions than its launch has");
    c.cta_insts[0] = (1 << 24) + 1;
    expect(&c, ": block 1: damaged block: more instructions than a CTA may have");
    c = honest(1, UINT64_C(1) << 28);
    expect(&c, ": damaged index: launch 1: expected at most 16777216 warp instructions, found 268435456");
    c = honest(2, 600000 + 1);
    c.cta_insts[0] = 600000, c.cta_insts[1] = 1;
    expect(&c, ": block 1: damaged block: more CTAs than a block may have");
}

static void addresses(void **state) {
    (void)state;
    claims c = honest(1, 1 << 24);
    c.kernel.counters.trace_memory_lines = c.kernel.counters.memory_instructions = 5;
    c.kernel.counters.lane_accesses = c.kernel.counters.requests = c.kernel.counters.sectors = 5;
    expect(&c, ": block 1: damaged block: more addresses than its launch has");
}

static void sizes(void **state) {
    (void)state;
    claims c = honest(1, 3);
    c.raw_size = UINT32_MAX;
    expect(&c, ": damaged index: expected the list of blocks, found something else");
    c.raw_size = 500 << 20;
    expect(&c, ": damaged block 1 at byte 160 (it does not unpack)");
    c.raw_size = 60000; /* as much as a frame could hold */
    expect(&c, ": damaged block 1 at byte 160 (it does not unpack)");
    c = honest(1, 3);
    c.index_raw_size = UINT64_C(1) << 27;
    expect(&c, ": damaged index (it does not unpack)");
    c.index_raw_size++;
    expect(&c, ": damaged header");
}

static void counts(void **state) {
    (void)state;
    claims c = honest(3, 3);
    expect(&c, ": damaged index: launch 1: expected at most 2 CTAs, found 3");
    c = honest(1, 3);
    c.kernel.grid = (ws_dim3){1 << 20, 1 << 20, 1};
    c.kernel.counters.ctas = c.block_ctas = UINT32_MAX;
    expect(&c, ": damaged index: expected the list of blocks, found something else");
    c = honest(2, 6);
    c.cta_insts[0] = c.cta_insts[1] = 3;
    c.next_kernel = 1;
    expect(&c, ": block 1: damaged block: no CTA here");
    c = honest(1, 3);
    c.sites = 2;
    expect(&c, ": block 1: damaged block: an instruction that does not exist");
}

static void counters_that_contradict(void **state) {
    (void)state;
    static const struct {
        size_t counter;
        uint64_t value;
        const char *text;
    } cases[] = {
#define CASE(name, value, most, words)                                                                       \
    {offsetof(ws_counters, name), value,                                                                     \
     ": damaged index: launch 1: expected at most " most " " words ", found " #value}
        CASE(warps, 1025, "1024", "warps"),
        CASE(warp_instructions, 9223372036854775807, "16777216", "warp instructions"),
        CASE(meta_instructions, 16777217, "16777216", "instructions of class meta"),
        CASE(trace_memory_lines, 4, "3", "memory lines"),
        CASE(memory_instructions, 4, "3", "memory instructions"),
        CASE(lane_accesses, 193, "192", "lane accesses"),
        CASE(requests, 289, "288", "requests"),
        CASE(sectors, 865, "864", "sectors"),
        CASE(corrected_widths, 4, "3", "corrected widths"),
        CASE(after_exit, 4, "3", "instructions after an exit"),
#undef CASE
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        claims c = honest(1, 3);
        memcpy((char *)&c.kernel.counters + cases[i].counter, &cases[i].value, sizeof cases[i].value);
        expect(&c, cases[i].text);
    }
}

/* A warp whose number lies beyond the CTAs of its launch is refused by both replays. */
static void a_warp_beyond_its_cta(void **state) {
    (void)state;
    claims c = honest(1, 3);
    c.warp = 1;
    expect(&c, ": launch 1, CTA 0: expected warps below 1, found warp 1");
    const char *text = "CTA 0: expected warps below 1, found warp 1";
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = ws_trace_open(write_trace(&c), &err);
    ws_config *config = mechanism_config("gpu.clusters=1,dram.channels=2");
    ws_timed *timed = ws_timed_new(trace, config, &err);
    ws_timed_counters counters;
    assert_false(ws_timed_run(timed, 1, &counters, &err));
    assert_string_equal(err.text, text);
    ws_timed_free(timed);
    ws_config_free(config);

    config = config_for(NULL);
    ws_replayer *replayer = ws_replayer_new(trace, 0, &err);
    assert_false(ws_replay_order(replayer, 1, config, NULL, 0, NULL, &err));
    assert_string_equal(err.text, text);
    ws_replayer_free(replayer);
    ws_config_free(config);
    ws_trace_close(trace);
}

static void a_cta_that_comes_twice(void **state) {
    (void)state;
    claims c = honest(2, 6);
    c.cta_insts[0] = c.cta_insts[1] = 3;
    c.skipped = -1;
    expect(&c, ": launch 1: expected each CTA once, found CTA 0,0,0 again");
}

static void copies_of_no_device(void **state) {
    (void)state;
    static const ws_memcpy copies[] = {{1, 0xffffffffffffffe0, 32},
                                       {1, UINT64_MAX, 1},
                                       {1, 0x1000, (UINT64_C(1) << 40) + 1},
                                       {1, 0x1000, UINT64_MAX}};
    for (size_t i = 0; i < WS_COUNT(copies); i++) {
        claims c = honest(1, 3);
        c.copies = &copies[i], c.copy_count = 1;
        expect(&c, ": damaged index: expected the copies to the device, found something else");
    }
}

/* The digest has each of them before the launch that it says. */
static void copies_out_of_order(void **state) {
    (void)state;
#define FOUND(copy, first, found)                                                                            \
    ": damaged index: copy " #copy " to the device: expected it before one of the launches " #first          \
    " to 2, found " #found
    static const struct {
        ws_memcpy copies[2];
        const char *text;
    } cases[] = {
        {{{0, 0x1000, 32}, {1, 0x1000, 32}}, FOUND(1, 1, 0)},
        {{{2, 0x1000, 32}, {1, 0x1000, 32}}, FOUND(2, 2, 1)},
        {{{1, 0x1000, 32}, {3, 0x1000, 32}}, FOUND(2, 1, 3)},
        {{{1, 0x1000, 32}, {UINT32_MAX, 0x1000, 32}}, FOUND(2, 1, 4294967295)},
    };
#undef FOUND
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        claims c = honest(1, 3);
        c.copies = cases[i].copies, c.copy_count = 2;
        expect(&c, cases[i].text);
    }
}

/* All claims agree, and all of it could be decoded; the bounds of a CTA hold nevertheless. */
static void a_cta_at_the_bounds(void **state) {
    (void)state;
    claims c = honest(1, 1 << 24);
    ws_error err = WS_NO_ERROR;
    ws_trace *trace = ws_trace_open(write_trace(&c), &err);
    assert_non_null(trace);
    alarm(SECONDS_MAX);
    assert_false(ws_trace_check(trace, &err));
    alarm(0);
    assert_non_null(strstr(err.text, "more addresses than a CTA may have"));
    ws_trace_close(trace);
    assert_memory_below((size_t)1 << 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions),
        cmocka_unit_test(addresses),
        cmocka_unit_test(sizes),
        cmocka_unit_test(counts),
        cmocka_unit_test(counters_that_contradict),
        cmocka_unit_test(a_warp_beyond_its_cta),
        cmocka_unit_test(a_cta_that_comes_twice),
        cmocka_unit_test(copies_of_no_device),
        cmocka_unit_test(copies_out_of_order),
        cmocka_unit_test(a_cta_at_the_bounds),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
