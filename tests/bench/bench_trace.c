/* Text into .wst and back: speed of import and of decoding, size against xz. */
#include "bench.h"

#include "base/array.h"
#include "base/random.h"
#include "warpsweep/trace.h"

#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { REPETITIONS = 5 };

/* ---- a text to import
 * A kernel as a tracer writes it: index arithmetic, a loop over a row with a strided and a gathered load, a branch, a
 * store; in a quarter of the warps lanes are missing. */

static void put_strided(FILE *f, const char *head, uint64_t base) {
    fprintf(f, "%s 1 0x%llx 4 0 \n", head, (unsigned long long)base);
}

static void put_gathered(FILE *f, uint32_t mask, const char *head, uint64_t *random) {
    fprintf(f, "%s 2 0x%llx ", head,
            (unsigned long long)(0x7f2000000000 + ws_random_next(random) % 100000 * 4));
    for (int lane = 1; lane < __builtin_popcount(mask); lane++)
        fprintf(f, "%lld ", (long long)(ws_random_next(random) % 4096) * 4 - 8192);
    fprintf(f, "0 \n");
}

static void put_trip(FILE *f, uint32_t mask, uint64_t row, bool gather, uint64_t *random) {
    char head[64];
    snprintf(head, sizeof head, "0060 %08x 1 R8 LDG.E.SYS 1 R2 4", mask);
    put_strided(f, head, row);
    fprintf(f, "0070 %08x 1 R9 IMAD.WIDE 3 R8 R4 R6 0 0 \n", mask);
    snprintf(head, sizeof head, "0080 %08x 1 R10 LDG.E.SYS 1 R9 4", mask);
    if (gather)
        put_gathered(f, mask, head, random);
    else
        put_strided(f, head, row + (1 << 24));
    static const char *const arithmetic[] = {"1 R11 FFMA 3 R8 R10 R11", "1 R4 IADD3 3 R4 R255 R255",
                                             "1 R2 IADD3 2 R2 R255",    "0 ISETP.GE.AND 2 R4 R5",
                                             "1 R3 IADD3.X 2 R3 R255",  "0 BRA 0"};
    for (unsigned i = 0; i < WS_COUNT(arithmetic); i++)
        fprintf(f, "%04x %08x %s 0 %u \n", 0x90 + 16 * i, mask, arithmetic[i], i);
}

static void put_warp(FILE *f, uint32_t warp, uint64_t *random) {
    enum { TRIPS = 24, PROLOGUE = 6, BODY = 9, EPILOGUE = 3 };
    uint32_t mask = 0xffffffffu >> (ws_random_next(random) % 4 ? 0 : ws_random_next(random) % 31);
    uint64_t row = UINT64_C(0x7f1000000000) + (uint64_t)warp * 65536;
    fprintf(f, "\nwarp = %u\ninsts = %d\n", warp % 8, PROLOGUE + TRIPS * BODY + EPILOGUE);
    for (int i = 0; i < PROLOGUE; i++)
        fprintf(f, "%04x ffffffff 1 R%d IMAD.MOV.U32 2 R255 R%d 0 %d \n", 16 * i, i, i, i);
    for (uint64_t t = 0; t < TRIPS; t++) put_trip(f, mask, row + 128 * t, t % 3 == 0, random);
    fprintf(f, "00f0 ffffffff 1 R6 IMAD.WIDE 2 R0 R7 0 4 \n");
    put_strided(f, "0100 ffffffff 0 STG.E.SYS 2 R6 R11 4", UINT64_C(0x7f3000000000) + (uint64_t)warp * 128);
    fprintf(f, "0110 ffffffff 0 EXIT 0 0 0 \n");
}

static void make_text(const char *path) {
    enum { CTAS = 640, WARPS = 8 };
    FILE *f = fopen(path, "w");
    if (!f) exit(1);
    uint64_t random = 5;
    fprintf(f,
            "-kernel name = bench\n-kernel id = 1\n-grid dim = (%d,1,1)\n-block dim = (256,1,1)\n-shmem = 0\n"
            "-nregs = 32\n-binary version = 70\n-cuda stream id = 0\n-shmem base_addr = 0x00007f0000000000\n"
            "-local mem base_addr = 0x00007e0000000000\n-nvbit version = 1.7\n-accelsim tracer version = 5\n"
            "-enable lineinfo = 0\n\n#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "
            "mem_width [adrrescompress?] [mem_addresses] immediate\n\n",
            CTAS);
    for (uint32_t c = 0; c < CTAS; c++) {
        fprintf(f, "\n#BEGIN_TB\n\nthread block = %u,0,0\n", c);
        for (uint32_t w = 0; w < WARPS; w++) put_warp(f, c * WARPS + w, &random);
        fprintf(f, "\n#END_TB\n");
    }
    fclose(f);
}

