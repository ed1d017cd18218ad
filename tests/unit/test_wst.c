/* The native format: what was written is what is read, damage is noticed, nothing half-written is left. */
#include "warpsweep/trace.h"

#include "../support/random.h"
#include "base/array.h"
#include "base/buffer.h"
#include "trace/content.h"
#include "trace/names.h"
#include "trace/wst/format.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/warpsweep-test-wst-XXXXXX";

static const char *path_of(const char *name) {
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int setup(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state) {
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

/* ---- random traces, told twice: to the writer, and to a plain list */

typedef struct record {
    uint32_t kernel, cta, warp, static_id;
    uint64_t mask;
    unsigned address_count;
    uint64_t addresses[WS_LANES_MAX];
    uint32_t uniform;
    unsigned value_count;
    uint64_t values[WS_OPERANDS_MAX];
} record;

typedef struct story {
    record *records;
    size_t count, room;
    uint32_t ctas[8];
    uint32_t kernels, static_count, warp_size;
    uint64_t random;
    bool with_values, with_runs; /* runs: addresses in equal steps for a while */
    uint64_t results[4];         /* the last few of this warp, for sources to repeat */
} story;

static uint64_t below(story *s, uint64_t bound) {
    return random_next(&s->random) % bound;
}

static uint64_t random_mask(story *s) {
    uint64_t all = s->warp_size == 64 ? ~UINT64_C(0) : UINT64_C(0xffffffff);
    switch (below(s, 6)) {
    case 0:
        return 0;
    case 1:
        return random_next(&s->random) & all;
    case 2:
        return UINT64_C(1) << below(s, s->warp_size);
    case 3:
        return all >> below(s, s->warp_size);
    default:
        return all;
    }
}

static void random_addresses(story *s, record *r) {
    uint64_t base = UINT64_C(0x7f0000000000) + below(s, 1 << 20), stride = 0, last = base;
    unsigned kind = (unsigned)below(s, s->with_runs ? 6 : 5), lane = 0, n = 0;
    if (kind == 0) stride = below(s, 5000) - 2500;
    if (kind == 1) stride = 4;
    for (uint64_t m = r->mask; m; m >>= 1, lane++) {
        if (!(m & 1)) continue;
        uint64_t address = base + lane * stride;
        if (kind == 2) address = base + 4 * below(s, 10000);
        if (kind == 3) address = random_next(&s->random);
        if (kind == 5) {
            if (!below(s, 6)) stride = 4 * below(s, 80) - 160;
            address = last += stride;
        }
        r->addresses[n++] = address;
    }
    r->address_count = n;
}

static unsigned result_count(const story *s, uint32_t static_id) {
    return s->with_values && static_id % 3 != 1 ? static_id % 5 % 3 : 0;
}

static unsigned source_count(const story *s, uint32_t static_id) {
    return s->with_values ? static_id % (WS_SRC_MAX + 1) : 0;
}

/* Returns a constant, a counter, an earlier result, a small, large or floating-point number, mostly by operand. */
static uint64_t random_value(story *s, uint32_t operand) {
    const float number = (float)below(s, 33) - 16;
    uint32_t bits;
    memcpy(&bits, &number, sizeof bits);
    switch (below(s, 4) ? operand % 6 : below(s, 6)) {
    case 0:
        return operand;
    case 1:
        return s->count;
    case 2:
        return s->results[below(s, 4)];
    case 3:
        return below(s, 3);
    case 4:
        return bits;
    default:
        return random_next(&s->random) >> below(s, 64);
    }
}

static void random_values(story *s, record *r) {
    const unsigned results = result_count(s, r->static_id),
                   operands = results + source_count(s, r->static_id);
    if (!r->mask) return;
    for (unsigned o = 0; o < operands; o++) {
        if ((r->static_id + o) % 7 == 3 ? below(s, 10) : !below(s, 10)) continue; /* mostly as last time */
        const uint64_t value = random_value(s, r->static_id + o);
        r->uniform |= 1u << o;
        r->values[r->value_count++] = value;
        if (o < results) s->results[s->count % 4] = value;
    }
}

static void write_statics(story *s, ws_writer *w) {
    s->static_count = 3 + (uint32_t)below(s, 40);
    for (uint32_t i = 0; i < s->static_count; i++) {
        char opcode[16];
        int length = snprintf(opcode, sizeof opcode, "OP%u", i % 11);
        ws_static st = {.pc = 16 * i, .opcode = ws_writer_opcode(w, opcode, (size_t)length)};
        st.class_ = i % 7 == 6 ? WS_CLASS_EXIT : WS_CLASS_INT;
        st.src_count = i % 4;
        st.src[0] = (uint16_t)(i % 4 > 0 ? i : 0);
        st.immediate = (int32_t)i - 10;
        if (i % 3 == 0) {
            st.class_ = WS_CLASS_MEM;
            st.op = i % 2 ? WS_MEMORY_STORE : WS_MEMORY_LOAD;
            st.space = i % 5 == 4 ? WS_SPACE_SHARED : WS_SPACE_GLOBAL;
            st.width_B = (uint8_t)(1u << (i % 5));
            st.text_width_B = 4;
        }
        st.result_values = (uint8_t)result_count(s, i);
        st.source_values = (uint8_t)source_count(s, i);
        st.index_count = s->with_values && i % 3 == 0 ? (i / 3 + 1) % (WS_INDEX_MAX + 1) : 0;
        for (unsigned n = 0; n < st.index_count; n++) st.index_pc[n] = 1000 * n + i;
        assert_int_equal(ws_writer_static(w, &st), i);
        assert_int_equal(ws_writer_static(w, &st), i); /* interned */
    }
}

static void write_inst(story *s, ws_writer *w, uint32_t kernel, uint32_t cta, uint32_t warp,
                       uint32_t static_id) {
    ws_error err = WS_NO_ERROR;
    if (s->count == s->room)
        s->records = realloc(s->records, (s->room = s->room ? 2 * s->room : 1024) * sizeof(record));
    record *r = &s->records[s->count++];
    *r = (record){.kernel = kernel, .cta = cta, .warp = warp, .static_id = static_id, .mask = random_mask(s)};
    if (static_id % 3 == 0) random_addresses(s, r);
    random_values(s, r);
    const bool ok = s->with_values ? ws_writer_inst_values(w, r->static_id, r->mask, r->addresses, r->uniform,
                                                           r->values, &err)
                                   : ws_writer_inst(w, r->static_id, r->mask, r->addresses, &err);
    if (!ok) fail_msg("%s", err.text);
}

static void write_story(story *s, const char *path) {
    ws_error err = WS_NO_ERROR;
    ws_writer *w = ws_writer_new(path, "sass", "test", s->warp_size, WS_FEATURE_REGISTERS, &err);
    if (!w) fail_msg("%s", err.text);
    write_statics(s, w);
    s->kernels = 1 + (uint32_t)below(s, 4);
    for (uint32_t k = 1; k <= s->kernels; k++) {
        if (below(s, 2)) assert_true(ws_writer_memcpy(w, below(s, 1 << 30), 1 + below(s, 4096), &err));
        ws_kernel kernel = {
            .name = "_Z6kernelIiEvPT_", .grid = {3, 2, 2}, .block = {256, 1, 1}, .shared_B = k};
        assert_true(ws_writer_kernel(w, &kernel, &err));
        s->ctas[k] = (uint32_t)below(s, 12);
        for (uint32_t c = 0; c < s->ctas[k]; c++) {
            assert_true(ws_writer_cta(w, (ws_dim3){c % 3, c / 3 % 2, c / 6}, &err));
            for (uint32_t warp = (uint32_t)below(s, 2); warp < 256 / s->warp_size;
                 warp += 1 + (uint32_t)below(s, 2)) {
                assert_true(ws_writer_warp(w, warp, &err));
                uint64_t count = below(s, 60);
                for (uint64_t i = 0; i < count;
                     i++) /* mostly straight on, so that predictions hold sometimes */
                    write_inst(s, w, k, c, warp,
                               (uint32_t)(below(s, 5) ? i % s->static_count : below(s, s->static_count)));
            }
        }
    }
    if (!ws_writer_finish(w, &err)) fail_msg("%s", err.text);
    ws_writer_free(w);
}

static void compare_values(const record *r, const ws_warp *warp, uint32_t i) {
    assert_int_equal(r->uniform, warp->uniform[i]);
    assert_int_equal(r->value_count, warp->value_at[i + 1] - warp->value_at[i]);
    assert_memory_equal(r->values, warp->values + warp->value_at[i], r->value_count * sizeof *r->values);
}

static void compare_warp(const record **at, uint32_t kernel, uint32_t cta, const ws_warp *warp) {
    for (uint32_t i = 0; i < warp->inst_count; i++, ++*at) {
        const record *r = *at;
        assert_int_equal(r->kernel, kernel);
        assert_int_equal(r->cta, cta);
        assert_int_equal(r->warp, warp->id);
        assert_int_equal(r->static_id, warp->static_id[i]);
        assert_int_equal(r->mask, warp->mask[i]);
        assert_int_equal(r->address_count, warp->address_at[i + 1] - warp->address_at[i]);
        assert_memory_equal(r->addresses, warp->addresses + warp->address_at[i],
                            r->address_count * sizeof *r->addresses);
        if (warp->value_at) compare_values(r, warp, i);
    }
}

static void compare_statics(const story *s, const ws_trace *t) {
    for (uint32_t i = 0; i < ws_trace_get_info(t)->static_count; i++) {
        const ws_static *st = &ws_trace_statics(t)[i];
        assert_int_equal(st->result_values, result_count(s, i));
        assert_int_equal(st->source_values, source_count(s, i));
        assert_int_equal(st->index_count,
                         s->with_values && i % 3 == 0 ? (i / 3 + 1) % (WS_INDEX_MAX + 1) : 0);
        for (unsigned n = 0; n < st->index_count; n++) assert_int_equal(st->index_pc[n], 1000 * n + i);
    }
}

static void compare_story(const story *s, const ws_trace *t, bool ask_values) {
    ws_error err = WS_NO_ERROR;
    ws_reader *reader = ws_reader_new(t, &err);
    const record *at = s->records;
    if (ask_values) assert_true(ws_reader_with_values(reader, &err));
    assert_int_equal(ws_trace_get_info(t)->kernel_count, s->kernels);
    for (uint32_t k = 1; k <= s->kernels; k++) {
        assert_string_equal(ws_trace_kernel(t, k)->short_name, "kernel");
        assert_int_equal(ws_trace_kernel(t, k)->counters.ctas, s->ctas[k]);
        for (uint32_t c = 0; c < s->ctas[k]; c++) {
            ws_cta cta;
            if (!ws_reader_cta(reader, k, c, &cta, &err)) fail_msg("%s", err.text);
            assert_int_equal(cta.id.x, c % 3);
            assert_int_equal(cta.id.z, c / 6);
            for (uint32_t w = 0; w < cta.warp_count; w++) {
                assert_int_equal(cta.warps[w].value_at != NULL, ask_values);
                compare_warp(&at, k, c, &cta.warps[w]);
            }
        }
    }
    assert_int_equal(at - s->records, s->count);
    ws_reader_free(reader);
}

static void random_round_trips(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        ws_error err = WS_NO_ERROR;
        story s = {
            .random = seed, .warp_size = seed % 3 ? 32 : 64, .with_values = seed % 2, .with_runs = true};
        write_story(&s, path_of("random.wst"));
        ws_trace *t = ws_trace_open(path_of("random.wst"), &err);
        if (!t || !ws_trace_check(t, &err)) fail_msg("seed %llu: %s", (unsigned long long)seed, err.text);
        const uint32_t later = WS_FEATURE_VALUES | WS_FEATURE_INDEX_FLOW;
        assert_int_equal(ws_trace_get_info(t)->features & later, s.with_values ? later : 0);
        compare_statics(&s, t);
        compare_story(&s, t, false);
        if (s.with_values) compare_story(&s, t, true);
        ws_trace_close(t);
        free(s.records);
    }
}

/* A reader that is asked for values that the trace lacks gives an error that names the trace and the field. */
static void values_that_are_not_there(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    story s = {.random = 9, .warp_size = 32};
    write_story(&s, path_of("plain.wst"));
    ws_trace *t = ws_trace_open(path_of("plain.wst"), &err);
    ws_reader *reader = ws_reader_new(t, &err);
    assert_false(ws_reader_with_values(reader, &err));
    assert_int_equal(err.code, WS_ERROR_TRACE);
    assert_non_null(strstr(err.text, "plain.wst: expected a trace with operand values"));
    ws_reader_free(reader);
    ws_trace_close(t);
    free(s.records);
}

/* CTAs have the same content in whatever order they are read. */
static void random_access(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    story s = {.random = 7, .warp_size = 32, .with_values = true};
    write_story(&s, path_of("access.wst"));
    ws_trace *t = ws_trace_open(path_of("access.wst"), &err);
    ws_reader *reader = ws_reader_new(t, &err);
    for (int i = 0; i < 300; i++) {
        if (i == 150) assert_true(ws_reader_with_values(reader, &err)); /* values from now on */
        uint32_t k = 1 + (uint32_t)below(&s, s.kernels);
        if (!s.ctas[k]) continue;
        uint32_t c = (uint32_t)below(&s, s.ctas[k]);
        ws_cta cta;
        assert_true(ws_reader_cta(reader, k, c, &cta, &err));
        const record *at = s.records;
        while (at < s.records + s.count && (at->kernel != k || at->cta != c)) at++;
        for (uint32_t w = 0; w < cta.warp_count; w++) compare_warp(&at, k, c, &cta.warps[w]);
    }
    ws_reader_free(reader);
    ws_trace_close(t);
    free(s.records);
}

/* ---- content */

static void same_content_same_digest(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    char digest[3][33];
    for (int i = 0; i < 3; i++) {
        story s = {.random = i < 2 ? 11 : 12, .warp_size = 32};
        write_story(&s, path_of("digest.wst"));
        ws_trace *t = ws_trace_open(path_of("digest.wst"), &err);
        strcpy(digest[i], ws_trace_get_info(t)->digest);
        ws_trace_close(t);
        free(s.records);
    }
    assert_string_equal(digest[0], digest[1]);
    assert_string_not_equal(digest[0], digest[2]);
    assert_string_equal(
        digest[0],
        "bb59e99bd0d575c44d5e5c68eae8db13"); /* digests stay what they were: results are stored under them */
}

/* Returns the digest of a trace of one instruction with two sources, of which those in `uniform` have the value
 * `value`. It also has a copy that was told of in the middle of its launch. */
static void digest_of(uint32_t features, uint32_t uniform, uint64_t value, uint32_t index_pc,
                      char digest[33]) {
    ws_error err = WS_NO_ERROR;
    ws_writer *w = ws_writer_new(path_of("one.wst"), "sass", "test", 32, features, &err);
    const ws_kernel kernel = {.name = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}};
    const ws_static s = {.opcode = ws_writer_opcode(w, "OP", 2),
                         .source_values = 2,
                         .index_count = index_pc != 0,
                         .index_pc = {index_pc}};
    assert_true(ws_writer_kernel(w, &kernel, &err) && ws_writer_cta(w, (ws_dim3){0, 0, 0}, &err));
    assert_true(ws_writer_warp(w, 0, &err) && ws_writer_memcpy(w, 0x1000, 64, &err));
    assert_true(ws_writer_inst_values(w, ws_writer_static(w, &s), 3, NULL, uniform, &value, &err));
    assert_true(ws_writer_finish(w, &err));
    ws_writer_free(w);
    ws_trace *t = ws_trace_open(path_of("one.wst"), &err);
    assert_true(ws_trace_check(t, &err));
    strcpy(digest, ws_trace_get_info(t)->digest);
    ws_trace_close(t);
}

