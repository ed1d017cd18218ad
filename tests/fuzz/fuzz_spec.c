/* Any bytes as the specification of a sweep. */
#include "memory_file.h"

#include "sweep/spec.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ws_error err = WS_NO_ERROR;
    ws_spec_free(ws_spec_load(memory_file(bytes, size), ws_analyses(), "sweeps/gpus", &err));
    return 0;
}
