#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile bool interrupted;

static void on_signal(int number) {
    (void)number;
    interrupted = true;
}

const volatile bool *cli_catch_interrupts(void) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND}, hangup;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    if (sigaction(SIGHUP, NULL, &hangup) == 0 && hangup.sa_handler != SIG_IGN) /* as under nohup */
        sigaction(SIGHUP, &action, NULL);
    return &interrupted;
}