/* So is that a trace has registers, though no instruction has any: a replay then waits for none. */
static void values_are_content(void **state) {
    (void)state;
    char digests[7][33];
    digest_of(0, 1, 5, 0, digests[0]);
    digest_of(0, 1, 6, 0, digests[1]);
    digest_of(0, 2, 5, 0, digests[2]);
    digest_of(0, 0, 0, 0, digests[3]);
    digest_of(0, 1, 5, 8, digests[4]);
    digest_of(0, 1, 5, 16, digests[5]);
    digest_of(WS_FEATURE_REGISTERS, 1, 5, 16, digests[6]);
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < i; j++) assert_string_not_equal(digests[i], digests[j]);
}

/* Slow twin: every byte of every lane marks its segment. */
static unsigned naive_segments(const uint64_t *addresses, unsigned count, unsigned width, unsigned shift) {
    uint64_t seen[WS_LANES_MAX * 16];
    unsigned n = 0;
    for (unsigned i = 0; i < count; i++)
        for (unsigned b = 0; b < width; b++) {
            uint64_t segment = (addresses[i] + b) >> shift;
            unsigned at = 0;
            while (at < n && seen[at] != segment) at++;
            if (at == n) seen[n++] = segment;
        }
    return n;
}

static void segments_against_the_twin(void **state) {
    (void)state;
    story s = {.random = 3, .warp_size = 32};
    for (int i = 0; i < 20000; i++) {
        record r = {.mask = random_mask(&s)};
        random_addresses(&s, &r);
        unsigned width = 1u << below(&s, 5), shift = below(&s, 2) ? 5 : 7;
        assert_int_equal(ws_count_segments(r.addresses, r.address_count, width, shift),
                         naive_segments(r.addresses, r.address_count, width, shift));
    }
    const uint64_t straddling[] = {126};
    assert_int_equal(ws_count_segments(straddling, 1, 4, 7), 2);
    const uint64_t at_the_end[] = {UINT64_MAX, 0};
    assert_int_equal(ws_count_segments(at_the_end, 1, 4, 7), 1);
    assert_int_equal(ws_count_segments(at_the_end, 2, 4, 7), 2);
}

