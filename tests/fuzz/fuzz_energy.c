/* Any bytes as a table of energies. */
#include "memory_file.h"

#include "sweep/energy/energy.h"

static const ws_analysis *timed(void) {
    const ws_analysis *const *a = ws_analyses();
    while (!ws_energy_suits(*a)) a++;
    return *a;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    ws_error err = WS_NO_ERROR;
    ws_energy_free(ws_energy_load(memory_file(bytes, size), NULL, timed(), &err));
    return 0;
}
