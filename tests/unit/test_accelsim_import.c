/* Whole Accel-Sim files and lists: what is read, how formats are recognised, which launches are selected, how
 * progress is reported. */
#include "warpsweep/trace.h"

#include "../support/accelsim_sample.h"
#include "../support/folder.h"
#include "base/array.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- what is read */

static void a_file_is_read(void **state) {
    (void)state;
    ws_error err;
    ws_trace *trace = sample_import_good(folder_write_text("k.traceg", GOOD), NULL);
    const ws_trace_info *info = ws_trace_get_info(trace);
    assert_string_equal(info->isa, "sass");
    assert_string_equal(info->tracer, "accelsim 3");
    assert_int_equal(info->warp_size, 32);
    assert_int_equal(info->features, WS_FEATURE_REGISTERS);
    assert_int_equal(info->kernel_count, 1);

    const ws_kernel *kernel = ws_trace_kernel(trace, 1);
    assert_string_equal(kernel->name, "_Z3addPf");
    assert_string_equal(kernel->short_name, "add");
    assert_int_equal(kernel->grid.x, 2);
    assert_int_equal(kernel->block.x, 40);
    assert_int_equal(kernel->shared_B, 16);
    assert_int_equal(kernel->registers_per_thread, 12);
    assert_int_equal(kernel->isa_version, 70);
    assert_int_equal(kernel->stream, 47005056);
    assert_int_equal(kernel->shared_base, 0x7f5c00000000);
    assert_int_equal(kernel->local_base, 0x7f5a00000000);
    assert_int_equal(kernel->counters.ctas, 2);
    assert_int_equal(kernel->counters.warps, 4);
    assert_int_equal(kernel->counters.warp_instructions, 8);
    assert_int_equal(kernel->counters.trace_memory_lines, 3);
    assert_int_equal(kernel->counters.memory_instructions, 2);
    assert_int_equal(kernel->counters.lane_accesses, 34);
    assert_int_equal(kernel->counters.requests, 2);
    assert_int_equal(kernel->counters.sectors, 5);

    ws_reader *reader = ws_reader_new(trace, &err);
    ws_cta cta;
    assert_true(ws_reader_cta(reader, 1, 0, &cta, &err));
    const ws_warp *warp = &cta.warps[1];
    assert_int_equal(warp->inst_count, 3);
    assert_int_equal(warp->mask[1], 0x81);
    assert_int_equal(warp->addresses[warp->address_at[1]], 0x7f0000001080);
    assert_int_equal(warp->addresses[warp->address_at[1] + 1], 0x7f000000109c);
    ws_reader_free(reader);
    ws_trace_close(trace);
}

/* A missing last '\n', CR LF, blank lines, trailing spaces and unknown header lines make no difference. */
static void harmless_differences_are_harmless(void **state) {
    (void)state;
    char *cut = strdup(GOOD);
    cut[strlen(cut) - 1] = '\0';
    char *bare = sample_replace(GOOD, "MOV 0 0 \n", "MOV 0 0\n");
    char *blank = sample_replace(GOOD, "#END_TB\n\n", "\n#END_TB \n");
    char *tailed = sample_replace(GOOD, "#END_TB\n\n#B", "#END_TB\n#B");
    char *newer = sample_replace(GOOD, "\n-nvbit", "\n-some new thing = 3\n-nvbit");
    char *variants[] = {cut, bare, blank, tailed, newer};
    for (size_t i = 0; i < WS_COUNT(variants); i++) {
        sample_assert_same(sample_import_good(folder_write_text("k.traceg", GOOD), NULL),
                           sample_import_good(folder_write_text("k.traceg", variants[i]), NULL));
        free(variants[i]);
    }
    sample_assert_same(sample_import_good(folder_write_text("k.traceg", GOOD), NULL),
                       sample_import_good(folder_write_crlf("k.traceg", GOOD), NULL));
    static const char list[] = "MemcpyHtoD,0x0,1\nkernel.traceg \n";
    folder_write_text("kernel.traceg", GOOD);
    sample_assert_same(sample_import_good(folder_write_text("kernelslist.g", list), NULL),
                       sample_import_good(folder_write_crlf("kernelslist.g", list), NULL));
}