static void counters_of_exits_and_widths(void **state) {
    (void)state;
    const ws_static add = {.class_ = WS_CLASS_INT}, leave = {.class_ = WS_CLASS_EXIT},
                    phi = {.class_ = WS_CLASS_META};
    const ws_static load = {.class_ = WS_CLASS_MEM,
                            .op = WS_MEMORY_LOAD,
                            .space = WS_SPACE_GLOBAL,
                            .width_B = 16,
                            .text_width_B = 2};
    const uint64_t address[2] = {0, 4096};
    ws_counters c = {0};
    ws_warp_account warp = {0};
    ws_counters_inst(&c, &warp, &add, 0xffffffff, NULL);
    ws_counters_inst(&c, &warp, &leave, 0xfffffffc, NULL);
    ws_counters_inst(&c, &warp, &load, 3, address); /* two lanes are left: not after the exit of all */
    ws_counters_inst(&c, &warp, &load, 0, NULL);    /* predicated off: a line of the text, no access */
    ws_counters_inst(&c, &warp, &phi, 3, NULL);
    assert_int_equal(c.after_exit, 0);
    ws_counters_inst(&c, &warp, &leave, 3, NULL);
    ws_counters_inst(&c, &warp, &add, 3, NULL);
    assert_int_equal(c.after_exit, 1);
    assert_int_equal(c.warp_instructions, 6);
    assert_int_equal(c.meta_instructions, 1);
    assert_int_equal(c.trace_memory_lines, 2);
    assert_int_equal(c.corrected_widths, 2);
    assert_int_equal(c.memory_instructions, 1);
    assert_int_equal(c.lane_accesses, 2);
    assert_int_equal(c.requests, 2);
    assert_int_equal(c.sectors, 2);
}

