/* Any bytes as a .tracez of Accel-Sim 2.0: container and text; nothing is written. */
#include "memory_file.h"
#include "null_writer.h"

#include "trace/import/accelsim.h"
#include "trace/import/tracez.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ws_text text;
    ws_accelsim_header header;
    ws_error err = WS_NO_ERROR;
    if (!ws_tracez_open(&text, memory_file(bytes, size), NULL, &err)) return 0;
    if (ws_accelsim_read_header(&text, &header, &err)) {
        null_writer_reset();
        ws_losses losses = {0};
        ws_accelsim_read_grouped(&text, &header, NULL, &losses, &err);
        ws_accelsim_header_free(&header);
    }
    ws_text_close(&text);
    return 0;
}
