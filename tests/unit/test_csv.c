/* CSV traces and the output of mem_trace: what their rows become, and the errors for wrong rows. */
#include "warpsweep/trace.h"

#include "../support/accelsim_sample.h"
#include "../support/folder.h"
#include "base/array.h"
#include "trace/import/text_source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What a trace holds, one line per instruction: CTA, warp, pc, mask, opcode, class, op, space, width, registers,
 * addresses. Closes the trace. */
static void expect_trace(ws_trace *trace, const char *expected) {
    char *text = NULL;
    size_t size;
    ws_error err;
    ws_cta cta;
    FILE *out = open_memstream(&text, &size);
    ws_reader *reader = ws_reader_new(trace, &err);
    for (uint32_t k = 1; k <= ws_trace_get_info(trace)->kernel_count; k++) {
        const ws_kernel *kernel = ws_trace_kernel(trace, k);
        fprintf(out, "%s %u,%u,%u %u,%u,%u\n", kernel->name, kernel->grid.x, kernel->grid.y, kernel->grid.z,
                kernel->block.x, kernel->block.y, kernel->block.z);
        for (uint32_t c = 0; c < kernel->counters.ctas; c++) {
            assert_true(ws_reader_cta(reader, k, c, &cta, &err));
            for (uint32_t w = 0; w < cta.warp_count; w++)
                for (uint32_t i = 0; i < cta.warps[w].inst_count; i++) {
                    const ws_warp *warp = &cta.warps[w];
                    const ws_static *s = &ws_trace_statics(trace)[warp->static_id[i]];
                    fprintf(out, "%u,%u,%u %u %x %llx %s %s", cta.id.x, cta.id.y, cta.id.z, warp->id, s->pc,
                            (unsigned long long)warp->mask[i], ws_trace_opcode(trace, s->opcode),
                            ws_class_name(s->class_));
                    if (s->op)
                        fprintf(out, " %s %s %u", ws_memory_op_name(s->op), ws_space_name(s->space),
                                s->width_B);
                    for (unsigned r = 0; r < s->dst_count; r++) fprintf(out, " d%u", s->dst[r]);
                    for (unsigned r = 0; r < s->src_count; r++) fprintf(out, " s%u", s->src[r]);
                    if (s->immediate) fprintf(out, " #%d", s->immediate);
                    for (uint32_t a = warp->address_at[i]; a < warp->address_at[i + 1]; a++)
                        fprintf(out, " %llx", (unsigned long long)warp->addresses[a]);
                    fputc('\n', out);
                }
        }
    }
    fclose(out);
    assert_string_equal(text, expected);
    free(text);
    ws_reader_free(reader);
    ws_trace_close(trace);
}

static void expect_csv(const char *csv, const char *expected) {
    expect_trace(sample_import_good(folder_write_text("t.csv", csv), NULL), expected);
}

