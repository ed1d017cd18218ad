/* Any bytes as a CSV trace, or as the rows below a valid header, which the first byte chooses; nothing is written. */
#include "memory_file.h"
#include "null_writer.h"

#include "base/array.h"
#include "trace/import/csv.h"

#include <string.h>

static const char *const headers[] = {
    "kernel,name,grid,block,registers,shared,cta,warp,pc,opcode,class,mask,op,space,width,addresses,dst,src,"
    "immediate,"
    "line\n",
    "kernel,grid,block,cta,thread,address,opcode\n",
    "kernel,cta,warp,lane,address,width\n",
    "addresses,mask,pc\n",
    "opcode,dst,src,immediate\n",
    "grid,cta,address\n",
    "name,addresses\n",
};
enum { HEADERS = WS_COUNT(headers), INPUT_MAX = 1 << 16 };

static void read_csv(const char *bytes, size_t size) {
    static const ws_import_options options = {0};
    ws_text text;
    ws_gathered gathered;
    ws_error err = WS_NO_ERROR;
    if (!ws_text_open_bytes(&text, "csv", bytes, size, &err)) return;
    null_writer_reset();
    if (ws_gathered_begin(&gathered, NULL, &options, NULL, &err)) {
        if (ws_csv_read(&text, &gathered, &err)) ws_gathered_finish(&gathered, "csv", &err);
        ws_gathered_free(&gathered);
    }
    ws_text_close(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static char input[INPUT_MAX];
    const char *header = size > 0 && bytes[0] <= HEADERS && bytes[0] > 0 ? headers[bytes[0] - 1] : "";
    size_t length = strlen(header), skipped = length > 0;
    if (size > INPUT_MAX / 2) return 0;
    memcpy(input, header, length);
    memcpy(input + length, bytes + skipped, size - skipped);
    read_csv(input, length + size - skipped);
    return 0;
}
