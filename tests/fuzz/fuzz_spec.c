/* Any bytes as the specification of a sweep; its points are made unless there are too many. */
#include "memory_file.h"

#include "sweep/grid/grid.h"
#include "sweep/spec/product.h"

enum { POINTS_MAX = 200 };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ws_error err = WS_NO_ERROR;
    const ws_spec_folders folders = {"sweeps/gpus", "sweeps/energy"};
    ws_spec *spec = ws_spec_load(memory_file(bytes, size), ws_analyses(), &folders, &err);
    uint64_t count;
    if (spec && ws_product_count(spec, &count, &err) && count <= POINTS_MAX)
        ws_grid_free(ws_grid_new(spec, &err));
    ws_spec_free(spec);
    return 0;
}