static void rows_become_instructions(void **state) {
    (void)state;
    expect_csv("address\n0x1000\n", "kernel 1,1,1 32,1,1\n0,0,0 0 0 1 load mem load global 4 1000\n");
    expect_csv("cta,warp,pc,op,addresses\n1,0,0x10,load,0x1000+4\n0,2,32,store,64 0x80\n",
               "kernel 2,1,1 96,1,1\n0,0,0 2 20 3 store mem store global 4 40 80\n"
               "1,0,0 0 10 ffffffff load mem load global 4 1000 1004 1008 100c 1010 1014 1018 101c 1020 1024 "
               "1028 102c "
               "1030 1034 1038 103c 1040 1044 1048 104c 1050 1054 1058 105c 1060 1064 1068 106c 1070 1074 "
               "1078 107c\n");
    expect_csv("opcode,mask,addresses,dst,src,immediate\nLDG.E.64,0x5,0x100-8,R1,R2 R3,-7\nIADD3,,,4,5 "
               "6,\nEXIT,1,,,,\n",
               "kernel 1,1,1 32,1,1\n0,0,0 0 0 5 LDG.E.64 mem load global 8 d1 s2 s3 #-7 100 f8\n"
               "0,0,0 0 0 ffffffff IADD3 int d4 s5 s6\n0,0,0 0 0 1 EXIT exit\n");
    /* RZ is the number that reads as zero; R255 is a register like others. */
    expect_csv("dst,src,addresses\nRZ,R255 RZ  1,8\n",
               "kernel 1,1,1 32,1,1\n0,0,0 0 0 1 load mem load global 4 d65535 s255 s65535 s1 8\n");
    /* Columns supply what the opcode leaves open; they may repeat what it says. */
    expect_csv(
        "opcode,op,space,addresses\nLD,load,shared,1\nSTG,store,global,2\nfoo,store,local,3\n",
        "kernel 1,1,1 32,1,1\n0,0,0 0 0 1 LD mem load shared 4 1\n0,0,0 0 0 1 STG mem store global 4 2\n"
        "0,0,0 0 0 1 foo mem store local 4 3\n");
    /* The last warp of a block has the lanes that are left; without an active lane it is still a load. */
    expect_csv("block,warp,op,mask,addresses\n34,1,load,,0x40+4\n34,1,load,0,\n34,1,,,\n",
               "kernel 1,1,1 34,1,1\n0,0,0 1 0 3 load mem load global 4 40 44\n"
               "0,0,0 1 0 0 load mem load global 4\n0,0,0 1 0 3 other other\n");
    expect_csv(
        "opcode,mask,addresses\nLDG.E,0,\nLDG.E,2,8\n",
        "kernel 1,1,1 32,1,1\n0,0,0 0 0 0 LDG.E mem load global 4\n0,0,0 0 0 2 LDG.E mem load global 4 8\n");
    expect_csv("immediate,address\n-2147483648,1\n2147483647,2\n",
               "kernel 1,1,1 32,1,1\n0,0,0 0 0 1 load mem load global 4 #-2147483648 1\n"
               "0,0,0 0 0 1 load mem load global 4 #2147483647 2\n");
    /* Grid and block follow from the numbers that occur, in any order; a given grid has three dimensions. */
    expect_csv("cta,warp,address\n2,0,1\n0,1,2\n1,2,3\n",
               "kernel 3,1,1 96,1,1\n0,0,0 1 0 1 load mem load global 4 2\n"
               "1,0,0 2 0 1 load mem load global 4 3\n"
               "2,0,0 0 0 1 load mem load global 4 1\n");
    expect_csv("grid,cta,address\n2 3 2,1 2 1,1\n2 3 2,0 1 1,2\n2 3 2,9,3\n",
               "kernel 2,3,2 32,1,1\n0,1,1 0 0 1 load mem load global 4 2\n"
               "1,1,1 0 0 1 load mem load global 4 3\n1,2,1 0 0 1 load mem load global 4 1\n");
    /* All columns, in another order, with quotes and CR LF. */
    expect_csv(
        "line,src,dst,addresses,width,space,op,mask,class,opcode,pc,warp,cta,shared,registers,block,grid,"
        "name,"
        "kernel,immediate\r\n"
        "3,R2,R1,16,2,shared,atomic,8,mem,my.op,0x8,1,1 2 0,64,9,8 8 1,2 0x3,\"f(int, \"\"x\"\")\",5,1\r\n",
        "f(int, \"x\") 2,3,1 8,8,1\n1,2,0 1 8 8 my.op mem atomic shared 2 d1 s2 #1 10\n");
}

/* Blank lines, however many, are no rows; within quotes they belong to the field. */
static void blank_lines_are_skipped(void **state) {
    (void)state;
    enum { LINES = 2 * WS_TEXT_LINE_MAX + 1000 };
    static const char first[] = "name,address\r\n \r\n\"a\n\nb\",1\n", last[] = ",2\n\t\n";
    char *csv = malloc(sizeof first + LINES + sizeof last);
    strcpy(csv, first);
    memset(csv + strlen(first), '\n', LINES);
    strcpy(csv + strlen(first) + LINES, last);
    expect_csv(csv, "a\n\nb 1,1,1 32,1,1\n0,0,0 0 0 1 load mem load global 4 1\n"
                    "0,0,0 0 0 1 load mem load global 4 2\n");
    free(csv);
}