/* The same launch as written by tracers of version 1.2, 4 with line numbers, and 5. */
static void all_versions_tell_the_same(void **state) {
    (void)state;
    static const char body[] =
        "#BEGIN_TB\n\nthread block = 1,0,0\n\nwarp = 1\ninsts = 2\n%s0010 00000081 1 R2 LDG.E 1 "
        "R4 4 2 0x7f0000001080 28 %s\n%s0020 000000ff 0 EXIT 0 0 %s\n\n#END_TB\n";
    static const struct {
        const char *version, *before, *after, *tracer;
        uint32_t features;
    } cases[] = {
        {"0", "1 0 0 1 ", "", "accelsim 0", 0},
        {"1.2", "1 0 0 1 ", "", "accelsim 1.2", 0},
        {"2", "1 0 0 1 ", "", "accelsim 2", 0},
        {"3", "", "", "accelsim 3", 0},
        {"3\n-enable lineinfo = 1", "", "", "accelsim 3", 0},
        {"4\n-enable lineinfo = 0", "", "", "accelsim 4", 0},
        {"4\n-enable lineinfo = 1", "12 ", "", "accelsim 4", WS_FEATURE_SOURCE_LINE},
        {"5\n-enable lineinfo = 0", "", "-3 ", "accelsim 5", WS_FEATURE_IMMEDIATES},
        {"5\n-enable lineinfo = 1", "12 ", "-3 ", "accelsim 5",
         WS_FEATURE_SOURCE_LINE | WS_FEATURE_IMMEDIATES},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char version[64], text[512];
        snprintf(version, sizeof version, "version = %s\n", cases[i].version);
        snprintf(text, sizeof text, body, cases[i].before, cases[i].after, cases[i].before, cases[i].after);
        char *header = sample_replace(HEADER, "version = 3\n", version),
             *file = malloc(strlen(header) + strlen(text) + 1);
        strcat(strcpy(file, header), text);
        ws_trace *trace = sample_import_good(folder_write_text("k.traceg", file), NULL);
        assert_string_equal(ws_trace_get_info(trace)->tracer, cases[i].tracer);
        assert_int_equal(ws_trace_get_info(trace)->features, WS_FEATURE_REGISTERS | cases[i].features);
        assert_int_equal(ws_trace_totals(trace).lane_accesses, 2);
        const ws_static *load = &ws_trace_statics(trace)[0];
        assert_int_equal(load->source_line, cases[i].features & WS_FEATURE_SOURCE_LINE ? 12 : 0);
        assert_int_equal(load->immediate, cases[i].features & WS_FEATURE_IMMEDIATES ? -3 : 0);
        ws_trace_close(trace);
        free(header);
        free(file);
    }
}

/* Lines with almost the same text are different instructions if they differ in one of the marked fields. */
static void alike_instructions_are_kept_apart(void **state) {
    (void)state;
    static const char body[] = "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 10\n"
                               "1 0010 ffffffff 1 R1 MOV 0 0 0 \n1 20010 ffffffff 1 R1 MOV 0 0 0 \n" /* pc */
                               "2 0010 ffffffff 1 R1 MOV 0 0 0 \n" /* line */
                               "1 0010 ffffffff 1 R1 MOV 0 0 1 \n" /* immediate */
                               "1 0020 00000001 1 R1 LDG.E 1 R2 4 1 0x10 4 0 \n"
                               "1 0020 00000001 1 R1 LDG.E 1 R2 4 1 0x10 4 7 \n"
                               "1 0010 0000ffff 1 R1 MOV 0 0 0 \n1 20010 ffffffff 1 R1 MOV 0 0 0 \n"
                               "1 0020 00000003 1 R1 LDG.E 1 R2 4 2 0x10 4 7 \n"
                               "2 0010 ffffffff 1 R1 MOV 0 0 0 \n#END_TB\n";
    static const uint32_t same_as[] = {0, 1, 2, 3, 4, 5, 0, 1, 5, 2};
    char *header = sample_replace(HEADER, "version = 3\n", "version = 5\n-enable lineinfo = 1\n"), text[2048];
    snprintf(text, sizeof text, "%s%s", header, body);
    free(header);
    ws_error err;
    ws_trace *trace = sample_import_good(folder_write_text("k.traceg", text), NULL);
    ws_reader *reader = ws_reader_new(trace, &err);
    ws_cta cta;
    assert_true(ws_reader_cta(reader, 1, 0, &cta, &err));
    for (size_t i = 0; i < WS_COUNT(same_as); i++) assert_int_equal(cta.warps[0].static_id[i], same_as[i]);
    assert_int_equal(ws_trace_statics(trace)[1].pc, 0x20010);
    assert_int_equal(ws_trace_statics(trace)[2].source_line, 2);
    assert_int_equal(ws_trace_statics(trace)[3].immediate, 1);
    ws_reader_free(reader);
    ws_trace_close(trace);
}

