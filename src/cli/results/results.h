/* The results database that a command reads. */
#ifndef WS_CLI_RESULTS_RESULTS_H
#define WS_CLI_RESULTS_RESULTS_H

#include "warpsweep/store.h"

/* Opens it for reading, and says on stderr if it seems to lack results; NULL with an error. */
ws_store *cli_open_results(const char *path, ws_error *err);

#endif