static void rows_do_not_grow_without_end(void **state) {
    (void)state;
    enum { LINES = 2 * WS_TEXT_LINE_MAX + 1000 };
    static const char first[] = "address\n\"";
    char *csv = malloc(sizeof first + LINES), text[256];
    strcpy(csv, first);
    memset(csv + strlen(first), '\n', LINES);
    csv[strlen(first) + LINES] = 0;
    snprintf(text, sizeof text,
             "@t.csv:%d: expected a row of at most %d bytes, found a longer one; is a quote not closed?",
             2 * WS_TEXT_LINE_MAX + 1, 2 * WS_TEXT_LINE_MAX);
    sample_import_bad(folder_write_text("t.csv", csv), NULL, text);
    free(csv);
}

static void lanes_become_instructions(void **state) {
    (void)state;
    /* Lanes ascend within an instruction: the fourth row begins another, so does another warp. */
    expect_csv("thread,address\n0,0x10\n2,0x20\n31,0x30\n2,0x40\n32,0x50\n",
               "kernel 1,1,1 64,1,1\n0,0,0 0 0 80000005 load mem load global 4 10 20 30\n"
               "0,0,0 0 0 4 load mem load global 4 40\n0,0,0 1 0 1 load mem load global 4 50\n");
    expect_csv("lane,op,address\n0,load,1\n1,store,2\n2,store,3\n",
               "kernel 1,1,1 32,1,1\n0,0,0 0 0 1 load mem load global 4 1\n0,0,0 0 0 6 store mem store "
               "global 4 2 3\n");
}

static void launches_may_take_turns(void **state) {
    (void)state;
    const char csv[] = "kernel,name,cta,addresses\n3,a,0,1\n7,b,4,2\n3,,0,3\n7,b,0,4\n";
    expect_csv(
        csv, "a 1,1,1 32,1,1\n0,0,0 0 0 1 load mem load global 4 1\n0,0,0 0 0 1 load mem load global 4 3\n"
             "b 5,1,1 32,1,1\n0,0,0 0 0 1 load mem load global 4 4\n4,0,0 0 0 1 load mem load global 4 2\n");
    ws_error err;
    /* As in other formats, numbers are places, by which other commands will know the launches. */
    ws_selection *second = ws_selection_new("2", "test", &err);
    expect_trace(
        sample_import_good(folder_write_text("t.csv", csv), &(ws_import_options){.kernels = second}),
        "b 5,1,1 32,1,1\n0,0,0 0 0 1 load mem load global 4 4\n4,0,0 0 0 1 load mem load global 4 2\n");
    ws_selection_free(second);
    ws_selection *seven = ws_selection_new("7", "test", &err);
    assert_false(sample_import(folder_path("t.csv"), &(ws_import_options){.kernels = seven}, &err));
    assert_int_equal(err.code, WS_ERROR_USAGE);
    ws_selection_free(seven);
}

