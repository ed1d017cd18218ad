#include "cli/interrupt.h"

#include "base/array.h"
#include "base/clock.h"
#include "base/unfinished.h"

#include <signal.h>
#include <stddef.h>

static volatile bool interrupted;

static void on_last(int number) {
    ws_unfinished_remove();
    signal(number, SIG_DFL);
    raise(number);
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

/* Signals that were ignored when the command began stay so: SIGHUP under nohup, SIGINT in the background of a
 * script. */
static void catch_with(void (*handler)(int)) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < WS_COUNT(signals); i++)
        if (!is_ignored(signals[i])) handle(signals[i], handler);
}

void cli_end_tidily(void) {
    catch_with(on_last);
}

/* One wish to stop may come as several signals: timeout(1) sends one to the command and one to its group, a terminal
 * that is closed SIGHUP and more. */
enum { SAME_WISH_NS = 500000000 };

static uint64_t first_ns; /* when the first one came */

static void on_later(int number) {
    if (ws_clock_ns() - first_ns >= SAME_WISH_NS) on_last(number);
}

/* The next signal may be another one than the first. */
static void on_first(int number) {
    (void)number;
    first_ns = ws_clock_ns();
    interrupted = true;
    catch_with(on_later);
}

const volatile bool *cli_catch_interrupts(void) {
    catch_with(on_first);
    return &interrupted;
}
