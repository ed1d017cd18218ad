/* Any bytes as an Accel-Sim trace file, grouped or raw; nothing is written. */
#include "memory_file.h"
#include "null_writer.h"

#include "trace/import/accelsim.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ws_text text;
    ws_accelsim_header header;
    ws_error err = WS_NO_ERROR;
    if (!ws_text_open_bytes(&text, "trace", bytes, size, &err)) return 0;
    if (ws_accelsim_read_header(&text, &header, &err)) {
        null_writer_reset();
        ws_losses losses = {0};
        bool is_raw;
        if (ws_accelsim_tell_raw(&text, &is_raw, &err)) {
            if (is_raw)
                ws_accelsim_read_raw(&text, &header, NULL, NULL, &losses, &err);
            else
                ws_accelsim_read_grouped(&text, &header, NULL, &losses, &err);
        }
        ws_accelsim_header_free(&header);
    }
    ws_text_close(&text);
    return 0;
}