static void wrong_rows_are_named(void **state) {
    (void)state;
    static const struct {
        const char *csv, *text;
    } cases[] = {
        {"", ":1: expected a header (names of columns), found the end of the file"},
        {"address\n", ":2: expected at least one row, found the end of the file"},
        {"adress\n1\n",
         ":1: unknown column 'adress': did you mean 'address'?; 'warpsweep help csv' lists the columns"},
        {"address,address\n1,1\n", ":1: column 'address' is there twice"},
        {"address,addresses\n1,1\n", ":1: expected one of the columns addresses and address, found both"},
        {"thread,warp,address\n1,1,1\n", ":1: expected one of the columns thread and warp, found both"},
        {"lane,addresses\n3,0x10\n",
         ":1: expected a column address, whose lane column lane gives, found none"},
        {"thread,opcode\n3,EXIT\n",
         ":1: expected a column address, whose lane column thread gives, found none"},
        {"pc\n1\n",
         ":1: expected a column addresses or address, found none; 'warpsweep help csv' lists the columns"},
        {"address,pc\n1\n", ":2: expected 2 fields as in the header, found 1"},
        {"address\n1,2\n", ":2: expected 1 fields as in the header, found 2"},
        {"address,pc\n1,2\n1",
         ":3: expected 2 fields as in the header, found 1; the file ends within this line: is it cut short?"},
        {"pc,address\n2,1\n2,0x", ":3: column address: expected an address below 2^60, found '0x'; the file "
                                  "ends within this line: is it cut "
                                  "short?"},
        {"address\n1\nx\n", ":3: column address: expected an address below 2^60, found 'x'"},
        {"address\n0x0fffffffffffffff\n1152921504606846976\n",
         ":3: column address: expected an address below 2^60, found '1152921504606846976'"},
        {"address\n0x10000000000000000\n",
         ":2: column address: expected an address below 2^60, found '0x10000000000000000'"},
        {"address\n1\n\"2\n3\n4\n", ":6: expected the row of line 3 to end, found a quote not closed"},
        {"address\n\n \n\r\n\"2\n", ":6: expected the row of line 5 to end, found a quote not closed"},
        {"address\n1\n\"2\n\n3\n", ":6: expected the row of line 3 to end, found a quote not closed"},
        {"address\n1\r\"2\n\n3\n", ":5: expected the row of line 2 to end, found a quote not closed"},
        {"address\n1\"2\n", ":2: expected quotes around a whole field, found one inside"},
        {"addresses,mask\n1 2,7\n", ":2: column addresses: expected 3, one per active lane, found 2"},
        {"addresses\n1 2z\n",
         ":2: column addresses: expected addresses with spaces between, or base+stride, found '1 2z'"},
        {"addresses\n1e3\n",
         ":2: column addresses: expected addresses with spaces between, or base+stride, found '1e3'"},
        {"addresses\n0x10;0x20\n",
         ":2: column addresses: expected addresses with spaces between, or base+stride, found '0x10;0x20'"},
        {"addresses\n1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9 1 2 3 4 5 6\n",
         ":2: column addresses: expected at most 32 addresses, or base+stride, found "
         "'1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9 1 2 3 '"},
        {"addresses\n8 0xfffffffffffffffe\n",
         ":2: column addresses: expected addresses below 2^60, found '8 0xfffffffffffffffe'"},
        {"addresses,mask\n0x0ffffffffffffff0+7,7\n0x0ffffffffffffff0+8,7\n",
         ":3: column addresses: expected addresses below 2^60, found '0x0ffffffffffffff0+8'"},
        {"addresses,mask\n0x1000000000000000-8,7\n",
         ":2: column addresses: expected addresses below 2^60, found '0x1000000000000000-8'"},
        {"addresses,mask\n15-8,7\n", ":2: column addresses: expected addresses from 0 on, found '15-8'"},
        {"block,addresses\n3,1 2 3 4\n",
         ":2: column addresses: expected lanes of threads that the block has, found '1 2 3 4'"},
        {"block,mask,addresses\n3,9,1 2\n",
         ":2: column mask: expected lanes of threads that the block has, found '9'"},
        {"block,lane,address\n3,3,1\n",
         ":2: column lane: expected lanes of threads that the block has, found '3'"},
        {"address,width\n1,0\n", ":2: column width: expected a number from 1 to 128, found '0'"},
        {"address,op\n1,read\n", ":2: column op: expected load, store, atomic or reduction, found 'read'"},
        {"address,opcode\n1,IADD3\n",
         ":2: column op: expected load, store, ..: the opcode does not tell, found ''"},
        {"address,class\n1,int\n", ":2: column class: expected mem, as the row has addresses, found 'int'"},
        {"address,opcode,op\n1,LDG.E,store\n",
         ":2: column op: expected load, as opcode LDG.E has it, found 'store'"},
        {"address,opcode,width\n1,LDG.E.64,0x8\n1,LDG.E,16\n1,LDG.E.64,4\n",
         ":4: column width: expected 8, as opcode LDG.E.64 has it, found '4'"},
        {"address,opcode,space\n1,STS,global\n",
         ":2: column space: expected shared, as opcode STS has it, found 'global'"},
        {"address,lane\n1,32\n", ":2: column lane: expected a number from 0 to 31, found '32'"},
        {"address,cta\n1,0 0 1\n",
         ":2: column cta: expected one number, as there is no column grid, found '0 0 1'"},
        {"address,cta\n1,4294967295\n",
         ":2: column cta: expected a number below 4294967295, found '4294967295'"},
        {"address,cta\n1,4294967296\n",
         ":2: column cta: expected numbers below 4294967296, found '4294967296'"},
        {"address,cta,grid\n1,4,2 2\n", ":2: column cta: expected a CTA inside the grid, found '4'"},
        {"address,grid\n1,0\n",
         ":2: column grid: expected numbers of at least 1, at most 2^40 CTAs together, found '0'"},
        {"address,grid\n1,65536 65536 65536\n", ":2: column grid: expected numbers of at least 1, at most "
                                                "2^40 CTAs together, found '65536 65536 65536'"},
        /* 2^64, of which nothing is left in 64 bits */
        {"address,grid\n1,1048576 1048576 16777216\n",
         ":2: column grid: expected numbers of at least 1, at most "
         "2^40 CTAs together, found '1048576 1048576 16777216'"},
        {"address,block\n1,9 9 9 9\n",
         ":2: column block: expected one to three numbers with spaces between (x y z), found '9 9 9 9'"},
        /* two CTAs, of which the second would be read as number 1, too */
        {"grid,cta,address\n2 2,0x1,1\n2 2,1x0,1\n",
         ":3: column cta: expected one to three numbers with spaces between (x y z), found '1x0'"},
        {"grid,address\n\"2,2\",1\n",
         ":2: column grid: expected one to three numbers with spaces between (x y z), found '2,2'"},
        {"grid,cta,address\n2 2,(1 0),1\n",
         ":2: column cta: expected one to three numbers with spaces between (x y z), found '(1 0)'"},
        {"block,address\n8:8,1\n",
         ":2: column block: expected one to three numbers with spaces between (x y z), found '8:8'"},
        {"address,warp,block\n1,1,32\n", ":2: column warp: expected a number from 0 to 0, found '1'"},
        {"address,grid\n1,4\n2,5\n", ":3: column grid: expected '4' as in the launch's first row, found '5'"},
        {"address,kernel\n1,2\n2,1\n",
         ":3: column kernel: expected launches whose first rows come in ascending order, found '1'"},
        {"address,name\n1,k\xff\n", ":2: column name: expected a text in UTF-8, found 'k\xff'"},
        {"address,opcode\n1,LD\xff\n", ":2: column opcode: expected a text in UTF-8, found 'LD\xff'"},
        {"address,dst\n1,Q1\n", ":2: column dst: expected R0 to R65534 or RZ, found 'Q1'"},
        {"address,src\n1,R1 UR5 R2\n", ":2: column src: expected R0 to R65534 or RZ, found 'UR5'"},
        {"address,src\n1,RZ5\n", ":2: column src: expected R0 to R65534 or RZ, found 'RZ5'"},
        {"address,src\n1,R65536\n", ":2: column src: expected R0 to R65534 or RZ, found 'R65536'"},
        {"address,dst\n1,1 2 3 4 RZ\n",
         ":2: column dst: expected up to 4 registers ('R1 R2'), found '1 2 3 4 RZ'"},
        {"cta;warp;address\n0;0;1\n",
         ":1: unknown column 'cta;warp;address': columns are separated by commas; 'warpsweep help csv' lists "
         "the columns"},
        {"cta\taddress\n0\t1\n",
         ":1: unknown column 'cta\taddress': columns are separated by commas; 'warpsweep help csv' lists the "
         "columns"},
        {"address,immediate\n1,2147483648\n",
         ":2: column immediate: expected a number of 32 bits, found '2147483648'"},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char text[256];
        snprintf(text, sizeof text, "@t.csv%s", cases[i].text);
        sample_import_bad(folder_write_text("t.csv", cases[i].csv), NULL, text);
    }
}

