/* Writes the first inputs of all fuzzers: seeds FOLDER makes FOLDER/<fuzzer>/<number>. */
#include "warpsweep/trace.h"

#include "../support/accelsim_sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct {
    const char *fuzzer, *text;
} seeds[] = {
    {"list", "MemcpyHtoD,0x00007f0000000000,65536\nkernel-1.traceg\nkernel-2-ctx_0x5.traceg.xz\n"},
    {"list", "MemcpyHtoD,0x7f0000000000,1,data.bin\n\nMemcpyDtoH,0x7f0000000000,1\nkernel-1.trace\n"},
    {"spec",
     "{\"name\": \"s\", \"description\": \"d\", \"traces\": [\"a.wst\", \"b/*.wst\"], \"kernels\": \"1,3-5\","
     "\"analysis\": \"window\", \"fidelity\": \"order\", \"base\": {\"window.scope\": \"sm\"},"
     "\"axes\": {\"window.size\": {\"log2\": [1, 256]}, \"window.kind\": [\"fifo\", \"sliding\"]}}"},
    {"spec",
     "{\"name\": \"s\", \"traces\": \"a.wst\", \"kernels\": [\"^a\", \"2-\"], \"analysis\": \"window\","
     "\"axes\": {\"window.size\": {\"range\": [1, 9, 2]}, \"gpu.sms\": {\"values\": [1, 2]}}}"},
    {"traceg", GOOD},
    {"traceg",
     "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-accelsim tracer version = 5\n"
     "-enable lineinfo = 1\n#traces format = x\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 4\n"
     "12 0000 00000007 1 R1 ATOMG.E.ADD.64 2 R2 R255 8 0 0x7f0000000000 0x7f0000000040 0x7f0000000010 -3 \n"
     "12 0010 ffffffff 1 R1 LD.E 2 R2 R255 4 1 0x7f0000000000 -4 -3 \n"
     "12 0020 00000003 0 LDS.U.128 2 R2 R255 16 2 0x0 16 0 \n13 0030 ffffffff 0 EXIT 0 0 0 \n#END_TB\n"},
    {"traceg",
     "-kernel name = k\n-grid dim = (2,2,1)\n-block dim = (8,4,1)\n#traces format = x\n#BEGIN_TB\n"
     "thread block = 1,1,0\nwarp = 0\ninsts = 1\n1 1 0 0 0000 ffffffff 0 STG.E.U8 2 R2 R0 1 1 0x7f 0 \n"
     "#END_TB\n"},
};

static char *folder_of(const char *root, const char *fuzzer) {
    char *path;
    if (asprintf(&path, "%s/%s", root, fuzzer) < 0) abort();
    mkdir(path, 0777);
    return path;
}

static char *write_seed(const char *root, const char *fuzzer, size_t number, const char *text) {
    char *path, *folder = folder_of(root, fuzzer);
    if (asprintf(&path, "%s/%zu", folder, number) < 0) abort();
    free(folder);
    FILE *file = fopen(path, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0) abort();
    return path;
}

/* What the writer makes of the trace at `path`. */
static void write_native(const char *root, const char *path, size_t number) {
    char *out, *folder = folder_of(root, "wst");
    ws_error err = WS_NO_ERROR;
    if (asprintf(&out, "%s/%zu", folder, number) < 0) abort();
    ws_import(path, out, &(ws_import_options){.format = "accelsim"}, &err);
    if (err.code != WS_ERROR_NONE) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    free(out);
    free(folder);
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    mkdir(argv[1], 0777);
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        char *path = write_seed(argv[1], seeds[i].fuzzer, i, seeds[i].text);
        if (strcmp(seeds[i].fuzzer, "traceg") == 0) write_native(argv[1], path, i);
        free(path);
    }
    return 0;
}
