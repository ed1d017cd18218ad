/* Ctrl-C, SIGTERM and a terminal that goes away. */
#ifndef WS_CLI_INTERRUPT_H
#define WS_CLI_INTERRUPT_H

#include <stdbool.h>

/* From now on such a signal, unless it is ignored, removes unfinished files (base/unfinished.h) before it ends the
 * process. */
void cli_end_tidily(void);

/* For long work, which polls the flag that is returned: from now on the first signal sets it, and another one, half a
 * second later or more, ends the process as above. */
const volatile bool *cli_catch_interrupts(void);

#endif