static void short_names(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"atax_1", "atax_1"},
        {"_Z6KernelP4NodePiPbS2_S2_S1_i", "Kernel"},
        {"_Z12atax_kernel1PfS_S_", "atax_kernel1"},
        {"_ZN2at6native13reduce_kernelILi512ELi1ENS0_8ReduceOpIfEEEEvT1_", "reduce_kernel"},
        {"_ZN12_GLOBAL__N_14axpyIfEEvPT_S2_", "axpy"},
        {"_Z1\xc3\xa4v", "_Z1\xc3\xa4v"}, /* one byte is half a character */
        {"_Z2\xc3\xa4v", "\xc3\xa4"},
        {"_ZN1aplERKS_", "operator+"},
        {"_ZN1anwEm", "operator new"},
        {"_ZNK3sum4foldIfEclIiEEvT_", "operator()"},
        /* Each argument holds the one before twice: the whole name would have 2^40 of them. */
        {"_Z6kernelI1AIiiES0_IS1_S1_ES0_IS2_S2_ES0_IS3_S3_ES0_IS4_S4_ES0_IS5_S5_ES0_IS6_S6_ES0_IS7_S7_ES0_"
         "IS8_S8_E"
         "S0_IS9_S9_ES0_ISA_SA_ES0_ISB_SB_ES0_ISC_SC_ES0_ISD_SD_ES0_ISE_SE_ES0_ISF_SF_ES0_ISG_SG_ES0_ISH_SH_"
         "ES0_ISI_SI_"
         "ES0_ISJ_SJ_ES0_ISK_SK_ES0_ISL_SL_ES0_ISM_SM_ES0_ISN_SN_ES0_ISO_SO_ES0_ISP_SP_ES0_ISQ_SQ_ES0_ISR_SR_"
         "ES0_ISS_SS_"
         "ES0_IST_ST_ES0_ISU_SU_ES0_ISV_SV_ES0_ISW_SW_ES0_ISX_SX_ES0_ISY_SY_ES0_ISZ_SZ_EEvv",
         "kernel"},
        {"_Zbroken", "_Zbroken"},
        {"", ""},
        {"vecAdd(double*, double*, int)", "vecAdd"},
        {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float> >(at::native::ReduceOp<float>)",
         "reduce_kernel"},
        {"(anonymous namespace)::axpy(float*)", "axpy"},
        {"void (anonymous namespace)::scan<(int)5, (anonymous namespace)::Op>()", "scan"},
        {"void f<g(int)>::h(float*)", "h"},
        {"layer 3 (fp16)", "layer 3 (fp16)"},
        {"gemm(128)", "gemm(128)"},
        {"a::b", "a::b"},
        {"(x)", "(x)"},
        {"f<(", "f<("},
        {"a::(b)", "a::(b)"},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char *name = ws_short_name(cases[i][0]);
        assert_string_equal(name, cases[i][1]);
        free(name);
    }
}

