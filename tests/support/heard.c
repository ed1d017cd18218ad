#include "heard.h"

#include "mechanism_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void hear(void *self, const ws_timed_access *access) {
    heard *h = self;
    assert_true(h->count < HEARD_MAX);
    h->at[h->count++] = *access;
}

heard heard_in(const ws_trace *trace, const char *settings) {
    ws_error err = WS_NO_ERROR;
    ws_config *config = mechanism_config(settings);
    ws_timed *timed = ws_timed_new(trace, config, &err);
    if (!timed) fail_msg("%s: %s", settings, err.text);
    heard h = {.count = 0};
    ws_timed_tap(timed, &(ws_timed_taps){.self = &h, .access = hear});
    if (!ws_timed_run(timed, 1, &h.counters, &err)) fail_msg("%s: %s", settings, err.text);
    ws_timed_free(timed);
    ws_config_free(config);
    return h;
}

const ws_timed_access *heard_nth(const heard *h, uint64_t line, size_t n) {
    for (size_t i = 0; i < h->count; i++)
        if (h->at[i].line == line && n-- == 0) return &h->at[i];
    fail_msg("line %d was not accessed so often", (int)line);
    return NULL;
}
