#include "report/figure/glyphs.h"

#include "base/array.h"
#include "base/utf8.h"

#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LATIN_END = 0x180 }; /* any font of a language in Latin letters has the characters below */

/* The answers so far. */
typedef struct known {
    uint32_t code[256];
    bool drawable[256];
    size_t count;
} known;

/* The code of a character that is `length` bytes of valid UTF-8. */
static uint32_t code_of(const char *text, size_t length) {
    uint32_t code = (unsigned char)*text & (length > 1 ? 0x7fu >> length : 0x7fu);
    for (size_t i = 1; i < length; i++) code = code << 6 | ((unsigned char)text[i] & 0x3f);
    return code;
}

/* Asks fontconfig, as pango does, which takes a character from any font that has it. */
static bool some_font_has(uint32_t code) {
    static char name[] = "fc-list", quiet[] = "-q";
    char set[24];
    snprintf(set, sizeof set, ":charset=%x", (unsigned)code);
    char *const argv[] = {name, quiet, set, NULL};
    pid_t child;
    int status = 0;
    if (posix_spawnp(&child, name, NULL, NULL, argv, environ) != 0) return true;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    return !WIFEXITED(status) || WEXITSTATUS(status) != 1; /* 1: none has it */
}

static bool is_drawable(known *k, uint32_t code) {
    if (code < LATIN_END) return true;
    for (size_t i = 0; i < k->count; i++)
        if (k->code[i] == code) return k->drawable[i];
    bool drawable = some_font_has(code);
    if (k->count < WS_COUNT(k->code)) k->code[k->count] = code, k->drawable[k->count++] = drawable;
    return drawable;
}

void ws_write_drawable(const char *text, FILE *out) {
    known k = {.count = 0};
    while (*text) {
        size_t length = ws_utf8_character(text), bytes = length ? length : 1;
        if (length && !is_drawable(&k, code_of(text, length)))
            fputc('?', out);
        else
            fwrite(text, 1, bytes, out);
        text += bytes;
    }
}