static void selections(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_selection *s = ws_selection_new("1,3-5", "--kernels", &err);
    const bool expected[] = {true, false, true, true, true, false};
    for (uint32_t i = 1; i <= 6; i++) assert_int_equal(ws_selection_has(s, i, "x", "x"), expected[i - 1]);
    ws_selection_free(s);
    s = ws_selection_new("^atax_[12]$", "--kernels", &err);
    assert_true(ws_selection_has(s, 9, "_Z6atax_1Pf", "atax_1"));
    assert_false(ws_selection_has(s, 9, "gemm", "gemm"));
    ws_selection_free(s);
    /* A list consists of numbers and what stands between them alone; anything else is a pattern. */
    static const struct {
        const char *text;
        bool first, fourth; /* launches 1 ("alpha") and 4 ("beta2") */
    } cases[] = {{".*", true, true},
                 {"*", true, true},
                 {"4", false, true},
                 {" 1 , 4 - 9 ", true, true},
                 {"4.*", false, false},
                 {"[0-9]", false, true},
                 {"a|2", true, true},
                 {"2$", false, true},
                 {"^a", true, false},
                 {"a+b*", true, true},
                 {"((a|l)+p*)+", true, true},
                 {"\\*+", false, false},
                 /* 12 repeats are not too many, and those behind a backslash are none */
                 {"^al?p?h?a?x?x?x?x?x?x?x?x?", true, false},
                 {"\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+\\+|2", false, true}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        s = ws_selection_new(cases[i].text, "--kernels", &err);
        assert_non_null(s);
        assert_int_equal(ws_selection_has(s, 1, "alpha", "alpha"), cases[i].first);
        assert_int_equal(ws_selection_has(s, 4, "beta2", "beta2"), cases[i].fourth);
        ws_selection_free(s);
    }
    static const char *const bad[] = {"1,,2", "0", "3-1", "1-", "5000000000", "(", ",", "", " ", "-", "1-2-3",
                                      /* repeats within repeats, which take exponential time to compile */
                                      "^A*******+++", "((a+)+)+", "(((a|b?)*c)*)*", "(a{9}){9}",
                                      "a?a?a?a?a?a?a?a?a?a?a?a?a?"};
    for (size_t i = 0; i < WS_COUNT(bad); i++) {
        assert_null(ws_selection_new(bad[i], "--kernels", &err));
        assert_int_equal(err.code, WS_ERROR_USAGE);
        assert_non_null(strstr(err.text, "--kernels: expected"));
    }
}