/* A generic access belongs to the space whose window contains the address of its first active lane. There addresses are
 * offsets; a second lane behind the window keeps its own. */
static void generic_accesses_are_resolved(void **state) {
    (void)state;
    static const char *const addresses[] = {"0x7f0000001000", "0x7f5c00000000", "0x7f5cffffff",
                                            "0x7f5a00000010", "0x7f5a00ffffff", "0x7f5a01000000",
                                            "0x7f5bfffffff0"};
    static const uint64_t first[] = {0x7f0000001000, 0, 0x7f5cffffff, 0x10, 0xffffff, 0x7f5a01000000,
                                     0x7f5bfffffff0},
                          second[] = {0x7f0000001004, 4, 0x7f5d000003, 0x14, 0x7f5a01000003, 0x7f5a01000004,
                                      0x7f5bfffffff4};
    static const ws_space spaces[] = {WS_SPACE_GENERIC, WS_SPACE_SHARED,  WS_SPACE_GENERIC, WS_SPACE_LOCAL,
                                      WS_SPACE_LOCAL,   WS_SPACE_GENERIC, WS_SPACE_GENERIC};
    enum { COUNT = WS_COUNT(spaces) };
    char text[4096];
    int n = snprintf(text, sizeof text, "%s#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = %d\n", HEADER,
                     2 * COUNT + 1);
    for (int i = 0; i < 2 * COUNT; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "0010 00000003 1 R1 LD.E 1 R2 4 1 %s 4 \n",
                      addresses[i % COUNT]);
    snprintf(text + n, sizeof text - (size_t)n, "0010 00000000 1 R1 LD.E 1 R2 4 1 0x0 0 \n#END_TB\n");
    ws_trace *trace = sample_import_good(folder_write_text("k.traceg", text), NULL);
    ws_error err;
    ws_reader *reader = ws_reader_new(trace, &err);
    ws_cta cta;
    assert_true(ws_reader_cta(reader, 1, 0, &cta, &err));
    for (int i = 0; i < 2 * COUNT; i++) {
        const ws_static *s = &ws_trace_statics(trace)[cta.warps[0].static_id[i]];
        if (s->space != spaces[i % COUNT])
            fail_msg("%s: expected %s, found %s", addresses[i % COUNT], ws_space_name(spaces[i % COUNT]),
                     ws_space_name(s->space));
        const uint64_t *found = cta.warps[0].addresses + cta.warps[0].address_at[i];
        assert_int_equal(found[0], first[i % COUNT]);
        assert_int_equal(found[1], second[i % COUNT]);
    }
    assert_int_equal(ws_trace_statics(trace)[cta.warps[0].static_id[2 * COUNT]].space, WS_SPACE_GENERIC);
    assert_int_equal(ws_trace_get_info(trace)->static_count, 3);
    ws_reader_free(reader);
    ws_trace_close(trace);
}

/* A kernel whose header names no windows has none, at address 0 least of all. */
static void without_windows_generic_accesses_stay(void **state) {
    (void)state;
    static const char body[] = "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 1\n"
                               "0010 00000003 1 R1 LD.E 1 R2 4 1 0x100 4 \n#END_TB\n";
    char *text = sample_replace(HEADER, "-shmem base_addr = 0x00007f5c00000000\n", ""), *bare, file[4096];
    bare = sample_replace(text, "-local mem base_addr = 0x00007f5a00000000\n", "");
    snprintf(file, sizeof file, "%s%s", bare, body);
    ws_trace *trace = sample_import_good(folder_write_text("k.traceg", file), NULL);
    assert_int_equal(ws_trace_statics(trace)[0].space, WS_SPACE_GENERIC);
    assert_int_equal(ws_trace_get_info(trace)->static_count, 1);
    ws_trace_close(trace);
    free(bare);
    free(text);
}

/* ---- lists */

static void write_folder(const char *folder) {
    char name[256];
    mkdir(folder_path(folder), 0777);
    for (int i = 1; i <= 3; i++) {
        static const char *const names[] = {"_Z3addPf", "_Z3subPf", "_Z3addPf"};
        char *text = sample_replace(GOOD, "_Z3addPf", names[i - 1]);
        snprintf(name, sizeof name, "%s/kernel-%d-ctx_0x55df.traceg", folder, i);
        folder_write_text(name, text);
        free(text);
    }
    snprintf(name, sizeof name, "%s/kernelslist_ctx_0x55df.g", folder);
    folder_write_text(name, "MemcpyHtoD,0x00007f0000001000,4096\n\nkernel-1-ctx_0x55df.traceg\n"
                            "kernel-2-ctx_0x55df.traceg\nMemcpyHtoD,0x00007f0000002000,1,data.bin\n"
                            "MemcpyDtoH,0x00007f0000002000,1\nkernel-3-ctx_0x55df.traceg \n");
}

