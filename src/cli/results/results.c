#include "cli/results/results.h"

#include <stdio.h>

ws_store *cli_open_results(const char *path, ws_error *err) {
    ws_store *store = ws_store_open_readonly(path, err);
    if (!store || ws_store_tell_log_lost(store, stderr, err)) return store;
    ws_store_close(store);
    return NULL;
}