static void stop_at_the_end(void *stop, uint64_t bytes_read, uint64_t bytes_total) {
    *(volatile bool *)stop = bytes_read == bytes_total;
}

/* An import that is stopped while it writes rows fails cleanly even if the caller passes no ws_error. */
static void errors_may_go_untold(void **state) {
    (void)state;
    volatile bool stop = false;
    const ws_import_options options = {
        .progress = stop_at_the_end, .progress_context = (void *)(uintptr_t)&stop, .interrupted = &stop};
    const char *source = folder_write_text("t.csv", "address\n1\n");
    assert_false(ws_import(source, folder_path("out.wst"), &options, NULL));
    assert_true(stop);
    assert_false(folder_has("out.wst"));
}

static void all_columns_are_described(void **state) {
    (void)state;
    size_t count;
    const ws_csv_column *columns = ws_csv_columns(&count);
    assert_int_equal(count, 23);
    for (size_t i = 0; i < count; i++) assert_true(*columns[i].name && *columns[i].help);
}

/* ---- mem_trace */

#define BANNER "------------- NVBit (NVidia Binary Instrumentation Tool v1.5.3) Loaded --------------\n"
#define LAUNCH                                                                                               \
    "MEMTRACE: CTX 0x000055f000000000 - LAUNCH - Kernel pc 0x00007f0000000000 - Kernel name f(int - x) - "   \
    "grid launch "                                                                                           \
    "id 3 - grid size 2,1,1 - block size 64,1,1 - nregs 8 - shmem 16 - cuda stream id 0\n"
