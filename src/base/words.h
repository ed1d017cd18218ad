/* Names within texts, as those of columns in a query. */
#ifndef WS_BASE_WORDS_H
#define WS_BASE_WORDS_H

#include <stdbool.h>

/* Whether the text contains the word as a whole, in upper or lower case: "FROM S_by_kernel" does not contain S. False
 * for the empty word. */
bool ws_has_word(const char *text, const char *word);

#endif
