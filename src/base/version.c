#include "warpsweep/version.h"

const char *ws_version(void) {
    return WS_VERSION;
}

const char *ws_revision(void) {
    return WS_REVISION;
}