#define PLACE(cta, warp)                                                                                     \
    "MEMTRACE: CTX 0x000055f000000000 - grid_launch_id 3 - CTA " cta ",0,0 - warp " warp " - "
#define ZERO8 "0x0000000000000000 0x0000000000000000 0x0000000000000000 0x0000000000000000 0x0 0x0 0x0 0x0 "

static void lines_of_mem_trace_become_instructions(void **state) {
    (void)state;
    static const char text[] = BANNER "hello from the program\n" LAUNCH PLACE(
        "1", "9") "LDG.E - 0x0000000000000000 "
                  "0x00007f0000000010 0x0 0x0 0x0 0x0 0x0 0x0 " ZERO8 ZERO8 ZERO8
                  "\n" PLACE("1", "17") "STG.E.64 - 0x10 0x0 0x0 0x0 0x0 0x0 0x0 0x0 " ZERO8 ZERO8 ZERO8
                                        "\n" PLACE("0", "5") "LDG.E.SYS - pc 144 - Size 4 - MREF per "
                                                             "threads(threadidx,data,address) : "
                                                             "Thread0,0x1,0x7f0 Thread31,0x2,0x7f4 \n" PLACE(
                                                                 "1", "9") "LDS - " ZERO8 ZERO8 ZERO8 ZERO8
                                                                           "\n";
    /* Warp numbers are places in the SM: 9 and 17 are the first and the second warp of CTA 1. */
    static const char expected[] = "f(int - x) 2,1,1 64,1,1\n"
                                   "0,0,0 0 90 80000001 LDG.E.SYS mem load global 4 7f0 7f4\n"
                                   "1,0,0 0 0 2 LDG.E mem load global 4 7f0000000010\n"
                                   "1,0,0 0 0 0 LDS mem load shared 4\n"
                                   "1,0,0 1 0 1 STG.E.64 mem store global 8 10\n";
    expect_trace(sample_import_good(folder_write_text("t.memtrace", text), NULL), expected);
    expect_trace(sample_import_good(folder_write_text("log.txt", text), NULL), expected);
    expect_trace(sample_import_good(folder_write_crlf("t.memtrace", text), NULL), expected);
}

/* The tool prints a line for each memory operand, and LDGSTS has two: its write of shared memory comes first. Of that,
 * a lane at offset 0 looks inactive. */
