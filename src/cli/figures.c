#include "cli/figures.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool cli_figures_folder(char *path, size_t size, ws_error *err) {
    static const char *const places[] = {"plots", "../share/warpsweep/plots"};
    const char *chosen = getenv("WARPSWEEP_PLOTS");
    if (chosen && *chosen) return snprintf(path, size, "%s", chosen) < (int)size;
    char binary[PATH_MAX] = "";
    ssize_t length = readlink("/proc/self/exe", binary, sizeof binary - 1);
    if (length < 0)
        return ws_fail(err, WS_ERROR_IO, "cannot find the figures: set WARPSWEEP_PLOTS to their folder");
    const char *folder = dirname(binary);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (snprintf(path, size, "%s/%s", folder, places[i]) < (int)size && access(path, R_OK) == 0)
            return true;
    return ws_fail(
        err, WS_ERROR_IO,
        "no figures in %s/plots, nor in %s/../share/warpsweep/plots: set WARPSWEEP_PLOTS to their folder",
        folder, folder);
}