/* A list is read in its order; its path may contain spaces, and naming the folder is the same as naming the list. */
static void a_list_is_read_in_order(void **state) {
    (void)state;
    write_folder("a folder");
    ws_trace *trace = sample_import_good(folder_path("a folder/kernelslist_ctx_0x55df.g"), NULL);
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 3);
    assert_string_equal(ws_trace_kernel(trace, 1)->name, "_Z3addPf");
    assert_string_equal(ws_trace_kernel(trace, 2)->name, "_Z3subPf");
    assert_int_equal(ws_trace_get_info(trace)->memcpy_count, 2);
    assert_int_equal(ws_trace_memcpy(trace, 0)->before_kernel, 1);
    assert_int_equal(ws_trace_memcpy(trace, 0)->address, 0x7f0000001000);
    assert_int_equal(ws_trace_memcpy(trace, 0)->bytes, 4096);
    assert_int_equal(ws_trace_memcpy(trace, 1)->before_kernel, 3);
    sample_assert_same(trace, sample_import_good(folder_path("a folder"), NULL));
}

/* A list in a folder may be packed, as one that is named may be. The content tells that, not the name. */
static void a_folder_may_hold_a_packed_list(void **state) {
    (void)state;
    mkdir(folder_path("packed"), 0777);
    folder_write_text("packed/kernel-1.traceg", GOOD);
    static const char *const lists[] = {"packed/kernelslist.g.xz", "packed/kernelslist_ctx_0x55df.g.gz",
                                        "packed/kernelslist.zst"};
    for (size_t i = 0; i < WS_COUNT(lists); i++) {
        folder_write_text(lists[i], "kernel-1.traceg\n");
        sample_assert_same(sample_import_good(folder_path("packed"), NULL),
                           sample_import_good(folder_path("packed/kernel-1.traceg"), NULL));
        unlink(folder_path(lists[i]));
    }
}

static void kernels_are_selected(void **state) {
    (void)state;
    static const struct {
        const char *selection;
        unsigned count;
        const char *first;
    } cases[] = {{"1,3", 2, "_Z3addPf"},
                 {"2", 1, "_Z3subPf"},
                 {"^add$", 2, "_Z3addPf"},
                 {"sub", 1, "_Z3subPf"},
                 {"*", 3, "_Z3addPf"}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        ws_selection *selection = ws_selection_new(cases[i].selection, "--kernels", NULL);
        ws_trace *trace =
            sample_import_good(folder_path("a folder"), &(ws_import_options){.kernels = selection});
        assert_int_equal(ws_trace_get_info(trace)->kernel_count, cases[i].count);
        assert_string_equal(ws_trace_kernel(trace, 1)->name, cases[i].first);
        ws_trace_close(trace);
        ws_selection_free(selection);
    }
    static const char *const none[] = {"9", "mul"};
    for (size_t i = 0; i < 2; i++) {
        ws_selection *selection = ws_selection_new(none[i], "--kernels", NULL);
        ws_error err = WS_NO_ERROR;
        size_t files = folder_count();
        assert_false(
            sample_import(folder_path("a folder"), &(ws_import_options){.kernels = selection}, &err));
        assert_non_null(strstr(err.text, "a folder/kernelslist_ctx_0x55df.g: expected at least one selected "
                                         "kernel, found none among 3 launches"));
        assert_int_equal(err.code, WS_ERROR_USAGE);
        assert_int_equal(folder_count(), files);
        ws_selection_free(selection);
    }
}

/* Of a launch that is not selected only the header is read: here the rest of its file is damaged. */
static void what_is_not_selected_may_be_damaged(void **state) {
    (void)state;
    write_folder("half");
    char *text = sample_replace(HEADER "nonsense\n", "_Z3addPf", "_Z3subPf");
    folder_write_text("half/kernel-2-ctx_0x55df.traceg", text);
    free(text);
    ws_selection *selection = ws_selection_new("add", "--kernels", NULL);
    ws_trace *trace = sample_import_good(folder_path("half"), &(ws_import_options){.kernels = selection});
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 2);
    ws_trace_close(trace);
    ws_selection_free(selection);
}

/* A launch number shows that a file is not needed without opening it; a kernel name does not, so the file must
 * exist. */
