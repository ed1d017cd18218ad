#include "cli/interrupt.h"

#include "base/array.h"
#include "base/unfinished.h"

#include <signal.h>
#include <stddef.h>

static volatile bool interrupted;

static void on_last(int number) {
    ws_unfinished_remove();
    signal(number, SIG_DFL);
    raise(number);
}

static void on_first(int number) {
    interrupted = true;
    signal(number, on_last);
}

static void handle(int number, void (*handler)(int)) {
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

static bool is_ignored(int number) {
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

void cli_end_tidily(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < WS_COUNT(signals); i++)
        if (!is_ignored(signals[i])) handle(signals[i], on_last);
}

const volatile bool *cli_catch_interrupts(void) {
    handle(SIGINT, on_first);
    handle(SIGTERM, on_first);
    if (!is_ignored(SIGHUP)) handle(SIGHUP, on_first); /* ignored, for example, under nohup */
    return &interrupted;
}
