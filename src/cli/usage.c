#include "cli/usage.h"

#include <string.h>

enum { TEXT_COLUMNS = 100, NAME_COLUMNS = 24 };

const char cli_purpose[] =
    "replays traces of GPU kernels under many settings and keeps every result where SQL reaches it";
const char cli_exit_statuses[] =
    "0 done, 1 internal or I/O (a file that is not there or cannot be read, too), 2 usage,\n"
    "3 bad trace, specification or configuration, 4 finished but some points failed, 130 interrupted.\n";

void cli_print_wrapped(const char *text, int indent, FILE *out) {
    int column = indent;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column > indent && column + 1 + length > TEXT_COLUMNS) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            fputc(' ', out), column++;
        }
        fprintf(out, "%.*s", length, text);
        column += length, text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

void cli_print_named(const char *name, const char *help, int indent, FILE *out) {
    fprintf(out, "  %-*s", indent - 2, name);
    if (strlen(name) + 3 > (size_t)indent) fprintf(out, "\n%*s", indent, "");
    cli_print_wrapped(help, indent, out);
}

static const cli_option *next_option(const cli_command *command, const cli_option *o) {
    o = o ? o + 1 : command->options;
    return o < command->options + CLI_OPTIONS_MAX && o->name ? o : NULL;
}

static void option_text(const cli_option *o, bool both_forms, char *text, size_t size) {
    char form[40];
    if (both_forms && o->letter)
        snprintf(form, sizeof form, "-%c, --%s", o->letter, o->name);
    else
        snprintf(form, sizeof form, "--%s", o->name);
    snprintf(text, size, o->value ? "%s %s" : "%s", form, o->value);
}

/* What to print behind the name of an argument or option: " .." if it may be given more than once, else "". */
static const char *dots(const cli_command *command, const char *name) {
    return command->repeats && strcmp(command->repeats, name) == 0 ? " .." : "";
}

void cli_usage(const cli_command *command, char text[CLI_USAGE_SIZE]) {
    char option[80];
    size_t at = (size_t)snprintf(text, CLI_USAGE_SIZE, "warpsweep %s", command->name);
    for (int i = 0; i < CLI_ARGUMENTS_MAX && command->arguments[i].name; i++)
        at += (size_t)snprintf(text + at, CLI_USAGE_SIZE - at,
                               command->arguments[i].optional ? " [%s%s]" : " %s%s",
                               command->arguments[i].name, dots(command, command->arguments[i].name));
    for (const cli_option *o = next_option(command, NULL); o; o = next_option(command, o)) {
        if (command->waives && strcmp(o->name, command->waives) == 0)
            continue; /* shown with what it waives */
        option_text(o, false, option, sizeof option);
        const char *more = dots(command, o->name);
        if (o->required && command->waives)
            at += (size_t)snprintf(text + at, CLI_USAGE_SIZE - at, " (%s%s | --%s)", option, more,
                                   command->waives);
        else
            at += (size_t)snprintf(text + at, CLI_USAGE_SIZE - at, o->required ? " %s%s" : " [%s%s]", option,
                                   more);
    }
}

void cli_print_usage(const cli_command *command, FILE *out) {
    char text[CLI_USAGE_SIZE];
    cli_usage(command, text);
    fputs("usage: ", out);
    cli_print_wrapped(text, (int)strlen("usage: "), out);
}

void cli_print_command(const cli_command *command, FILE *out) {
    char text[80];
    fprintf(out, "warpsweep %s: %s\n\n", command->name, command->summary);
    cli_print_usage(command, out);
    if (command->arguments[0].name || command->options[0].name) fputc('\n', out);
    for (int i = 0; i < CLI_ARGUMENTS_MAX && command->arguments[i].name; i++)
        cli_print_named(command->arguments[i].name, command->arguments[i].help, NAME_COLUMNS, out);
    for (const cli_option *o = next_option(command, NULL); o; o = next_option(command, o)) {
        option_text(o, true, text, sizeof text);
        cli_print_named(text, o->help, NAME_COLUMNS, out);
    }
    if (command->details) fprintf(out, "\n%s", command->details);
}

void cli_print_overview(FILE *out) {
    fprintf(out, "warpsweep: %s\n\nusage: warpsweep COMMAND ..\n\n", cli_purpose);
    for (const cli_command *const *c = cli_commands; *c; c++)
        cli_print_named((*c)->name, (*c)->summary, NAME_COLUMNS, out);
    fprintf(out,
            "\n'warpsweep help NAME' explains each of these, and any name of 'warpsweep list';\n"
            "'warpsweep help environment' has the variables that are read.\n"
            "Exit status: %s",
            cli_exit_statuses);
}