static void what_is_not_selected_by_number_may_be_absent(void **state) {
    (void)state;
    write_folder("rest");
    unlink(folder_path("rest/kernel-1-ctx_0x55df.traceg"));
    ws_selection *numbers = ws_selection_new("2-3", "--kernels", NULL),
                 *names = ws_selection_new("sub", "--kernels", NULL);
    ws_trace *trace = sample_import_good(folder_path("rest"), &(ws_import_options){.kernels = numbers});
    assert_int_equal(ws_trace_get_info(trace)->kernel_count, 2);
    ws_trace_close(trace);
    sample_import_fails(
        folder_path("rest"), &(ws_import_options){.kernels = names}, WS_ERROR_IO,
        "@rest/kernelslist_ctx_0x55df.g:3: expected the file @rest/kernel-1-ctx_0x55df.traceg, found none; "
        "copy it there, or take out the line");
    ws_selection_free(numbers);
    ws_selection_free(names);
}

static void bad_lists_are_refused(void **state) {
    (void)state;
    folder_write_text("kernel-1.traceg", GOOD);
    static const struct {
        const char *list, *text;
    } cases[] = {
        {"", "@kernelslist.g:1: expected at least one line 'kernel-..', found the end of the file; the list "
             "is empty"},
        {"\n\n", "@kernelslist.g:3: expected at least one line 'kernel-..', found the end of the file; the "
                 "list is empty"},
        {"MemcpyHtoD,0x0,1\n", "@kernelslist.g:2: expected at least one line 'kernel-..', found the end of "
                               "the file; the list is empty"},
        {"kernel-1.traceg\nfoo\n",
         "@kernelslist.g:2: expected 'kernel..' or 'MemcpyHtoD,..', found 'foo'; is this a kernelslist.g?"},
        {"kernel-1.traceg\nMemcpyHtoD,0x12g,4\n",
         "@kernelslist.g:2: expected 'MemcpyHtoD,0x<address>,<bytes>' with at most 2^40 bytes, found "
         "'MemcpyHtoD,0x12g,4'"},
        {"kernel-1.traceg\nMemcpyHtoD,0x12,-4\n",
         "@kernelslist.g:2: expected 'MemcpyHtoD,0x<address>,<bytes>' with at most 2^40 bytes, found "
         "'MemcpyHtoD,0x12,-4'"},
        {"kernel-1.traceg\nMemcpyHtoD,0x12,4 4\n",
         "@kernelslist.g:2: expected 'MemcpyHtoD,0x<address>,<bytes>' with at most 2^40 bytes, found "
         "'MemcpyHtoD,0x12,4 4'"},
        {"kernel-1.traceg\nMemcpyHtoD,0xffffffffffffffe0,32\n",
         "@kernelslist.g:2: expected a copy of at most 2^40 bytes, which end below 2^64, found "
         "'MemcpyHtoD,0xffffffffffffffe0,32'"},
        {"MemcpyHtoD,0x0,4000000000000000\nkernel-1.traceg\n",
         "@kernelslist.g:1: expected a copy of at most 2^40 bytes, which end below 2^64, found "
         "'MemcpyHtoD,0x0,4000000000000000'"},
        {"kernel-1.traceg\nMemcpyHtoD,0x0,18446744073709551615\n",
         "@kernelslist.g:2: expected a copy of at most 2^40 bytes, which end below 2^64, found "
         "'MemcpyHtoD,0x0,18446744073709551615'"},
        {"kernel-1.traceg\nMemcpyHtoD,0x0,18446744073709551616\n",
         "@kernelslist.g:2: expected 'MemcpyHtoD,0x<address>,<bytes>' with at most 2^40 bytes, found "
         "'MemcpyHtoD,0x0,18446744073709551616'"},
        {"kernel-1.traceg\nMemcpyHtoD\n", "@kernelslist.g:2: expected 'MemcpyHtoD,0x<address>,<bytes>' with "
                                          "at most 2^40 bytes, found 'MemcpyHtoD'"},
        {"kernel-1.traceg\n\x01\x02\xff\n",
         "@kernelslist.g:2: expected 'kernel..' or 'MemcpyHtoD,..', found '?\?\?'; is this a kernelslist.g?"},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++)
        sample_import_bad(folder_write_text("kernelslist.g", cases[i].list), NULL, cases[i].text);
    sample_import_fails(folder_write_text("kernelslist.g", "kernel-1.traceg\nkernel-2.traceg\n"), NULL,
                        WS_ERROR_IO,
                        "@kernelslist.g:2: expected the file @kernel-2.traceg, found none; copy it "
                        "there, or take out the line");
    sample_import_fails(folder_write_text("kernelslist.g", "kernel-2.traceg\nkernel-1.traceg\n"
                                                           "kernel-3.traceg\nkernel-4.traceg\n"),
                        NULL, WS_ERROR_IO,
                        "@kernelslist.g:1: expected the file @kernel-2.traceg, found none; copy it there, or "
                        "take out the line; 2 more of its files are missing");
}