static void of_copies_to_shared_memory_the_global_side_is_kept(void **state) {
    (void)state;
#define COPY(a, b)     "LDGSTS.E - " a " " b " 0x0 0x0 0x0 0x0 0x0 0x0 " ZERO8 ZERO8 ZERO8 "\n"
#define READS(address) "LDGSTS.E - pc 32 - Size 16 - MREF per threads() : Thread0,0x1," address "\n"
    static const char text[] = LAUNCH PLACE("0", "5") COPY("0x0", "0x4") PLACE("0", "6") COPY("0x8", "0xc")
        PLACE("0", "5") COPY("0x7f00", "0x7f04") PLACE("0", "6") COPY("0x7f08", "0x7f0c") PLACE("0", "5")
            COPY("0x10", "0x14") PLACE("0", "5") COPY("0x7f80", "0x7f84") PLACE("1", "5") READS("0x20")
                PLACE("1", "5") READS("0x9f00");
    static const char expected[] = "f(int - x) 2,1,1 64,1,1\n"
                                   "0,0,0 0 0 3 LDGSTS.E mem load global 4 7f00 7f04\n"
                                   "0,0,0 0 0 3 LDGSTS.E mem load global 4 7f80 7f84\n"
                                   "0,0,0 1 0 3 LDGSTS.E mem load global 4 7f08 7f0c\n"
                                   "1,0,0 0 20 1 LDGSTS.E mem load global 16 9f00\n";
    expect_trace(sample_import_good(folder_write_text("t.memtrace", text), NULL), expected);
    static const char alone[] = LAUNCH PLACE("1", "9") COPY("0x0", "0x4") PLACE("1", "9")
        COPY("0x7f00", "0x7f04") PLACE("1", "9") COPY("0x8", "0xc");
    sample_import_bad(
        folder_write_text("t.memtrace", alone), NULL,
        "@t.memtrace: launch 1: CTA 1,0,0: expected each LDGSTS of a warp twice in a row (shared, then "
        "global address), found one alone; lines are missing");
    sample_import_bad(
        folder_write_text("t.memtrace",
                          LAUNCH PLACE("0", "1") COPY("0x0", "0x4") PLACE("0", "1") READS("0x20")),
        NULL,
        "@t.memtrace: launch 1: CTA 0,0,0: expected each LDGSTS of a warp twice in a row (shared, then "
        "global address), found one alone; lines are missing");
}

