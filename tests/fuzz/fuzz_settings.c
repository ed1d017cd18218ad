/* Any bytes as the choice of a trace and of settings of the timed replay. */
#include "../support/any_settings.h"
#include "../support/folder.h"
#include "memory_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    folder_setup(NULL);
    any_settings_agree(bytes, size);
    any_settings_idle_agree(bytes, size);
    folder_teardown(NULL);
    return 0;
}
