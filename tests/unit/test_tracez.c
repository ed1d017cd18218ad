/* .tracez files: the text that they hold, the trace that it makes, and damage. */
#include "trace/import/tracez.h"

#include "../support/accelsim_sample.h"
#include "../support/every.h"
#include "../support/folder.h"
#include "../support/random.h"
#include "../support/tracez_pack.h"
#include "base/array.h"
#include "base/buffer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <cmocka.h>

#define HEADER6                                                                                              \
    "-kernel name = _Z3addPf\n-kernel id = 7\n-grid dim = (2,1,1)\n-block dim = (40,1,1)\n"                  \
    "-binary version = 90\n-accelsim tracer version = 6\n-enable lineinfo = 0\n\n#traces format = PC "       \
    "mask\n\n"
/* As traceDsm writes it. */
#define TEXT6                                                                                                \
    HEADER6                                                                                                  \
    "\n#BEGIN_TB\n\nthread block = 0,0,0\ncluster id = 0,0,0\ncluster cta = 0,0,0\ncluster rank = 0\n"       \
    "\nwarp = 0\ninsts = 3\n0000 ffffffff 1 R1 MOV 0 0 0 0 NoVal \n"                                         \
    "0010 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f0000001000 4 0 0 NoVal \n"                                        \
    "0020 ffffffff 0 EXIT 0 0 0 0 NoVal \n"                                                                  \
    "\nwarp = 1\ninsts = 0\n\n#END_TB\n"                                                                     \
    "\n#BEGIN_TB\n\nthread block = 1,0,0\ncluster id = 0,0,0\ncluster cta = 1,0,0\ncluster rank = 1\n"       \
    "\nwarp = 0\ninsts = 1\n0020 ffffffff 0 EXIT 0 0 0 0 NoVal \n"                                           \
    "\nwarp = 1\ninsts = 1\n0020 000000ff 0 EXIT 0 0 0 0 NoVal \n\n#END_TB\n"

static const char *write_packed(const char *name, const tracez_bytes *packed) {
    return folder_write(name, packed->data, packed->size);
}

/* Returns all of the text of a .tracez; the caller frees it. */
static char *text_of(const char *path) {
    ws_text text;
    ws_error err = WS_NO_ERROR;
    ws_buffer all = {0};
    ws_text_state state;
    assert_true(ws_tracez_is(path));
    ws_text_watch watch = {0};
    if (!ws_tracez_open(&text, path, &watch, &err)) fail_msg("%s", err.text);
    while ((state = ws_text_more(&text, &err)) == WS_TEXT_LINES) {
        ws_buffer_put(&all, text.at, (size_t)(text.end - text.at));
        text.at = text.end;
    }
    if (state == WS_TEXT_ERROR) fail_msg("%s", err.text);
    struct stat
        status; /* progress is told in bytes of the file, all of which are read but some of the index */
    assert_int_equal(stat(path, &status), 0);
    assert_in_range(watch.bytes_read, status.st_size / 2, status.st_size);
    ws_text_close(&text);
    ws_buffer_put(&all, "", 1);
    return (char *)all.data;
}

/* A launch of `ctas` CTAs of two warps with up to `most` instructions each. */
static char *random_text(uint64_t *random, unsigned ctas, unsigned most) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    fprintf(out, "-kernel name = k\n-grid dim = (%u,1,1)\n-block dim = (64,1,1)\n", ctas);
    fprintf(out, "-accelsim tracer version = 6\n\n#traces format = x\n");
    for (unsigned cta = 0; cta < ctas; cta++) {
        fprintf(out, "\n#BEGIN_TB\n\nthread block = %u,0,0\ncluster id = %u,0,0\n", cta, cta / 2);
        fprintf(out, "cluster cta = %u,0,0\ncluster rank = %u\n", cta % 2, cta % 2);
        for (unsigned warp = 0; warp < 2; warp++) {
            unsigned insts = random_below(random, most + 1);
            fprintf(out, "\nwarp = %u\ninsts = %u\n", warp, insts);
            for (unsigned i = 0; i < insts; i++)
                fprintf(out, "%04x ffffffff 1 R%u LDG.E 1 R4 4 1 0x%llx 4 0 0 NoVal \n",
                        random_below(random, 64) * 16, random_below(random, 200),
                        (unsigned long long)(random_next(random) >> 17));
        }
        fprintf(out, "\n#END_TB\n");
    }
    fclose(out);
    return text;
}

/* ---- good files */

