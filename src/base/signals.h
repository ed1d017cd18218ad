/* Moments in which no signal may come, as its handler would miss what is under way. */
#ifndef WS_BASE_SIGNALS_H
#define WS_BASE_SIGNALS_H

#include <signal.h>

/* Holds all signals back from the calling thread, and returns the mask from before for ws_signals_release(). */
static inline sigset_t ws_signals_hold(void) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    return before;
}
static inline void ws_signals_release(const sigset_t *before) {
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

#endif
