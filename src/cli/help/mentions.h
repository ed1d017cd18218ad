/* Names by the words of their explanations, for who knows a term but not what it is called here. */
#ifndef WS_CLI_HELP_MENTIONS_H
#define WS_CLI_HELP_MENTIONS_H

#include <stdbool.h>
#include <stdio.h>

/* Lists the analyses, mechanisms, parameters and metrics whose name and explanation have all words of `term` (in any
 * case). Returns whether there are any. */
bool cli_print_mentions(const char *term, FILE *out);

#endif