static double file_bytes(const char *path) {
    struct stat s;
    return stat(path, &s) == 0 ? (double)s.st_size : 0;
}

/* Bytes of `xz -9` of a file. */
static double xz_bytes(const char *path) {
    FILE *f = fopen(path, "rb");
    size_t size = (size_t)file_bytes(path), room = lzma_stream_buffer_bound(size), out = 0;
    uint8_t *text = malloc(size), *packed = malloc(room);
    if (!f || fread(text, 1, size, f) != size) exit(1);
    fclose(f);
    if (lzma_easy_buffer_encode(9, LZMA_CHECK_CRC64, NULL, text, size, packed, &out, room) != LZMA_OK)
        exit(1);
    free(text);
    free(packed);
    return (double)out;
}

static void fail(const ws_error *err) {
    fprintf(stderr, "%s\n", err->text);
    exit(1);
}

static void decode(const ws_trace *t) {
    ws_error err = WS_NO_ERROR;
    ws_reader *reader = ws_reader_new(t, &err);
    for (uint32_t k = 1; k <= ws_trace_get_info(t)->kernel_count; k++)
        for (uint32_t c = 0; c < ws_trace_kernel(t, k)->counters.ctas; c++) {
            ws_cta cta;
            if (!ws_reader_cta(reader, k, c, &cta, &err)) fail(&err);
        }
    ws_reader_free(reader);
}

/* Measures the import of `source`, whose plain text is `text`, and the size and decoding of the result. */
static void measure(const char *what, const char *source, const char *text, const char *wst) {
    ws_error err = WS_NO_ERROR;
    double bytes = file_bytes(text), seconds[REPETITIONS];
    printf(" %s: %.1f MB of text\n", what, bytes / 1e6);
    for (int r = 0; r < REPETITIONS; r++) {
        double start = bench_seconds();
        if (!ws_import(source, wst, &(ws_import_options){0}, &err)) fail(&err);
        seconds[r] = bench_seconds() - start;
    }
    bench_report("import of plain text, one core", bytes / bench_median(seconds, REPETITIONS) / 1e6, "MB/s",
                 BENCH_AT_LEAST, 220);
    bench_report(".wst over xz -9 of the text", file_bytes(wst) / xz_bytes(text), "x", BENCH_AT_MOST, 1.2);

    ws_trace *t = ws_trace_open(wst, &err);
    if (!t) fail(&err);
    for (int r = 0; r < REPETITIONS; r++) {
        double start = bench_seconds();
        decode(t);
        seconds[r] = bench_seconds() - start;
    }
    double instructions = (double)ws_trace_totals(t).warp_instructions / bench_median(seconds, REPETITIONS);
    bench_report("decoding, one core", instructions / 1e6, "M warp instructions/s", BENCH_AT_LEAST, 15);
    ws_trace_close(t);
}

/* Measures an application that others traced, if $WARPSWEEP_TESTDATA has it. For the comparison, xz packs the texts of
 * all launches as one file, since a .wst holds all launches, too. */
static void measure_application(const char *name, const char *text, const char *wst) {
    const char *data = getenv("WARPSWEEP_TESTDATA");
    char list[512], command[1200];
    snprintf(list, sizeof list, "%s/accelsim/%s/kernelslist.g", data ? data : "", name);
    if (!data || access(list, R_OK) != 0) return;
    snprintf(command, sizeof command, "cd '%s/accelsim/%s' && cat $(grep -h '^kernel' kernelslist.g) > '%s'",
             data, name, text);
    if (system(command) == 0) measure(name, list, text, wst);
}

void bench_trace(void) {
    char folder[] = "/tmp/warpsweep-bench-XXXXXX", text[64], wst[64], command[64];
    if (!mkdtemp(folder)) exit(1);
    snprintf(text, sizeof text, "%s/bench.traceg", folder);
    snprintf(wst, sizeof wst, "%s/bench.wst", folder);
    make_text(text);
    measure("generated kernel", text, text, wst);
    measure_application("bfs-rodinia-v3", text, wst);
    measure_application("mlp-train-v5", text, wst);
    measure_application("matmul-v4", text, wst);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    if (system(command) != 0) exit(1);
}
