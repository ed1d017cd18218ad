/* Formats of traces, as `warpsweep help FORMAT` explains them. */
#ifndef CLI_FORMATS_H
#define CLI_FORMATS_H

#include <stdio.h>

typedef struct cli_format {
    const char *name; /* as `import --format` has it; "wst" is the native one */
    void (*print)(FILE *out);
} cli_format;

/* Ends with a NULL name. */
extern const cli_format cli_formats[];

#endif
