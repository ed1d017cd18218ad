/* Any bytes as a configuration of GPGPU-Sim. */
#include "memory_file.h"

#include "warpsweep/gpgpusim.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ws_error err = WS_NO_ERROR;
    const char *path = memory_file(bytes, size);
    json_decref(ws_gpgpusim_preset(&path, 1, "fuzzed", NULL, NULL, &err));
    return 0;
}
