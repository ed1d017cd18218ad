/* Parses command lines by the tables of their commands (command.h). */
#include "base/ascii.h"
#include "base/nearest.h"
#include "cli/command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_option *find_long(const cli_command *command, const char *name, size_t length) {
    for (const cli_option *o = command->options; o < command->options + CLI_OPTIONS_MAX && o->name; o++)
        if (strlen(o->name) == length && strncmp(o->name, name, length) == 0) return o;
    return NULL;
}

static const cli_option *find_short(const cli_command *command, char letter) {
    for (const cli_option *o = command->options; o < command->options + CLI_OPTIONS_MAX && o->name; o++)
        if (o->letter == letter) return o;
    return NULL;
}

static bool unknown_option(const cli_command *command, const char *given, size_t length, ws_error *err) {
    char name[64] = "";
    if (given[1] == '-' && length < sizeof name + 2) memcpy(name, given + 2, length - 2);
    ws_nearest nearest = ws_nearest_to(name);
    for (const cli_option *o = command->options; o < command->options + CLI_OPTIONS_MAX && o->name; o++)
        ws_nearest_offer(&nearest, o->name);
    if (*name && nearest.best)
        return ws_fail(err, WS_ERROR_USAGE, "unknown option '%.*s': did you mean '--%s'?", (int)length, given,
                       nearest.best);
    return ws_fail(err, WS_ERROR_USAGE, "unknown option '%.*s'", (int)length, given);
}

static bool repeats(const cli_command *command, const char *name) {
    return command->repeats && strcmp(command->repeats, name) == 0;
}

static bool reads_standard_input(const cli_command *command, const cli_option *option) {
    return command->standard_input && strcmp(command->standard_input, option->name) == 0;
}

static bool take_repeated(cli_args *args, const char *value, const char **first, ws_error *err) {
    if (args->repeated_count == CLI_REPEATS_MAX)
        return ws_fail(err, WS_ERROR_USAGE, "'%s': expected at most %d of them", args->command->repeats,
                       CLI_REPEATS_MAX);
    args->repeated[args->repeated_count++] = value;
    if (!*first) *first = value;
    return true;
}

static bool take_argument(cli_args *args, const char *text, ws_error *err) {
    for (int i = 0; i < CLI_ARGUMENTS_MAX && args->command->arguments[i].name; i++) {
        const char *name = args->command->arguments[i].name, **slot = &args->argument[i];
        bool again = repeats(args->command, name);
        if (*slot && !again) continue;
        if (!*text) return ws_fail(err, WS_ERROR_USAGE, "expected %s, found an empty text", name);
        if (again) return take_repeated(args, text, slot, err);
        *slot = text;
        return true;
    }
    return ws_fail(err, WS_ERROR_USAGE, "unexpected argument '%s'", text);
}

/* Takes the option at argv[*i], and its value from the same word or the next one. */
static bool take_option(cli_args *args, int *i, ws_error *err) {
    const char *word = args->argv[*i], *value = NULL;
    const cli_option *option;
    size_t length;
    if (word[1] == '-') {
        length = strcspn(word, "=");
        option = find_long(args->command, word + 2, length - 2);
        if (word[length] == '=') value = word + length + 1;
    } else {
        length = 2;
        option = find_short(args->command, word[1]);
        if (word[2]) value = word + 2;
    }
    if (!option) return unknown_option(args->command, word, length, err);
    if (!option->value && value)
        return ws_fail(err, WS_ERROR_USAGE, "option '%.*s' takes no value, found '%s'", (int)length, word,
                       value);
    if (option->value && !value) {
        if (*i + 1 >= args->argc)
            return ws_fail(err, WS_ERROR_USAGE, "option '%s': expected %s, found nothing", word,
                           option->value);
        value = args->argv[++*i];
    }
    if (value && !*value) /* most likely a variable of a script that is not set */
        return ws_fail(err, WS_ERROR_USAGE, "option '--%s': expected %s, found an empty text", option->name,
                       option->value);
    if (value && strcmp(value, "-") == 0 && !reads_standard_input(args->command, option))
        return ws_fail(err, WS_ERROR_USAGE,
                       "option '--%s': expected %s, found '-'; it takes no standard input or output",
                       option->name, option->value);
    const char **slot = &args->option[option - args->command->options];
    if (repeats(args->command, option->name)) return take_repeated(args, value, slot, err);
    if (*slot) return ws_fail(err, WS_ERROR_USAGE, "option '--%s' is given twice", option->name);
    *slot = value ? value : "";
    return true;
}

/* True if required options may be missing. */
static bool is_waived(const cli_args *args) {
    const char *flag = args->command->waives;
    return flag && args->option[find_long(args->command, flag, strlen(flag)) - args->command->options];
}

static bool complete(const cli_args *args, ws_error *err) {
    const cli_command *command = args->command;
    bool waived = is_waived(args);
    for (int i = 0; i < CLI_ARGUMENTS_MAX && command->arguments[i].name; i++)
        if (!args->argument[i] && !command->arguments[i].optional)
            return ws_fail(err, WS_ERROR_USAGE, "expected %s, found nothing", command->arguments[i].name);
    for (int i = 0; i < CLI_OPTIONS_MAX && command->options[i].name; i++)
        if (!args->option[i] && command->options[i].required && !waived)
            return ws_fail(err, WS_ERROR_USAGE, "expected --%s %s, found nothing", command->options[i].name,
                           command->options[i].value);
    return true;
}

/* False for arguments: these may be "-", or SQL that begins with a "-- remark". */
static bool is_option(const char *word) {
    return word[0] == '-' && word[1] && !(word[1] == '-' && ws_is_space(word[2]));
}

bool cli_parse(const cli_command *command, int argc, char **argv, cli_args *args, ws_error *err) {
    *args = (cli_args){.command = command, .argc = argc, .argv = argv};
    bool options = true;
    for (int i = 2; i < argc; i++) {
        const char *word = argv[i];
        if (options && strcmp(word, "--") == 0) {
            options = false;
        } else if (options && is_option(word)) {
            if (!take_option(args, &i, err)) return false;
        } else if (!take_argument(args, word, err)) {
            return false;
        }
    }
    return complete(args, err);
}

static bool bad_number(const cli_args *args, int option, const char *kind, double min, double max,
                       ws_error *err) {
    return ws_fail(err, WS_ERROR_USAGE, "option '--%s': expected a %s from %.15g to %.15g, found '%s'",
                   args->command->options[option].name, kind, min, max, args->option[option]);
}

/* A decimal number: no sign but '-', no blanks, nothing hexadecimal. */
static bool read_number(const char *text, double min, double max, double *out) {
    char *end;
    if (*text == '+' || text[strspn(text, "0123456789.eE+-")]) return false;
    *out = strtod(text, &end);
    return end != text && !*end && *out >= min && *out <= max;
}

bool cli_number(const cli_args *args, int option, double min, double max, double fallback, double *out,
                ws_error *err) {
    *out = fallback;
    if (!args->option[option] || read_number(args->option[option], min, max, out)) return true;
    return bad_number(args, option, "number", min, max, err);
}

bool cli_whole_number(const cli_args *args, int option, uint32_t min, uint32_t max, uint32_t fallback,
                      uint32_t *out, ws_error *err) {
    double value = fallback;
    bool given = args->option[option] != NULL;
    if (given && (!read_number(args->option[option], min, max, &value) || value != floor(value)))
        return bad_number(args, option, "whole number", min, max, err);
    *out = (uint32_t)value;
    return true;
}
