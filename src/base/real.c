#include "base/real.h"

#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The characters that "%g" prints, except for the locale's decimal point, which may be several bytes. */
static const char plain[] = "0123456789+-einfa";

/* Replaces the locale's decimal point by a '.'. */
static void put_point(char *text) {
    char *from = text + strspn(text, plain);
    if (!*from) return;
    char *rest = from + strcspn(from, plain);
    *from = '.';
    memmove(from + 1, rest, strlen(rest) + 1);
}

void ws_print_real(char *out, size_t size, double value, int first, int last) {
    for (int digits = first; digits <= last; digits++) {
        snprintf(out, size, "%.*g", digits, value);
        if (strtod(out, NULL) == value) break;
    }
    put_point(out);
}

/* The C library has locale C at hand; should there be no memory for it all the same, the text counts as no number. */
double ws_read_real(const char *text, char **end) {
    locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (!c) {
        if (end) *end = (char *)(uintptr_t)text;
        return 0;
    }
    double value = strtod_l(text, end, c);
    freelocale(c);
    return value;
}
