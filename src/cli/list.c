#include "cli/command.h"
#include "cli/describe.h"

enum { JSON };

static bool print_json(ws_error *err) {
    json_t *analyses = json_array();
    for (const ws_analysis *const *a = ws_analyses(); *a; a++)
        json_array_append_new(analyses, cli_analysis_json(*a));
    json_t *root = json_pack("{s:o}", "analyses", analyses);
    if (!root) return ws_fail(err, WS_ERROR_MEMORY, "out of memory");
    json_dumpf(root, stdout, JSON_INDENT(2));
    fputc('\n', stdout);
    json_decref(root);
    return true;
}

static int run(const cli_args *args, ws_error *err) {
    if (args->option[JSON]) {
        print_json(err);
        return 0;
    }
    for (const ws_analysis *const *a = ws_analyses(); *a; a++) {
        cli_describe_analysis(*a, stdout);
        fputs("\n\n", stdout);
    }
    fputs("replay: what every analysis stands on\n", stdout);
    cli_describe_replay(ws_analyses()[0], stdout);
    return 0;
}

const cli_command cli_list = {
    .name = "list",
    .summary = "all analyses with their parameters and metrics",
    .options = {[JSON] = {"json", 0, false, NULL, "the same as one JSON object"}},
    .details =
        "These are the names that sweep specifications and SQL use; in SQL a parameter's '.' is a '_'.\n",
    .run = run,
};
