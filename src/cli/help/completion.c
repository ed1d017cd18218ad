/* The completion script: it contains commands and options; for names it asks the command. */
#include "base/array.h"
#include "cli/command.h"
#include "cli/help/manual.h"
#include "cli/help/names.h"
#include "trace/import/import_formats.h"

#include <string.h>

static const char head[] =
    "# bash completion of warpsweep, as 'warpsweep help --bash' prints it.\n"
    "_warpsweep_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"${COMP_WORDS[COMP_CWORD]}\"); }\n"
    "_warpsweep_names() { # kinds\n"
    "    local kind words=''\n"
    "    for kind; do words+=\" $(\"$warpsweep\" list \"$kind\" --names 2>/dev/null)\"; done\n"
    "    _warpsweep_words \"$words\"\n"
    "}\n"
    "_warpsweep_figures() { # database\n"
    "    _warpsweep_words \"$(\"$warpsweep\" plot \"$1\" 2>/dev/null | awk 'NR > 2 { print $1 }')\"\n"
    "}\n"
    "_warpsweep_views() { # database\n"
    "    _warpsweep_words \"$(\"$warpsweep\" query \"$1\" 'SELECT name FROM sweep_view' --csv 2>/dev/null | "
    "sed 1d)\"\n"
    "}\n"
    "_warpsweep() {\n"
    "    local warpsweep=${COMP_WORDS[0]} command=${COMP_WORDS[1]-} word=${COMP_WORDS[COMP_CWORD]}\n"
    "    local before=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    COMPREPLY=()\n"
    "    if ((COMP_CWORD == 1)); then\n";

static const char tail[] = "    help:*) _warpsweep_names" CLI_NAME_KIND_WORDS " ;;\n"
                           "    plot:*) ((COMP_CWORD == 3)) && _warpsweep_figures \"${COMP_WORDS[2]}\" ;;\n"
                           "    effects:*) ((COMP_CWORD == 3)) && _warpsweep_views \"${COMP_WORDS[2]}\" ;;\n"
                           "    esac\n"
                           "}\n"
                           "complete -o default -F _warpsweep warpsweep\n";

#define FORMAT_WORD(name, after, import, name1, name2, begin1, begin2) " " name

/* What completes the value of an option; those that are not here take file names. */
static const struct {
    const char *option, *action;
} values[] = {
    {"format", "_warpsweep_words '" WS_IMPORT_FORMATS(FORMAT_WORD) "'"},
    {"gpu", "_warpsweep_names gpus"},
    {"set", "_warpsweep_names parameters; compopt -o nospace 2>/dev/null"},
};

static const char *action_of(const cli_option *o) {
    for (size_t i = 0; i < WS_COUNT(values); i++)
        if (strcmp(values[i].option, o->name) == 0) return values[i].action;
    return ":";
}

/* Prints the cases that complete the value after an option that takes one. */
static void print_values(const cli_command *command, FILE *out) {
    for (int i = 0; i < CLI_OPTIONS_MAX && command->options[i].name; i++) {
        const cli_option *o = &command->options[i];
        if (!o->value) continue;
        fprintf(out, "    %s:--%s", command->name, o->name);
        if (o->letter) fprintf(out, " | %s:-%c", command->name, o->letter);
        fprintf(out, ") %s; return ;;\n", action_of(o));
    }
}

static void print_options(const cli_command *command, FILE *out) {
    fprintf(out, "    %s:-*) _warpsweep_words '--help", command->name);
    for (int i = 0; i < CLI_OPTIONS_MAX && command->options[i].name; i++)
        fprintf(out, " --%s", command->options[i].name);
    fputs("' ;;\n", out);
}

void cli_print_completion(FILE *out) {
    fputs(head, out);
    fputs("        _warpsweep_words '--help --version", out);
    for (const cli_command *const *c = cli_commands; *c; c++) fprintf(out, " %s", (*c)->name);
    fputs("'\n        return\n    fi\n    case $command:$before in\n", out);
    for (const cli_command *const *c = cli_commands; *c; c++) print_values(*c, out);
    fputs("    esac\n    case $command:$word in\n", out);
    for (const cli_command *const *c = cli_commands; *c; c++) print_options(*c, out);
    fputs(tail, out);
}
