/* Ctrl-C, SIGTERM and a terminal that goes away, as a flag that long work polls. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

/* From now on the first signal sets the flag that is returned, and a second one ends the process as usual. */
const volatile bool *cli_catch_interrupts(void);

#endif