/* ---- damage */

static ws_buffer load(const char *path) {
    ws_buffer b = {0};
    FILE *f = fopen(path, "rb");
    uint8_t chunk[4096];
    for (size_t n; (n = fread(chunk, 1, sizeof chunk, f)) > 0;) ws_buffer_put(&b, chunk, n);
    fclose(f);
    return b;
}

static void save(const char *path, const void *bytes, size_t size) {
    FILE *f = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, size, f), size);
    fclose(f);
}

static bool opens_and_checks(const char *path, ws_error *err) {
    ws_trace *t = ws_trace_open(path, err);
    bool ok = t && ws_trace_check(t, err);
    ws_trace_close(t);
    return ok;
}

static void every_flipped_byte_is_noticed(void **state) {
    (void)state;
    story s = {.random = 21, .warp_size = 32, .with_values = true};
    write_story(&s, path_of("flip.wst"));
    free(s.records);
    ws_buffer bytes = load(path_of("flip.wst"));
    for (size_t i = 0; i < bytes.size; i += 1 + i / 997) {
        ws_error err = WS_NO_ERROR;
        bytes.data[i] ^= (uint8_t)(1u << (i % 8));
        save(path_of("flipped.wst"), bytes.data, bytes.size);
        if (opens_and_checks(path_of("flipped.wst"), &err)) fail_msg("byte %zu", i);
        const bool is_ours = i >= offsetof(wst_header, features); /* still, by its magic bytes and version */
        assert_int_equal(err.code, is_ours ? WS_ERROR_DAMAGED : WS_ERROR_TRACE);
        assert_non_null(strstr(err.text, "flipped.wst: "));
        bytes.data[i] ^= (uint8_t)(1u << (i % 8));
    }
    for (size_t size = 0; size < bytes.size; size += 1 + size / 13) {
        ws_error err = WS_NO_ERROR;
        save(path_of("cut.wst"), bytes.data, size);
        assert_false(opens_and_checks(path_of("cut.wst"), &err));
        assert_int_equal(err.code, size < sizeof(wst_header) ? WS_ERROR_TRACE : WS_ERROR_DAMAGED);
    }
    ws_buffer_free(&bytes);
}

static void refusals(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    assert_null(ws_trace_open(path_of("absent.wst"), &err));
    assert_int_equal(err.code, WS_ERROR_IO);
    assert_null(ws_trace_open(folder, &err));
    assert_int_equal(err.code, WS_ERROR_TRACE);
    assert_null(ws_writer_new(path_of("no/such/folder.wst"), "sass", "test", 32, 0, &err));
    assert_int_equal(err.code, WS_ERROR_IO);

    ws_writer *w = ws_writer_new(path_of("refused.wst"), "sass", "test", 32, 0, &err);
    ws_kernel kernel = {.name = "k\xff", .grid = {2, 1, 1}, .block = {64, 1, 1}};
    assert_false(ws_writer_kernel(w, &kernel, &err));
    assert_string_equal(err.text, "kernel k\xff: expected a name in UTF-8");
    kernel.name = "k";
    assert_true(ws_writer_kernel(w, &kernel, &err));
    assert_false(ws_writer_memcpy(w, UINT64_MAX, 1, &err));
    assert_false(ws_writer_memcpy(w, 0, (UINT64_C(1) << 40) + 1, &err));
    assert_int_equal(err.code, WS_ERROR_TRACE);
    assert_non_null(strstr(err.text, "expected at most 2^40 bytes, which end below 2^64"));
    assert_true(ws_memcpy_valid(0, UINT64_C(1) << 40));
    assert_true(ws_memcpy_valid(UINT64_MAX - 1, 1));
    assert_false(ws_writer_cta(w, (ws_dim3){2, 0, 0}, &err));
    assert_true(ws_writer_cta(w, (ws_dim3){1, 0, 0}, &err));
    assert_false(ws_writer_warp(w, 2, &err));
    assert_true(ws_writer_warp(w, 1, &err));
    assert_false(ws_writer_warp(w, 0, &err));
    assert_false(ws_writer_warp(w, 1, &err));
    assert_string_equal(err.text, "warp 1: expected one after warp 1");
    const ws_static two = {.opcode = ws_writer_opcode(w, "OP", 2), .result_values = 1, .source_values = 1};
    const uint64_t values[] = {1, 2, 3};
    assert_true(ws_writer_inst_values(w, ws_writer_static(w, &two), 1, NULL, 3, values, &err));
    assert_false(ws_writer_inst_values(w, ws_writer_static(w, &two), 1, NULL, 7, values, &err));
    assert_int_equal(err.code, WS_ERROR_INTERNAL);
    assert_true(ws_writer_cta(w, (ws_dim3){0, 0, 0}, &err));
    ws_writer_free(w); /* unfinished: nothing stays */
    assert_int_not_equal(access(path_of("refused.wst"), F_OK), 0);
    DIR *d = opendir(folder);
    for (struct dirent *e; (e = readdir(d));) assert_null(strstr(e->d_name, "refused"));
    closedir(d);
}

