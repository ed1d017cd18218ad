#include "cli/help/manual.h"

#include "cli/command.h"
#include "cli/installed.h"
#include "cli/usage.h"
#include "warpsweep/version.h"

#include <string.h>

/* Prints a line for roff, as it is. */
static void print_line(const char *line, int length, FILE *out) {
    if (*line == '.' || *line == '\'') fputs("\\&", out);
    for (int i = 0; i < length; i++) {
        if (line[i] == '\\')
            fputs("\\e", out);
        else if (line[i] == '-')
            fputs("\\-", out);
        else
            fputc(line[i], out);
    }
    fputc('\n', out);
}

/* Prints a text for roff, which fills lines; an empty line begins a new paragraph. Lines that are indented, as those of
 * lists and examples, stay lines. */
static void print_text(const char *text, FILE *out) {
    bool filled = true;
    for (; *text; text += strspn(text, "\n")) {
        int length = (int)strcspn(text, "\n");
        int indent = strncmp(text, "  ", 2) == 0 ? 2 : 0;
        if (filled != !indent) fputs(indent ? ".nf\n" : ".fi\n", out);
        filled = !indent;
        print_line(text + indent, length - indent, out);
        text += length;
        if (strncmp(text, "\n\n", 2) == 0) fputs(".PP\n", out);
    }
    if (!filled) fputs(".fi\n", out);
}

static void print_paragraph(const char *text, FILE *out) {
    fputs(".PP\n", out);
    print_text(text, out);
}

/* Prints a name in bold, and what it is. */
static void print_entry(const char *name, const char *value, const char *help, FILE *out) {
    fputs(".TP\n\\fB", out);
    for (const char *c = name; *c; c++) fputs(*c == '-' ? "\\-" : (const char[]){*c, 0}, out);
    fputs("\\fR", out);
    if (value) fprintf(out, " \\fI%s\\fR", value);
    fputc('\n', out);
    print_text(help, out);
}

static void print_option(const cli_option *o, FILE *out) {
    char name[80];
    if (o->letter)
        snprintf(name, sizeof name, "-%c, --%s", o->letter, o->name);
    else
        snprintf(name, sizeof name, "--%s", o->name);
    print_entry(name, o->value, o->help, out);
}

/* Prints the usage, options in bold and what stands for something else in italics. */
static void print_synopsis(const cli_command *command, FILE *out) {
    char usage[CLI_USAGE_SIZE];
    cli_usage(command, usage);
    fprintf(out, ".PP\n\\fBwarpsweep %s\\fR", command->name);
    for (const char *c = usage + strlen("warpsweep ") + strlen(command->name); *c;) {
        int between = (int)strspn(c, " .|[()]");
        fprintf(out, "%.*s", between, c);
        c += between;
        if (!*c) break;
        fputs(*c == '-' ? "\\fB" : "\\fI", out);
        for (; *c && !strchr(" ])", *c); c++) fputs(*c == '-' ? "\\-" : (const char[]){*c, 0}, out);
        fputs("\\fR", out);
    }
    fputc('\n', out);
}

static void print_command(const cli_command *command, FILE *out) {
    fprintf(out, ".SS %s\n", command->name);
    print_text(command->summary, out);
    print_synopsis(command, out);
    for (int i = 0; i < CLI_ARGUMENTS_MAX && command->arguments[i].name; i++)
        print_entry(command->arguments[i].name, NULL, command->arguments[i].help, out);
    for (int i = 0; i < CLI_OPTIONS_MAX && command->options[i].name; i++)
        print_option(&command->options[i], out);
    if (command->details) print_paragraph(command->details, out);
}

static void print_variable(const char *name, const char *help, FILE *out) {
    print_entry(name, NULL, help, out);
}

void cli_print_manual(FILE *out) {
    fprintf(out, ".TH WARPSWEEP 1 \"\" \"warpsweep %s\" \"User Commands\"\n", ws_version());
    fprintf(out, ".SH NAME\nwarpsweep \\- %s\n", cli_purpose);
    fputs(".SH SYNOPSIS\n\\fBwarpsweep\\fR \\fICOMMAND\\fR ..\n.SH DESCRIPTION\n", out);
    print_text(
        "For computer architects who ask what-if questions of GPU memory systems: traces of real kernels are "
        "imported or bundled, replayed at every point of a design space, and kept in a SQLite database that "
        "queries and figures read.",
        out);
    print_paragraph(
        "'warpsweep help NAME' explains a command, an analysis, a parameter, a value, a metric, a GPU, "
        "a format or a function of SQL; 'warpsweep list' has their names.",
        out);
    fputs(".SH COMMANDS\n", out);
    for (const cli_command *const *c = cli_commands; *c; c++) print_command(*c, out);
    fputs(".SH ENVIRONMENT\n", out);
    cli_print_variables(print_variable, out);
    fputs(".SH EXIT STATUS\n", out);
    print_text(cli_exit_statuses, out);
    fputs(".SH FILES\n", out);
    print_entry(
        "share/doc/warpsweep/", NULL,
        "of the prefix that it is installed under: README.md, an introduction; sweeps/README.md, all keys of "
        "a specification; plots/README.md, figures; results/README.md, databases; traces/README.md, traces.",
        out);
    print_entry(
        "share/warpsweep/", NULL,
        "of the same: the figures, GPUs, tables of energies, specifications and queries that come with it.",
        out);
    fputs(".SH SEE ALSO\n\\fBsqlite3\\fR(1), \\fBgnuplot\\fR(1)\n", out);
}