/* ---- sources */

static void formats_are_told_by_name_and_content(void **state) {
    (void)state;
    mkdir(folder_path("kinds"), 0777);
    folder_write_text("kinds/kernel-1.traceg", GOOD);
    const char *const names[] = {"kinds/kernel-1.traceg", "kinds/renamed", "kinds/kernelslist.g",
                                 "kinds/list.txt"};
    folder_write_text("kinds/renamed", GOOD);
    folder_write_text("kinds/kernelslist.g", "kernel-1.traceg\n");
    folder_write_text("kinds/list.txt", "kernel-1.traceg\n");
    for (size_t i = 0; i < WS_COUNT(names); i++)
        sample_assert_same(sample_import_good(folder_path("kinds/kernel-1.traceg"), NULL),
                           sample_import_good(folder_path(names[i]), NULL));

    ws_trace *trace = sample_import_good(folder_write_text("kinds/odd.csv", GOOD),
                                         &(ws_import_options){.format = "accelsim"});
    ws_trace_close(trace);
    ws_error err;
    assert_false(sample_import(folder_path("kinds/odd.csv"), &(ws_import_options){.format = "cvs"}, &err));
    assert_int_equal(err.code, WS_ERROR_USAGE);
    assert_string_equal(err.text, "format 'cvs': expected accelsim-list, accelsim, csv or memtrace");
    assert_string_equal(ws_import_formats()[0], "accelsim-list");
}

static void the_source_is_not_written_over(void **state) {
    (void)state;
    ws_error err;
    const char *path = folder_write_text("out.wst", GOOD);
    assert_false(ws_import(path, path, &(ws_import_options){.format = "accelsim"}, &err));
    assert_int_equal(err.code, WS_ERROR_USAGE);
    /* an existing file that is no native trace is not overwritten either */
    const char *other = folder_write_text("k.traceg", GOOD);
    assert_false(sample_import(other, NULL, &err));
    assert_int_equal(err.code, WS_ERROR_USAGE);
    unlink(folder_path("out.wst"));
    ws_trace_close(sample_import_good(other, NULL));
}

static void sources_that_cannot_be_are_refused(void **state) {
    (void)state;
    mkdir(folder_path("empty"), 0777);
    mkdir(folder_path("two"), 0777);
    folder_write_text("two/kernelslist_ctx_0x1.g", "kernel-1.traceg\n");
    folder_write_text("two/kernelslist_ctx_0x2.g", "kernel-1.traceg\n");
    sample_import_fails(folder_path("absent.traceg"), NULL, WS_ERROR_IO,
                        "@absent.traceg: expected a file or a folder, found none; check the path");
    sample_import_bad(folder_path("empty"), NULL,
                      "@empty: expected a folder with one kernelslist.g or kernelslist, found none; name the "
                      "file to import, or write a list of the files of one trace ('warpsweep help "
                      "accelsim-list')");
    sample_import_bad(folder_path("two"), NULL,
                      "@two: expected a folder with one list of kernels, found 2 (kernelslist_ctx_0x1.g, "
                      "kernelslist_ctx_0x2.g "
                      "..); name the one to import");
    sample_import_bad(folder_write_text("a.traceg", "\x89WST\r\n\x1a\n"), NULL,
                      "@a.traceg: expected a trace text, found a native trace, which needs no import");
    sample_import_bad(folder_write_text("strange", "hello\n"), NULL,
                      "@strange:1: expected a trace file or a list of them, found 'hello'; --format FORMAT "
                      "says which it is: accelsim-list, accelsim, csv or memtrace");
    sample_import_bad(folder_write_text("void", ""), NULL,
                      "@void:1: expected a trace file or a list of them, found the end of the file; --format "
                      "FORMAT says which it is: "
                      "accelsim-list, accelsim, csv or memtrace");
    sample_import_bad(
        folder_write_text("void.traceg", ""), NULL,
        "@void.traceg:1: expected '#traces format = ..', which ends the header, found the end of the "
        "file; the "
        "file is empty");
}

/* ---- .xz */

