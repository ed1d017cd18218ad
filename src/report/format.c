#include "report/format.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *ws_real_text(double value, int digits, char text[WS_REAL_SIZE]) {
    if (isinf(value)) return strcpy(text, value < 0 ? "-9e999" : "9e999");
    if (digits) {
        snprintf(text, WS_REAL_SIZE, "%.*g", digits, value);
    } else {
        for (digits = 15; digits <= 17; digits++) {
            snprintf(text, WS_REAL_SIZE, "%.*g", digits, value);
            if (strtod(text, NULL) == value) break;
        }
    }
    if (!strpbrk(text, ".e")) strcat(text, ".0");
    return text;
}

char *ws_blob_text(sqlite3_stmt *statement, int column) {
    const unsigned char *bytes = sqlite3_column_blob(statement, column);
    size_t count = (size_t)sqlite3_column_bytes(statement, column), size = 2 * count + 4;
    char *text = malloc(size);
    if (!text) return NULL;
    strcpy(text, "X'");
    for (size_t i = 0; i < count; i++) snprintf(text + 2 + 2 * i, size - 2 - 2 * i, "%02X", bytes[i]);
    return strcat(text, "'");
}
