#include "base/words.h"

#include "base/ascii.h"

#include <string.h>

static bool is_of_word(char c) {
    return c == '_' || ws_is_letter(c) || ws_is_digit(c);
}

static bool begins_with(const char *text, const char *word) {
    while (*word && ws_to_lower(*text) == ws_to_lower(*word)) text++, word++;
    return !*word;
}

bool ws_has_word(const char *text, const char *word) {
    size_t length = strlen(word);
    for (const char *at = text; length && *at; at++)
        if (begins_with(at, word) && (at == text || !is_of_word(at[-1])) && !is_of_word(at[length]))
            return true;
    return false;
}