static void packed_files_are_read(void **state) {
    (void)state;
    uint8_t bytes[8192];
    size_t first = sample_pack(HEADER CTA0, bytes, sizeof bytes),
           second = sample_pack(CTA1, bytes + first, sizeof bytes - first);
    ws_trace *plain = sample_import_good(folder_write_text("k.traceg", GOOD), NULL);
    sample_assert_same(plain,
                       sample_import_good(folder_write("kernel-1.traceg.xz", bytes, first + second), NULL));
    folder_write_text("kernelslist.g", "kernel-1.traceg.xz\n");
    sample_assert_same(sample_import_good(folder_write("k.traceg", GOOD, strlen(GOOD)), NULL),
                       sample_import_good(folder_path("kernelslist.g"), NULL));
}

/* A list may name files as they were before they were compressed or decompressed; a file of exactly the listed name
 * comes first. */
static void files_packed_after_the_list(void **state) {
    (void)state;
    static const char *const suffixes[] = {".xz", ".gz", ".zst"};
    uint8_t bytes[8192];
    size_t size = sample_pack(GOOD, bytes, sizeof bytes);
    char name[64], list[64];
    mkdir(folder_path("later"), 0777);
    ws_trace *plain = sample_import_good(folder_write_text("k.traceg", GOOD), NULL);
    for (int i = 0; i < 3; i++) {
        folder_write_text("later/kernelslist.g", "kernel-1.traceg\n");
        snprintf(name, sizeof name, "later/kernel-1.traceg%s", suffixes[i]);
        folder_write(name, bytes, size);
        ws_trace *packed = sample_import_good(folder_path("later"), NULL);
        assert_string_equal(ws_trace_get_info(packed)->digest, ws_trace_get_info(plain)->digest);
        ws_trace_close(packed);
        unlink(folder_path(name));
        snprintf(list, sizeof list, "kernel-1.traceg%s\n", suffixes[i]);
        folder_write_text("later/kernelslist.g", list);
        folder_write_text("later/kernel-1.traceg", GOOD);
        ws_trace *unpacked = sample_import_good(folder_path("later"), NULL);
        assert_string_equal(ws_trace_get_info(unpacked)->digest, ws_trace_get_info(plain)->digest);
        ws_trace_close(unpacked);
        unlink(folder_path("later/kernel-1.traceg"));
    }
    ws_trace_close(plain);
    folder_write_text("later/kernelslist.g", "kernel-1.traceg\n");
    folder_write_text("later/kernel-1.traceg", "wrong\n");
    folder_write("later/kernel-1.traceg.xz", bytes, size);
    ws_error err = WS_NO_ERROR;
    assert_false(ws_import(folder_path("later"), folder_path("later.wst"), NULL, &err));
    assert_non_null(strstr(err.text, "kernel-1.traceg:1: "));
}

/* A .tracez and a .traceg of the same name hold the same text. */
static void files_of_the_other_kind(void **state) {
    (void)state;
    static const char *const pairs[][2] = {{"kernel-1.traceg", "kernel-1.tracez"},
                                           {"kernel-1.tracez", "kernel-1.traceg.xz"},
                                           {"kernel-1.traceg.gz", "kernel-1.tracez"}};
    uint8_t bytes[8192];
    size_t size = sample_pack(GOOD, bytes, sizeof bytes);
    mkdir(folder_path("other"), 0777);
    ws_trace *plain = sample_import_good(folder_write_text("k.traceg", GOOD), NULL);
    for (int i = 0; i < 3; i++) {
        char list[64], file[64];
        snprintf(list, sizeof list, "%s\n", pairs[i][0]);
        snprintf(file, sizeof file, "other/%s", pairs[i][1]);
        folder_write_text("other/kernelslist.g", list);
        folder_write(file, bytes, size);
        ws_trace *other = sample_import_good(folder_path("other"), NULL);
        assert_string_equal(ws_trace_get_info(other)->digest, ws_trace_get_info(plain)->digest);
        ws_trace_close(other);
        unlink(folder_path(file));
    }
    ws_trace_close(plain);
    folder_write_text("other/kernelslist.g", "kernel-1.trace\n"); /* another text: that of a raw trace */
    folder_write("other/kernel-1.tracez", bytes, size);
    ws_error err = WS_NO_ERROR;
    assert_false(ws_import(folder_path("other"), folder_path("other.wst"), NULL, &err));
    assert_non_null(strstr(err.text, "kernel-1.trace, found none"));
}

/* ---- progress and interruption */