/* ---- what is refused, and corners */

/* Writes a trace with one execution of `fault` by these lanes. Returns the writer's error, if any. */
static ws_error write_fault(const ws_static *fault, uint64_t mask, const uint64_t *addresses,
                            uint32_t uniform) {
    ws_error err = WS_NO_ERROR;
    ws_writer *w = ws_writer_new(path_of("fault.wst"), "sass", "test", 32, 0, &err);
    const ws_kernel kernel = {.name = "k", .grid = {1, 1, 1}, .block = {32, 1, 1}};
    ws_static s = *fault;
    s.opcode += ws_writer_opcode(w, "LDG", 3);
    uint32_t id = ws_writer_static(w, &s);
    assert_true(ws_writer_kernel(w, &kernel, &err) && ws_writer_cta(w, (ws_dim3){0, 0, 0}, &err));
    assert_true(ws_writer_warp(w, 0, &err));
    if (ws_writer_inst_values(w, id, mask, addresses, uniform, NULL, &err))
        assert_true(ws_writer_finish(w, &err));
    ws_writer_free(w);
    return err;
}

/* Whatever a caller hands over, the writer refuses what readers would refuse or would read differently. */
static void faults_of_callers_are_not_written(void **state) {
    (void)state;
    const uint64_t address = 0x1000;
    const ws_static load = {.class_ = WS_CLASS_MEM,
                            .op = WS_MEMORY_LOAD,
                            .space = WS_SPACE_GLOBAL,
                            .width_B = 4,
                            .text_width_B = 4,
                            .result_values = 1};
    assert_int_equal(write_fault(&load, 1, &address, 0).code, WS_ERROR_NONE);
    ws_static faults[] = {load, load, load, load, load, load, load, load, load, load};
    faults[0].width_B = 0;
    faults[1].class_ = WS_CLASS_COUNT;
    faults[2].op = WS_MEMORY_OP_COUNT;
    faults[3].space = WS_SPACE_COUNT;
    faults[4].dst_count = WS_DST_MAX + 1;
    faults[5].src_count = WS_SRC_MAX + 1;
    faults[6].result_values = WS_DST_MAX + 1;
    faults[7].source_values = WS_SRC_MAX + 1;
    faults[8].index_count = WS_INDEX_MAX + 1;
    faults[9].opcode = 1; /* the first is 0 */
    for (size_t i = 0; i < WS_COUNT(faults); i++) {
        ws_error err = write_fault(&faults[i], 1, &address, 0);
        assert_int_equal(err.code, WS_ERROR_INTERNAL);
        assert_non_null(strstr(err.text, "fault.wst: a static instruction with a count, class, op"));
    }
    ws_error err = write_fault(&load, UINT64_C(1) << 32, &address, 0);
    assert_non_null(strstr(err.text, "a mask of 100000000: expected one of 32 lanes"));
    err = write_fault(&load, 1, NULL, 0);
    assert_non_null(strstr(err.text, "an execution of LDG, which accesses memory, without addresses"));
    assert_int_equal(write_fault(&load, 0, NULL, 0).code, WS_ERROR_NONE);
    for (uint32_t uniform = 1; uniform <= 2; uniform++) {
        err = write_fault(&load, 1, &address, uniform);
        assert_non_null(strstr(err.text, "values of operands that LDG does not have, or none of those"));
    }
    ws_writer *w = ws_writer_new(path_of("fault.wst"), "sass", "test", 32, 0, &err);
    assert_int_equal(ws_writer_opcode(w, "\xff", 1), UINT32_MAX);
    assert_int_equal(ws_writer_opcode(w, "a\0b", 3), UINT32_MAX);
    const ws_kernel huge = {.name = "k", .grid = {1, 1, 1}, .block = {1 << 20, 1 << 17, 1}},
                    most = {.name = "k", .grid = {1, 1, 1}, .block = {32, WS_CTA_WARPS_MAX, 1}};
    assert_false(ws_writer_kernel(w, &huge, &err));
    assert_string_equal(
        err.text, "kernel k: expected a grid of 1 to 2^40 CTAs and a block of 1 to 32768 threads, found "
                  "a grid of 1,1,1 and a block of 1048576,131072,1");
    assert_true(ws_writer_kernel(w, &most, &err));
    ws_writer_free(w);
    assert_null(ws_writer_new(path_of("fault.wst"), "an instruction set", "test", 32, 0, &err));
    assert_non_null(strstr(err.text, "instruction set 'an instruction set': expected at most 15 bytes"));
    assert_null(ws_writer_new(path_of("fault.wst"), "sass", "test", 32, 1u << 20, &err));
    assert_non_null(strstr(err.text, "features 0x100000: expected bits of WS_FEATURE_"));
}