static void the_text_is_that_of_the_traceg(void **state) {
    (void)state;
    static const uint32_t chunks[] = {0, 1, 2, 2048};
    for (size_t i = 0; i < WS_COUNT(chunks); i++) {
        tracez_bytes packed = tracez_pack(TEXT6, chunks[i], false);
        char *text = text_of(write_packed("k.tracez", &packed));
        assert_string_equal(text, TEXT6);
        free(text);
        free(packed.data);
    }
}

/* Index, warps and chunks larger than what is in memory at a time; with and without a dictionary. */
static void large_files_are_read(void **state) {
    (void)state;
    uint64_t random = 7;
    static const struct {
        unsigned ctas, most;
        uint32_t chunk;
    } cases[] = {{3000, 2, 1}, {3, 20000, 0}, {40, 600, 64}, {700, 40, 8}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char *text = random_text(&random, cases[i].ctas, cases[i].most);
        for (int dictionary = 0; dictionary < 2; dictionary++) {
            tracez_bytes packed = tracez_pack(text, cases[i].chunk, dictionary);
            char *found = text_of(write_packed("k.tracez", &packed));
            assert_true(strcmp(found, text) == 0);
            free(found);
            free(packed.data);
        }
        free(text);
    }
}

static void remember_notice(void *context, const char *text) {
    snprintf(context, WS_NOTICE_SIZE, "%s", text);
}

/* By name, under another name, and in a list. */
static void the_trace_is_that_of_the_traceg(void **state) {
    (void)state;
    char notice[WS_NOTICE_SIZE] = "";
    ws_import_options options = {.notice = remember_notice, .notice_context = notice};
    tracez_bytes packed = tracez_pack(TEXT6, 2, false);
    folder_write_text("k.traceg", TEXT6);
    folder_write_text("kernelslist.g", "MemcpyHtoD,0x10,4\nkernel-1.tracez\n");
    folder_write_text("list.g", "MemcpyHtoD,0x10,4\nkernel-1.traceg\n");
    folder_write_text("kernel-1.traceg", TEXT6);
    write_packed("kernel-1.tracez", &packed);
    write_packed("renamed", &packed);
    sample_assert_same(sample_import_good(folder_path("k.traceg"), NULL),
                       sample_import_good(folder_path("kernel-1.tracez"), &options));
    assert_non_null(strstr(notice, "CTAs run in clusters of several"));
    sample_assert_same(sample_import_good(folder_path("k.traceg"), NULL),
                       sample_import_good(folder_path("renamed"), NULL));
    sample_assert_same(
        sample_import_good(folder_path("list.g"), &(ws_import_options){.format = "accelsim-list"}),
        sample_import_good(folder_path("kernelslist.g"), NULL));
    free(packed.data);
}

/* Real traces, where $WARPSWEEP_TESTDATA has them. */
static void real_traces_are_read(void **state) {
    (void)state;
    static const char *const files[] = {"bfs-rodinia-v3/kernel-9.traceg", "matmul-v4/kernel-1.traceg",
                                        "mlp-train-v5/kernel-12-ctx_0x55dfecb31820.traceg"};
    const char *root = getenv("WARPSWEEP_TESTDATA");
    for (size_t i = 0; i < WS_COUNT(files); i++) {
        char path[512];
        ws_error err = WS_NO_ERROR;
        ws_text text;
        ws_buffer all = {0};
        snprintf(path, sizeof path, "%s/accelsim/%s", root ? root : "", files[i]);
        if (!root || access(path, R_OK) != 0) skip();
        if (!ws_text_open(&text, path, NULL, &err)) fail_msg("%s", err.text);
        for (; ws_text_more(&text, &err) == WS_TEXT_LINES; text.at = text.end)
            ws_buffer_put(&all, text.at, (size_t)(text.end - text.at));
        ws_text_close(&text);
        ws_buffer_put(&all, "", 1);
        tracez_bytes packed = tracez_pack((const char *)all.data, 2048, true);
        sample_assert_same(sample_import_good(path, NULL),
                           sample_import_good(write_packed("k.tracez", &packed), NULL));
        free(packed.data);
        ws_buffer_free(&all);
    }
}

/* ---- bad files */

static void errors_name_the_line_of_the_text(void **state) {
    (void)state;
    char *text = sample_replace(TEXT6, "1 R2 LDG", "1 X2 LDG");
    tracez_bytes packed = tracez_pack(text, 1, false);
    static const char expected[] =
        ":22: expected a register (R or UR and its number), found 'X2 LDG.E 1 R4 4 1 "
        "0x7f0000001000 4 0 0 NoVal '; the count before it may be wrong";
    char whole[512];
    snprintf(whole, sizeof whole, "@k.traceg%s", expected);
    sample_import_bad(folder_write_text("k.traceg", text), NULL, whole);
    snprintf(whole, sizeof whole, "@k.tracez%s", expected);
    sample_import_bad(write_packed("k.tracez", &packed), NULL, whole);
    free(packed.data);
    free(text);
}