typedef struct seen_progress {
    uint64_t calls, last, total;
    bool backwards;
    volatile bool interrupted;
    bool interrupt;
} seen_progress;

static void on_progress(void *context, uint64_t bytes_read, uint64_t bytes_total) {
    seen_progress *seen = context;
    seen->calls++;
    seen->backwards |= bytes_read < seen->last || bytes_read > bytes_total;
    seen->last = bytes_read;
    seen->total = bytes_total;
    seen->interrupted = seen->interrupt;
}

/* Progress counts bytes of the files that are needed; the rest of a file skipped after its header counts as read. */
static void progress_is_told(void **state) {
    (void)state;
    enum { LARGE = 600000 };
    static char large[LARGE + 1];
    memset(large, '\n', LARGE);
    char *text = sample_replace(GOOD, "_Z3addPf", "_Z3subPf");
    memcpy(large, text, strlen(text));
    free(text);
    write_folder("large");
    folder_write("large/kernel-2-ctx_0x55df.traceg", large, LARGE);

    static const char *const selections[] = {"2,3", "add"};
    for (int i = 0; i < 2; i++) {
        seen_progress seen = {0};
        ws_selection *selection = ws_selection_new(selections[i], "--kernels", NULL);
        ws_import_options options = {
            .progress = on_progress, .progress_context = &seen, .kernels = selection};
        ws_trace_close(sample_import_good(folder_path("large"), &options));
        assert_false(seen.backwards);
        assert_int_equal(seen.last, seen.total);
        assert_int_equal(seen.total, LARGE + (size_t)(1 + i) * strlen(GOOD));
        ws_selection_free(selection);
    }
}

static void an_interruption_leaves_nothing(void **state) {
    (void)state;
    seen_progress seen = {.interrupt = true};
    ws_import_options options = {
        .progress = on_progress, .progress_context = &seen, .interrupted = &seen.interrupted};
    ws_error err;
    assert_false(sample_import(folder_path("a folder"), &options, &err));
    assert_int_equal(err.code, WS_ERROR_INTERRUPTED);
    assert_false(folder_has("out.wst"));
}

/* Tracers print a stream as the signed or unsigned number that its pointer is. */
static void streams_have_64_bits(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t stream;
    } cases[] = {{"0", 0},
                 {"-2", UINT64_MAX - 1},
                 {"9999999999999999999", UINT64_C(9999999999999999999)},
                 {"10000000000000000000", UINT64_C(10000000000000000000)},
                 {"18446744073709551615", UINT64_MAX},
                 {"18446744073709551616", 0},
                 {"19999999999999999999", 0},
                 {"28446744073709551615", 0},
                 {"100000000000000000000", 0}};
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char *text = sample_replace(GOOD, "47005056", cases[i].text);
        const char *path = folder_write_text("k.traceg", text);
        free(text);
        if (cases[i].stream || i == 0) {
            ws_trace *trace = sample_import_good(path, NULL);
            assert_true(ws_trace_kernel(trace, 1)->stream == cases[i].stream);
            ws_trace_close(trace);
        } else {
            char expected[128];
            snprintf(expected, sizeof expected,
                     "@k.traceg:8: expected cuda stream id = a stream number of 64 bits, found '%s'",
                     cases[i].text);
            sample_import_bad(path, NULL, expected);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_read),
        cmocka_unit_test(harmless_differences_are_harmless),
        cmocka_unit_test(all_versions_tell_the_same),
        cmocka_unit_test(alike_instructions_are_kept_apart),
        cmocka_unit_test(generic_accesses_are_resolved),
        cmocka_unit_test(without_windows_generic_accesses_stay),
        cmocka_unit_test(a_list_is_read_in_order),
        cmocka_unit_test(a_folder_may_hold_a_packed_list),
        cmocka_unit_test(kernels_are_selected),
        cmocka_unit_test(what_is_not_selected_may_be_damaged),
        cmocka_unit_test(what_is_not_selected_by_number_may_be_absent),
        cmocka_unit_test(bad_lists_are_refused),
        cmocka_unit_test(formats_are_told_by_name_and_content),
        cmocka_unit_test(the_source_is_not_written_over),
        cmocka_unit_test(sources_that_cannot_be_are_refused),
        cmocka_unit_test(packed_files_are_read),
        cmocka_unit_test(files_packed_after_the_list),
        cmocka_unit_test(files_of_the_other_kind),
        cmocka_unit_test(progress_is_told),
        cmocka_unit_test(an_interruption_leaves_nothing),
        cmocka_unit_test(streams_have_64_bits),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