static void wrong_lines_of_mem_trace_are_named(void **state) {
    (void)state;
    static const struct {
        const char *from, *to, *text;
    } cases[] = {
        {"CTX 0x0", "CTX y",
         ":1: expected 'CTX 0x.. - ', found 'y00055f000000000 - LAUNCH - Kernel pc 0x00007f00 ..'"},
        {"grid size 2,1,1", "grid size 0,1,1",
         ":1: expected a grid and a block of at least 1,1,1 (at most 32768 threads), found 'grid size 0,1,1 "
         "- "
         "block size 64,1,1 - nregs 8 -  ..'"},
        {"block size 64,1,1", "block size 99999,1,1",
         ":1: expected a grid and a block of at least 1,1,1 (at most 32768 threads), found 'grid size 2,1,1 "
         "- "
         "block size 99999,1,1 - nregs 8 ..'"},
        {"warp 9", "warp 4096",
         ":2: expected a warp number below 4096, then ' - ', found '4096 - LDG.E - 0x1'"},
        {"warp 9", "warp 99999999",
         ":2: expected a warp number below 4096, then ' - ', found '99999999 - LDG.E - 0x1'"},
        {"f(int", "f\xff(int",
         ":1: expected a name in UTF-8, found 'f?(int - x) - grid launch id 3 - grid size 2,1,1 ..'"},
        {"id 3 - CTA", "id 4 - CTA",
         ":2: expected the grid_launch_id of a LAUNCH line above, found 'grid_launch_id 4 - CTA 1,0,0 - warp "
         "9 - LDG.E -  ..'"},
        {"CTA 1,0,0", "CTA 2,0,0",
         ":2: expected a CTA (x,y,z) inside the grid, found '2,0,0 - warp 9 - LDG.E - 0x1'"},
        {"0x1\n", "0x1 0x2\n", ":2: expected 32 addresses (0x..), one per lane, found the end of the line"},
        {"0x1\n", "0x0 0x1000000000000000\n",
         ":2: expected addresses below 2^60, found '0x1000000000000000'"},
        {"LDG.E - 0x1",
         "LDG.E - pc 1 - Size 4 - MREF per threads : Thread3,0xf000000000000000,0xffffffffffffffc0",
         ":2: expected addresses below 2^60, found '0xffffffffffffffc0'"},
        {"LDG.E - 0x1", "- 0x1", ":2: expected an opcode such as LDG.E.64, then ' - ', found '- 0x1'"},
        {"LDG.E - 0x1", "LDG.E - pc 1 - Size 4 - MREF per threads : Thread32,0x1,0x1",
         ":2: expected Thread<0 to 31>,0x<data>,0x<address>, found ',0x1,0x1'"},
        {"LDG.E - 0x1", "LDG.E - pc 1 - Size 0 - MREF per threads : Thread3,0x1,0x1",
         ":2: expected a Size of 1 to 128 bytes, found '0 - MREF per threads : Thread3,0x1,0x1'"},
        {"LDG.E - 0x1", "LDG.E - pc 1 - Size 4, MREF per threads : Thread3,0x1,0x1",
         ":2: expected 'pc N - Size N - MREF per threads(..) : Thread0,0x..,0x.. ..', found ', MREF per "
         "threads : Thread3,0x1,0x1'"},
        {"LDG.E - 0x1", "LDG.E - pc 1 - Size 129 - MREF per threads : Thread3,0x1,0x1",
         ":2: expected a Size of 1 to 128 bytes, found '129 - MREF per threads : Thread3,0x1,0x1'"},
        {"LDG.E - 0x1",
         "LDG.E - pc 1 - Size 4 - MREF per threads : Thread3,0x1,0x1 Thread3,0x1,0x2 Thread4,0x1,0x1",
         ":2: expected each thread once, but for the one before this place, found ' Thread4,0x1,0x1'"},
        {"MEMTRACE: CTX 0x000055f000000000 - grid_l", "x MEMTRACE: CTX 0x000055f000000000 - grid_l",
         ":2: expected 'MEMTRACE: ' at the beginning of the line, found 'x MEMTRACE: CTX 0x000055f000000000 "
         "- grid_launch "
         "..'; print what the program prints to another file"},
    };
    for (size_t i = 0; i < WS_COUNT(cases); i++) {
        char text[512],
            *bad = sample_replace(LAUNCH PLACE("1", "9") "LDG.E - 0x1\n", cases[i].from, cases[i].to);
        snprintf(text, sizeof text, "@t.memtrace%s", cases[i].text);
        sample_import_bad(folder_write_text("t.memtrace", bad), NULL, text);
        free(bad);
    }
    sample_import_bad(
        folder_write_text("t.memtrace", LAUNCH LAUNCH), NULL,
        "@t.memtrace:2: expected a grid launch id that has not come before, found 'f(int - x) - "
        "grid launch id 3 - grid size 2,1,1  ..'");
    sample_import_bad(
        folder_write_text("t.memtrace", BANNER), NULL,
        "@t.memtrace:2: expected at least one line 'MEMTRACE: CTX 0x.. - LAUNCH - ..', found the end of "
        "the file");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_become_instructions),
        cmocka_unit_test(blank_lines_are_skipped),
        cmocka_unit_test(rows_do_not_grow_without_end),
        cmocka_unit_test(lanes_become_instructions),
        cmocka_unit_test(launches_may_take_turns),
        cmocka_unit_test(wrong_rows_are_named),
        cmocka_unit_test(errors_may_go_untold),
        cmocka_unit_test(all_columns_are_described),
        cmocka_unit_test(lines_of_mem_trace_become_instructions),
        cmocka_unit_test(of_copies_to_shared_memory_the_global_side_is_kept),
        cmocka_unit_test(wrong_lines_of_mem_trace_are_named),
    };
    return cmocka_run_group_tests(tests, folder_setup, folder_teardown);
}