/* Grids may have more than 2^32 CTAs. */
static void ctas_are_numbered_with_64_bits(void **state) {
    (void)state;
    const ws_dim3 grid = {100000, 60000, 50000};
    assert_true(ws_dim3_count(grid) == UINT64_C(300000000000000));
    assert_int_equal(ws_dim3_linear(grid, (ws_dim3){1, 0, 0}), 1);
    assert_int_equal(ws_dim3_linear(grid, (ws_dim3){0, 1, 0}), 100000);
    assert_true(ws_dim3_linear(grid, (ws_dim3){0, 0, 1}) == UINT64_C(6000000000));
    assert_true(ws_dim3_linear(grid, (ws_dim3){99999, 59999, 49999}) == ws_dim3_count(grid) - 1);
}

/* In a trace with values, the first warp may have no instructions, and so no values. */
static void a_first_warp_of_nothing(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_writer *w = ws_writer_new(path_of("nothing.wst"), "sass", "test", 32, 0, &err);
    const ws_kernel kernel = {.name = "k", .grid = {1, 1, 1}, .block = {64, 1, 1}};
    const ws_static s = {.opcode = ws_writer_opcode(w, "OP", 2), .result_values = 1};
    ws_writer_static(w, &s);
    assert_true(ws_writer_kernel(w, &kernel, &err) && ws_writer_cta(w, (ws_dim3){0, 0, 0}, &err));
    assert_true(ws_writer_warp(w, 0, &err) && ws_writer_warp(w, 1, &err) && ws_writer_finish(w, &err));
    ws_writer_free(w);
    ws_trace *trace = ws_trace_open(path_of("nothing.wst"), &err);
    assert_true(ws_trace_get_info(trace)->features & WS_FEATURE_VALUES);
    assert_true(ws_trace_check(trace, &err));
    ws_reader *reader = ws_reader_new(trace, &err);
    ws_cta cta;
    assert_true(ws_reader_with_values(reader, &err) && ws_reader_cta(reader, 1, 0, &cta, &err));
    assert_int_equal(cta.warp_count, 2);
    for (int i = 0; i < 2; i++) assert_true(cta.warps[i].uniform && cta.warps[i].values);
    ws_reader_free(reader);
    ws_trace_close(trace);
}

/* A CTA that is larger than a reader could hold is refused while it is written. */
static void a_cta_beyond_the_bounds(void **state) {
    (void)state;
    ws_error err = WS_NO_ERROR;
    ws_writer *w = ws_writer_new(path_of("large.wst"), "sass", "test", 32, 0, &err);
    ws_kernel kernel = {.name = "k", .grid = {1, 2, 1}, .block = {32, 1, 1}};
    assert_true(ws_writer_kernel(w, &kernel, &err));
    assert_true(ws_writer_cta(w, (ws_dim3){0, 1, 0}, &err));
    assert_true(ws_writer_warp(w, 0, &err));
    const ws_static s = {.opcode = ws_writer_opcode(w, "LDG", 3),
                         .op = WS_MEMORY_LOAD,
                         .space = WS_SPACE_GLOBAL,
                         .width_B = 4};
    const uint32_t load = ws_writer_static(w, &s);
    const uint64_t addresses[32] = {0};
    uint64_t written = 0;
    while (ws_writer_inst(w, load, UINT32_MAX, addresses, &err)) written++;
    ws_writer_free(w);
    assert_int_equal(err.code, WS_ERROR_TRACE);
    assert_string_equal(err.text, "kernel k: CTA 0,1,0: expected at most 2^26 addresses, as a native trace "
                                  "holds of a CTA, found more");
    assert_int_equal(written, 1 << 21);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults_of_callers_are_not_written),
        cmocka_unit_test(random_round_trips),
        cmocka_unit_test(values_that_are_not_there),
        cmocka_unit_test(random_access),
        cmocka_unit_test(same_content_same_digest),
        cmocka_unit_test(values_are_content),
        cmocka_unit_test(segments_against_the_twin),
        cmocka_unit_test(counters_of_exits_and_widths),
        cmocka_unit_test(short_names),
        cmocka_unit_test(selections),
        cmocka_unit_test(every_flipped_byte_is_noticed),
        cmocka_unit_test(refusals),
        cmocka_unit_test(ctas_are_numbered_with_64_bits),
        cmocka_unit_test(a_first_warp_of_nothing),
        cmocka_unit_test(a_cta_beyond_the_bounds),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
