#include "base/json_decode.h"

#include <errno.h>
#include <stdbool.h>
#include <threads.h>

static json_malloc_t allocate;
static _Thread_local bool lacks_memory;

static void *allocate_and_note(size_t size) {
    void *memory = allocate(size);
    lacks_memory |= !memory;
    return memory;
}

/* Whatever allocates for jansson goes on doing so. */
static void note_allocations(void) {
    json_free_t release;
    json_get_alloc_funcs(&allocate, &release);
    json_set_alloc_funcs(allocate_and_note, release);
}

json_t *ws_json_decode(const char *text, size_t size, size_t flags, json_error_t *why) {
    static once_flag noted = ONCE_FLAG_INIT;
    call_once(&noted, note_allocations);
    lacks_memory = false;
    json_t *root = json_loadb(text, size, flags, why);
    if (lacks_memory) {
        json_decref(root);
        root = NULL;
    }
    errno = lacks_memory ? ENOMEM : 0;
    return root;
}