#define AGAIN ", found a file that is cut short or damaged; make or copy it again"

static void check_damage(const tracez_bytes *packed, size_t at, uint8_t value, const char *text) {
    uint8_t before = packed->data[at];
    packed->data[at] = value;
    sample_import_bad(write_packed("k.tracez", packed), NULL, text);
    packed->data[at] = before;
}

static void damage_is_named(void **state) {
    (void)state;
    tracez_bytes packed = tracez_pack(TEXT6, 0, false);
    size_t last = packed.size - 8, warp = packed.index_start + 4 + 44;
    check_damage(&packed, last + 3, 1,
                 "@k.tracez: expected an index whose position its last 8 bytes give" AGAIN);
    check_damage(&packed, packed.index_start, 3,
                 "@k.tracez: expected an index of all CTAs and warps at its end" AGAIN);
    check_damage(&packed, packed.header_end + 4, 255,
                 "@k.tracez: expected a dictionary behind the header" AGAIN);
    check_damage(&packed, warp, 4, "@k.tracez: expected warps where the index says that they are" AGAIN);
    check_damage(&packed, warp + 12, 4, "@k.tracez: expected warps where the index says that they are" AGAIN);
    check_damage(&packed, packed.data_start + 4, 9,
                 "@k.tracez: expected warps where the index says that they are" AGAIN);
    check_damage(&packed, packed.data_start + 11, 1, "@k.tracez: expected chunks before the index" AGAIN);
    check_damage(&packed, packed.data_start + 8, (uint8_t)(packed.data[packed.data_start + 8] + 1),
                 "@k.tracez: CTA 0,0,0 warp 0: expected intact zstd data, found a chunk that is cut short or "
                 "too long; make or copy the file again");
    check_damage(
        &packed, packed.data_start + 12, 0,
        "@k.tracez: CTA 0,0,0 warp 0: expected intact zstd data, found Unknown frame descriptor; make or "
        "copy the file again");
    packed.size--;
    sample_import_bad(write_packed("k.tracez", &packed), NULL,
                      "@k.tracez: expected an index whose position its last 8 bytes give" AGAIN);
    packed.size = packed.header_end + 5;
    sample_import_bad(write_packed("k.tracez", &packed), NULL,
                      "@k.tracez: expected an index whose position its last 8 bytes give" AGAIN);
    free(packed.data);
}

static void one_that_is_packed_again_is_told(void **state) {
    (void)state;
    tracez_bytes packed = tracez_pack(TEXT6, 0, false);
    uint8_t again[4096];
    size_t size = ZSTD_compress(again, sizeof again, packed.data, packed.size, 3);
    assert_false(ZSTD_isError(size));
    sample_import_bad(
        folder_write("k.tracez.zst", again, size), NULL,
        "@k.tracez.zst: expected a trace text, found a .tracez that is packed once more; unpack it");
    free(packed.data);
}

/* A file that is cut anywhere is refused, and one with a changed byte is refused or read, and leaves nothing behind. */
static void damage_anywhere_is_survived(void **state) {
    (void)state;
    uint64_t random = 11;
    tracez_bytes packed = tracez_pack(TEXT6, 2, false);
    ws_error err;
    for (size_t size = 0; size < packed.size; size += EVERY) {
        assert_false(sample_import(folder_write("k.tracez", packed.data, size), NULL, &err));
        assert_int_equal(err.code, WS_ERROR_TRACE);
    }
    for (size_t i = 0; i < packed.size; i += EVERY) {
        const uint8_t flipped = (uint8_t)(1u << random_below(&random, 8));
        packed.data[i] ^= flipped;
        if (sample_import(write_packed("k.tracez", &packed), NULL, &err))
            unlink(folder_path("out.wst"));
        else
            assert_int_equal(err.code, WS_ERROR_TRACE);
        packed.data[i] ^= flipped;
    }
    assert_false(folder_has("out.wst"));
    free(packed.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_is_that_of_the_traceg),   cmocka_unit_test(large_files_are_read),
        cmocka_unit_test(the_trace_is_that_of_the_traceg),  cmocka_unit_test(real_traces_are_read),
        cmocka_unit_test(errors_name_the_line_of_the_text), cmocka_unit_test(damage_is_named),
        cmocka_unit_test(one_that_is_packed_again_is_told), cmocka_unit_test(damage_anywhere_is_survived),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
