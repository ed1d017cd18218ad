/* Any bytes as the specification of a sweep. */
#include "memory_file.h"

#include "sweep/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ws_error err = WS_NO_ERROR;
    const ws_spec_folders folders = {"sweeps/gpus", "sweeps/energy"};
    ws_spec_free(ws_spec_load(memory_file(bytes, size), ws_analyses(), &folders, &err));
    return 0;
}
