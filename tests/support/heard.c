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
    heard h = {.count = 0};
    h.counters = mechanism_listen(trace, 1, settings, &(ws_timed_taps){.self = &h, .access = hear}).counters;
    return h;
}

const ws_timed_access *heard_nth(const heard *h, uint64_t line, size_t n) {
    for (size_t i = 0; i < h->count; i++)
        if (h->at[i].line == line && n-- == 0) return &h->at[i];
    fail_msg("line %d was not accessed so often", (int)line);
    return NULL;
}
