/* Any bytes as a kernelslist. */
#include "memory_file.h"

#include "trace/import/accelsim.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ws_accelsim_list list;
    ws_error err = WS_NO_ERROR;
    ws_text text;
    if (!ws_text_open_bytes(&text, "list", bytes, size, &err)) return 0;
    if (ws_accelsim_parse_list(&list, &text, &err)) ws_accelsim_list_free(&list);
    ws_text_close(&text);
    return 0;
}
