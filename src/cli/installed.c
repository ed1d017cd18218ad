#include "cli/installed.h"

#include "base/array.h"

#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const cli_data cli_figures = {"figures", "WARPSWEEP_PLOTS", "plots", "plots"};
const cli_data cli_gpus = {"GPUs", "WARPSWEEP_GPUS", "sweeps/gpus", "gpus"};
const cli_data cli_energies = {"tables of energies", "WARPSWEEP_ENERGIES", "sweeps/energy", "energy"};
const cli_data cli_sweeps = {"specifications", "WARPSWEEP_SWEEPS", "sweeps", "sweeps"};

bool cli_data_folder(const cli_data *data, char *path, size_t size, ws_error *err) {
    const char *chosen = getenv(data->variable);
    if (chosen && *chosen)
        return snprintf(path, size, "%s", chosen) < (int)size ||
               ws_fail(err, WS_ERROR_USAGE, "%s: expected a path of less than %zu bytes, found %zu",
                       data->variable, size, strlen(chosen));
    char binary[PATH_MAX] = "";
    ssize_t length = readlink("/proc/self/exe", binary, sizeof binary - 1);
    if (length < 0)
        return ws_fail(err, WS_ERROR_IO, "cannot find the %s: set %s to their folder", data->what,
                       data->variable);
    const char *folder = dirname(binary);
    if (snprintf(path, size, "%s/%s", folder, data->beside) < (int)size && access(path, R_OK) == 0)
        return true;
    if (snprintf(path, size, "%s/../share/warpsweep/%s", folder, data->shared) < (int)size &&
        access(path, R_OK) == 0)
        return true;
    return ws_fail(err, WS_ERROR_IO,
                   "no %s in %s/%s, nor in %s/../share/warpsweep/%s: set %s to their folder", data->what,
                   folder, data->beside, folder, data->shared, data->variable);
}

void cli_print_variables(cli_print_variable *print, FILE *out) {
    static const cli_data *const folders[] = {&cli_figures, &cli_gpus, &cli_energies, &cli_sweeps};
    for (size_t i = 0; i < WS_COUNT(folders); i++) {
        char help[160];
        snprintf(help, sizeof help, "the folder of the %s, instead of those that are installed",
                 folders[i]->what);
        print(folders[i]->variable, help, out);
    }
    print("TMPDIR",
          "where 'import' keeps what does not fit into memory, and 'characterize' its database and pictures; "
          "/tmp without it",
          out);
    print("TERM", "dumb, or not set: progress is a line now and then instead of a bar that is redrawn", out);
}
