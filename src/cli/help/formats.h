/* Formats of traces, as `warpsweep help FORMAT` explains them. */
#ifndef WS_CLI_HELP_FORMATS_H
#define WS_CLI_HELP_FORMATS_H

#include <stdio.h>

typedef struct cli_format {
    const char *name; /* as `import --format` has it; "wst" is the native one */
    const char *summary;
    void (*print)(FILE *out); /* what follows the summary */
} cli_format;

/* Ends with a NULL name. */
extern const cli_format cli_formats[];

void cli_print_format(const cli_format *format, FILE *out);

/* All of them, a line each. */
void cli_print_formats(FILE *out);

#endif
